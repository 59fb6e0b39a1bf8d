import type { ByteWriter } from '../../../../lib/bytes.ts'
import { SECONDS_PER_DAY } from '../../../arrow/calendar.ts'
import { READ_TIME, READ_TIMESTAMP, type CApi } from '../c-api.ts'
import { Clock } from './clock.ts'
import { readMoment, type Moment } from './moment.ts'
import { TimeZone } from './zone.ts'

const decoder = new TextDecoder()
const clock = new Clock()

export const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** An offset as the engine reads and prints it: `+02`, `-03:30`, `+00:53:28`. Seconds. */
export function printOffset(offset: number): string {
  const size = Math.abs(offset)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  const count = parts[2] > 0 ? 3 : parts[1] > 0 ? 2 : 1
  return `${offset < 0 ? '-' : '+'}${parts.slice(0, count).map(twoDigits).join(':')}`
}

/** A moment as the engine prints it, by a zone's clocks: `2024-07-01 12:00:00.5+02`. */
export function printMoment(moment: Moment, zone: TimeZone): string {
  if (moment.infinite) return moment.seconds < 0 ? '-infinity' : 'infinity'
  const { year, month, day, hour, minute, second, micros, offset } = clock.set(moment, zone)
  const shown = year > 0 ? String(year).padStart(4, '0') : String(1 - year).padStart(4, '0')
  const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`
  const date = `${shown}-${twoDigits(month)}-${twoDigits(day)}${year > 0 ? '' : ' (BC)'}`
  // Without its seconds, which old offsets have, as native DuckDB prints it.
  const shortened = printOffset(offset - (offset % 60))
  return `${date} ${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}${fraction}${shortened}`
}

const SUCCESS = 0
const WRONG_FORM = 1
/** Of a time of day with an offset, DuckDB keeps how far that is below this one: 15:59:59. */
const LAST_OFFSET = 57_599
const DAY_MICROS = SECONDS_PER_DAY * 1_000_000

/** A time of day with an offset: microseconds and seconds, in 40 and 24 bits. */
export function writeTimeOfDay(micros: number, offset: number, out: ByteWriter): void {
  const within = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS
  const word = BigInt(within) * 0x100_0000n + BigInt(LAST_OFFSET - offset)
  for (let i = 0n; i < 8n; i++) out.byte(Number((word >> (i * 8n)) & 0xffn))
}

export function readTimeOfDay([low, high]: Int32Array): { readonly micros: number; readonly offset: number } {
  const micros = (high >>> 0) * 2 ** 8 + (low >>> 24)
  return { micros, offset: LAST_OFFSET - (low & 0xff_ffff) }
}

/** Reads texts by the engine's own rules, which it has also without ICU. */
export class TextReader {
  private readonly api: CApi
  private readonly time: number
  private readonly words = new Int32Array(2)

  constructor(api: CApi) {
    this.api = api
    this.time = api.room(48)
  }

  /**
   * Reads a time with an offset, with a zone's name after it, or with neither: of the session's zone.
   * @param text in the engine's memory
   * @throws {Error} for what is none
   */
  moment(text: Uint8Array, session: TimeZone, into: Moment): void {
    const { api, time } = this
    const at = time >> 2
    api.ints.fill(0, at, at + 12)
    const found = api.exports[READ_TIMESTAMP](text.byteOffset, BigInt(text.length), time, 1, time + 8, time + 16, 0)
    if (found === WRONG_FORM)
      throw new Error(
        `invalid timestamp field format: "${decoder.decode(text)}", expected format is (YYYY-MM-DD HH:MM:SS[.US][±HH[:MM[:SS]]| ZONE])`,
      )
    if (found !== SUCCESS) throw new Error(`timestamp field value out of range: "${decoder.decode(text)}"`)
    const { ints, bytes } = api
    this.words.set(ints.subarray(at, at + 2))
    readMoment(this.words, into)
    if (into.infinite || bytes[time + 8] !== 0) return
    const length = ints[at + 4]
    const start = length <= 12 ? time + 20 : ints[at + 6]
    const zone = length > 0 ? TimeZone.named(decoder.decode(bytes.subarray(start, start + length))) : session
    into.seconds -= zone.offsetOfLocal(into.seconds)
  }

  /** Appends a time of day, whose offset is the session's at the moment where it has none. */
  timeOfDay(text: Uint8Array, session: TimeZone, out: ByteWriter): void {
    const { api, time } = this
    const at = time >> 2
    api.ints.fill(0, at, at + 12)
    const found = api.exports[READ_TIME](text.byteOffset, BigInt(text.length), time + 16, time, time + 8, 0, 0)
    if (found === 0)
      throw new Error(
        `time field value out of range: "${decoder.decode(text)}", expected format is ([YYYY-MM-DD ]HH:MM:SS[.MS])`,
      )
    this.words.set(api.ints.subarray(at, at + 2))
    const { micros, offset } = readTimeOfDay(this.words)
    writeTimeOfDay(micros, api.bytes[time + 8] !== 0 ? offset : session.offsetAt(Date.now() / 1000), out)
  }
}

/** A zone's name at the end of a text, with the blanks around it. */
const TRAILING_ZONE = /\s*([A-Za-z][\w/+-]*)\s*$/

/** A text without the zone's name at its end. */
export const withoutZone = (text: string): string => text.replace(TRAILING_ZONE, '')

/** The name of the zone at a text's end; null where none is. */
export const trailingZone = (text: string): string | null => TRAILING_ZONE.exec(text)?.[1] ?? null
