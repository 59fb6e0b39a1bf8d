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

/** Reads an interval as the engine has it: months, days, and microseconds in two words. */
export function readInterval([months, days, low, high]: Int32Array): Interval {
  const total = high * 2 ** 32 + (low >>> 0)
  if (!Number.isSafeInteger(total)) {
    const exact = (BigInt(high) << 32n) | BigInt(low >>> 0)
    return { months, days, seconds: Number(exact / 1_000_000n), micros: Number(exact % 1_000_000n) }
  }
  const seconds = Math.trunc(total / MILLION)
  return { months, days, seconds, micros: total - seconds * MILLION }
}

export function negated({ months, days, seconds, micros }: Interval): Interval {
  return { months: -months, days: -days, seconds: -seconds, micros: -micros }
}

/**
 * Adds an interval as ICU does: months, then days, by what the zone's clocks show; and what is as long everywhere last,
 * or first where any part is negative, so that it's undone in the other order.
 */
export function add(moment: Moment, { months, days, seconds, micros }: Interval, zone: TimeZone): void {
  if (moment.infinite) return
  const evenFirst = months < 0 || days < 0 || seconds < 0 || micros < 0
  if (evenFirst) moveBy(moment, seconds, micros)
  addMonths(moment, months, zone)
  addDays(moment, days, zone)
  if (!evenFirst) moveBy(moment, seconds, micros)
}

export function subtract(moment: Moment, interval: Interval, zone: TimeZone): void {
  add(moment, negated(interval), zone)
}

function moveBy(moment: Moment, seconds: number, micros: number): void {
  const total = moment.micros + micros
  const carried = Math.floor(total / MILLION)
  moment.seconds += seconds + carried
  moment.micros = total - carried * MILLION
}

/**
 * Moves a moment to the same time of another day, as ICU does: by whole days, then by what the zone's offset differs there.
 * Where that time is skipped, a moment that would go back isn't moved by the difference.
 */
export function addDays(moment: Moment, days: number, zone: TimeZone): void {
  const moved = moment.seconds + days * SECONDS_PER_DAY
  const offset = zone.offsetAt(moved)
  const difference = (zone.offsetAt(moment.seconds) - offset) % SECONDS_PER_DAY
  const isSkipped = (zone.offsetAt(moved + difference) - offset) % SECONDS_PER_DAY !== 0
  moment.seconds = isSkipped && difference < 0 ? moved : moved + difference
}

/** Moves a moment to the same day and time of another month: the month's last day where it has no such day. */
export function addMonths(moment: Moment, months: number, zone: TimeZone): void {
  if (months === 0) return
  const local = monthsLater(moment.seconds + zone.offsetAt(moment.seconds), months)
  moment.seconds = local - zone.offsetOfLocal(local)
}

const civil = new Civil()

function monthsLater(local: number, months: number): number {
  const days = Math.floor(local / SECONDS_PER_DAY)
  civil.set(days)
  const total = civil.year * 12 + civil.month - 1 + months
  const year = Math.floor(total / 12)
  const month = total - year * 12 + 1
  const day = Math.min(civil.day, daysInMonth(year, month))
  return daysFromCivil(year, month, day) * SECONDS_PER_DAY + local - days * SECONDS_PER_DAY
}
