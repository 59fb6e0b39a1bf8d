import type { CsvSettings } from '../../../../tables/plan.ts'
import { EngineError } from '../../../errors.ts'

/** How a file is split, as bytes. */
export interface Dialect {
  /** First byte of the delimiter, and the bytes after it when it has more than one. */
  readonly delimiter: number
  readonly delimiterRest: Uint8Array | null
  /** -1: none. */
  readonly quote: number
  readonly escape: number
  readonly comment: Uint8Array | null
  readonly skipLines: number
  /** Whether several delimiters in a row are one. */
  readonly merged: boolean
  /** No byte above it ends an unquoted field. */
  readonly top: number
}

export type DialectSettings = Pick<
  CsvSettings,
  'delimiter' | 'quote' | 'escape' | 'comment' | 'skipLines' | 'mergeDelimiters'
>

const encoder = new TextEncoder()

/** How the line begins that names the fields of a log: the W3C's format, as of IIS and CloudFront, and Zeek's. */
export const FIELDS_BEGIN = '#fields'
/** That line up to its first field's name. Zeek has a tab there. */
const FIELDS_LINE = /^#fields[: \t][ \t]*/i

/** Whether a line names the fields of a log. Others that begin with `#` are remarks. */
export const namesFields = (line: string): boolean => FIELDS_LINE.test(line)

const ANY_FIELDS_LINE = new RegExp(`${FIELDS_LINE.source}.*`, 'im')

/** The first line of a text that names the fields of a log. */
export const fieldsLineIn = (text: string): string | undefined => ANY_FIELDS_LINE.exec(text)?.[0]

/** What a log's line of fields names: at blanks, where it isn't split as the rows are. */
export function fieldNames(line: string, delimiter: string): string[] {
  const names = line.replace(FIELDS_LINE, '').trimEnd()
  return names.includes(delimiter) ? names.split(delimiter) : names.split(/[ \t]+/)
}

/** @throws {EngineError} `invalid-plan` when a file can't be split so */
export function toDialect(settings: DialectSettings): Dialect {
  const delimiter = encoder.encode(settings.delimiter)
  if (delimiter.length === 0) throw invalid('The delimiter is empty.')
  if (/[\r\n]/.test(settings.delimiter)) throw invalid('The delimiter can’t be a line end.')
  const quote = oneByte(settings.quote, 'quote')
  if (quote >= 0 && delimiter[0] === quote) throw invalid('The delimiter and the quote are the same.')
  return {
    delimiter: delimiter[0],
    delimiterRest: delimiter.length > 1 ? delimiter.subarray(1) : null,
    quote,
    escape: quote < 0 ? -1 : oneByte(settings.escape, 'escape'),
    comment: settings.comment ? encoder.encode(settings.comment) : null,
    skipLines: settings.skipLines,
    merged: settings.mergeDelimiters === true,
    top: Math.max(delimiter[0], 13),
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

/**
 * Takes the escapes out of a field of kind `ESCAPED`.
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
    if (byte === escape && at + 1 < end && (bytes[at + 1] === quote || bytes[at + 1] === escape)) at++
    into[length++] = bytes[at]
  }
  return length
}
