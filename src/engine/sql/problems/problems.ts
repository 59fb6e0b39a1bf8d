import { refusalOf, type Refusal } from '../../storage/database.ts'
import { foldName } from '../../../lib/names.ts'
import { quoteName, quoteText } from '../../../lib/duckdb-sql/names.ts'
import { EngineError } from '../../errors.ts'
import type { SqlProblem, TextRange } from '../session-types.ts'
import type { NamedTable } from '../../storage/table-types.ts'
import { ended, placeOf, startOf, statementError } from './errors.ts'
import { foldIdentifier, nameAt, unquoted, type Statement } from '../statement.ts'
import { writtenTable } from '../catalog.ts'
import { KEPT } from '../kept/place.ts'
import { saidElsewhere } from './elsewhere.ts'
import { closest, partsOf } from './near.ts'
import { ambiguousColumns, missingName, nearNames, onlyPlace, quotedNames } from './columns.ts'
import { CANDIDATES, isWindowFunction, remedyFor } from './remedies.ts'
import { slipAt } from './slips.ts'
import type { Filled } from '../parameters.ts'
import type { Prepared } from '../gate/commands.ts'
import { withoutPlace } from '../gate/temporary.ts'

/** A statement as the engine was given it, and as it was written. */
export interface Written {
  /** With its parameters filled in, and what our own functions want otherwise. */
  readonly statement: Statement
  readonly filled: Filled
  /** Without. */
  readonly text: string
  /** A part of the statement, up to its end, as the engine is to be given it; of the same length. */
  readonly toEngine: (part: string) => string
  /** Of EXECUTE: what gives its columns their names, in the engine's words. */
  readonly named?: Statement
  /** What PREPARE is to keep of it: then it's bound, and not run. */
  readonly prepares?: Prepared
  /** Which local tables its paths and bare names mean: a sentence each. */
  readonly notes?: readonly string[]
  /** Whether a file's path is a parameter without a value: what the file has isn't known. */
  readonly open?: boolean
}

/** Names that may be suggested: all of them the person's own. */
interface Names {
  readonly tables: readonly NamedTable[]
  /** Of the session's own tables, and of DuckDB files' tables, as statements write them. */
  readonly others: readonly string[]
}

const SUGGESTIONS = 3
const TYPES =
  'BIGINT BLOB BOOLEAN DATE DECIMAL DOUBLE FLOAT HUGEINT INTEGER INTERVAL JSON SMALLINT TEXT TIME TIMESTAMP TIMESTAMPTZ TINYINT UUID VARCHAR'
    .split(' ')
    .map((name) => ({ name, whole: name }))
/** Where nothing better is known. */
const UNKNOWN = 'Change the statement, and run it again.'
/** What the engine says of a view that was to be changed like a table. */
const VIEW = /^.+ is not an? table$|can only (?:update|delete)/i

function ofView(): EngineError {
  return new EngineError('sql-not-allowed', 'The rows of a view can’t be changed.', {
    remedy: 'Change the tables that it reads.',
  })
}

/** What is wrong with a part of the statement, said of the text as it was written. */
export function placedIn({ filled, text }: Written, error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  const place = error.details as Readonly<Record<string, unknown>> | undefined
  if (typeof place?.['from'] !== 'number' || typeof place['to'] !== 'number') return error
  const from = filled.original(place['from'])
  const to = Math.max(filled.original(place['to']), from + 1)
  return error.with({ details: { ...place, ...placeOf(text, from), from, to } })
}

/** A failure as a mistake in the text; null for cancellations and faults that no text is the cause of. */
export function problemOf(failure: Failure): SqlProblem | null {
  const { error, range, suggestions } = failure
  if (!/^(?:sql-|unknown-table$|file-changed$)/.test(error.code)) return null
  const { message, remedy } = error
  return { ...range, message, suggestions, ...(remedy === undefined || remedy === UNKNOWN ? {} : { remedy }) }
}

interface Failure {
  readonly error: EngineError
  readonly range: TextRange
  readonly suggestions: readonly string[]
}

/** What is known of errors that were reported already. */
const failures = new WeakMap<EngineError, Failure>()

/**
 * What went wrong with a statement: said of the text as it was written.
 * @param before bytes that the engine was given before the statement
 * @throws what isn't an error of ours or DuckDB's
 */
export function failureOf(cause: unknown, written: Written, before: number, names: Names): Failure {
  const known = cause instanceof EngineError ? failures.get(cause) : undefined
  if (known) return known
  const { statement } = written
  const given = refusalOf(cause)
  const refusal = given && { ...given, message: withoutPlace(given.message) }
  const error = VIEW.test(refusal?.message ?? '') ? ofView() : statementError(cause, { statement, before })
  if (!(error instanceof EngineError)) throw error
  const start = refusal && (startOf(refusal, { statement, before }) ?? onlyPlace(refusal, statement))
  const elsewhere = saidElsewhere(error.message, statement)
  const slip = elsewhere === null && start !== null && isSyntax(error) ? slipAt(statement, start) : null
  const at = slip?.meant?.start ?? start
  const range = rangeOf(error, at, written)
  const nearby = { ...names, written: written.text.slice(range.from, range.to) }
  const suggestions = elsewhere === null ? (slip?.meant?.words ?? suggest(error, refusal, nearby)) : []
  const instead = elsewhere ?? slip?.remedy ?? (suggestions.length > 0 ? null : quotedText(error, nearby.written))
  const found = { range, at, suggestions, instead }
  const gone = error.code === 'unknown-table' && names.tables.find((table) => sameTable(error, table))
  const failure = gone
    ? { error: withoutRows(gone), range, suggestions: [] }
    : { error: complete(error, found, written), range, suggestions }
  failures.set(failure.error, failure)
  return failure
}

/**
 * The error with its place in the text as written, and with what may have been meant.
 * `details`: `{line, column, from, to, suggestions}`, and `table` of one that isn't there.
 */
function complete(
  error: EngineError,
  { range: { from, to }, at, suggestions, instead }: Found,
  { text }: Written,
): EngineError {
  const { code, message } = error
  const details = error.details as object | undefined
  const placed = at !== null || code === 'unknown-table'
  const place = placed || (details && 'line' in details) ? { ...placeOf(text, from), from, to } : {}
  const meant = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : null
  return error.with({
    message: withoutPlace(meant ? ended(message.replace(CANDIDATES, '').replace(/ \(use: [^]*/, '')) : message),
    remedy: instead ?? meant ?? remedyOf(error),
    ...(details || placed ? { details: { ...details, ...place, suggestions } } : {}),
  })
}

/** What was found out about an error. */
interface Found {
  readonly range: TextRange
  /** Where in the statement as the engine was given it; null if unknown. */
  readonly at: number | null
  readonly suggestions: readonly string[]
  /** What to write instead, if the statement tells. */
  readonly instead: string | null
}

const isSyntax = ({ message }: EngineError): boolean => /^syntax error at (?:or near|end of)/.test(message)

/** What to write instead of a name in double quotes that no column has. */
function quotedText({ message }: EngineError, written: string): string | null {
  if (!message.startsWith('Referenced column') || !/^"[^"]*"$/.test(written)) return null
  return `Text stands in single quotes: ${quoteText(unquoted(written))}.`
}

function remedyOf({ code, message, remedy, details }: EngineError): string {
  if (code === 'sql-not-allowed' && message.includes('files or addresses')) {
    return 'Drop the file into this window: it’s then a table, local.<name>.'
  }
  if (code === 'sql-error' && message.startsWith('There is already'))
    return 'Choose another name, or drop that one first.'
  if (code === 'unknown-table') return whereTablesAre((details as { table: string }).table)
  return remedy ?? remedyFor(message) ?? UNKNOWN
}

/** @param table that isn't there, as it was written */
function whereTablesAre(table: string): string {
  const parts = partsOf(table)
  const [first, second] = parts.map(foldIdentifier)
  const own = `${KEPT}.${parts.at(-1)}`
  if (first === KEPT && parts.length === 2)
    return `SHOW TABLES lists what there is. To make it: CREATE TABLE ${own} AS ….`
  if (first === KEPT && second === 'main') return `Tables in my have two names: write ${own}.`
  return 'Tables are named workspace.dataset.table, local.name or my.name, with quotes where a name has blanks. SHOW ALL TABLES lists them.'
}

/** The words that are at fault, as written: the whole statement when nothing tells. */
function rangeOf(error: EngineError, at: number | null, { statement, filled, text }: Written): TextRange {
  const start = at ?? missingTable(error, statement)
  if (start === null) return { from: 0, to: text.trimEnd().length }
  const isEnd = start >= statement.text.trimEnd().length
  // At the end there's nothing to mark but what stands before.
  const token = isEnd
    ? statement.tokens.at(-1)
    : statement.tokens.find((each) => each.start <= start && start < each.start + each.text.length)
  const name = token && (nameAt(statement, token.start) ?? token.text)
  const end = token && name !== undefined ? token.start + name.length : start + 1
  const from = Math.min(filled.original(token?.start ?? start), Math.max(text.trimEnd().length - 1, 0))
  return { from, to: Math.max(Math.min(filled.original(end), text.length), from + 1) }
}

function sameTable({ details }: EngineError, table: NamedTable): boolean {
  return identifierOf((details as { table: string }).table) === identifierOf(writtenTable(table))
}

function identifierOf(written: string): string {
  return partsOf(written).map(foldIdentifier).join('\0')
}

/** There is such a table, but its file is gone. */
function withoutRows(table: NamedTable): EngineError {
  return new EngineError(
    'file-changed',
    `The rows of ${writtenTable(table)} are no longer in this browser’s storage.`,
    {
      remedy: 'Add the table again, or restore a backup.',
    },
  )
}

function missingTable({ code, details }: EngineError, statement: Statement): number | null {
  if (code !== 'unknown-table') return null
  const { table } = details as { table: string }
  const all = statement.tokens.filter(({ start }) => nameAt(statement, start)?.toLowerCase() === table.toLowerCase())
  return all[0]?.start ?? null
}

/** Names, unless one is there twice, and so says nothing. */
const onlyOnce = (names: string[]): string[] => (new Set(names).size < names.length ? [] : names.slice(0, SUGGESTIONS))

/** @param written the words at fault */
function suggest(
  error: EngineError,
  refusal: Refusal | null,
  { written, tables, others }: Names & { readonly written: string },
): string[] {
  if (error.code === 'unknown-table') {
    const { table } = error.details as { table: string }
    const candidates = [
      ...tables.map((each) => ({ name: each.table, whole: writtenTable(each) })),
      ...others.map((whole) => ({ name: unquoted(partsOf(whole).at(-1) ?? ''), whole })),
    ]
    return closest(table, candidates, SUGGESTIONS)
  }
  if (isWindowFunction(refusal?.name ?? '')) return []
  if (!refusal) return []
  if (error.message.startsWith('There is no type')) return closest(written, TYPES, SUGGESTIONS)
  const ambiguous = ambiguousColumns(refusal)
  if (ambiguous) return foldIdentifier(written) === foldName(ambiguous.name) ? onlyOnce(ambiguous.columns) : []
  if (missingName(refusal) !== null) return nearNames(refusal, written, SUGGESTIONS)
  // Functions that everybody knows.
  const functions = /Function with name \S+ does not exist!\nDid you mean ("[^"]+")/.exec(refusal.message)?.[1]
  const found = quotedNames(functions ?? '').map((name) => ({ name, whole: quoteName(name) }))
  const candidates = found.filter(({ name }) => !/^(?:pg|duckdb)_|__postfix$/.test(name))
  return closest(quoteName(refusal.name ?? ''), candidates, SUGGESTIONS)
}
