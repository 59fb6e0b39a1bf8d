import type { ByteWriter } from '../../../../lib/bytes.ts'
import { daysFromCivil, daysInMonth, SECONDS_PER_DAY } from '../../../arrow/calendar.ts'
import type { ScalarFunction, TypedFunction } from '../scalar-functions.ts'
import type { SqlType, TypedArgument } from '../vectors.ts'
import { age, between, partsBetween, series, toBucket, truncate } from './arithmetic.ts'
import { Clock, partNamed, PARTS } from './clock.ts'
import { add, readInterval, subtract, type Interval } from './interval.ts'
import { microsOf, readMoment, writeBig, writeMoment, writeWhole, writeWord, type Moment } from './moment.ts'
import { formatter, WEEKDAYS } from './strftime.ts'
import { readTimeOfDay, withoutZone, writeTimeOfDay, trailingZone } from './text.ts'
import { TimeZone, zoneNames } from './zone.ts'
import { MONTHS } from '../../../../lib/date-names.ts'

/** What a session has set. */
export interface ZoneSetting {
  zone: TimeZone
}

export const UTC = TimeZone.named('UTC')

const decoder = new TextDecoder()
const words = new Int32Array(4)
const clock = new Clock()
const double = new DataView(new ArrayBuffer(8))
const newMoment = (): Moment => ({ seconds: 0, micros: 0, infinite: false })
const moment = newMoment()
const other = newMoment()

/** @returns false for NULL */
export function momentOf(argument: TypedArgument, row: number, into: Moment): boolean {
  if (!argument.read(row, words)) return false
  readMoment(words, into)
  return true
}

function intervalOf(argument: TypedArgument, row: number): Interval | null {
  return argument.read(row, words) ? readInterval(words) : null
}

/** What a text was last read as: mostly the next row has the same. */
function remembering<T>(read: (text: string) => T): (argument: TypedArgument, row: number) => T | null {
  let last: { readonly text: Uint8Array; readonly value: T } | null = null
  return (argument, row) => {
    const text = argument.text(row)
    if (text === null) return null
    if (last?.text.length !== text.length || !last.text.every((byte, i) => byte === text[i]))
      last = { text: text.slice(), value: read(decoder.decode(text)) }
    return last.value
  }
}

const zoneOf = remembering((name) => TimeZone.named(name))
const partOf = remembering(partNamed)
const formatOf = remembering(formatter)

function writeDouble(value: number, out: ByteWriter): void {
  double.setFloat64(0, value, true)
  writeWord(double.getInt32(0, true), out)
  writeWord(double.getInt32(4, true), out)
}

function writeInterval({ months, days, seconds, micros }: Interval, out: ByteWriter): void {
  writeWord(months, out)
  writeWord(days, out)
  writeBig(BigInt(seconds) * 1_000_000n + BigInt(micros), out)
}

const secondsOf = ({ seconds, micros }: Moment): number => seconds + micros / 1_000_000

/** DuckDB's functions of times with a zone, for which it wants its ICU extension. */
export function zoneFunctions(setting: ZoneSetting): TypedFunction[] {
  const zoned = (name: string, returns: SqlType, write: (out: ByteWriter) => void): TypedFunction => ({
    name,
    parameters: ['TIMESTAMPTZ'],
    returns,
    call: ([time], row, out) => {
      if (!momentOf(time, row, moment) || moment.infinite) return false
      write(out)
      return true
    },
  })
  const parts = Object.entries(PARTS).flatMap(([name, part]) =>
    [name, ...(FUNCTION_ALIASES[name] ?? [])].map((each) =>
      zoned(each, 'BIGINT', (out) => writeWhole(part(clock.set(moment, setting.zone)), out)),
    ),
  )
  return [
    ...parts,
    zoned('epoch', 'DOUBLE', (out) => writeDouble(secondsOf(moment), out)),
    zoned('epoch_ms', 'BIGINT', (out) => writeBig(microsOf(moment) / 1000n, out)),
    zoned('epoch_ns', 'BIGINT', (out) => writeBig(microsOf(moment) * 1000n, out)),
    zoned('julian', 'DOUBLE', (out) => writeDouble(clock.set(moment, setting.zone).julian, out)),
    zoned('dayname', 'VARCHAR', (out) => out.text(WEEKDAYS[clock.set(moment, setting.zone).weekday - 1])),
    zoned('monthname', 'VARCHAR', (out) => out.text(MONTHS[clock.set(moment, setting.zone).month - 1])),
    zoned('last_day', 'DATE', (out) => {
      const { year, month } = clock.set(moment, setting.zone)
      writeWord(daysFromCivil(year, month, daysInMonth(year, month)), out)
    }),
    zoned('age', 'INTERVAL', (out) => {
      const { days } = clock.set({ ...newMoment(), seconds: Date.now() / 1000 }, setting.zone)
      const midnight = { ...newMoment(), seconds: days * SECONDS_PER_DAY }
      midnight.seconds -= setting.zone.offsetOfLocal(midnight.seconds)
      writeInterval(age(moment, midnight, setting.zone), out)
    }),
    ...ofParts(setting),
    ...sums(setting),
    ...buckets(),
    ...ofZones(),
    ...lists(setting),
    ...LOCAL_TIMES.map((type): TypedFunction => clockOf(type, setting)),
    {
      name: 'strftime',
      parameters: ['TIMESTAMPTZ', 'VARCHAR'],
      returns: 'VARCHAR',
      call: ([time, format], row, out) => {
        const print = formatOf(format, row)
        if (print === null || !momentOf(time, row, moment)) return false
        out.text(print(moment, setting.zone))
        return true
      },
    },
    { name: '__zone', parameters: [], returns: 'VARCHAR', call: (_, __, out) => (out.text(setting.zone.name), true) },
  ]
}

/** Names of functions beside those of the parts that they give. */
const FUNCTION_ALIASES: Readonly<Record<string, readonly string[]>> = {
  day: ['dayofmonth'],
  dayofweek: ['weekday'],
  week: ['weekofyear'],
}

/** Functions of a part that is given by its name. */
function ofParts(setting: ZoneSetting): TypedFunction[] {
  const partBy = (name: string): TypedFunction => ({
    name,
    parameters: ['VARCHAR', 'TIMESTAMPTZ'],
    returns: 'BIGINT',
    doubles: (part) => part !== null && /^(?:epoch|julian|jd)$/i.test(part),
    call: ([given, time], row, out, isDouble) => {
      const part = partOf(given, row)
      if (part === null || !momentOf(time, row, moment) || moment.infinite) return false
      clock.set(moment, setting.zone)
      if (part !== 'epoch' && part !== 'julian') {
        writeWhole(PARTS[part](clock), out)
        return true
      }
      const value = part === 'epoch' ? secondsOf(moment) : clock.julian
      if (isDouble) writeDouble(value, out)
      else writeWhole(Math.round(value), out)
      return true
    },
  })
  const truncated = (name: string): TypedFunction => ({
    name,
    parameters: ['VARCHAR', 'TIMESTAMPTZ'],
    returns: 'TIMESTAMPTZ',
    call: ([given, time], row, out) => {
      const part = partOf(given, row)
      if (part === null || !momentOf(time, row, moment)) return false
      truncate(part, moment, setting.zone)
      writeMoment(moment, out)
      return true
    },
  })
  /** @param cut whether both are cut to the part first: then borders between parts are counted */
  const counted = (name: string, cut: boolean): TypedFunction => ({
    name,
    parameters: ['VARCHAR', 'TIMESTAMPTZ', 'TIMESTAMPTZ'],
    returns: 'BIGINT',
    call: ([given, from, to], row, out) => {
      const part = partOf(given, row)
      if (part === null || !momentOf(from, row, moment) || !momentOf(to, row, other)) return false
      if (moment.infinite || other.infinite) return false
      // Weeks are seven days each, whichever they begin with.
      const least = part === 'week' || part === 'yearweek' ? 'day' : part
      if (cut) for (const each of [moment, other]) truncate(least, each, setting.zone)
      writeWhole(partsBetween(part, moment, other, setting.zone), out)
      return true
    },
  })
  return [
    ...['date_part', 'datepart'].map(partBy),
    ...['date_trunc', 'datetrunc'].map(truncated),
    ...['date_diff', 'datediff'].map((name) => counted(name, true)),
    ...['date_sub', 'datesub'].map((name) => counted(name, false)),
  ]
}

/** `+`, `-` and `age`. */
function sums(setting: ZoneSetting): TypedFunction[] {
  const moved = (name: string, parameters: SqlType[], move: typeof add): TypedFunction => ({
    name,
    parameters,
    returns: 'TIMESTAMPTZ',
    call: (args, row, out) => {
      const [time, interval] = parameters[0] === 'INTERVAL' ? [args[1], args[0]] : args
      const by = intervalOf(interval, row)
      if (by === null || !momentOf(time, row, moment)) return false
      move(moment, by, setting.zone)
      writeMoment(moment, out)
      return true
    },
  })
  const difference = (name: string, count: typeof age): TypedFunction => ({
    name,
    parameters: ['TIMESTAMPTZ', 'TIMESTAMPTZ'],
    returns: 'INTERVAL',
    call: ([to, from], row, out) => {
      if (!momentOf(from, row, moment) || !momentOf(to, row, other)) return false
      if (moment.infinite || other.infinite) {
        if (count === age) return false
        throw new Error('A time that is infinite has no distance to another.')
      }
      writeInterval(count(moment, other, setting.zone), out)
      return true
    },
  })
  return [
    moved('+', ['TIMESTAMPTZ', 'INTERVAL'], add),
    moved('+', ['INTERVAL', 'TIMESTAMPTZ'], add),
    moved('-', ['TIMESTAMPTZ', 'INTERVAL'], subtract),
    difference('-', between),
    difference('age', age),
  ]
}

/** `time_bucket`, which is by the calendar of UTC where no zone is given. */
function buckets(): TypedFunction[] {
  const bucket = (third: SqlType | null): TypedFunction => ({
    name: 'time_bucket',
    parameters: ['INTERVAL', 'TIMESTAMPTZ', ...(third ? [third] : [])],
    returns: 'TIMESTAMPTZ',
    call: ([width, time, more], row, out) => {
      const by = intervalOf(width, row)
      if (by === null || !momentOf(time, row, moment)) return false
      const zone = third === 'VARCHAR' ? zoneOf(more, row) : UTC
      const shift = third === 'INTERVAL' ? intervalOf(more, row) : NO_SHIFT
      if (zone === null || shift === null || (third === 'TIMESTAMPTZ' && !momentOf(more, row, other))) return false
      subtract(moment, shift, UTC)
      toBucket(by, moment, zone, third === 'TIMESTAMPTZ' ? other : null)
      add(moment, shift, UTC)
      writeMoment(moment, out)
      return true
    },
  })
  return [bucket(null), bucket('INTERVAL'), bucket('TIMESTAMPTZ'), bucket('VARCHAR')]
}
const NO_SHIFT: Interval = { months: 0, days: 0, seconds: 0, micros: 0 }

/** `AT TIME ZONE`, which is `timezone`. */
function ofZones(): TypedFunction[] {
  const moved = (from: SqlType, to: SqlType, move: (zone: TimeZone) => number): TypedFunction => ({
    name: 'timezone',
    parameters: ['VARCHAR', from],
    returns: to,
    call: ([name, time], row, out) => {
      const zone = zoneOf(name, row)
      if (zone === null || !momentOf(time, row, moment)) return false
      if (!moment.infinite) moment.seconds += move(zone)
      writeMoment(moment, out)
      return true
    },
  })
  return [
    moved('TIMESTAMPTZ', 'TIMESTAMP', (zone) => zone.offsetAt(moment.seconds)),
    moved('TIMESTAMP', 'TIMESTAMPTZ', (zone) => -zone.offsetOfLocal(moment.seconds)),
    {
      name: 'timezone',
      parameters: ['VARCHAR', 'TIMETZ'],
      returns: 'TIMETZ',
      call: ([name, time], row, out) => {
        const zone = zoneOf(name, row)
        if (zone === null || !time.read(row, words)) return false
        const { micros, offset } = readTimeOfDay(words)
        const now = zone.offsetAt(Date.now() / 1000)
        writeTimeOfDay(micros + (now - offset) * 1_000_000, now, out)
        return true
      },
    },
    {
      name: 'make_timestamptz',
      parameters: ['BIGINT'],
      returns: 'TIMESTAMPTZ',
      call: ([micros], row, out) => copy(micros, row, out, 2),
    },
  ]
}

/** `range` and `generate_series` as lists. */
function lists(setting: ZoneSetting): TypedFunction[] {
  return [false, true].map((through) => ({
    name: through ? 'generate_series' : 'range',
    parameters: ['TIMESTAMPTZ', 'TIMESTAMPTZ', 'INTERVAL'],
    returns: 'TIMESTAMPTZ[]',
    call: ([first, last, step], row, out) => {
      const by = intervalOf(step, row)
      if (by === null || !momentOf(first, row, moment) || !momentOf(last, row, other)) return false
      series(moment, other, by, setting.zone, through, (each) => writeMoment(each, out))
      return true
    },
  }))
}

function copy(value: TypedArgument, row: number, out: ByteWriter, count: number): boolean {
  if (!value.read(row, words)) return false
  for (let i = 0; i < count; i++) writeWord(words[i], out)
  return true
}

/** Types that `date_part` takes lists of parts of. */
const LOCAL_TIMES = ['TIMESTAMPTZ', 'TIMESTAMP', 'DATE', 'TIME', 'TIMETZ', 'INTERVAL'] as const

/** What the zone's clocks show of a time that has one, and of others the time itself: see `dateParts` in `edits.ts`. */
function clockOf(type: (typeof LOCAL_TIMES)[number], setting: ZoneSetting): TypedFunction {
  const isZoned = type === 'TIMESTAMPTZ'
  return {
    name: '__clock',
    parameters: [type],
    returns: isZoned ? 'TIMESTAMP' : type,
    call: ([time], row, out) => {
      if (!isZoned) return copy(time, row, out, type === 'DATE' ? 1 : type === 'INTERVAL' ? 4 : 2)
      if (!momentOf(time, row, moment)) return false
      if (!moment.infinite) moment.seconds += setting.zone.offsetAt(moment.seconds)
      writeMoment(moment, out)
      return true
    },
  }
}

const ofText = (name: string, read: (text: string) => string | null): ScalarFunction => ({
  name,
  call: ([text], row, out) => {
    const given = text.text(row)
    const value = given === null ? null : read(decoder.decode(given))
    if (value === null) return false
    out.text(value)
    return true
  },
})

/** For `strptime` with `%Z`, whose zones are names of the browser's. */
export const ZONE_TEXTS: readonly ScalarFunction[] = [
  ofText('__zone_before', withoutZone),
  ofText('__zone_name', (text) => {
    const name = trailingZone(text)
    if (name === null) throw new Error(`There is no time zone’s name after “${text}”, as %Z says.`)
    return TimeZone.named(name).name
  }),
  ofText('__zone_try_name', (text) => TimeZone.find(trailingZone(text) ?? '')?.name ?? null),
  {
    name: '__zone_list',
    call: (_, __, out) => {
      out.text(`[${listZones(Date.now() / 1000).join(',')}]`)
      return true
    },
  },
]

/** All zones, as lists: their names, short names, offsets at a moment, and whether it's summer there. */
function listZones(seconds: number): string[] {
  const year = new Date(seconds * 1000).getUTCFullYear()
  return zoneNames().flatMap((name) => {
    const zone = TimeZone.find(name)
    if (!zone) return []
    const offset = zone.offsetAt(seconds)
    const [winter, summer] = [0, 6].map((month) => zone.offsetAt(Date.UTC(year, month, 1) / 1000))
    return [`[${name},${zone.shortName(seconds)},${offset},${offset > Math.min(winter, summer)}]`]
  })
}
