import { DASH, DOT, PLUS } from '../../../lib/ascii.ts'
import { daysInMonth } from '../../arrow/calendar.ts'
import { isDigit, twoDigits } from '../text-bytes.ts'
import { CODE, DECIMAL, EXPONENT, INTEGER, LEADING_ZEROS, MINUS_ZERO, TEXT } from './kinds.ts'
import { isShortestDouble } from './shortest.ts'

const compareDigits = (bytes: Uint8Array, start: number, limit: string): number => {
  for (let i = 0; i < limit.length; i++) {
    const difference = bytes[start + i] - limit.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return 0
}

/** What some numbers have in common, as in `NumberStats`. */
export interface CountedNumbers extends Pick<NumberStats, 'bits' | 'negative' | 'ungroupable'> {
  /** Before the point, at most. */
  readonly digits: number
  /** The most digits after the point, and how many have so many. */
  readonly scale: number
  readonly atScale: number
  /** How many end with a zero after the point. */
  readonly zeros: number
}

/** `NumberStats` as plain data. */
export type NumberFindings = Readonly<Omit<NumberStats, 'count' | 'kind' | 'short' | 'merge' | 'scale' | 'exact'>>

/** What the numbers of a column are like, taken together. */
export class NumberStats {
  /** Digits before the point, at most. */
  whole = 0
  minScale = 99
  maxScale = 0
  /** Numbers with so many digits after the point. */
  atMaxScale = 0
  /** Beyond 32 bits, beyond what a double counts exactly, beyond 64 bits, beyond 64 unsigned bits: whole numbers. */
  beyond32 = false
  beyond53 = false
  beyond64 = false
  beyondUnsigned64 = false
  negative = false
  /** `-0.00`: only a double keeps its sign. */
  negativeZero = false
  /** Numbers that a double doesn't hold exactly. */
  inexact = 0
  /** Decimals that can't be whole numbers with a point between thousands, as `1.234` can. */
  ungroupable = 0
  /** Of one digit: 1 where there is a 0, 2 where there is a 1; 4 for any other number. */
  bits = 0
  /** Those that may be seconds, and milliseconds, since 1970: from 2001 to 2033. */
  seconds = 0
  milliseconds = 0
  /** Those that may be dates without anything between year, month and day. */
  days = 0
  /** Of the last decimal: digits after the point, and whether a double has all of its digits. */
  scale = 0
  exact = true
  private readonly ownKinds: boolean

  /** @param ownKinds all that is looked at is a number, even what looks like a code: `1e5` */
  constructor(ownKinds: boolean) {
    this.ownKinds = ownKinds
  }

  /** Takes in what other values of the column are like. */
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
    this.bits |= other.bits
    this.seconds += other.seconds
    this.milliseconds += other.milliseconds
    this.days += other.days
  }

  /** Takes in whole numbers, or decimals, of which a double holds each exactly. */
  count({ digits, bits, negative, scale, atScale, ungroupable }: CountedNumbers): void {
    this.bits |= bits
    this.whole = Math.max(this.whole, digits)
    this.negative ||= negative
    this.ungroupable += ungroupable
    this.minScale = Math.min(this.minScale, scale)
    if (scale > this.maxScale) this.atMaxScale = 0
    if (scale >= this.maxScale) this.atMaxScale += atScale
    this.maxScale = Math.max(this.maxScale, scale)
  }

  /** The kind of `bytes[start, end)`, which begins with a digit, a point or a minus; TEXT when it's no number. */
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
   * Takes in a number of at most 9 digits, or 15 with a fraction, of which the digits are known already.
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
    if (bytes[first] === 0x30) return digits > 1 ? LEADING_ZEROS : negative ? MINUS_ZERO : this.add(digits, 0, false)
    if (digits === 8 && !this.ownKinds && !negative && isDay(bytes, first)) this.days++
    if (digits > 9) this.wide(bytes, first, digits, negative)
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

  private wide(bytes: Uint8Array, first: number, digits: number, negative: boolean): void {
    const beyond = (limit: string): boolean =>
      digits > limit.length || (digits === limit.length && compareDigits(bytes, first, limit) > 0)
    if (bytes[first] === 0x31 && digits === 10) this.seconds++
    else if (bytes[first] === 0x31 && digits === 13) this.milliseconds++
    if (!beyond(negative ? '2147483648' : '2147483647')) return
    this.beyond32 = true
    if (!beyond('9007199254740991')) return
    this.beyond53 = true
    const isWritten = this.ownKinds && isShortestDouble(bytes, first, first + digits)
    if (!isWritten && significantDigits(bytes, first, first + digits) > 15) this.inexact++
    if (!beyond(negative ? '9223372036854775808' : '9223372036854775807')) return
    this.beyond64 = true
    if (beyond('18446744073709551615')) this.beyondUnsigned64 = true
  }

  private decimal(
    bytes: Uint8Array,
    first: number,
    whole: number,
    scale: number,
    end: number,
    negative: boolean,
  ): number {
    if (whole > 1 && bytes[first] === 0x30) return LEADING_ZEROS
    if (scale !== 3 || whole === 0 || whole > 3 || bytes[first] === 0x30) this.ungroupable++
    this.scale = scale
    this.exact = true
    if (whole + scale > 15 || negative) this.careful(bytes, first, end, negative)
    // A zero before the point is no digit that a decimal needs room for.
    return this.add(bytes[first] === 0x30 ? 0 : whole, scale, negative)
  }

  private careful(bytes: Uint8Array, first: number, end: number, negative: boolean): void {
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
    if (scale === 0 && !signed && !this.ownKinds) return CODE
    if (whole > 1 && bytes[first] === 0x30) return LEADING_ZEROS
    const significant = significantDigits(bytes, first, mark)
    if (significant === 0 && negative) this.negativeZero = true
    // Powers of three digits may be beyond what a double reaches, or where it has fewer digits than elsewhere.
    if (significant > 17 || digits > 4 || ((significant > 15 || digits > 2) && !isShortestDouble(bytes, first, end))) {
      this.inexact++
    }
    return EXPONENT
  }
}

/** Whether eight digits are a day from 1900 to 2099, as in 20250401. */
function isDay(bytes: Uint8Array, first: number): boolean {
  const century = twoDigits(bytes, first)
  if (century !== 19 && century !== 20) return false
  const day = twoDigits(bytes, first + 6)
  return day >= 1 && day <= daysInMonth(century * 100 + twoDigits(bytes, first + 2), twoDigits(bytes, first + 4))
}

/** Digits from the first to the last that isn't zero. */
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
