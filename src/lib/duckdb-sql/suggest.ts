import { quoteName, quoteText, sameName } from './names.ts'
import type { CatalogTable } from './catalog.ts'
import {
  cteColumns,
  relationColumns,
  selectAliases,
  type KnownColumn,
  structFields,
  typeAt,
  typeOfPath,
} from './columns.ts'
import { conditions, sharedColumns } from './joins.ts'
import { COMMON_KEYWORDS, DATE_PARTS } from './dialect.ts'
import { localNames } from './locals.ts'
import { optionSuggestions } from './options.ts'
import { phrasesAt, windowNames } from './phrases.ts'
import type { Place } from './place.ts'
import { fitting, MOST, nameOf, type Suggestion, type SuggestionSources } from './suggestion.ts'
import { findCte, findRelation, relationName, type Scope } from './scope.ts'

/** Suggestions that fit a place, unsorted. */
export function suggestionsAt(place: Place, scope: Scope, sources: SuggestionSources): readonly Suggestion[] {
  const phrases = phrasesAt(place, scope)
  const follow = phrases.words.map((words, index): Suggestion => {
    const text = sources.lowerCase ? words.toLowerCase() : words
    return { kind: 'keyword', label: text, text, detail: '', rank: (phrases.only ? 99 : 45) - index }
  })
  const said = new Set(follow.map(({ label }) => label))
  const found = phrases.only
    ? [...follow, ...windowsAfterOver(place, scope)]
    : [...follow, ...suggestionsOf(place, scope, sources).filter(({ label }) => !said.has(label))]
  // Within a name's quotes there are no keywords and functions.
  const isName = place.quoted && place.kind !== 'file' && place.kind !== 'part'
  return isName ? found.filter(({ kind }) => !/^(?:function|keyword|snippet|type|condition)$/.test(kind)) : found
}

function suggestionsOf(place: Place, scope: Scope, sources: SuggestionSources): readonly Suggestion[] {
  switch (place.kind) {
    case 'none':
    case 'name':
      return []
    case 'file':
      return files(sources)
    case 'part':
      return DATE_PARTS.map((part, index) => ({
        kind: 'part',
        label: part,
        text: place.quoted ? `'${part}'` : part,
        detail: '',
        rank: -index,
      }))
    case 'option':
      return optionSuggestions(place.path)
    case 'type':
      return fitting(sources.words.types, sources.typed, (type) => type).map((type) => ({
        kind: 'type',
        label: type,
        text: type,
        detail: '',
        rank: 0,
      }))
    case 'member':
      return members(place, scope, sources)
    case 'relation':
      return [
        ...tables(scope, sources),
        ...functions(sources, 'table'),
        ...snippets(place),
        ...keywords(sources, -40).filter(({ label }) => !CLAUSE.test(label) || BEGINS_QUERY.test(label)),
      ]
    case 'target':
      return tables(scope, sources)
    case 'using':
      return sharedColumns(place, scope, sources)
    case 'column':
      return columns(place, scope, sources, 60).filter(({ kind }) => kind === 'column')
    case 'query':
      return [...keywords(sources, 20).filter(({ label }) => BEGINS_QUERY.test(label)), ...snippets({ kind: 'after' })]
    case 'after':
      return [...keywords(sources, 20), ...snippets(place), ...columns(place, scope, sources, -40)]
    case 'value':
      return [
        ...conditions(place, scope, sources),
        ...localNames(scope, place.from, sources).map((column) => columnSuggestion(column, '', 65, 'here')),
        ...columns(place, scope, sources, 60),
        ...(scope.relations.length === 0 ? columnsOfAll(sources, 50) : []),
        ...functions(sources, 'value'),
        ...keywords(sources, -20).filter(({ label }) => !isWanted(place, scope) || !CLAUSE.test(label)),
      ]
  }
}

/** The names of the WINDOW clause, after `OVER` or `OVER (`. */
function windowsAfterOver({ from }: Place, { parsed }: Scope): readonly Suggestion[] {
  if (!/\bover\s*\(?\s*$/i.test(parsed.text.slice(0, from))) return []
  return windowNames(parsed).map((name) => ({
    kind: 'alias',
    label: name,
    text: quoteName(name),
    detail: 'window',
    rank: 99,
  }))
}

/** Words that begin a query. */
const BEGINS_QUERY = /^(?:select|from|with|values|table|pivot|unpivot|summarize|describe|show)$/i
/** Words that can't begin an expression. */
const CLAUSE =
  /^(?:select|from|where|group|having|order|limit|offset|union|intersect|except|qualify|window|join|inner|full|cross|natural|asof|semi|anti|on|using|set|into|values|as|by|asc|desc|nulls|and|or|then|else|end|over|partition|returning)$/i
const WANTS_VALUE = /^(?:select|distinct|where|and|or|on|having|qualify|when|then|else|case|by|,|[-+*/=<>|%]+)$/i

/** Whether an expression must follow, and no keyword of another clause can. */
function isWanted({ from }: Place, { parsed: { text, tokens } }: Scope): boolean {
  const before = tokens.findLast(({ to }) => to <= from)
  return before !== undefined && WANTS_VALUE.test(text.slice(before.from, before.to))
}

function members(place: Place, scope: Scope, sources: SuggestionSources): readonly Suggestion[] {
  const { path, ofRelation } = place
  const named = namespaceMembers(path, sources)
  if (ofRelation) return named
  const found = findRelation(scope.relations, path)
  const known =
    found?.taken === path.length
      ? relationColumns(scope, found.relation, sources)
      : structFields(typeOfMember(place, scope, sources))
  // Before there's a FROM, a table may be meant that will be named there.
  const later =
    scope.relations.length === 0 && known.length === 0 ? (sources.catalog.find(path)?.table.columns ?? []) : []
  return [
    ...fitting([...known, ...later], sources.typed, nameOf).map((column) => columnSuggestion(column, '', 60)),
    ...named,
  ]
}

/** The type of what stands before the dot: a column, a field, or a name that only this part of an expression has. */
function typeOfMember({ path, from }: Place, scope: Scope, sources: SuggestionSources): string | null {
  const [first = '', ...steps] = path
  const local = localNames(scope, from, sources).find(({ name }) => sameName(name, first))
  return local ? typeAt(local.type, steps) : typeOfPath(path, scope, sources)
}

/** The members of a workspace, a dataset or `local`. */
function namespaceMembers(path: readonly string[], { catalog }: SuggestionSources): readonly Suggestion[] {
  const [first = '', second] = path
  const out: Suggestion[] = []
  const own = path.length === 1 ? OWN_PLACES.find(({ label }) => sameName(first, label)) : undefined
  if (own)
    out.push(
      ...catalog.tables
        .filter(({ kind }) => kind === own.kind)
        .map((table) => tableSuggestion(table, quoteName(table.table.name), 50)),
    )
  const workspace = catalog.workspaces.find(({ name }) => sameName(name, first))
  if (path.length === 1)
    out.push(
      ...(workspace?.datasets ?? []).map(({ name, tables: inside }): Suggestion => ({
        kind: 'dataset',
        label: name,
        text: quoteName(name),
        detail: countOf(inside.length, 'table'),
        rank: 50,
      })),
    )
  const dataset =
    path.length === 2 && second !== undefined
      ? workspace?.datasets.find(({ name }) => sameName(name, second))
      : undefined
  for (const table of dataset?.tables ?? []) {
    const known = catalog.find([first, second ?? '', table.name])
    if (known) out.push(tableSuggestion(known, quoteName(table.name), 50))
  }
  return out
}

function tables(scope: Scope, sources: SuggestionSources): readonly Suggestion[] {
  const { catalog } = sources
  return [
    ...scope.ctes.map((cte): Suggestion => ({
      kind: 'cte',
      label: cte.cte.name,
      text: quoteName(cte.cte.name),
      detail: 'CTE',
      rank: 80,
      columns: cteColumns(scope, cte, sources),
    })),
    ...fitting(catalog.tables, sources.typed, ({ table }) => table.name).map((table) =>
      tableSuggestion(table, table.table.reference, RANKS[table.kind]),
    ),
    ...catalog.workspaces.map(({ name, datasets }): Suggestion => ({
      kind: 'workspace',
      label: name,
      text: quoteName(name),
      detail: `workspace · ${countOf(datasets.length, 'dataset')}`,
      rank: 30,
    })),
    ...OWN_PLACES.filter((place) => catalog.tables.some(({ kind }) => kind === place.kind)).map(
      ({ label, detail }): Suggestion => ({ kind: 'workspace', label, text: label, detail, rank: 30 }),
    ),
  ]
}

/** Files by path, each once. */
function files({ catalog, typed }: SuggestionSources): readonly Suggestion[] {
  const byPath = new Map(
    catalog.tables.flatMap(({ table, file }) => (file === undefined ? [] : [[file, table] as const])),
  )
  return fitting([...byPath], typed, ([path]) => path).map(([path, { reference, columns: own, rowCount }]) => ({
    kind: 'file',
    label: path,
    text: quoteText(path),
    detail: reference,
    rank: 50,
    columns: own,
    rows: rowCount,
  }))
}

/** The places of tables that only this browser has. */
const OWN_PLACES = [
  { kind: 'local', label: 'local', detail: 'files of this browser' },
  { kind: 'kept', label: 'my', detail: 'tables that stay' },
] as const

const RANKS = { temporary: 60, local: 50, kept: 50, published: 50 } as const

function tableSuggestion({ table, kind, place }: CatalogTable, text: string, rank: number): Suggestion {
  return {
    kind: kind === 'published' ? 'table' : kind === 'kept' ? 'local' : kind,
    label: table.name,
    text,
    detail: place,
    rank,
    columns: table.columns,
    rows: table.rowCount,
  }
}

/** The columns of all tables in scope, each once, and the tables' names. */
function columns(place: Place, scope: Scope, sources: SuggestionSources, rank: number): readonly Suggestion[] {
  const out: Suggestion[] = []
  const count = new Map<string, number>()
  const known = scope.relations.map(({ relation, outer }) => {
    const own = relationColumns(scope, relation, sources)
    return { relation, outer, own, fit: fitting(own, sources.typed, nameOf) }
  })
  for (const { fit } of known)
    for (const { name } of fit) count.set(name.toLowerCase(), (count.get(name.toLowerCase()) ?? 0) + 1)
  for (const { relation, outer, own, fit } of known) {
    const owner = relationName(relation)
    const lower = rank - Math.min(4, outer) * 5
    for (const column of fit) {
      const ambiguous = (count.get(column.name.toLowerCase()) ?? 0) > 1 && owner !== null
      out.push(columnSuggestion(column, ambiguous ? owner : '', lower, owner ?? ''))
    }
    // The word that is being typed looks like the alias of the table before it.
    if (owner !== null && scope.parsed.tokens[relation.span.hi - 1]?.from !== place.from)
      out.push({
        kind: 'alias',
        label: owner,
        text: quoteName(owner),
        detail: aliasDetail(scope, relation.path, relation.query !== null),
        rank: lower - 10,
        columns: own,
      })
  }
  for (const { name } of selectAliases(scope, place.from))
    if (!count.has(name.toLowerCase()))
      out.push({ kind: 'column', label: name, text: quoteName(name), detail: 'of the select list', rank: rank - 5 })
  return out
}

/** Before there's a FROM: the columns of all tables, each name once, those of files and of the tab first. */
function columnsOfAll({ catalog, typed }: SuggestionSources, rank: number): readonly Suggestion[] {
  const found = new Map<string, { readonly column: KnownColumn; readonly tables: CatalogTable[] }>()
  for (const table of catalog.tables.slice(0, MOST)) {
    for (const column of fitting(table.table.columns, typed, nameOf)) {
      const known = found.get(column.name.toLowerCase())
      if (known) known.tables.push(table)
      else if (found.size < MOST) found.set(column.name.toLowerCase(), { column, tables: [table] })
    }
  }
  return Array.from(found.values(), ({ column, tables: [first, ...others] }) => {
    const place = others.length > 0 ? `in ${countOf(others.length + 1, 'table')}` : (first?.table.name ?? '')
    const own = first?.kind === 'published' ? 0 : 5
    return columnSuggestion(others.length > 0 ? { ...column, type: null } : column, '', rank + own, place)
  })
}

function columnSuggestion({ name, type }: KnownColumn, prefix: string, rank: number, owner = ''): Suggestion {
  return {
    kind: 'column',
    label: prefix === '' ? name : `${prefix}.${name}`,
    text: prefix === '' ? quoteName(name) : `${quoteName(prefix)}.${quoteName(name)}`,
    detail: [type, prefix === '' ? owner : ''].filter(Boolean).join(' · '),
    rank,
  }
}

function aliasDetail(scope: Scope, path: readonly string[], isQuery: boolean): string {
  if (isQuery) return 'subquery'
  return findCte(scope.ctes, path) ? 'CTE' : path.join('.')
}

function functions({ words, typed }: SuggestionSources, where: 'table' | 'value'): readonly Suggestion[] {
  return (
    fitting(words.functions, typed, nameOf)
      // Letters scattered over a function's name most likely mean another function, or none.
      .filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()))
      .filter(({ kind }) => (kind === 'table') === (where === 'table'))
      .map((found) => ({
        kind: 'function',
        label: found.name,
        text: found.name,
        detail: found.signatures[0] ?? '',
        rank: found.kind === 'aggregate' ? 2 : 0,
        function: found,
      }))
  )
}

function keywords({ words, lowerCase, typed }: SuggestionSources, rank: number): readonly Suggestion[] {
  return fitting(words.keywords, typed, (keyword) => keyword).map((keyword) => {
    const text = lowerCase ? keyword.toLowerCase() : keyword.toUpperCase()
    return {
      kind: 'keyword',
      label: text,
      text,
      detail: '',
      rank: COMMON_KEYWORDS.has(keyword.toLowerCase()) ? rank : rank - 30,
    }
  })
}

const SNIPPETS: readonly { readonly label: string; readonly text: string; readonly where: readonly Place['kind'][] }[] =
  [
    { label: 'SELECT … FROM …', text: 'SELECT #{2:*}\nFROM #{1}', where: ['after'] },
    {
      label: 'WITH … AS (…)',
      text: 'WITH #{1:name} AS (\n  #{2:SELECT *}\n)\nSELECT *\nFROM #{1:name}',
      where: ['after'],
    },
    { label: 'JOIN … ON …', text: 'JOIN #{1} ON #{2}', where: ['after'] },
    { label: 'CASE … WHEN … END', text: 'CASE WHEN #{1} THEN #{2} ELSE #{3} END', where: ['value'] },
  ]

function snippets({ kind }: Pick<Place, 'kind'>): readonly Suggestion[] {
  return SNIPPETS.filter(({ where }) => where.includes(kind)).map(({ label, text }) => ({
    kind: 'snippet',
    label,
    text,
    detail: 'snippet',
    rank: 10,
  }))
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
