import { daysFromCivil, daysInMonth, SECONDS_PER_DAY } from '../../../arrow/calendar.ts'
import { Clock, type partNamed } from './clock.ts'
import { add, addDays, addMonths, negated, type Interval } from './interval.ts'
import type { Moment } from './moment.ts'
import { TimeZone } from './zone.ts'

type AnyPart = ReturnType<typeof partNamed>

const clock = new Clock()
const MILLION = 1_000_000
const WHOLE_DAYS: ReadonlySet<AnyPart> = new Set(['day', 'dayofweek', 'dayofyear', 'isodow', 'julian'])
const YEARS: Partial<Record<AnyPart, number>> = { year: 1, decade: 10, century: 100, millennium: 1000 }
/** Parts of the same length everywhere, in seconds. */
const EVEN: Partial<Record<AnyPart, number>> = { hour: 3600, minute: 60, second: 1, epoch: 1 }

/** Cuts a moment down to a part of what a zone's clocks show. */
export function truncate(part: AnyPart, moment: Moment, zone: TimeZone): void {
  if (moment.infinite) return
  const { days, secondOfDay, year, month, weekday, isoWeek } = clock.set(moment, zone)
  const to = (local: number): void => {
    moment.seconds = local - zone.offsetOfLocal(local)
    moment.micros = 0
  }
  const even = EVEN[part]
  const years = YEARS[part]
  if (part === 'microsecond' || part === 'nanosecond') return
  if (part === 'millisecond') moment.micros -= moment.micros % 1000
  else if (even !== undefined) to(days * SECONDS_PER_DAY + secondOfDay - (secondOfDay % even))
  else if (WHOLE_DAYS.has(part)) to(days * SECONDS_PER_DAY)
  else if (part === 'week' || part === 'yearweek') to((days - weekday + 1) * SECONDS_PER_DAY)
  else if (part === 'isoyear') to((days - weekday + 1 - (isoWeek.week - 1) * 7) * SECONDS_PER_DAY)
  else if (part === 'month') to(daysFromCivil(year, month, 1) * SECONDS_PER_DAY)
  else if (part === 'quarter') to(daysFromCivil(year, month - ((month - 1) % 3), 1) * SECONDS_PER_DAY)
  else if (years !== undefined) to(daysFromCivil(Math.trunc(year / years) * years, 1, 1) * SECONDS_PER_DAY)
  else throw new Error(`A time can’t be cut to its ${part}.`)
}

const isAfter = (a: Moment, b: Moment): boolean =>
  a.seconds > b.seconds || (a.seconds === b.seconds && a.micros > b.micros)

/** How often a moment can be moved without going past another, as ICU counts. Negative where that is before it. */
function steps(from: Moment, to: Moment, guess: number, move: (moment: Moment, count: number) => void): number {
  const sign = isAfter(from, to) ? -1 : 1
  const passes = (count: number): boolean => {
    const moved = { ...from }
    move(moved, count * sign)
    return sign > 0 ? isAfter(moved, to) : isAfter(to, moved)
  }
  let count = Math.max(Math.abs(guess), 0)
  while (count > 0 && passes(count)) count--
  while (!passes(count + 1)) count++
  return count * sign
}

const localDays = (moment: Moment, zone: TimeZone): number => clock.set(moment, zone).days

const daysBetween = (from: Moment, to: Moment, zone: TimeZone): number =>
  steps(from, to, localDays(to, zone) - localDays(from, zone), (moment, count) => addDays(moment, count, zone))

function monthsBetween(from: Moment, to: Moment, zone: TimeZone): number {
  const months = ({ year, month }: Clock): number => year * 12 + month
  const guess = months(clock.set(to, zone)) - months(clock.set(from, zone))
  return steps(from, to, guess, (moment, count) => addMonths(moment, count, zone))
}

const microsBetween = (from: Moment, to: Moment): number =>
  (to.seconds - from.seconds) * MILLION + (to.micros - from.micros)

function isoYearsBetween(from: Moment, to: Moment, zone: TimeZone): number {
  if (isAfter(from, to)) return -isoYearsBetween(to, from, zone)
  const [first, last] = [from, to].map((each) => {
    const { isoWeek, weekday, secondOfDay, micros } = clock.set(each, zone)
    return {
      year: isoWeek.year,
      within: ((isoWeek.week * 7 + weekday) * SECONDS_PER_DAY + secondOfDay) * MILLION + micros,
    }
  })
  return last.year - first.year - (last.within < first.within ? 1 : 0)
}

/** How many whole parts lie between two moments. */
export function partsBetween(part: AnyPart, from: Moment, to: Moment, zone: TimeZone): number {
  const even = EVEN[part]
  const years = YEARS[part]
  if (even !== undefined) return Math.trunc(microsBetween(from, to) / (even * MILLION))
  if (part === 'microsecond') return microsBetween(from, to)
  if (part === 'millisecond') return Math.trunc(microsBetween(from, to) / 1000)
  if (WHOLE_DAYS.has(part)) return daysBetween(from, to, zone)
  if (part === 'week' || part === 'yearweek') return Math.trunc(daysBetween(from, to, zone) / 7)
  if (part === 'month') return monthsBetween(from, to, zone)
  if (part === 'quarter') return Math.trunc(monthsBetween(from, to, zone) / 3)
  if (part === 'isoyear') return isoYearsBetween(from, to, zone)
  if (years !== undefined) return Math.trunc(monthsBetween(from, to, zone) / 12 / years)
  throw new Error(`Between two times there are no parts that are a ${part}.`)
}

/** What lies between two moments, in days and less: as many days as the zone's calendar has, and what is left. */
export function between(from: Moment, to: Moment, zone: TimeZone): Interval {
  if (isAfter(from, to)) return negated(between(to, from, zone))
  const rest = { ...from }
  const days = daysBetween(rest, to, zone)
  addDays(rest, days, zone)
  const micros = microsBetween(rest, to)
  return { months: 0, days, seconds: Math.trunc(micros / MILLION), micros: micros % MILLION }
}

const earlier = new Clock()

/** What lies between two moments as PostgreSQL counts it: field by field of what the zone's clocks show. */
export function age(from: Moment, to: Moment, zone: TimeZone): Interval {
  if (isAfter(from, to)) return negated(age(to, from, zone))
  earlier.set(from, zone)
  clock.set(to, zone)
  let micros = (clock.secondOfDay - earlier.secondOfDay) * MILLION + clock.micros - earlier.micros
  let days = clock.day - earlier.day
  let months = (clock.year - earlier.year) * 12 + clock.month - earlier.month
  if (micros < 0) {
    micros += SECONDS_PER_DAY * MILLION
    days--
  }
  if (days < 0) {
    days += daysInMonth(earlier.year, earlier.month)
    months--
  }
  return { months, days, seconds: Math.trunc(micros / MILLION), micros: micros % MILLION }
}

/** Where buckets begin that nothing else is said of: a Monday, and of those of months the first of a year. */
const ORIGIN: Moment = { seconds: Date.UTC(2000, 0, 3) / 1000, micros: 0, infinite: false }
const MONTHS_ORIGIN: Moment = { seconds: Date.UTC(2000, 0, 1) / 1000, micros: 0, infinite: false }

/**
 * Moves a moment to the beginning of its bucket.
 * @param origin where a bucket begins; null where nothing is said of it
 */
export function toBucket(width: Interval, moment: Moment, zone: TimeZone, origin: Moment | null): void {
  const { months, days, seconds, micros } = width
  const even = (days * SECONDS_PER_DAY + seconds) * MILLION + micros
  if (months !== 0 && even !== 0) throw new Error('A bucket’s width is either months, or days and less.')
  if (months < 0 || even < 0 || (months === 0 && even === 0)) throw new Error('A bucket’s width has to be above 0.')
  if (origin?.infinite) throw new Error('A bucket can’t begin at a time that is infinite.')
  if (moment.infinite) return
  const local = zone.offsetAt(moment.seconds)
  const atLocal = { ...moment, seconds: moment.seconds + local }
  const start = origin ?? (months > 0 ? MONTHS_ORIGIN : ORIGIN)
  const found = months > 0 ? monthBucket(months, atLocal, start) : evenBucket(BigInt(even), atLocal, start)
  moment.seconds = found.seconds - zone.offsetOfLocal(found.seconds)
  moment.micros = found.micros
}

function evenBucket(width: bigint, moment: Moment, origin: Moment): { seconds: number; micros: number } {
  const total = (of: Moment): bigint => BigInt(of.seconds) * 1_000_000n + BigInt(of.micros)
  const distance = total(moment) - total(origin)
  const start = total(moment) - (((distance % width) + width) % width)
  const micros = ((start % 1_000_000n) + 1_000_000n) % 1_000_000n
  return { seconds: Number((start - micros) / 1_000_000n), micros: Number(micros) }
}

const UTC = TimeZone.named('UTC')

function monthBucket(width: number, moment: Moment, origin: Moment): { seconds: number; micros: number } {
  const months = ({ year, month }: Clock): number => year * 12 + month - 1
  const first = months(clock.set(origin, UTC))
  const own = months(clock.set(moment, UTC))
  const start = first + Math.floor((own - first) / width) * width
  const year = Math.floor(start / 12)
  return { seconds: daysFromCivil(year, start - year * 12 + 1, 1) * SECONDS_PER_DAY, micros: 0 }
}

/** Calls `take` with the moments from one up to another, or through it, so far apart as an interval says. */
export function series(
  first: Moment,
  last: Moment,
  step: Interval,
  zone: TimeZone,
  through: boolean,
  take: (moment: Moment) => void,
): void {
  if (first.infinite || last.infinite) throw new Error('A range has to begin and end with times that aren’t infinite.')
  const signs = new Set(
    (['months', 'days', 'seconds', 'micros'] as const)
      .map((unit) => Math.sign(step[unit]))
      .filter((sign) => sign !== 0),
  )
  if (signs.size > 1) throw new Error('The steps of a range can’t be an interval with parts of both signs.')
  const [sign] = signs
  if (sign === undefined) return
  const moment = { ...first }
  for (;;) {
    const distance = last.seconds - moment.seconds || last.micros - moment.micros
    if (distance === 0 ? !through : Math.sign(distance) !== sign) return
    take(moment)
    add(moment, step, zone)
  }
}
