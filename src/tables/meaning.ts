import { isInteger, isNumeric, isTemporal } from './types.ts'
import { unitName } from './currencies.ts'
import type { ValueFormat } from './plan.ts'
import { capitalized } from '../lib/text.ts'

/** Why a column of plain text is VARCHAR. */
export const PLAIN_TEXT = 'The values are text.'

/**
 * Describes a format in sentences; empty if it changes nothing.
 * @param example a value as in the file, shown with the parts that aren't part of the number
 */
export function meaningOf(type: string, format: ValueFormat, example?: string): string {
  const { nullValues = [], trim, formulas, apostrophes, fillDown } = format
  const said = [
    isNumeric(type) ? numberMeaning(format, example) : '',
    isTemporal(type) ? dateMeaning(type, format) : '',
    type === 'INTERVAL' ? durationMeaning(format, example) : '',
    type === 'BOOLEAN' ? booleanMeaning(format) : '',
    nullValues.length > 0
      ? capitalized(`${nullValues.map(nullWord).join(' and ')} ${nullValues.length === 1 ? 'is' : 'are'} null.`)
      : '',
    trim ? 'Spaces around values are left out.' : '',
    formulas ? 'Values written as ="00123" are read as 00123.' : '',
    apostrophes ? "Values written as '00123 are read as 00123." : '',
    fillDown ? 'Blanks have the value above.' : '',
  ]
  return said.filter(Boolean).join(' ')
}

/** The date format of durations whose `5:06` is minutes and seconds; by default it's hours and minutes. */
export const MINUTES_PATTERN = '%M:%S'

const quote = (text: string): string => `“${text}”`
/** A null value's text for messages. */
export const nullWord = (text: string): string => (text === '' ? 'empty text' : quote(text))
const like = (example: string | undefined): string => (example === undefined ? '' : ` like ${example}`)

function numberMeaning(format: ValueFormat, example?: string): string {
  const { unit, percent, scaled, sizes, decimalMark, grouping, negative } = format
  if (unit) return `Amounts${like(example)} are numbers; the unit is ${unitName(unit)}.`
  if (percent) return `Percentages${like(example)} are fractions of 1.`
  if (scaled) return `Values${like(example)} are numbers: k, M and bn are thousands, millions and billions.`
  if (sizes) return `Values${like(example)} are numbers of bytes: K is 1,024, M is 1,024 K, and so on.`
  if (negative) return `Values${like(example)} are negative numbers.`
  return (decimalMark ?? grouping) ? 'Values are numbers with separators.' : ''
}

/** Says which two units two numbers with a colon are. */
function durationMeaning({ dateFormat }: ValueFormat, example?: string): string {
  if (dateFormat === MINUTES_PATTERN) return `Values${like(example)} are minutes and seconds.`
  return example !== undefined && /^\d+:\d\d$/.test(example) ? `Values like ${example} are hours and minutes.` : ''
}

const SINCE_1970: ReadonlyMap<string, string> = new Map([
  ['%s', 'seconds'],
  ['%s.%f', 'seconds'],
  ['%Q', 'milliseconds'],
  ['%s%f', 'microseconds or nanoseconds'],
])

function dateMeaning(type: string, { dateFormat }: ValueFormat): string {
  if (dateFormat === undefined) return ''
  const unit = SINCE_1970.get(dateFormat)
  if (unit !== undefined) return `Numbers are ${unit} since 1970.`
  const [day, month] = [dateFormat.indexOf('%d'), dateFormat.indexOf('%m')]
  const first = day < 0 || month < 0 || /^%[Yy]/.test(dateFormat) ? '' : `, the ${day < month ? 'day' : 'month'} first`
  const what = type === 'DATE' ? 'dates' : type === 'TIME' ? 'times of day' : 'dates with times'
  return `Values are ${what}${first}.`
}

function booleanMeaning({ trueValues, falseValues }: ValueFormat): string {
  if (!trueValues && !falseValues) return ''
  const words = (values: readonly string[] | undefined, usual: string): string =>
    (values ?? [usual]).map((word) => (word === '' ? 'no value' : quote(word))).join(' and ')
  return `${words(trueValues, 'true')} is true, ${words(falseValues, 'false')} is false.`
}

/** The same in ISO 8601, for a date or time type. */
export const isoExample = (type: string): string =>
  patternExample(type === 'DATE' ? '%Y-%m-%d' : type === 'TIME' ? '%H:%M:%S' : '%Y-%m-%d %H:%M:%S')

const WHOLE = /^[+-]?\d+$/

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

const CLOCK = String.raw`\d\d?:\d\d(:\d\d([.,]\d+)?)?`

const TIME = new RegExp(`^${CLOCK}$`)

const MOMENT = new RegExp(String.raw`^[+-]?\d{4,6}-\d\d?-\d\d?([T ]+${CLOCK} ?(Z|[+-]\d\d(:?\d\d)?)?)?$`, 'i')

/** Why a text isn't a value of the type; null if it is, or in doubt. */
export function valueProblem(type: string, text: string): string | null {
  if (isNumeric(type)) {
    if (!NUMBER.test(text)) return `“${text}” isn’t a number.`
    return isInteger(type) && !WHOLE.test(text) ? `“${text}” isn’t a whole number.` : null
  }
  if (!isTemporal(type) || (type === 'TIME' ? TIME : MOMENT).test(text)) return null
  return `“${text}” isn’t written as ${isoExample(type)}.`
}

const PARTS: ReadonlyMap<string, string> = new Map([
  ['%Y', '2025'],
  ['%y', '25'],
  ['%m', '12'],
  ['%d', '31'],
  ['%a', 'Wed'],
  ['%b', 'Dec'],
  ['%B', 'December'],
  ['%H', '14'],
  ['%I', '02'],
  ['%M', '05'],
  ['%S', '09'],
  ['%f', '5'],
  ['%p', 'PM'],
  ['%z', '+01:00'],
  ['%s', '1767189909'],
  ['%Q', '1767189909000'],
])

/** What is wrong with a strptime pattern, as the end of a sentence, and what to do; null if it's valid. */
export function patternProblem(pattern: string, wantsDate: boolean): { what: string; remedy: string } | null {
  const parts: readonly string[] = pattern.match(/%[^]?/g) ?? []
  const unknown = parts.find((part) => part !== '%%' && !PARTS.has(part))
  if (unknown !== undefined) {
    const known = [...PARTS.keys()].filter((part) => part !== '%s' && part !== '%Q').join(' ')
    return { what: `has the unknown part “${unknown}”`, remedy: `Use ${known}; anything else is literal.` }
  }
  if (!wantsDate || parts.some((part) => YEAR.has(part))) return null
  return { what: 'has no year', remedy: 'Use %Y for a year of four digits or %y for one of two, as in %d.%m.%Y.' }
}

const YEAR = new Set(['%Y', '%y', '%s', '%Q'])

/** An example of a pattern: 31 December 2025, 14:05:09. */
export function patternExample(pattern: string): string {
  const unit = SINCE_1970.get(pattern)
  const example = pattern.replace(/%./g, (part) => PARTS.get(part) ?? part)
  return unit === undefined ? example : `${example} (${unit} since 1970)`
}
