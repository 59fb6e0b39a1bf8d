import { DASH, DOT, PLUS, ZERO } from '../../../lib/ascii.ts'
import { daysInMonth } from '../../arrow/calendar.ts'
import { isDigit, twoDigits } from '../text-bytes.ts'
import { CODE, DECIMAL, EXPONENT, INTEGER, LEADING_ZEROS, MINUS_ZERO, TEXT } from './kinds.ts'
import { isShortestDouble } from './shortest.ts'

/** A year from now, in seconds since 1970. Later times are rare in data; numbers of documents can be anything. */
const LATEST_SECOND = String(Math.floor(Date.now() / 1000) + 366 * 86_400)

const compareDigits = (bytes: Uint8Array, start: number, limit: string): number => {
  for (let i = 0; i < limit.length; i++) {
    const difference = bytes[start + i] - limit.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return 0
}

/** What `count` needs to know about a run of numbers; fields as in `NumberStats`. */
export interface CountedNumbers extends Pick<NumberStats, 'bits' | 'negative' | 'lengths' | 'ungroupable'> {
  /** Most digits before the point. */
  readonly digits: number
  /** Most digits after the point, and the number of values with that many. */
  readonly scale: number
  readonly atScale: number
  /** Number of values with a trailing zero after the point. */
  readonly zeros: number
}

/** `NumberStats` as plain data. */
export type NumberFindings = Readonly<Omit<NumberStats, 'count' | 'kind' | 'short' | 'merge' | 'scale' | 'exact'>>

/** Statistics of a column's plain numbers. */
export class NumberStats {
  /** Most digits before the point. */
  whole = 0
  minScale = 99
  maxScale = 0
  /** Number of values with `maxScale` digits after the point. */
  atMaxScale = 0
  /** Whether integers exceed 32 bits, the 53 bits of a double, 64 signed bits, 64 unsigned bits. */
  beyond32 = false
  beyond53 = false
  beyond64 = false
  beyondUnsigned64 = false
  negative = false
  /** Whether there is a `-0.00`: only a double keeps its sign. */
  negativeZero = false
  /** Numbers that a double doesn't represent exactly. */
  inexact = 0
  /** Decimals whose point can't separate thousands, as it can in `1.234`. */
  ungroupable = 0
  /** Bit mask of the numbers of digits before the point of decimals. */
  lengths = 0
  /** Numbers with an exponent and a point: `1.5E+3`. */
  pointedExponents = 0
  /** Of one digit: 1 where there is a 0, 2 where there is a 1; 4 for any other number. */
  bits = 0
  /** Possible Unix timestamps from 2001 on, by their unit, and whether one is more than a year from now. */
  seconds = 0
  milliseconds = 0
  microseconds = 0
  nanoseconds = 0
  isBeyondNow = false
  /** Possible dates without separators: YYYYMMDD; and those with a time: YYYYMMDDHH, YYYYMMDDHHMM, YYYYMMDDHHMMSS. */
  days = 0
  hours = 0
  minutes = 0
  moments = 0
  /** Of the last decimal: digits after the point, and whether a double keeps all of its digits. */
  scale = 0
  exact = true
  private readonly typedSource: boolean

  /** @param typedSource whether the source marks numbers, so that `1e5` is a number rather than a code */
  constructor(typedSource: boolean) {
    this.typedSource = typedSource
  }

  merge(other: NumberFindings): void {
    this.whole = Math.max(this.whole, other.whole)
    this.minScale = Math.min(this.minScale, other.minScale)
    if (other.maxScale > this.maxScale) this.atMaxScale = 0
    if (other.maxScale >= this.maxScale) this.atMaxScale += other.atMaxScale
    this.maxScale = Math.max(this.maxScale, other.maxScale)
    this.beyond32 ||= other.beyond32
    this.beyond53 ||= other.beyond53
    this.beyond64 ||= other.beyond64
    this.beyondUnsigned64 ||= other.beyondUnsigned64
    this.negative ||= other.negative
    this.negativeZero ||= other.negativeZero
    this.inexact += other.inexact
    this.ungroupable += other.ungroupable
    this.lengths |= other.lengths
    this.pointedExponents += other.pointedExponents
    this.bits |= other.bits
    this.seconds += other.seconds
    this.milliseconds += other.milliseconds
    this.microseconds += other.microseconds
    this.nanoseconds += other.nanoseconds
    this.isBeyondNow ||= other.isBeyondNow
    this.days += other.days
    this.hours += other.hours
    this.minutes += other.minutes
    this.moments += other.moments
  }

  /** Adds integers or decimals, all of which a double represents exactly. */
  count({ digits, bits, negative, scale, atScale, lengths, ungroupable }: CountedNumbers): void {
    this.bits |= bits
    this.whole = Math.max(this.whole, digits)
    this.negative ||= negative
    this.ungroupable += ungroupable
    this.lengths |= lengths
    this.minScale = Math.min(this.minScale, scale)
    if (scale > this.maxScale) this.atMaxScale = 0
    if (scale >= this.maxScale) this.atMaxScale += atScale
    this.maxScale = Math.max(this.maxScale, scale)
  }

  /** The kind of `bytes[start, end)`, which begins with a digit, a point or a minus; TEXT if it isn't a number. */
  kind(bytes: Uint8Array, start: number, end: number): number {
    const negative = bytes[start] === DASH
    const first = negative ? start + 1 : start
    let at = first
    while (at < end && isDigit(bytes[at])) at++
    const whole = at - first
    if (at === end) return whole === 0 ? TEXT : this.integer(bytes, first, end, negative)
    let scale = 0
    if (bytes[at] === DOT) {
      const from = ++at
      while (at < end && isDigit(bytes[at])) at++
      scale = at - from
      if (scale === 0) return TEXT
      if (at === end) return this.decimal(bytes, first, whole, scale, end, negative)
    }
    return whole + scale > 0 ? this.exponent(bytes, first, whole, scale, at, end, negative) : TEXT
  }

  /**
   * Adds a number of at most 9 digits, or 15 with a fraction, whose digits the caller has counted.
   * @returns as `kind`
   */
  short(whole: number, scale: number, zeroFirst: boolean, zero: boolean, negative: boolean): number {
    this.bits = 4
    if (whole > 1 && zeroFirst) return LEADING_ZEROS
    if (scale === 0) return zero && negative ? MINUS_ZERO : this.add(whole, 0, negative)
    if (zero && negative) this.negativeZero = true
    this.ungroupable++
    return this.add(zeroFirst ? 0 : whole, scale, negative)
  }

  private integer(bytes: Uint8Array, first: number, end: number, negative: boolean): number {
    const digits = end - first
    this.bits |= digits > 1 || bytes[first] > 0x31 ? 4 : bytes[first] - 0x2f
    if (bytes[first] === ZERO) return digits > 1 ? LEADING_ZEROS : negative ? MINUS_ZERO : this.add(digits, 0, false)
    if (digits === 8 && !this.typedSource && !negative && isDay(bytes, first)) this.days++
    if (digits > 9) {
      if (!this.typedSource && !negative && digits <= 14) this.countMoment(bytes, first, end)
      this.checkRange(bytes, first, digits, negative)
    }
    return this.add(digits, 0, negative)
  }

  private add(whole: number, scale: number, negative: boolean): number {
    if (whole > this.whole) this.whole = whole
    if (scale < this.minScale) this.minScale = scale
    if (scale > this.maxScale) {
      this.maxScale = scale
      this.atMaxScale = 1
    } else if (scale === this.maxScale) {
      this.atMaxScale++
    }
    if (negative) this.negative = true
    return scale === 0 ? INTEGER : DECIMAL
  }

  private checkRange(bytes: Uint8Array, first: number, digits: number, negative: boolean): void {
    const beyond = (limit: string): boolean =>
      digits > limit.length || (digits === limit.length && compareDigits(bytes, first, limit) > 0)
    if (bytes[first] === 0x31) {
      this.countEpoch(digits)
      if (compareDigits(bytes, first, LATEST_SECOND) > 0) this.isBeyondNow = true
    }
    if (!beyond(negative ? '2147483648' : '2147483647')) return
    this.beyond32 = true
    if (!beyond('9007199254740991')) return
    this.beyond53 = true
    const isWritten = this.typedSource && isShortestDouble(bytes, first, first + digits)
    if (!isWritten && significantDigits(bytes, first, first + digits) > 15) this.inexact++
    if (!beyond(negative ? '9223372036854775808' : '9223372036854775807')) return
    this.beyond64 = true
    if (beyond('18446744073709551615')) this.beyondUnsigned64 = true
  }

  private countMoment(bytes: Uint8Array, first: number, end: number): void {
    if (!isDay(bytes, first) || !isTime(bytes, first + 8, end)) return
    if (end - first === 10) this.hours++
    else if (end - first === 12) this.minutes++
    else this.moments++
  }

  private countEpoch(digits: number): void {
    if (digits === 10) this.seconds++
    else if (digits === 13) this.milliseconds++
    else if (digits === 16) this.microseconds++
    else if (digits === 19) this.nanoseconds++
  }

  private decimal(
    bytes: Uint8Array,
    first: number,
    whole: number,
    scale: number,
    end: number,
    negative: boolean,
  ): number {
    if (whole > 1 && bytes[first] === ZERO) return LEADING_ZEROS
    if (scale !== 3 || whole === 0 || whole > 3 || bytes[first] === ZERO) this.ungroupable++
    this.lengths |= 1 << (bytes[first] === ZERO ? 0 : Math.min(whole, 31))
    this.scale = scale
    this.exact = true
    if (whole + scale > 15 || negative) this.checkExactness(bytes, first, end, negative)
    // A single zero before the point needs no digit in DECIMAL's precision.
    return this.add(bytes[first] === ZERO ? 0 : whole, scale, negative)
  }

  private checkExactness(bytes: Uint8Array, first: number, end: number, negative: boolean): void {
    const digits = significantDigits(bytes, first, end)
    if (digits === 0 && negative) this.negativeZero = true
    if (digits <= 15 || (digits <= 17 && isShortestDouble(bytes, first, end))) return
    this.inexact++
    this.exact = false
  }

  private exponent(
    bytes: Uint8Array,
    first: number,
    whole: number,
    scale: number,
    mark: number,
    end: number,
    negative: boolean,
  ): number {
    if ((bytes[mark] | 0x20) !== 0x65) return TEXT
    let at = mark + 1
    const signed = bytes[at] === DASH || bytes[at] === PLUS
    if (signed) at++
    const digits = end - at
    if (at >= end) return TEXT
    for (; at < end; at++) if (!isDigit(bytes[at])) return TEXT
    if (scale === 0 && !signed && !this.typedSource) return CODE
    if (whole > 1 && bytes[first] === ZERO) return LEADING_ZEROS
    if (scale > 0) this.pointedExponents++
    const significant = significantDigits(bytes, first, mark)
    if (significant === 0 && negative) this.negativeZero = true
    // Doubles with large exponents, or near the smallest ones, keep fewer digits.
    if (significant > 17 || digits > 4 || ((significant > 15 || digits > 2) && !isShortestDouble(bytes, first, end))) {
      this.inexact++
    }
    return EXPONENT
  }
}

/** Whether eight digits are a date from 1900 to 2099, as in 20250401. */
function isDay(bytes: Uint8Array, first: number): boolean {
  const century = twoDigits(bytes, first)
  if (century !== 19 && century !== 20) return false
  const day = twoDigits(bytes, first + 6)
  return day >= 1 && day <= daysInMonth(century * 100 + twoDigits(bytes, first + 2), twoDigits(bytes, first + 4))
}

/** Whether digits are a time of day: HH, HHMM or HHMMSS. */
function isTime(bytes: Uint8Array, start: number, end: number): boolean {
  if ((end - start) % 2 !== 0 || twoDigits(bytes, start) > 23) return false
  for (let at = start + 2; at < end; at += 2) if (twoDigits(bytes, at) > 59) return false
  return true
}

/** Number of digits without leading and trailing zeros. */
function significantDigits(bytes: Uint8Array, start: number, end: number): number {
  let count = 0
  let kept = 0
  for (let at = start; at < end; at++) {
    const digit = bytes[at] - 0x30
    if (digit < 0 || (digit === 0 && count === 0)) continue
    count++
    if (digit > 0) kept = count
  }
  return kept
}
