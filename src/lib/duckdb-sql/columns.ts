import type { Catalog, Column } from './catalog.ts'
import { distinctNames, sameName } from './names.ts'
import type { Parsed, Query, Relation, Span } from './parse.ts'
import { findCte, findRelation, relationName, spanText, visibleCtes, type Scope, type VisibleCte } from './scope.ts'
import { tokenize, nameOf } from './lexer.ts'

/** A column, as far as it's known without asking the engine. */
export interface KnownColumn {
  readonly name: string
  readonly type: string | null
}

export interface ColumnSources {
  readonly catalog: Catalog
  /**
   * The columns of a query as reported by the engine; undefined if it wasn't asked or doesn't know. The implementation
   * may then ask it, for the next time.
   */
  readonly described: (query: string) => readonly Column[] | undefined
}

interface Env extends ColumnSources {
  readonly parsed: Parsed
  readonly ctes: readonly VisibleCte[]
  readonly depth: number
}

const DEEPEST = 12
/** Tables that a column is looked for in, before there's a FROM. */
const SEARCHED = 1000

/** The columns of each relation in scope; empty if they aren't known. */
export function relationColumns(scope: Scope, relation: Relation, sources: ColumnSources): readonly KnownColumn[] {
  return columnsOf(relation, { ...sources, parsed: scope.parsed, ctes: scope.ctes, depth: 0 })
}

/** The columns of a CTE in scope. */
export function cteColumns(scope: Scope, cte: VisibleCte, sources: ColumnSources): readonly KnownColumn[] {
  return columnsOfCte(cte, { ...sources, parsed: scope.parsed, ctes: scope.ctes, depth: 0 })
}

/** Aliases of the surrounding select list, which GROUP BY and other clauses can use. */
export function selectAliases(scope: Scope, cursor: number): readonly KnownColumn[] {
  const { tokens, text } = scope.parsed
  return (scope.core.items ?? []).flatMap((item) => {
    const first = tokens[item.lo]
    const last = tokens[item.hi - 1]
    // An item that the cursor is in isn't complete.
    if (first && last && first.from <= cursor && text.slice(last.to, cursor).trim() === '') return []
    const alias = aliasOf(scope.parsed, item)
    return alias === null ? [] : [{ name: alias, type: null }]
  })
}

function columnsOf(relation: Relation, env: Env): readonly KnownColumn[] {
  return renamed(columnsBefore(relation, env), relation.columnAliases)
}

function columnsBefore(relation: Relation, env: Env): readonly KnownColumn[] {
  if (env.depth > DEEPEST) return []
  if (relation.query) return columnsOfQuery(relation.query, env.ctes, env)
  // Only the engine knows the columns of files.
  if (relation.files) return env.described(`FROM ${spanText(env.parsed, relation.files)}`) ?? []
  if (relation.isFunction) return functionColumns(relation)
  const cte = findCte(env.ctes, relation.path)
  if (cte) return columnsOfCte(cte, env)
  return env.catalog.find(relation.path)?.table.columns ?? []
}

/** Table functions whose column has the function's name. */
function functionColumns({ path, alias }: Relation): readonly KnownColumn[] {
  const name = path.at(-1)?.toLowerCase() ?? ''
  if (name === 'range' || name === 'generate_series') return [{ name: alias ?? name, type: 'BIGINT' }]
  return name === 'unnest' ? [{ name: alias ?? name, type: null }] : []
}

function columnsOfCte({ cte, before }: VisibleCte, env: Env): readonly KnownColumn[] {
  if (env.depth > DEEPEST) return []
  const inside = cte.recursive ? [{ cte, before }, ...before] : before
  // A recursive query names itself: its first part defines the columns.
  return renamed(columnsOfQuery(cte.query, cte.recursive ? before : inside, env), cte.columns)
}

function columnsOfQuery(query: Query, ctes: readonly VisibleCte[], env: Env): readonly KnownColumn[] {
  const described = env.described(standalone(env.parsed, query, ctes))
  return described ?? lightColumns(query, { ...env, ctes: visibleCtes(query, ctes, null), depth: env.depth + 1 })
}

/** A query as a separate statement, preceded by the CTEs that it can name. */
function standalone(parsed: Parsed, query: Query, ctes: readonly VisibleCte[]): string {
  const body = spanText(parsed, query)
  if (ctes.length === 0 || body === '') return body
  const recursive = ctes.some(({ cte }) => cte.recursive) ? 'RECURSIVE ' : ''
  const definitions = ctes.map(({ cte }) => spanText(parsed, cte.span)).toReversed()
  return `WITH ${recursive}${definitions.join(', ')} FROM (${body})`
}

function lightColumns(query: Query, env: Env): readonly KnownColumn[] {
  const core = query.cores[0]
  if (!core || core.opaque) return []
  const items = core.items
  const relations = core.relations
  if (items === null) return distinctColumns(relations, env)
  return items.flatMap((item) => itemColumns(item, relations, env))
}

function distinctColumns(relations: readonly Relation[], env: Env): readonly KnownColumn[] {
  return distinctNames(
    relations.flatMap((relation) => columnsOf(relation, env)),
    ({ name }) => name,
  )
}

function itemColumns(item: Span, relations: readonly Relation[], env: Env): readonly KnownColumn[] {
  const words = texts(env.parsed, item)
  const star = words.indexOf('*')
  if (star !== -1 && (star === 0 || words[star - 1] === '.') && isPath(env.parsed, { lo: item.lo, hi: item.lo + star }))
    return starColumns(item, star, relations, env)
  const alias = aliasOf(env.parsed, item)
  const end = alias === null ? item.hi : item.hi - (words.at(-2)?.toLowerCase() === 'as' ? 2 : 1)
  const name = alias ?? impliedName(env.parsed, item)
  return name === null ? [] : [{ name, type: expressionType({ lo: item.lo, hi: end }, relations, env) }]
}

/** The columns of `*` or `t.*` without those excluded. */
function starColumns(item: Span, star: number, relations: readonly Relation[], env: Env): readonly KnownColumn[] {
  const { parsed } = env
  const owner = star > 1 ? nameAt(parsed, item.lo + star - 2) : null
  const of = relations.filter((relation) => owner === null || sameName(relationName(relation) ?? '', owner))
  const at = item.lo + star + 1
  const excludes = /^(?:exclude|except)$/i.test(textAt(parsed, at))
  const hi = textAt(parsed, at + 1) === '(' ? (parsed.partners[at + 1] ?? 0) : at + 2
  const left = new Set<string>()
  if (excludes)
    for (let index = at + 1; index < Math.min(hi, item.hi); index++) left.add(nameAt(parsed, index).toLowerCase())
  return distinctColumns(of, env).filter((column) => !left.has(column.name.toLowerCase()))
}

/** The alias of an item, with or without AS. */
function aliasOf(parsed: Parsed, { lo, hi }: Span): string | null {
  const last = parsed.tokens[hi - 1]
  if (hi - lo < 2 || !last || (last.kind !== 'word' && last.kind !== 'quoted')) return null
  const before = textAt(parsed, hi - 2)
  if (before.toLowerCase() === 'as') return hi - lo > 2 ? nameOf(parsed.text, last) : null
  const previous = parsed.tokens[hi - 2]
  const operand =
    before === ')' ||
    before === ']' ||
    previous?.kind === 'number' ||
    previous?.kind === 'string' ||
    previous?.kind === 'quoted' ||
    previous?.kind === 'parameter' ||
    (previous?.kind === 'word' && !/^(?:and|or|not|is|in|like|ilike|then|else|when|case|between|over)$/i.test(before))
  return operand && !/^(?:end|null|true|false)$/i.test(textAt(parsed, hi - 1)) ? nameOf(parsed.text, last) : null
}

/** The name that a column reference has without an alias. */
function impliedName(parsed: Parsed, span: Span): string | null {
  return isPath(parsed, span) && span.hi > span.lo ? nameAt(parsed, span.hi - 1) : null
}

/** The type if the text says it: that of a column, or of a cast at the end. */
function expressionType({ lo, hi }: Span, relations: readonly Relation[], env: Env): string | null {
  const { parsed } = env
  if (textAt(parsed, hi - 2) === '::') return textAt(parsed, hi - 1).toUpperCase()
  if (!isPath(parsed, { lo, hi })) return null
  const path = Array.from({ length: hi - lo }, (_, index) => index)
    .filter((index) => index % 2 === 0)
    .map((index) => nameAt(parsed, lo + index))
  const column = path.at(-1) ?? ''
  const owner =
    path.length > 1
      ? findRelation(
          relations.map((relation) => ({ relation, outer: 0 })),
          path.slice(0, -1),
        )
      : null
  if (path.length > 1 && owner?.taken !== path.length - 1) return null
  for (const relation of owner ? [owner.relation] : relations) {
    const found = columnsOf(relation, { ...env, depth: env.depth + 1 }).find((known) => sameName(known.name, column))
    if (found) return found.type
  }
  return null
}

/** Whether it's names joined by dots, or nothing; it may end with a dot. */
function isPath(parsed: Parsed, { lo, hi }: Span): boolean {
  for (let at = lo; at < hi; at++) {
    const kind = parsed.tokens[at]?.kind
    if ((at - lo) % 2 === 0 ? kind !== 'word' && kind !== 'quoted' : textAt(parsed, at) !== '.') return false
  }
  return true
}

function renamed(columns: readonly KnownColumn[], names: readonly string[]): readonly KnownColumn[] {
  if (names.length === 0) return columns
  const known = columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }))
  return [...known, ...names.slice(known.length).map((name) => ({ name, type: null }))]
}

function texts(parsed: Parsed, { lo, hi }: Span): string[] {
  return parsed.tokens.slice(lo, hi).map(({ from, to }) => parsed.text.slice(from, to))
}

function textAt({ text: whole, tokens }: Parsed, at: number): string {
  const token = tokens[at]
  return token ? whole.slice(token.from, token.to) : ''
}

function nameAt(parsed: Parsed, at: number): string {
  const token = parsed.tokens[at]
  return token ? nameOf(parsed.text, token) : ''
}

/** Stands in a path for a subscript: `items[1]` is `['items', ELEMENT]`. */
export const ELEMENT = '[]'

/** The fields of `STRUCT(a INTEGER, "b c" VARCHAR[])`; none for other types. */
export function structFields(type: string | null): readonly KnownColumn[] {
  return partsOfType(type, 'struct').flatMap((part) => {
    const [name, first] = tokenize(part)
    return name && first ? [{ name: nameOf(part, name), type: part.slice(first.from) }] : []
  })
}

/** The type of a list's or array's elements, or of a map's values; null for other types. */
export function elementType(type: string | null): string | null {
  return /^(.+)\[\d*\]$/s.exec(type ?? '')?.[1] ?? partsOfType(type, 'map')[1] ?? null
}

/** The type of a map's keys; null for other types. */
export function keyType(type: string | null): string | null {
  return partsOfType(type, 'map')[0] ?? null
}

/** The type of `t.column.field` or `column[1].field`, before there's a FROM among all tables; null if it isn't known. */
export function typeOfPath(path: readonly string[], scope: Scope, sources: ColumnSources): string | null {
  const found = findRelation(scope.relations, path)
  const [column = '', ...steps] = path.slice(found?.taken ?? 0)
  const searched = found ? [found] : scope.relations
  const columns =
    searched.length > 0
      ? searched.flatMap(({ relation }) => relationColumns(scope, relation, sources))
      : sources.catalog.tables.slice(0, SEARCHED).flatMap(({ table }) => table.columns)
  const known = columns.find(({ name }) => sameName(name, column))
  return typeAt(known?.type ?? null, steps)
}

/** The type that names of fields and subscripts lead to. */
export function typeAt(type: string | null, steps: readonly string[]): string | null {
  return steps.reduce<string | null>(
    (inner, step) =>
      step === ELEMENT
        ? elementType(inner)
        : (structFields(inner).find(({ name }) => sameName(name, step))?.type ?? null),
    type,
  )
}

/** What stands between the commas of `STRUCT(…)` or `MAP(…)`; nothing for other types. */
function partsOfType(type: string | null, kind: 'struct' | 'map'): readonly string[] {
  const inside = /^(\w+)\s*\((.*)\)$/s.exec(type ?? '')
  if (inside?.[1]?.toLowerCase() !== kind) return []
  const text = inside[2] ?? ''
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (const { from, to } of tokenize(text)) {
    const sign = text.slice(from, to)
    if (sign === '(' || sign === '[') depth++
    if (sign === ')' || sign === ']') depth--
    if (sign !== ',' || depth > 0) continue
    parts.push(text.slice(start, from).trim())
    start = to
  }
  return [...parts, text.slice(start).trim()]
}
