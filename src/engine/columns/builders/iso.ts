import { COLON, DASH, SPACE } from '../../../lib/ascii.ts'
import { daysFromCivil, daysInMonth } from '../../arrow/calendar.ts'
import { equalsIgnoringCase, twoDigits } from '../text-bytes.ts'

const LONGEST_YEAR = 9

/** Parses dates and times; the fields have the last result. One parser serves a column. */
export interface MomentParser {
  /** Days since 1970-01-01. */
  readonly days: number
  /** Seconds since midnight, 0 to 86,399. */
  readonly seconds: number
  /** Nanoseconds within the second. */
  readonly nanos: number
  /** Whether the text has a UTC offset. */
  readonly hasOffset: boolean
  /** The offset in seconds, positive to the east. */
  readonly offset: number
  parse(bytes: Uint8Array, start: number, end: number): boolean
}

/**
 * ISO 8601's extended format, with `T` or a space: `2024-02-29`, `2024-02-29 13:45`, `2024-02-29T13:45:01.5+02:00`.
 * Years may have a minus sign and up to nine digits.
 */
export class IsoParser implements MomentParser {
  days = 0
  seconds = 0
  nanos = 0
  hasOffset = false
  offset = 0

  parse(bytes: Uint8Array, start: number, end: number): boolean {
    this.seconds = 0
    this.nanos = 0
    this.hasOffset = false
    this.offset = 0
    const dateEnd = this.date(bytes, start, end)
    if (dateEnd < 0) return false
    if (dateEnd === end) return true
    if (bytes[dateEnd] !== 0x54 && bytes[dateEnd] !== SPACE) return false
    const timeEnd = this.time(bytes, dateEnd + 1, end)
    if (timeEnd < 0) return false
    return timeEnd === end || this.zone(bytes, timeEnd, end)
  }

  /** @returns the end of the date, or -1 */
  private date(bytes: Uint8Array, start: number, end: number): number {
    let at = start
    let year = 0
    // Fast path for four-digit years.
    if (end - start >= 10 && bytes[start + 4] === DASH && bytes[start] !== DASH) {
      const century = twoDigits(bytes, start)
      const rest = twoDigits(bytes, start + 2)
      if (century < 0 || rest < 0) return -1
      year = century * 100 + rest
      at = start + 4
    } else {
      const negative = at < end && bytes[at] === DASH
      if (negative || (at < end && bytes[at] === 0x2b)) at++
      const digitsStart = at
      for (; at < end; at++) {
        const digit = bytes[at] - 0x30
        if (digit < 0 || digit > 9) break
        year = year * 10 + digit
      }
      if (at - digitsStart < 4 || at - digitsStart > LONGEST_YEAR || end - at < 6 || bytes[at] !== DASH) return -1
      if (negative) year = -year
    }
    const month = twoDigits(bytes, at + 1)
    if (bytes[at + 3] !== DASH) return -1
    const day = twoDigits(bytes, at + 4)
    if (day < 1 || day > daysInMonth(year, month)) return -1
    this.days = daysFromCivil(year, month, day)
    return at + 6
  }

  /**
   * Parses `HH:MM[:SS[.fraction]]` into `seconds` and `nanos`.
   * @param midnight whether 24:00:00 is allowed
   * @returns its end, or -1
   */
  time(bytes: Uint8Array, start: number, end: number, midnight = false): number {
    this.nanos = 0
    if (end - start < 5 || bytes[start + 2] !== COLON) return -1
    const hour = twoDigits(bytes, start)
    const minute = twoDigits(bytes, start + 3)
    if (hour < 0 || minute < 0 || minute > 59 || hour > 24) return -1
    let at = start + 5
    let second = 0
    if (at < end && bytes[at] === COLON) {
      if (end - at < 3) return -1
      second = twoDigits(bytes, at + 1)
      if (second < 0 || second > 59) return -1
      at += 3
      if (at < end && bytes[at] === 0x2e) at = this.fraction(bytes, at + 1, end)
    }
    this.seconds = hour * 3600 + minute * 60 + second
    if (hour === 24 && !(midnight && minute === 0 && second === 0 && this.nanos === 0)) return -1
    return at
  }

  private fraction(bytes: Uint8Array, start: number, end: number): number {
    let nanos = 0
    let unit = 100_000_000
    let at = start
    for (; at < end; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0 || digit > 9) break
      // After nine digits the unit is 0, and only zeros keep the value exact.
      if (unit < 1 && digit > 0) return -1
      nanos += digit * unit
      unit = unit === 1 ? 0 : unit / 10
    }
    this.nanos = nanos
    return at === start ? -1 : at
  }

  /** Parses `Z`, `UTC`, `+HH`, `+HHMM`, `+HH:MM` or `+HH:MM:SS`, optionally after a space, to the end of the text. */
  private zone(bytes: Uint8Array, start: number, end: number): boolean {
    const at = bytes[start] === SPACE ? start + 1 : start
    const offset = parseOffset(bytes, at, end)
    this.hasOffset = true
    this.offset = offset
    return !Number.isNaN(offset)
  }
}

/** Parses a UTC offset in seconds that extends to the end; NaN if it isn't one. */
export function parseOffset(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  if (length === 1) return (bytes[start] | 0x20) === 0x7a ? 0 : Number.NaN
  if (isUniversal(bytes, start, end)) return length === 3 ? 0 : fromUniversal(bytes, start + 3, end)
  const sign = offsetSign(bytes[start])
  if (sign === 0 || length < 3) return Number.NaN
  const hours = twoDigits(bytes, start + 1)
  let minutes = 0
  let seconds = 0
  if (length === 5) {
    minutes = twoDigits(bytes, start + 3)
  } else if (length === 6 || length === 9) {
    minutes = bytes[start + 3] === COLON ? twoDigits(bytes, start + 4) : -1
    if (length === 9) seconds = bytes[start + 6] === COLON ? twoDigits(bytes, start + 7) : -1
  } else if (length !== 3) {
    return Number.NaN
  }
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) return Number.NaN
  return sign * (hours * 3600 + minutes * 60 + seconds)
}

export const offsetSign = (byte: number): number => (byte === 0x2b ? 1 : byte === DASH ? -1 : 0)

/** Whether `UTC` or `GMT` is at `start`. */
export function isUniversal(bytes: Uint8Array, start: number, end: number): boolean {
  const after = Math.min(end, start + 3)
  return equalsIgnoringCase(bytes, start, after, 'utc') || equalsIgnoringCase(bytes, start, after, 'gmt')
}

/** Parses the offset after `UTC` or `GMT`, whose hours may have a single digit. */
function fromUniversal(bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== 2) return parseOffset(bytes, start, end)
  const sign = offsetSign(bytes[start])
  const hours = bytes[start + 1] - 0x30
  return sign === 0 || hours < 0 || hours > 9 ? Number.NaN : sign * hours * 3600
}
