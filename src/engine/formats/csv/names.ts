import type { CsvSettings } from '../../../tables/plan.ts'
import { fieldNames, namesFields } from './detection/dialect-bytes.ts'

/** What a header is tried with that is split otherwise than its rows. */
const DELIMITERS = [',', ';', '\t', '|', ' ']

/** The names of a header that can't be read as a record, split at its delimiters: a file isn't lost for it. */
export const splitHeader = (raw: string, { quote, delimiter }: Pick<CsvSettings, 'quote' | 'delimiter'>): string[] =>
  raw.split(delimiter).map((name) => (quote ? name.replaceAll(quote, '') : name))

type HeaderSettings = Pick<CsvSettings, 'width' | 'rowNames' | 'delimiter' | 'quote' | 'layout'>

/** Whether a header among blanks begins as remarks do (`# time temp` above `0.5 21.4`): its first field names no column. */
export const isMarked = (fields: readonly string[], width: number, delimiter: string): boolean =>
  fields[0] === '#' && fields.length === width + 1 && delimiter.trim() === ''

/** Of keys, values and flags as Eurostat writes them: the last key has another name after a backslash, flags have none. */
const flaggedNames = (fields: readonly string[]): string[] =>
  fields.map((name, i) => (i > 0 && name === '' ? `${fields[i - 1]} flag` : (name.split('\\', 1)[0] ?? '')))

/**
 * The names of a table's columns, from the fields of its header: without empty ones that are too many, split at another
 * delimiter than the rows if it has the right number of fields then, and else filled up or cut.
 */
export function fitHeader(fields: readonly string[], raw: string, settings: HeaderSettings): string[] {
  if (namesFields(raw)) return fieldNames(raw, settings.delimiter)
  const { width = fields.length, rowNames, quote } = settings
  if (settings.layout === 'eurostat') return flaggedNames(fields).slice(0, width)
  if (isMarked(fields, width, settings.delimiter)) return fields.slice(1)
  // Names with one blank between are no wider than their own text, whatever begins where below.
  const words = settings.layout === 'fixed' ? raw.trim().split(' ') : []
  if (words.length === width && !words.includes('')) return words
  const names = rowNames && fields.length < width ? ['', ...fields] : [...fields]
  if (names.length < width) {
    const split = DELIMITERS.map((delimiter) => raw.split(delimiter)).find((parts) => parts.length === width)
    if (split && fields.length === 1) return split.map((name) => (quote ? name.replaceAll(quote, '') : name).trim())
  }
  for (let at = names.length - 1; names.length > width && at >= 0; at--) if (names[at] === '') names.splice(at, 1)
  return Array.from({ length: width }, (_, i) => names[i] ?? '')
}
