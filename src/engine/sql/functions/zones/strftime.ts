import { Clock } from './clock.ts'
import type { Moment } from './moment.ts'
import { printOffset, twoDigits } from './text.ts'
import type { TimeZone } from './zone.ts'
import { MONTHS } from '../../../../lib/date-names.ts'

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const twelve = ({ hour }: Clock): number => hour % 12 || 12
const yearText = (year: number): string => (year >= 0 && year <= 9999 ? String(year).padStart(4, '0') : String(year))
const date = ({ year, month, day }: Clock): string => `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}`
const time = ({ hour, minute, second }: Clock): string => [hour, minute, second].map(twoDigits).join(':')
/** The week of the year whose first one begins on its first such weekday, counted from Monday. */
const weekFrom = ({ dayOfYear, weekday }: Clock, first: number): number =>
  Math.floor((dayOfYear + 6 - ((weekday - 1 - first + 7) % 7)) / 7)

type Specifier = (clock: Clock, zone: TimeZone) => string

/** https://duckdb.org/docs/stable/sql/functions/dateformat */
const SPECIFIERS: Readonly<Record<string, Specifier>> = {
  '%': () => '%',
  A: ({ weekday }) => WEEKDAYS[weekday - 1],
  B: ({ month }) => MONTHS[month - 1],
  G: ({ isoWeek }) => yearText(isoWeek.year),
  H: ({ hour }) => twoDigits(hour),
  I: (clock) => twoDigits(twelve(clock)),
  M: ({ minute }) => twoDigits(minute),
  S: ({ second }) => twoDigits(second),
  U: (clock) => twoDigits(weekFrom(clock, 6)),
  V: ({ isoWeek }) => twoDigits(isoWeek.week),
  W: (clock) => twoDigits(weekFrom(clock, 0)),
  X: time,
  Y: ({ year }) => yearText(year),
  Z: (_, { name }) => name,
  a: ({ weekday }) => WEEKDAYS[weekday - 1].slice(0, 3),
  b: ({ month }) => MONTHS[month - 1].slice(0, 3),
  c: (clock) => `${date(clock)} ${time(clock)}`,
  d: ({ day }) => twoDigits(day),
  f: ({ micros }) => String(micros).padStart(6, '0'),
  g: ({ micros }) => String(Math.floor(micros / 1000)).padStart(3, '0'),
  h: ({ month }) => MONTHS[month - 1].slice(0, 3),
  j: ({ dayOfYear }) => String(dayOfYear).padStart(3, '0'),
  m: ({ month }) => twoDigits(month),
  n: ({ micros }) => String(micros * 1000).padStart(9, '0'),
  p: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  u: ({ weekday }) => String(weekday),
  w: ({ weekday }) => String(weekday % 7),
  x: date,
  y: ({ year }) => twoDigits(Math.abs(year) % 100),
  z: ({ offset }) => printOffset(offset),
  '-H': ({ hour }) => String(hour),
  '-I': (clock) => String(twelve(clock)),
  '-M': ({ minute }) => String(minute),
  '-S': ({ second }) => String(second),
  '-d': ({ day }) => String(day),
  '-j': ({ dayOfYear }) => String(dayOfYear),
  '-m': ({ month }) => String(month),
  '-y': ({ year }) => String(Math.abs(year) % 100),
}

const clock = new Clock()

/**
 * What prints moments by a format of `strftime`.
 * @throws {Error} for a specifier that there isn't
 */
export function formatter(format: string): (moment: Moment, zone: TimeZone) => string {
  const parts = format.split(/%(-?[^])/).map((part, i): string | Specifier => {
    if (i % 2 === 0) return part
    if (!Object.hasOwn(SPECIFIERS, part))
      throw new Error(`Failed to parse format specifier ${format}: Unrecognized format for strftime/strptime: %${part}`)
    return SPECIFIERS[part]
  })
  if (/(?:^|[^%])(?:%%)*%-?$/.test(format))
    throw new Error(`Failed to parse format specifier ${format}: Trailing format character %`)
  return (moment, zone) => {
    if (moment.infinite) return moment.seconds < 0 ? '-infinity' : 'infinity'
    clock.set(moment, zone)
    return parts.map((part) => (typeof part === 'string' ? part : part(clock, zone))).join('')
  }
}
