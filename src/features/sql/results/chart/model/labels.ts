import { DAY } from './bins.ts'

/* Labels for positions on axes. */

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Formats times with just enough digits to distinguish them: `2024`, `2024-01`, `2024-01-31`, `2024-01-31 14:05`, … */
export function timeLabeler(times: Iterable<number>): (time: number) => string {
  let digits = 4
  for (const time of times) {
    if (digits < 7 && new Date(time).getUTCMonth() !== 0) digits = 7
    if (digits < 10 && new Date(time).getUTCDate() !== 1) digits = 10
    if (time % DAY !== 0) digits = Math.max(digits, time % 60_000 === 0 ? 16 : time % 1000 === 0 ? 19 : 23)
  }
  return (time) => cut(new Date(time).toISOString(), digits)
}

function cut(iso: string, digits: number): string {
  // In ISO format, years outside 0 to 9999 have a sign and six digits.
  const lead = iso.length - 24
  return iso.slice(0, digits + lead).replace('T', ' ')
}

/** Six digits suffice for labels. */
const SHORT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })
const SCIENCE = new Intl.NumberFormat('en-US', { notation: 'scientific', maximumSignificantDigits: 4 })

export function numberLabel(value: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return SCIENCE.format(value).toLowerCase()
  return SHORT.format(value)
}

const WORDS: readonly (readonly string[])[] = [
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  [
    'january',
    'february',
    'march',
    'april',
    'may',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
  ],
  ['xs', 's', 'm', 'l', 'xl', 'xxl', '3xl'],
  ['low', 'medium', 'high', 'critical'],
]

/** Whether the values have an order of their own: numbers, `2024-01`, `Q1`, weekdays, months. */
export function isOrdered(values: readonly string[]): boolean {
  if (values.length === 0) return false
  return (
    wordsOf(values) !== undefined ||
    values.every((value) => /^(?:-?[\d.]+|[\d-]+(?: [\d:.]+)?|(?:\d{4}[ -]?)?[QW]\d+)$/i.test(value))
  )
}

function wordsOf(values: readonly string[]): readonly string[] | undefined {
  return WORDS.find((words) => values.every((value) => words.includes(value.toLowerCase())))
}

/** Sorts naturally: weekdays and months by the calendar, `item 2` before `item 10`. */
export function inOrder(values: readonly string[]): string[] {
  const words = wordsOf(values)
  if (words) return values.toSorted((a, b) => words.indexOf(a.toLowerCase()) - words.indexOf(b.toLowerCase()))
  if (values.every((value) => /^-?\d+(?:\.\d+)?$/.test(value))) return values.toSorted((a, b) => Number(a) - Number(b))
  // Values that the collator considers equal still need a fixed order.
  return values.toSorted((a, b) => collator.compare(a, b) || (a < b ? -1 : 1))
}
