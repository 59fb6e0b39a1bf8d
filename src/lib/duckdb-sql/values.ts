import { findCte, findRelation, spanText, type Scope } from './scope.ts'
import { isReserved, quoteName, quoteText, sameName } from './names.ts'
import { pathBefore } from './place.ts'
import { keyType, relationColumns, type ColumnSources } from './columns.ts'
import { tokenize, type Token, nameOf } from './lexer.ts'

/* Values to compare a column with, and keys of maps: where one is expected, of which column, and how it's written. */

/**
 * A value expected after `column =` or `column <>`, or in `column IN (…)` or `column BETWEEN … AND …`; or a key, in
 * `column[…]`.
 */
export interface Compared {
  /** The column, preceded by the names that qualify it. */
  readonly path: readonly string[]
  readonly isKey: boolean
  /** Values already in the list. */
  readonly taken: readonly string[]
  /** The part of the value that is already there, including quotes. */
  readonly from: number
  readonly to: number
  readonly quoted: boolean
}

/** The value expected at the cursor, in a statement's text; null if there's none. */
export function comparedAt(text: string, position: number, tokens: readonly Token[] = tokenize(text)): Compared | null {
  const index = tokens.findLastIndex(({ from, to, closed }) => from < position && (position <= to || !closed))
  const at = tokens[index]
  const own = at && ownPart(text, position, at)
  if (own === null) return null
  const before = tokens
    .slice(0, own ? index : tokens.findLastIndex(({ to }) => to <= position) + 1)
    .filter(({ kind }) => kind !== 'comment')
  const place = own ?? { from: position, to: position, quoted: false }
  const last = before.at(-1)
  if (!last) return null
  const sign = text.slice(last.from, last.to)
  if (last.kind === 'operator') {
    const path = /^(?:==?|<>|!=)$/.test(sign) ? columnBefore(text, before.slice(0, -1)) : null
    return path && { path, isKey: false, taken: [], ...place }
  }
  const keyed = sign === '[' ? columnBefore(text, before.slice(0, -1)) : null
  if (keyed) return { path: keyed, isKey: true, taken: [], ...place }
  const bounded = last.kind === 'word' ? boundBefore(text, before) : null
  if (bounded) return { path: bounded, isKey: false, taken: [], ...place }
  const list = sign === '(' || sign === ',' ? listBefore(text, before) : null
  return list && { ...list, isKey: false, ...place }
}

/** `column BETWEEN`, `column BETWEEN 'a' AND` */
function boundBefore(text: string, before: readonly Token[]): readonly string[] | null {
  let at = before.length - 1
  if (isWord(text, before[at], 'and')) {
    const lower = before[at - 1]
    if (lower?.kind !== 'string' && lower?.kind !== 'number' && lower?.kind !== 'parameter') return null
    // A sign or a type may precede it.
    at -= isWord(text, before[at - 2], 'between') ? 2 : 3
  }
  return isWord(text, before[at], 'between') ? columnBeforeNot(text, before.slice(0, at)) : null
}

/** The part of a value that is already there; undefined if there's none, null if no value is possible. */
function ownPart(
  text: string,
  position: number,
  { kind, from, to, closed }: Token,
): { readonly from: number; readonly to: number; readonly quoted: boolean } | null | undefined {
  switch (kind) {
    case 'string':
      return text.charAt(from) === "'" && (!closed || position < to) ? { from, to, quoted: true } : null
    case 'word':
      return { from, to, quoted: false }
    case 'operator':
    case 'punctuation':
      return undefined
    case 'comment':
    case 'number':
    case 'parameter':
    case 'quoted':
      return null
  }
}

/** `column IN ('a', 'b',` */
function listBefore(text: string, before: readonly Token[]): Pick<Compared, 'path' | 'taken'> | null {
  const taken: string[] = []
  for (let at = before.length - 1; at >= 0; at--) {
    const token = before[at]
    if (!token) return null
    const here = text.slice(token.from, token.to)
    if (here === '(') {
      if (!isWord(text, before[at - 1], 'in')) return null
      const path = columnBeforeNot(text, before.slice(0, at - 1))
      return path && { path, taken }
    }
    if (token.kind === 'string') taken.push(here.slice(1, -1).replaceAll("''", "'"))
    else if (token.kind === 'number') taken.push(here)
    else if (here !== ',' && here !== '-' && token.kind !== 'word') return null
    else if (token.kind === 'word' && isReserved(here) && !/^(?:null|true|false)$/i.test(here)) return null
  }
  return null
}

const isWord = (text: string, token: Token | undefined, word: string): boolean =>
  token?.kind === 'word' && text.slice(token.from, token.to).toLowerCase() === word

const columnBeforeNot = (text: string, before: readonly Token[]): readonly string[] | null =>
  columnBefore(text, isWord(text, before.at(-1), 'not') ? before.slice(0, -1) : before)

function columnBefore(text: string, before: readonly Token[]): readonly string[] | null {
  const last = before.at(-1)
  if (last?.kind !== 'word' && last?.kind !== 'quoted') return null
  if (last.kind === 'word' && isReserved(text.slice(last.from, last.to))) return null
  return [...pathBefore(text, before.slice(0, -1)).path, nameOf(text, last)]
}

/** Where a column's values come from. */
export interface Origin {
  /** The table or files, as written in a statement. */
  readonly source: string
  readonly column: string
  /** Whether the column is a map, and its keys are meant. */
  readonly isKey: boolean
  /** Of the values or keys. */
  readonly type: string
  /** Null while it isn't known. */
  readonly rowCount: number | null
}

/** The table of a column; null if it belongs to a subquery, isn't known, or has no such values. */
export function originOf(
  scope: Scope,
  { path, isKey }: Pick<Compared, 'path' | 'isKey'>,
  sources: ColumnSources,
): Origin | null {
  const name = path.at(-1) ?? ''
  const named = path.length > 1 ? findRelation(scope.relations, path.slice(0, -1)) : null
  if (path.length > 1 && named?.taken !== path.length - 1) return null
  const searched = named ? [named] : scope.relations
  for (const { relation } of searched) {
    const found = relationColumns(scope, relation, sources).find((column) => sameName(column.name, name))
    if (!found) continue
    const isTable = !relation.query && !relation.isFunction && relation.columnAliases.length === 0
    if (!isTable || (!relation.files && findCte(scope.ctes, relation.path))) return null
    const type = isKey ? keyType(found.type) : found.type
    if (type === null || literalOf(type, '0') === null) return null
    if (relation.files)
      return { source: spanText(scope.parsed, relation.files), column: found.name, isKey, type, rowCount: null }
    const table = sources.catalog.find(relation.path)?.table
    return table ? { source: table.reference, column: found.name, isKey, type, rowCount: table.rowCount } : null
  }
  return null
}

const NUMBER = /^(?:U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|DOUBLE|FLOAT|DECIMAL.*)$/
const QUOTED = /^(?:VARCHAR|UUID|DATE|TIME|TIMESTAMP.*|ENUM.*)$/

/** A value as a literal; null if its type has no short form. */
export function literalOf(type: string, text: string): string | null {
  const name = type.toUpperCase()
  if (name.endsWith(']')) return null
  if (name === 'BOOLEAN') return text
  if (NUMBER.test(name)) return /^-?\d/.test(text) ? text : null
  return QUOTED.test(name) ? quoteText(text) : null
}

/** Rows to read: enough to find frequent values, few enough to be quick. */
const LOOKED_AT = 100_000
const LISTED = 200

/**
 * A query for a column's values or keys, the most frequent first, with their counts in the first `LOOKED_AT` rows, and whether
 * there are more rows.
 */
export function frequentSql({ source, column, isKey }: Origin): string {
  const looked = `(SELECT ${quoteName(column)} AS v FROM ${source} LIMIT ${LOOKED_AT})`
  return `SELECT CAST(v AS VARCHAR) AS value, count(*) AS n,
  (SELECT count(*) FROM (SELECT 1 FROM ${source} LIMIT ${LOOKED_AT + 1})) > ${LOOKED_AT} AS more
FROM ${isKey ? `(SELECT unnest(map_keys(v)) AS v FROM ${looked})` : looked} AS looked
WHERE v IS NOT NULL GROUP BY v ORDER BY n DESC, v ASC LIMIT ${LISTED}`
}
