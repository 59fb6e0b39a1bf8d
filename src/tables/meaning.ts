import { unitName } from './currencies.ts'
import { isNumeric, isTemporal } from './types.ts'
import type { ValueFormat } from './plan.ts'

/**
 * Describes a format in sentences; empty if it changes nothing.
 * @param example a value as in the file, shown with the parts that aren't part of the number
 */
export function meaningOf(type: string, format: ValueFormat, example?: string): string {
  const { nullValues = [], trim, formulas } = format
  const said = [
    isNumeric(type) ? numberMeaning(format, example) : '',
    isTemporal(type) ? dateMeaning(type, format) : '',
    type === 'BOOLEAN' ? booleanMeaning(format) : '',
    nullValues.length > 0
      ? sentence(`${nullValues.map(nullWord).join(' and ')} ${nullValues.length === 1 ? 'is' : 'are'} null.`)
      : '',
    trim ? 'Spaces around values are left out.' : '',
    formulas ? 'Values written as ="00123" are read as 00123.' : '',
  ]
  return said.filter(Boolean).join(' ')
}

const quote = (text: string): string => `“${text}”`
/** A null value's text for messages. */
export const nullWord = (text: string): string => (text === '' ? 'empty text' : quote(text))
/** Capitalizes the first letter. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
const like = (example: string | undefined): string => (example === undefined ? '' : ` like ${example}`)

function numberMeaning(format: ValueFormat, example?: string): string {
  const { unit, percent, scaled, decimalMark, grouping, negative } = format
  if (unit) return `Amounts${like(example)} are numbers; the unit is ${unitName(unit)}.`
  if (percent) return `Percentages${like(example)} are fractions of 1.`
  if (scaled) return `Values${like(example)} are numbers: k, M and bn are thousands, millions and billions.`
  if (negative) return `Values${like(example)} are negative numbers.`
  return (decimalMark ?? grouping) ? 'Values are numbers with separators.' : ''
}

function dateMeaning(type: string, { dateFormat }: ValueFormat): string {
  if (dateFormat === undefined) return ''
  if (dateFormat === '%s') return `Numbers are seconds since 1970.`
  if (dateFormat === '%Q') return `Numbers are milliseconds since 1970.`
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
