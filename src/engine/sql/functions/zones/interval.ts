import { Civil, daysFromCivil, daysInMonth, SECONDS_PER_DAY } from '../../../arrow/calendar.ts'
import type { Moment } from './moment.ts'
import type { TimeZone } from './zone.ts'

const MILLION = 1_000_000

/** What DuckDB's intervals are made of. */
export interface Interval {
  readonly months: number
  readonly days: number
  /** Whole seconds, and microseconds of the same sign. */
  readonly seconds: number
  readonly micros: number
}

/** Reads an interval as the engine prints it: `1 year 2 months -3 days -04:05:06.789`. */
export function readInterval(text: string): Interval {
  let months = 0
  let days = 0
  for (const [, count, unit] of text.matchAll(/(-?\d+) (year|month|day)/g)) {
    if (unit === 'day') days = Number(count)
    else months += Number(count) * (unit === 'year' ? 12 : 1)
  }
  const [, sign, hours, minutes, seconds, fraction = ''] = /(-?)(\d+):(\d+):(\d+)(?:\.(\d+))?/.exec(text) ?? []
  if (hours === undefined) return { months, days, seconds: 0, micros: 0 }
  const own = sign === '-' ? -1 : 1
  const total = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return { months, days, seconds: own * total, micros: own * Number(fraction.padEnd(6, '0')) }
}

export function negated({ months, days, seconds, micros }: Interval): Interval {
  return { months: -months, days: -days, seconds: -seconds, micros: -micros }
}

/** Adds an interval as ICU does: what's even first, then days and months by what the zone's clocks show. */
export function add(moment: Moment, { months, days, seconds, micros }: Interval, zone: TimeZone): void {
  if (moment.infinite) return
  moveBy(moment, seconds, micros)
  if (days !== 0) shift(moment, zone, (local) => local + days * SECONDS_PER_DAY)
  if (months !== 0) shift(moment, zone, (local) => monthsLater(local, months))
}

/** Takes an interval away: in the order that undoes `add`. */
export function subtract(moment: Moment, { months, days, seconds, micros }: Interval, zone: TimeZone): void {
  if (moment.infinite) return
  if (months !== 0) shift(moment, zone, (local) => monthsLater(local, -months))
  if (days !== 0) shift(moment, zone, (local) => local - days * SECONDS_PER_DAY)
  moveBy(moment, -seconds, -micros)
}

function moveBy(moment: Moment, seconds: number, micros: number): void {
  const total = moment.micros + micros
  const carried = Math.floor(total / MILLION)
  moment.seconds += seconds + carried
  moment.micros = total - carried * MILLION
}

function shift(moment: Moment, zone: TimeZone, change: (local: number) => number): void {
  const local = change(moment.seconds + zone.offsetAt(moment.seconds))
  moment.seconds = local - zone.offsetOfLocal(local)
}

const civil = new Civil()

/** The same day and time, some months later: the month's last day where it has no such day. */
function monthsLater(local: number, months: number): number {
  const days = Math.floor(local / SECONDS_PER_DAY)
  civil.set(days)
  const total = civil.year * 12 + civil.month - 1 + months
  const year = Math.floor(total / 12)
  const month = total - year * 12 + 1
  const day = Math.min(civil.day, daysInMonth(year, month))
  return daysFromCivil(year, month, day) * SECONDS_PER_DAY + local - days * SECONDS_PER_DAY
}
