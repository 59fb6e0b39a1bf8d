import { Civil, daysFromCivil, SECONDS_PER_DAY } from '../../../arrow/calendar.ts'
import type { Moment } from './moment.ts'
import type { TimeZone } from './zone.ts'

const EPOCH_JULIAN_DAY = 2_440_588

/** What a zone's clocks and calendar show at a moment. */
export class Clock {
  /** Of the zone, from UTC, in seconds. */
  offset = 0
  /** Since 1970. */
  days = 0
  secondOfDay = 0
  micros = 0
  /** The year 0 is 1 BC. */
  year = 1970
  month = 1
  day = 1
  private readonly civil = new Civil()

  set({ seconds, micros }: Moment, zone: TimeZone): this {
    this.offset = zone.offsetAt(seconds)
    const local = seconds + this.offset
    this.days = Math.floor(local / SECONDS_PER_DAY)
    this.secondOfDay = local - this.days * SECONDS_PER_DAY
    this.micros = micros
    this.civil.set(this.days)
    this.year = this.civil.year
    this.month = this.civil.month
    this.day = this.civil.day
    return this
  }

  get hour(): number {
    return Math.floor(this.secondOfDay / 3600)
  }

  get minute(): number {
    return Math.floor(this.secondOfDay / 60) % 60
  }

  get second(): number {
    return this.secondOfDay % 60
  }

  /** Monday is 1, Sunday 7. */
  get weekday(): number {
    return ((((this.days + 3) % 7) + 7) % 7) + 1
  }

  get dayOfYear(): number {
    return this.days - daysFromCivil(this.year, 1, 1) + 1
  }

  /** The year that the week is of, by ISO 8601, and the week's number in it. */
  get isoWeek(): { readonly year: number; readonly week: number } {
    // The week's Thursday says which year it's of.
    const thursday = this.days - this.weekday + 4
    this.civil.set(thursday)
    const { year } = this.civil
    return { year, week: Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1 }
  }

  get julian(): number {
    return this.days + EPOCH_JULIAN_DAY + (this.secondOfDay * 1_000_000 + this.micros) / (SECONDS_PER_DAY * 1_000_000)
  }
}

/** Parts of a time that are whole numbers, by the names of the functions that give them. */
export const PARTS = {
  century: ({ year }) => (year > 0 ? Math.trunc((year - 1) / 100) + 1 : Math.trunc(year / 100) - 1),
  day: ({ day }) => day,
  dayofweek: ({ weekday }) => weekday % 7,
  dayofyear: ({ dayOfYear }) => dayOfYear,
  decade: ({ year }) => Math.trunc(year / 10),
  era: ({ year }) => (year > 0 ? 1 : 0),
  hour: ({ hour }) => hour,
  isodow: ({ weekday }) => weekday,
  isoyear: ({ isoWeek }) => isoWeek.year,
  microsecond: ({ second, micros }) => second * 1_000_000 + micros,
  millennium: ({ year }) => (year > 0 ? Math.trunc((year - 1) / 1000) + 1 : Math.trunc(year / 1000) - 1),
  millisecond: ({ second, micros }) => second * 1000 + Math.floor(micros / 1000),
  minute: ({ minute }) => minute,
  month: ({ month }) => month,
  nanosecond: ({ second, micros }) => (second * 1_000_000 + micros) * 1000,
  quarter: ({ month }) => Math.floor((month - 1) / 3) + 1,
  second: ({ second }) => second,
  timezone: ({ offset }) => offset,
  timezone_hour: ({ offset }) => Math.trunc(offset / 3600),
  timezone_minute: ({ offset }) => Math.trunc((offset % 3600) / 60),
  week: ({ isoWeek }) => isoWeek.week,
  year: ({ year }) => year,
  yearweek: ({ isoWeek: { year, week } }) => year * 100 + (year > 0 ? week : -week),
} satisfies Readonly<Record<string, (clock: Clock) => number>>

type Part = keyof typeof PARTS

/** Other names of parts. */
const ALIASES: Readonly<Record<string, string>> = {
  c: 'century',
  cent: 'century',
  centuries: 'century',
  d: 'day',
  dayofmonth: 'day',
  days: 'day',
  dec: 'decade',
  decades: 'decade',
  decs: 'decade',
  dow: 'dayofweek',
  doy: 'dayofyear',
  h: 'hour',
  hours: 'hour',
  hr: 'hour',
  hrs: 'hour',
  jd: 'julian',
  m: 'minute',
  microseconds: 'microsecond',
  mil: 'millennium',
  millenia: 'millennium',
  millenium: 'millennium',
  millennia: 'millennium',
  millenniums: 'millennium',
  milliseconds: 'millisecond',
  mils: 'millennium',
  min: 'minute',
  mins: 'minute',
  minutes: 'minute',
  mon: 'month',
  mons: 'month',
  months: 'month',
  ms: 'millisecond',
  msec: 'millisecond',
  msecond: 'millisecond',
  mseconds: 'millisecond',
  msecs: 'millisecond',
  quarters: 'quarter',
  s: 'second',
  sec: 'second',
  seconds: 'second',
  secs: 'second',
  us: 'microsecond',
  usec: 'microsecond',
  usecond: 'microsecond',
  useconds: 'microsecond',
  usecs: 'microsecond',
  w: 'week',
  weekday: 'dayofweek',
  weekofyear: 'week',
  weeks: 'week',
  y: 'year',
  years: 'year',
  yr: 'year',
  yrs: 'year',
}

/** A part by any of its names; `epoch` and `julian`, which are no whole numbers, too. */
export function partNamed(name: string): Part | 'epoch' | 'julian' {
  const folded = name.toLowerCase()
  const part = Object.hasOwn(ALIASES, folded) ? ALIASES[folded] : folded
  if (part === 'epoch' || part === 'julian' || Object.hasOwn(PARTS, part)) return part as Part
  throw new Error(`There is no part “${name}” of a time: there are year, month, day, hour, minute, second and others.`)
}
