import { foldName } from '../../../lib/names.ts'
import { quoteIdentifier, quoteName, quoteText } from '../../../lib/duckdb-sql/names.ts'
import { refusalOf, type Refusal } from '../../storage/database.ts'
import { startOf, type Framing } from './errors.ts'
import { foldIdentifier, nameAt, type Statement, type Token } from '../statement.ts'
import { closest, partsOf } from './near.ts'
import { CANDIDATES } from './remedies.ts'

/* Columns, and tables in front of them, that aren't there, and those that may be meant. */

/** What the engine says of them. */
const MISSING =
  /^(?:(?:Referenced (?:column|table)|(?:Table|Values list) "[^]*?" does not have a column (?:named|with name)|Could not find key|Column) "([^"]*)"|Referenced update column (\S+) not found|Type with name (\S+) does not exist)/
const AMBIGUOUS = /^Ambiguous reference to column name "([^"]*)" \(use: ([^]*)\)/
/** A column that HAVING names, and a function or a collation that there isn't. */
const NAMED =
  /^(?:column (\S+) must appear in the GROUP BY clause or be used in|(?:\w+ )+with name "?(\w+)"? (?:is not in the catalog|does not exist))/
/** Of a view's or a subquery's columns it names none. */
const UNTOLD = /^Values list "([^]*)" does not have a column named "([^]*)"$/
/** What a plan calls tables and their files. */
const PHYSICAL = /\b[ft]_[0-9a-f]{16,}/

/** The name of a column, of its table, of a struct's field, or of a type, that isn't there; null if that isn't what's wrong. */
export function missingName({ message }: Refusal): string | null {
  const [, quoted, bare, type] = MISSING.exec(message) ?? []
  return quoted ?? bare ?? type ?? null
}

/** Where something stands that the engine gives no position of, if it's there once; null otherwise. */
export function onlyPlace(refusal: Refusal, statement: Statement): number | null {
  const { message } = refusal
  const [, ungrouped, extension] = NAMED.exec(message) ?? []
  const name = missingName(refusal) ?? ungrouped ?? extension
  const [first, second] =
    name === undefined
      ? (bareColumns(refusal, statement) ?? textsIn(message, statement))
      : statement.tokens.filter(({ text }) => foldIdentifier(text) === foldName(name))
  return first && !second ? first.start : null
}

/** The columns that an ambiguous name may mean, and that name. */
export function ambiguousColumns({ message }: Refusal): { readonly name: string; readonly columns: string[] } | null {
  const [, name, all] = AMBIGUOUS.exec(message) ?? []
  if (name === undefined || all === undefined) return null
  return { name, columns: quotedNames(all).filter((column) => /^[a-z_]\w*\.[a-z_]\w*$/i.test(column)) }
}

/** Where an ambiguous name stands without a table's; null if that isn't what's wrong. */
function bareColumns(refusal: Refusal, { tokens }: Statement): readonly Token[] | null {
  const name = ambiguousColumns(refusal)?.name
  if (name === undefined) return null
  const bare = tokens.filter(
    ({ text }, i) =>
      foldIdentifier(text) === foldName(name) && tokens[i - 1]?.text !== '.' && tokens[i + 1]?.text !== '.',
  )
  // In a statement with one FROM, it's ambiguous everywhere.
  return tokens.filter(({ text }) => /^from$/i.test(text)).length > 1 ? bare : bare.slice(0, 1)
}

/** The texts that a message quotes, as the statement writes them. */
function textsIn(message: string, { tokens }: Statement): readonly Token[] {
  const texts = new Set(Array.from(message.matchAll(/(["'])(.*?)\1/g), ([, , text = '']) => quoteText(text)))
  return tokens.filter(({ kind, text }) => kind === 'string' && texts.has(text))
}

/**
 * The engine's error about a column of a view or a subquery, with names that are there.
 * @param toEngine as in `Written`
 * @param bind makes the engine bind a statement
 */
export function withColumns(
  cause: unknown,
  framing: Framing,
  toEngine: (part: string) => string,
  bind: (sql: string) => unknown,
): unknown {
  const refusal = refusalOf(cause)
  const [, table, column] = UNTOLD.exec(refusal?.message ?? '') ?? []
  if (!refusal || table === undefined || column === undefined) return cause
  const start = startOf(refusal, framing)
  const written = start === null ? null : nameAt(framing.statement, start)
  if (start === null || written === null) return cause
  // A table's name stands for a row of it, as a struct, of whose fields the engine does tell.
  const field = `struct_extract(${quoteIdentifier(table)}, ${quoteText(column)})`
  const text = toEngine(framing.statement.text)
  try {
    bind(text.slice(0, start) + field + text.slice(start + written.length))
    return cause
  } catch (error) {
    const names = CANDIDATES.exec(refusalOf(error)?.message ?? '')?.[1]
    if (names === undefined) return cause
    const { kind, message, position } = refusal
    return new Error(
      JSON.stringify({
        exception_type: kind,
        exception_message: `${message}\n\nCandidate bindings: ${names}`,
        position: String(position),
      }),
    )
  }
}

/**
 * Names that may be meant by one that isn't there, as the statement would write them.
 * @param written the name that isn't there, as it was written
 */
export function nearNames(refusal: Refusal, written: string, most: number): string[] {
  const missing = missingName(refusal)
  const names = CANDIDATES.exec(refusal.message)?.[1]
  if (missing === null || names === undefined) return []
  const candidates = quotedNames(names)
    .filter((name) => !PHYSICAL.test(name))
    .map((name) => ({ name, whole: quoteName(name) }))
  const parts = partsOf(written)
  const at = parts.findLastIndex((part) => foldIdentifier(part) === foldName(missing))
  return closest(quoteName(missing), candidates, most).map((name) => parts.with(Math.max(at, 0), name).join('.'))
}

/** Of `"a", "b"`. */
export function quotedNames(text: string): string[] {
  return Array.from(text.matchAll(/"((?:[^"]|"")*)"/g), ([, name = '']) => name.replaceAll('""', '"'))
}
