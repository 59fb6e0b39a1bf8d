import { COLON, DASH, DOT, SLASH, SPACE } from '../../../lib/ascii.ts'
import { daysInMonth } from '../../arrow/calendar.ts'
import { equalsIgnoringCase, isDigit, readDigits, twoDigits } from '../text-bytes.ts'
import { isClock } from '../builders/intervals.ts'
import { DATE, DURATION, NUMERIC_DATE, TEXT, TIME, TIMESTAMP, ZONED } from './kinds.ts'

function isDate(year: number, month: number, day: number): boolean {
  return year >= 1 && day >= 1 && day <= daysInMonth(year, month)
}

/** Orders of numeric dates, as bits of a mask, since several may be possible. */
export const YEAR_FIRST = 1
export const DAY_FIRST = 2
export const MONTH_FIRST = 4

/**
 * Recognizes dates, times and timestamps; the fields describe the last one. One scanner serves a column, so that
 * nothing is allocated per value.
 */
export class TemporalScanner {
  /** Possible orders of the last numeric date, as a bit mask. */
  order = 0
  /** Separator of the last numeric date, as a byte. */
  separator = 0
  /** Digits after the seconds, of the last time or timestamp. */
  fraction = 0
  /** Since midnight, of the last time or timestamp. */
  seconds = 0
  year = 0
  /** Of the last duration: whether it's 24:00:00. */
  isDay = false

  /** The kind of `bytes[start, end)`, which begins with a digit. */
  kind(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start
    if (length < 8) return TEXT
    if (bytes[start + 4] === DASH && length >= 10) {
      return this.iso(bytes, start, end)
    }
    if (bytes[start + 2] === COLON && this.clock(bytes, start, end) === end) return TIME
    if (isClock(bytes, start, end)) {
      this.isDay =
        length === 8 &&
        twoDigits(bytes, start) === 24 &&
        twoDigits(bytes, start + 3) + twoDigits(bytes, start + 6) === 0
      return DURATION
    }
    return length <= 10 ? this.numericDate(bytes, start, end) : TEXT
  }

  private iso(bytes: Uint8Array, start: number, end: number): number {
    if (bytes[start + 7] !== DASH) return TEXT
    const century = twoDigits(bytes, start)
    const rest = twoDigits(bytes, start + 2)
    const year = century < 0 || rest < 0 ? -1 : century * 100 + rest
    if (!isDate(year, twoDigits(bytes, start + 5), twoDigits(bytes, start + 8))) return TEXT
    if (end - start === 10) return DATE
    const between = bytes[start + 10]
    if (between !== 0x20 && between !== 0x54) return TEXT
    this.year = year
    const at = this.clock(bytes, start + 11, end)
    if (at < 0) return TEXT
    if (at === end) return this.fraction <= 6 || (year >= 1678 && year <= 2261) ? TIMESTAMP : TEXT
    return this.fraction <= 6 && isOffset(bytes, at, end) ? ZONED : TEXT
  }

  /** Parses `HH:MM:SS[.fraction]`. Returns its end, or -1. */
  private clock(bytes: Uint8Array, start: number, end: number): number {
    if (end - start < 8 || bytes[start + 2] !== COLON || bytes[start + 5] !== COLON) return -1
    const hour = twoDigits(bytes, start)
    const minute = twoDigits(bytes, start + 3)
    const second = twoDigits(bytes, start + 6)
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return -1
    let at = start + 8
    this.seconds = hour * 3600 + minute * 60 + second
    this.fraction = 0
    if (at < end && bytes[at] === DOT) {
      const from = ++at
      while (at < end && isDigit(bytes[at])) at++
      this.fraction = at - from
      if (this.fraction === 0 || this.fraction > 9) return -1
    }
    return at
  }

  /** Whether it's `DD.MM.YYYY` or `MM.DD.YYYY` with the separator of the date before. */
  isSameNumericDate(bytes: Uint8Array, start: number, end: number): boolean {
    const { separator } = this
    if (end - start !== 10 || bytes[start + 2] !== separator || bytes[start + 5] !== separator) return false
    const first = twoDigits(bytes, start)
    const second = twoDigits(bytes, start + 3)
    const century = twoDigits(bytes, start + 6)
    const rest = twoDigits(bytes, start + 8)
    if (first < 0 || second < 0 || century < 0 || rest < 0) return false
    const year = century * 100 + rest
    this.order = (isDate(year, second, first) ? DAY_FIRST : 0) | (isDate(year, first, second) ? MONTH_FIRST : 0)
    return this.order !== 0
  }

  /** Parses a numeric date: three numbers with one separator and a four-digit year, first or last. */
  private numericDate(bytes: Uint8Array, start: number, end: number): number {
    let first = start
    while (first < end && isDigit(bytes[first])) first++
    const separator = bytes[first]
    if (separator !== SLASH && separator !== DOT && separator !== DASH) return TEXT
    let second = first + 1
    while (second < end && isDigit(bytes[second])) second++
    if (second >= end || bytes[second] !== separator) return TEXT
    const widths = [first - start, second - first - 1, end - second - 1]
    const a = readDigits(bytes, start, widths[0])
    const b = readDigits(bytes, first + 1, widths[1])
    const c = readDigits(bytes, second + 1, widths[2])
    if (c < 0 || widths[1] < 1 || widths[1] > 2) return TEXT
    let order = 0
    if (widths[0] === 4 && widths[1] === 2 && widths[2] === 2) {
      if (isDate(a, b, c)) order = YEAR_FIRST
    } else if (widths[2] === 4 && widths[0] >= 1 && widths[0] <= 2) {
      if (isDate(c, b, a)) order |= DAY_FIRST
      if (isDate(c, a, b)) order |= MONTH_FIRST
    }
    if (order === 0) return TEXT
    this.order = order
    this.separator = separator
    return NUMERIC_DATE
  }
}

/** Whether it's a UTC offset: `Z`, `UTC`, `+HH`, `+HHMM` or `+HH:MM`, up to 14 hours, optionally after a space. */
function isOffset(bytes: Uint8Array, from: number, end: number): boolean {
  const start = bytes[from] === SPACE ? from + 1 : from
  if (equalsIgnoringCase(bytes, start, end, 'utc')) return true
  const sign = bytes[start]
  const length = end - start
  if (sign === 0x5a) return length === 1
  if (sign !== 0x2b && sign !== DASH) return false
  if (length !== 3 && length !== 5 && !(length === 6 && bytes[start + 3] === COLON)) return false
  const hours = readDigits(bytes, start + 1, 2)
  const minutes = length === 3 ? 0 : readDigits(bytes, end - 2, 2)
  return hours >= 0 && hours <= 14 && minutes >= 0 && minutes <= 59
}
