import type { CsvSettings } from '../../../../tables/plan.ts'
import { EngineError } from '../../../errors.ts'

/** How a file is split, as byte values. */
export interface Dialect {
  /** First byte of the delimiter, and any further bytes. */
  readonly delimiter: number
  readonly delimiterRest: Uint8Array | null
  /** -1: none. */
  readonly quote: number
  /** -1: none. If there's no quote, it's a backslash, used as databases do in text files. */
  readonly escape: number
  readonly comment: Uint8Array | null
  readonly skipLines: number
  /** Whether consecutive delimiters count as one. */
  readonly merged: boolean
  /** Bytes above this never end an unquoted field. */
  readonly top: number
}

export type DialectSettings = Pick<
  CsvSettings,
  'delimiter' | 'quote' | 'escape' | 'comment' | 'skipLines' | 'mergeDelimiters'
>

const encoder = new TextEncoder()

/** Beginning of the line that names a log's fields, in the W3C's format (IIS, CloudFront) and in Zeek's. */
export const FIELDS_BEGIN = '#fields'
/** That line up to its first field's name. Zeek separates these with a tab. */
const FIELDS_LINE = /^#fields[: \t][ \t]*/i

/** Whether a line names a log's fields. Other lines that begin with `#` are comments. */
export const namesFields = (line: string): boolean => FIELDS_LINE.test(line)

const ANY_FIELDS_LINE = new RegExp(`${FIELDS_LINE.source}.*`, 'im')

/** The first line of a text that names a log's fields. */
export const fieldsLineIn = (text: string): string | undefined => ANY_FIELDS_LINE.exec(text)?.[0]

/** The field names in such a line, split at blanks unless it has the rows' delimiter. */
export function fieldNames(line: string, delimiter: string): string[] {
  const names = line.replace(FIELDS_LINE, '').trimEnd()
  return names.includes(delimiter) ? names.split(delimiter) : names.split(/[ \t]+/)
}

/** Whether fields are separated by a delimiter, and not drawn or at fixed positions. */
export const isDelimited = ({ layout = 'delimited' }: Pick<CsvSettings, 'layout'>): boolean =>
  layout === 'delimited' || layout === 'records'

/** @throws {EngineError} `invalid-plan` if a character can't be used */
export function toDialect(settings: DialectSettings): Dialect {
  const delimiter = encoder.encode(settings.delimiter)
  if (delimiter.length === 0) throw invalid('The delimiter is empty.')
  if (/[\r\n]/.test(settings.delimiter)) throw invalid('The delimiter can’t be a line end.')
  const quote = oneByte(settings.quote, 'quote')
  if (quote >= 0 && delimiter[0] === quote) throw invalid('The delimiter and the quote are the same.')
  const escape = quote >= 0 || hasBareEscapes(settings) ? oneByte(settings.escape, 'escape') : -1
  return {
    delimiter: delimiter[0],
    delimiterRest: delimiter.length > 1 ? delimiter.subarray(1) : null,
    quote,
    escape,
    comment: settings.comment ? encoder.encode(settings.comment) : null,
    skipLines: settings.skipLines,
    merged: settings.mergeDelimiters === true,
    top: Math.max(delimiter[0], 13, quote < 0 ? escape : -1),
  }
}

function oneByte(text: string | null, what: string): number {
  if (text === null || text === '') return -1
  const bytes = encoder.encode(text)
  if (bytes.length !== 1 || bytes[0] === 10 || bytes[0] === 13) {
    throw invalid(`The ${what} character has to be one ASCII character.`)
  }
  return bytes[0]
}

function invalid(message: string): EngineError {
  return new EngineError('invalid-plan', message, { remedy: 'Choose another character.' })
}

/** Whether backslashes escape although there are no quotes, as in databases' text files. */
export const hasBareEscapes = ({ quote, escape }: Pick<CsvSettings, 'quote' | 'escape'>): boolean =>
  quote === null && escape === '\\'

/** What an escaped letter or digit stands for in the text files of PostgreSQL, MySQL and ClickHouse. */
const ESCAPED_BYTES: ReadonlyMap<number, number> = new Map(
  Object.entries({ '0': 0, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, Z: 26 }).map(([c, byte]) => [c.charCodeAt(0), byte]),
)

/** What a byte stands for after a backslash; -1 if it stands for itself, as punctuation and line ends do. */
export function escapedByte(byte: number): number {
  const isWord = byte >= 0x80 || /[0-9A-Za-z]/.test(String.fromCharCode(byte))
  return ESCAPED_BYTES.get(byte) ?? (isWord ? -1 : byte)
}

/**
 * Unescapes a field of kind `ESCAPED`.
 * @returns its length in `into`, which must be as large as the field
 */
export function unescape(
  bytes: Uint8Array,
  start: number,
  end: number,
  dialect: Pick<Dialect, 'quote' | 'escape'>,
  into: Uint8Array,
): number {
  const { quote, escape } = dialect
  let length = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    const next = byte === escape && at + 1 < end ? bytes[at + 1] : -1
    const stands = next < 0 ? -1 : quote < 0 ? escapedByte(next) : next === quote || next === escape ? next : -1
    if (stands >= 0) at++
    into[length++] = stands < 0 ? byte : stands
  }
  return length
}
