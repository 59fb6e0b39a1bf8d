import { MINUTES_PATTERN } from '../../../tables/meaning.ts'
import type { ScalarType } from '../../../tables/types.ts'
import { COLON, DOT, ZERO } from '../../../lib/ascii.ts'
import { printInterval } from '../../arrow/cast/texts.ts'
import { isDigit, twoDigits } from '../text-bytes.ts'
import { BytesBuilder } from './bytes.ts'

/** As DuckDB has durations. */
export interface Interval {
  readonly months: number
  readonly days: number
  readonly nanos: bigint
}

/** Digits that a part has at most, so that it fits in DuckDB's INTERVAL: months and days in 32 bits, microseconds in 64. */
const DAYS = String.raw`\d{1,6}`
const COUNT = String.raw`\d{1,9}`
const SECONDS = String.raw`${COUNT}(?:[.,]\d{1,6})?`

const part = (digits: string, units: string): string => `(?:(${digits}) ?(?:${units})(?![a-z]) ?)?`

/** `P1DT2H30M`, ISO 8601. */
const ISO = new RegExp(
  `^P(?=.)(?:(${DAYS})Y)?(?:(${DAYS})M)?(?:(${DAYS})W)?(?:(${DAYS})D)?(?:T(?=.)(?:(${COUNT})H)?(?:(${COUNT})M)?(?:(${SECONDS})S)?)?$`,
)
/** `1h 5m`, `1 hour 30 minutes`, `2d 4h`. */
const WORDS = new RegExp(
  `^(?=\\d)()()()${part(DAYS, 'days?|d')}${part(COUNT, 'hours?|hrs?|h|std')}${part(COUNT, 'minutes?|mins?|m')}${part(SECONDS, 'seconds?|secs?|s')}$`,
  'i',
)
/** `1h05`. */
const SHORT = /^()()()()(\d{1,4})h([0-5]\d)()$/
/** As DuckDB prints it, `1 year 2 months 3 days 04:05:06.7`, or reads it: `1:05:30`, `-8:30`, `+0:15`. */
const PRINTED = new RegExp(
  String.raw`^(?=.)(?:(-?${DAYS}) years?(?: |$))?(?:(-?${DAYS}) months?(?: |$))?(?:(-?${COUNT}) days?(?: |$))?(?:([+-]?)(${COUNT}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?)?$`,
)

/** What a duration comes to that is written in one of these ways; null for any other text. */
export function parseInterval(text: string): Interval | null {
  const printed = PRINTED.exec(text)
  if (printed) {
    const [, years = '0', months = '0', days = '0', minus = '', hours = '0', minutes = '0', seconds = '0'] = printed
    const nanos = nanosOf(hours, minutes, seconds)
    return { months: Number(years) * 12 + Number(months), days: Number(days), nanos: minus === '-' ? -nanos : nanos }
  }
  const found = ISO.exec(text) ?? WORDS.exec(text) ?? SHORT.exec(text)
  if (!found) return null
  const [, years, months, weeks, days, hours, minutes, seconds] = found
  return {
    months: Number(years || 0) * 12 + Number(months || 0),
    days: Number(weeks || 0) * 7 + Number(days || 0),
    nanos: nanosOf(hours || '0', minutes || '0', (seconds || '0').replace(',', '.')),
  }
}

/** `5:06` and `1:23.456`, as paces and lap times are written. */
const MINUTES = /^([+-]?)(\d{1,9}):([0-5]\d)([.,]\d{1,6})?$/

/** A duration in minutes and seconds; null for any other text. */
export function parseMinutes(text: string): Interval | null {
  const found = MINUTES.exec(text)
  if (!found) return null
  const [, minus, minutes, seconds, fraction = ''] = found
  const nanos = nanosOf('0', minutes, `${seconds}${fraction.replace(',', '.')}`)
  return { months: 0, days: 0, nanos: minus === '-' ? -nanos : nanos }
}

function nanosOf(hours: string, minutes: string, seconds: string): bigint {
  const [whole = '0', fraction = ''] = seconds.split('.')
  return (
    (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(whole)) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
  )
}

const MOST_HOURS = 9

/** Whether it's `HH:MM:SS` with any number of hours, as DuckDB prints a duration. */
export function isClock(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && isDigit(bytes[at])) at++
  const digits = at - start
  if (digits < 2 || digits > MOST_HOURS || (digits > 2 && bytes[start] === ZERO)) return false
  if (end - at < 6 || bytes[at] !== COLON || bytes[at + 3] !== COLON) return false
  if (!isSixtieth(bytes, at + 1) || !isSixtieth(bytes, at + 4)) return false
  at += 6
  if (at === end) return true
  if (bytes[at] !== DOT || end - at > 7 || end - at < 2 || bytes[end - 1] === ZERO) return false
  for (at++; at < end; at++) if (!isDigit(bytes[at])) return false
  return true
}

function isSixtieth(bytes: Uint8Array, at: number): boolean {
  const value = twoDigits(bytes, at)
  return value >= 0 && value < 60
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const LONGEST = 80

/** INTERVAL: durations as DuckDB prints them. Those in ISO 8601 and in words, such as `1h 5m`, become such. */
export class IntervalBuilder extends BytesBuilder {
  private readonly hasMinutes: boolean

  constructor(type: ScalarType, pattern: string | undefined) {
    super(type)
    this.hasMinutes = pattern === MINUTES_PATTERN
  }

  override appendText(bytes: Uint8Array, start: number, end: number): boolean {
    if (isClock(bytes, start, end)) return super.appendText(bytes, start, end)
    if (end - start > LONGEST) return false
    const text = decoder.decode(bytes.subarray(start, end))
    const interval = (this.hasMinutes ? parseMinutes(text) : null) ?? parseInterval(text)
    if (!interval) return false
    const printed = encoder.encode(printInterval(interval.months, interval.days, interval.nanos))
    return super.appendText(printed, 0, printed.length)
  }
}
