import type { CsvSettings } from '../../../tables/plan.ts'
import { fieldNames, namesFields } from './detection/dialect-bytes.ts'

/** Delimiters to try if the header is split differently from the rows. */
const DELIMITERS = [',', ';', '\t', '|', ' ']

/**
 * The names of a header that isn't a valid record, split at its delimiters, so that the file can be read all the same.
 */
export const splitHeader = (raw: string, { quote, delimiter }: Pick<CsvSettings, 'quote' | 'delimiter'>): string[] =>
  raw.split(delimiter).map((name) => (quote ? name.replaceAll(quote, '') : name))

type HeaderSettings = Pick<CsvSettings, 'width' | 'rowNames' | 'delimiter' | 'quote' | 'layout'>

/**
 * Whether a header separated by blanks begins like a comment (`# time temp` above `0.5 21.4`), so that its first field
 * isn't a name.
 */
export const isMarked = (fields: readonly string[], width: number, delimiter: string): boolean =>
  fields[0] === '#' && fields.length === width + 1 && delimiter.trim() === ''

/**
 * Names of columns with keys, values and flags in Eurostat's notation. The backslash after the last key, and what
 * follows, is dropped; flags get the name of their values.
 */
const flaggedNames = (fields: readonly string[]): string[] =>
  fields.map((name, i) => (i > 0 && name === '' ? `${fields[i - 1]} flag` : (name.split('\\', 1)[0] ?? '')))

/**
 * The names of a table's columns, from its header's fields. Surplus empty fields are dropped; if the number is wrong,
 * other delimiters are tried; if none gives the right number, names are added or cut off.
 */
export function fitHeader(fields: readonly string[], raw: string, settings: HeaderSettings): string[] {
  if (namesFields(raw)) return fieldNames(raw, settings.delimiter)
  const { width = fields.length, rowNames, quote } = settings
  if (settings.layout === 'eurostat') return flaggedNames(fields).slice(0, width)
  if (isMarked(fields, width, settings.delimiter)) return fields.slice(1)
  // Names with single blanks between them aren't aligned with their columns.
  const words = settings.layout === 'fixed' ? raw.trim().split(' ') : []
  if (words.length === width && !words.includes('')) return words
  const names = rowNames && fields.length < width ? ['', ...fields] : [...fields]
  if (names.length < width) {
    const split = DELIMITERS.map((delimiter) => raw.split(delimiter)).find((parts) => parts.length === width)
    if (split && fields.length === 1) return split.map((name) => (quote ? name.replaceAll(quote, '') : name).trim())
  }
  // Wikis double the delimiter between names: `||Name||Amount||` above `|Ann|1|`.
  const pairs = names.length > width ? raw.split(settings.delimiter.repeat(2)) : []
  if (pairs.length === width && pairs.every((name) => !name.includes(settings.delimiter))) return pairs
  for (let at = names.length - 1; names.length > width && at >= 0; at--) if (names[at] === '') names.splice(at, 1)
  return Array.from({ length: width }, (_, i) => names[i] ?? '')
}
