import { isInteger, isNumeric, isTemporal } from './types.ts'
import { patternExample } from './date-patterns.ts'

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
