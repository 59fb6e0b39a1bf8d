import type { ByteWriter } from '../../../../lib/bytes.ts'
import type { ScalarFunction } from '../scalar-functions.ts'
import { add, negated, readInterval, subtract, type Interval } from './interval.ts'
import { readMoment, writeMoment, type Moment } from './moment.ts'
import { printOffset, withOffset } from './text.ts'
import { TimeZone, zoneNames } from './zone.ts'

/** What a session has set. */
export interface ZoneSetting {
  zone: TimeZone
}

export const UTC = TimeZone.named('UTC')

const decoder = new TextDecoder()
const moment: Moment = { seconds: 0, micros: 0, infinite: false }
const other: Moment = { seconds: 0, micros: 0, infinite: false }

/** What a text was last read as: mostly the next row has the same. */
function remembering<T>(read: (text: string) => T): (text: Uint8Array) => T {
  let last: { readonly text: Uint8Array; readonly value: T } | null = null
  return (text) => {
    if (last?.text.length !== text.length || !last.text.every((byte, i) => byte === text[i]))
      last = { text: text.slice(), value: read(decoder.decode(text)) }
    return last.value
  }
}

const zoneOf = remembering((name) => TimeZone.named(name))
const intervalOf = remembering(readInterval)
const UNITS = ['months', 'days', 'seconds', 'micros'] as const

/** DuckDB's functions of times with a zone. Instants come as sort keys; an empty zone is the session's own. */
export function zoneFunctions(setting: ZoneSetting): ScalarFunction[] {
  const named = (name: Uint8Array): TimeZone => (name.length === 0 ? setting.zone : zoneOf(name))
  const moved = (name: string, move: (zone: TimeZone, seconds: number) => number): ScalarFunction => ({
    name,
    returns: 'timestamp',
    call: ([zone, time], row, out) => {
      const where = zone.text(row)
      if (where === null || !readMoment(time.text(row), moment)) return false
      const seconds = moment.infinite ? moment.seconds : move(named(where), moment.seconds)
      writeMoment(seconds, moment.micros, out)
      return true
    },
  })
  return [
    moved('__zone_to_local', (zone, seconds) => seconds + zone.offsetAt(seconds)),
    moved('__zone_to_instant', (zone, seconds) => seconds - zone.offsetOfLocal(seconds)),
    {
      name: '__zone_offset',
      call: ([zone, time], row, out) => {
        const where = zone.text(row)
        if (where === null || !readMoment(time.text(row), moment) || moment.infinite) return false
        out.text(String(named(where).offsetAt(moment.seconds)))
        return true
      },
    },
    {
      name: '__zone_add',
      returns: 'timestamp',
      call: ([time, interval, sign], row, out) => {
        const by = interval.text(row)
        if (by === null || !readMoment(time.text(row), moment)) return false
        const move = sign.text(row)?.[0] === MINUS ? subtract : add
        move(moment, intervalOf(by), setting.zone)
        writeMoment(moment.seconds, moment.micros, out)
        return true
      },
    },
    {
      name: '__zone_series',
      call: ([through, first, last, step], row, out) => {
        const by = step.text(row)
        if (by === null || !readMoment(first.text(row), moment) || !readMoment(last.text(row), other)) return false
        writeSeries(through.text(row)?.[0] === LETTER_T, intervalOf(by), setting.zone, out)
        return true
      },
    },
    {
      name: '__zone_filled',
      call: ([text, time], row, out) => {
        const given = text.text(row)
        if (given === null) return false
        const known = readMoment(time.text(row), moment)
        fill(given, setting.zone, known && !moment.infinite ? moment.seconds : null, out)
        return true
      },
    },
    ...TEXTS,
    { name: '__zone_list', call: ([time], row, out) => readMoment(time.text(row), moment) && listZones(out) },
  ]
}

const MINUS = 0x2d
const LETTER_T = 0x74

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

/** A zone's name at the end of a text, with the blanks around it. */
const NAME_BEHIND = /\s*([A-Za-z][\w/+-]*)\s*$/

const TEXTS: readonly ScalarFunction[] = [
  ofText('__zone_text', withOffset),
  ofText('__zone_try_text', (text) => {
    try {
      return withOffset(text)
    } catch {
      return null
    }
  }),
  ofText('__zone_before', (text) => text.replace(NAME_BEHIND, '')),
  ofText('__zone_behind', (text) => {
    const name = NAME_BEHIND.exec(text)?.[1]
    if (name === undefined) throw new Error(`There is no time zone’s name behind “${text}”, as %Z says.`)
    return TimeZone.named(name).name
  }),
  ofText('__zone_try_behind', (text) => TimeZone.find(NAME_BEHIND.exec(text)?.[1] ?? '')?.name ?? null),
]

/** Appends the list of microseconds from `moment` up to `other`, as the engine reads lists. */
function writeSeries(through: boolean, step: Interval, zone: TimeZone, out: ByteWriter): void {
  if (moment.infinite || other.infinite)
    throw new Error('A range has to begin and end with times that aren’t infinite.')
  const signs = new Set(UNITS.map((unit) => Math.sign(step[unit])).filter((sign) => sign !== 0))
  if (signs.size > 1) throw new Error('The steps of a range can’t be an interval with parts of both signs.')
  out.text('[')
  const [sign] = signs
  if (sign !== undefined) {
    for (let first = true; isBefore(sign, through); first = false) {
      if (!first) out.text(',')
      out.text((BigInt(moment.seconds) * 1_000_000n + BigInt(moment.micros)).toString())
      if (sign > 0) add(moment, step, zone)
      else subtract(moment, negated(step), zone)
    }
  }
  out.text(']')
}

/** Whether `moment` isn't past `other` yet, seen in the direction of the steps. */
function isBefore(sign: number, through: boolean): boolean {
  const distance = other.seconds - moment.seconds || other.micros - moment.micros
  return distance === 0 ? through : Math.sign(distance) === sign
}

/** Puts what %Z and %z stand for in the place of their marks: see `strftime` in `macros.ts`. */
function fill(text: Uint8Array, zone: TimeZone, seconds: number | null, out: ByteWriter): void {
  for (const byte of text) {
    if (byte === 1) out.byte(0x25)
    else if (byte === 2) out.text(zone.name)
    else if (byte === 3) out.text(printOffset(seconds === null ? 0 : zone.offsetAt(seconds)))
    else out.byte(byte)
  }
}

/** Appends all zones, as a list of lists: their names, short names, offsets at `moment`, and whether it's summer there. */
function listZones(out: ByteWriter): true {
  const { seconds } = moment
  const year = new Date(seconds * 1000).getUTCFullYear()
  const rows = zoneNames().flatMap((name) => {
    const zone = TimeZone.find(name)
    if (!zone) return []
    const offset = zone.offsetAt(seconds)
    const [winter, summer] = [0, 6].map((month) => zone.offsetAt(Date.UTC(year, month, 1) / 1000))
    return [`[${name},${zone.shortName(seconds)},${offset},${offset > Math.min(winter, summer)}]`]
  })
  out.text(`[${rows.join(',')}]`)
  return true
}
