import { MONTHS } from '../../../lib/date-names.ts'
import type { Conventions } from './column-stats.ts'

/* Dates, and the patterns that they're read by, as people write them. */

const SHOWN: ReadonlyMap<string, string> = new Map([
  ['%Y', 'YYYY'],
  ['%y', 'YY'],
  ['%m', 'MM'],
  ['%d', 'DD'],
  ['%a', 'Weekday'],
  ['%b', 'Mon'],
  ['%B', 'Month'],
  ['%H', 'hh'],
  ['%I', 'hh'],
  ['%M', 'mm'],
  ['%S', 'ss'],
  ['%f', 'f'],
  ['%p', 'AM/PM'],
  ['%z', 'offset'],
  ['%Q', 'milliseconds since 1970'],
])

/** A pattern as people write it: DD.MM.YYYY. */
export const shownPattern = (pattern: string): string => pattern.replace(/%./g, (part) => SHOWN.get(part) ?? part)

export type Order = NonNullable<Conventions['order']>

/** What comes first in dates of a pattern. */
export function orderOf(pattern: string): Order | 'year' {
  const at = (part: RegExp): number => pattern.search(part)
  if (at(/%[Yy]/) < at(/%d/) && at(/%[Yy]/) < at(/%[mbB]/)) return 'year'
  return at(/%d/) < at(/%[mbB]/) ? 'day' : 'month'
}

/** 2025-04-03 as people write it who have the day or the month first. */
export function dateWords(value: string, order: Order | 'year'): string {
  const [, year, month, day, rest = ''] = /^(-?\d+)-(\d\d)-(\d\d)(.*)$/.exec(value) ?? []
  if (year === undefined) return value
  const name = MONTHS[Number(month) - 1]
  if (order === 'month') return `${name} ${Number(day)}, ${year}${rest} (month first)`
  return order === 'day' ? `${Number(day)} ${name} ${year}${rest} (day first)` : `${value} (year first)`
}
