import { foldName } from '../../../lib/names.ts'
import { refusalOf, type Refusal } from '../../storage/database.ts'
import { EngineError } from '../../errors.ts'
import { lacking, plainMessage, withSqlTypes } from './messages.ts'
import { foldIdentifier, nameAt, unquoted, type Statement } from '../statement.ts'

/** A place in a statement, from 1. Columns count UTF-16 code units, as editors do. */
interface Place {
  readonly line: number
  readonly column: number
}

/** Where the statement stands in what was given to the engine. */
export interface Framing {
  readonly statement: Statement
  /** Bytes of UTF-8 before it. */
  readonly before: number
}

/** The statement as it was written, where the engine was given another text. */
interface AsWritten {
  readonly text: string
  readonly filled: { readonly original: (at: number) => number }
}

/** Kinds of error whose text tells of the engine, not of the statement. */
const INTERNAL = new Set(['Internal', 'Fatal', 'IO', 'Serialization', 'Transaction', 'Connection', 'Network', 'HTTP'])

/**
 * What went wrong with a statement, in words that tell nothing of what isn't the caller's: no physical names, no paths,
 * no suggestions of names that the caller may not read.
 */
export function statementError(cause: unknown, framing: Framing, written?: AsWritten): unknown {
  if (cause instanceof EngineError || cause instanceof DOMException) return cause
  const refusal = refusalOf(cause)
  if (!refusal) return cause
  const { kind, message } = refusal
  if (kind === 'Out of Memory' || /allocation failure|out of memory|yyjson/i.test(message)) {
    return new EngineError('out-of-memory', 'The statement needs more memory than the engine has.', {
      remedy: 'Ask for fewer columns or rows, or filter before joining and grouping.',
    })
  }
  // Errors of other kinds quote values, which may say so, too.
  if ((INTERNAL.has(kind) || kind === 'Invalid') && /corrupt database file|could not read|NotReadable/i.test(message)) {
    return new EngineError('corrupt-file', 'A table’s file is damaged, or can’t be read any more.', {
      remedy: 'Fetch or copy the file again, and add it again.',
      cause,
    })
  }
  const start = startOf(refusal, framing)
  const missing = missingTable(refusal, framing.statement, start)
  // An address is a file's, and these functions read files, whether the engine has them or not.
  const readsFile = FILE_FUNCTION.test(message) || (missing !== null && ADDRESS.test(unquoted(missing)))
  if (kind === 'Permission' || readsFile) {
    return new EngineError('sql-not-allowed', 'A statement can’t read files or addresses, only tables.', {
      remedy: 'Query tables as workspace.dataset.table. SHOW ALL TABLES lists them.',
    })
  }
  if (missing !== null) return unknownTable(missing)
  if (/^.+ is not an? table$|can only (update|delete|merge)/i.test(message)) {
    return new EngineError('sql-not-allowed', 'A statement can only read, and this one writes.')
  }
  const { text, original } = written
    ? { text: written.text, original: written.filled.original }
    : { text: framing.statement.text, original: (at: number) => at }
  const details = start === null ? {} : { details: placeOf(text, original(start)) }
  return new EngineError(
    'sql-error',
    INTERNAL.has(kind)
      ? 'The engine couldn’t run the statement.'
      : cut(keyOfText(message, framing.statement) ?? clean(refusal)),
    {
      ...details,
      ...(INTERNAL.has(kind) ? { cause } : {}),
    },
  )
}

/** What is to be said of `j['a']` where `j` is a text, as JSON is here; null of all else. */
function keyOfText(message: string, { text }: Statement): string | null {
  const key = /^Could not convert string '([^']*)' to INT64/.exec(message)?.[1]
  if (key === undefined || !text.includes(`['${key}']`)) return null
  return `A text has no ['${key}']. If it’s JSON, write -> '${key}' instead of ['${key}'].`
}

const FILE_FUNCTION = /^Table Function with name "(?:parquet|read)_\w+" is not in the catalog/
const ADDRESS = /^'?[a-z][a-z0-9+.-]+:\/\//i

/** Messages quote names and values, which may be as long as the statement. Characters. */
const MOST = 1000

const cut = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST)}…` : text)

/** @param table as the caller wrote it */
export function unknownTable(table: string): EngineError {
  const written = cut(table)
  return new EngineError('unknown-table', `There is no table ${written}.`, {
    details: { table: written },
    remedy:
      'Name it as workspace.dataset.table, with quotes where a name has blanks. SHOW ALL TABLES lists what there is.',
  })
}

/** Where in the statement's text, in code units; null where the engine doesn't tell. */
export function startOf({ position, message }: Refusal, { statement, before }: Framing): number | null {
  if (position === null || position < before) return null
  // The parser has no message of its own for this, and its place is in the middle of a word.
  if (message.startsWith('errhint')) return null
  const bytes = new TextEncoder().encode(statement.text)
  if (position - before > bytes.length) return null
  return new TextDecoder().decode(bytes.subarray(0, position - before)).length
}

export function placeOf(text: string, start: number): Place {
  const lines = text.slice(0, start).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** A name that is another table's or view's: the engine calls it what was to be made. */
const TAKEN = /^(?:Table|View) with name "([^]*)" already exists!/

/** The name of a table that isn't there, as it was written; null when that isn't what's wrong. */
function missingTable(
  { kind, type, name, message }: Refusal,
  statement: Statement,
  start: number | null,
): string | null {
  if (kind === 'Catalog' && type === 'Table' && name !== null && !TAKEN.test(message)) {
    const written = start === null ? null : nameAt(statement, start)
    // What a function such as query_table was given stands in a string.
    return written !== null && foldIdentifier(written.split('.').at(-1) ?? '') === foldName(name) ? written : name
  }
  const catalog = /^Catalog "(.*)" does not exist!/s.exec(message)?.[1]
  const schema = /^Schema with name (.*) does not exist!/s.exec(message)?.[1]
  if (catalog === undefined && (schema === undefined || /^drop schema\b/i.test(statement.text.trimStart()))) return null
  const part = foldName(catalog ?? schema ?? '')
  const at = statement.tokens.find(
    (token, i) => foldIdentifier(token.text) === part && statement.tokens[i + 1]?.text === '.',
  )
  return (at && nameAt(statement, at.start)) ?? catalog ?? schema ?? null
}

const ZONED =
  'This can’t be done with a time that has a zone. Cast it to TIMESTAMP first, which gives what the session’s clocks show.'

/** What the engine can't do with times that have a zone, and our functions of them neither. */
const BEYOND_ZONED = /^No function matches the given name and argument types '[^']*TIMESTAMP WITH TIME ZONE/
const CAST_OF_ZONED = /^Unimplemented type for cast \(TIMESTAMP WITH TIME ZONE -> ([^)]*)\)/

/** The engine's message without what it says of its extensions, its settings, and names that it guesses. */
function clean({ kind, message }: Refusal): string {
  if (kind === 'Extension Autoloading' || /exists in the \S+ extension/.test(message)) {
    const [, what = '', name = null] = /(\w+) with name "([^"]*)" is not in the catalog/.exec(message) ?? []
    if (name === null) return ZONED
    return lacking(what, name) ?? `There is no ${what.toLowerCase()} ${name} here.`
  }
  if (BEYOND_ZONED.test(message)) return ZONED
  const wanted = CAST_OF_ZONED.exec(message)?.[1]
  if (wanted !== undefined) return `A time with a zone can’t be cast to ${wanted}. Cast it to TIMESTAMP first.`
  const plain = plainMessage(message)
  if (plain !== null) return plain
  const taken = TAKEN.exec(message)?.[1]
  if (taken !== undefined) return `There is already a table or view ${taken}.`
  const text = withSqlTypes(message)
    // What it calls a view or a subquery, which files' tables are to it.
    .replace(/^Values list (?=")/, 'Table ')
    .replace(/\n(?:Did you mean|Either add it to the GROUP BY) [^]*$/, '')
    .replace(/^(Could not parse string [^\n]*)\n[^]*$/, '$1')
    .replace(/\n*LINE \d+:[^]*$/, '')
    .replace(/\nCandidate bindings: : /, '\nCandidate bindings: ')
    // Settings are nobody's to change.
    .replace(/\s*\bUse "SET [^\n]*/i, '')
    .trim()
  return ended(text)
}

/** A message with a point at its end. */
export const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
