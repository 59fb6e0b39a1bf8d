import { asciiText } from '../../columns/ascii.ts'
import { isShortestDouble } from '../../columns/infer/shortest.ts'
import { KIND } from '../../columns/json/scanner.ts'

/** So many inexact numbers are enough: telling takes time. */
export const MANY = 1000

const MINUS = 0x2d
const ZERO = 0x30

/** Whether a number of so many digits, beginning at `start`, is beyond a limit. */
function beyond(bytes: Uint8Array, start: number, digits: number, limit: string): boolean {
  if (digits !== limit.length) return digits > limit.length
  for (let i = 0; i < digits; i++) {
    const difference = bytes[start + i] - limit.charCodeAt(i)
    if (difference !== 0) return difference > 0
  }
  return false
}

/** What `JsonNumbers` found, as plain data. */
export type NumbersState = Pick<
  JsonNumbers,
  | 'integers'
  | 'decimals'
  | 'floats'
  | 'whole'
  | 'scale'
  | 'negative'
  | 'beyond32'
  | 'beyond53'
  | 'beyond64'
  | 'beyondUnsigned64'
  | 'inexact'
  | 'respelled'
>

/** What the numbers at one place of the rows are like, taken together. They are valid JSON. */
export class JsonNumbers {
  /** Whole numbers; `-0` isn't one, as it would lose its sign. */
  integers = 0
  /** `1.5`. */
  decimals = 0
  /** What only a double is: `1e5`, `-0`. */
  floats = 0
  /** Digits before the point, at most; a single zero is none. */
  whole = 0
  /** Digits behind the point, at most. */
  scale = 0
  negative = false
  /** Whole numbers beyond 32 bits, 2^53, 64 bits with a sign, 64 bits without. */
  beyond32 = false
  beyond53 = false
  beyond64 = false
  beyondUnsigned64 = false
  /** Numbers that aren't what a double nearest to them is printed as; `MANY` stands for any more. */
  inexact = 0
  /** Whether some, as doubles, would be printed otherwise than they are spelled: `2.50`, `1e5`, `-0`. */
  respelled = false

  observe(bytes: Uint8Array, start: number, end: number, kind: number): void {
    const negative = bytes[start] === MINUS
    const first = negative ? start + 1 : start
    if (negative) this.negative = true
    if (kind === KIND.integer) this.integer(bytes, first, end, negative)
    else this.real(bytes, first, end, negative)
  }

  /** Takes in what other numbers came to. */
  merge(other: NumbersState): void {
    this.integers += other.integers
    this.decimals += other.decimals
    this.floats += other.floats
    this.whole = Math.max(this.whole, other.whole)
    this.scale = Math.max(this.scale, other.scale)
    this.negative ||= other.negative
    this.beyond32 ||= other.beyond32
    this.beyond53 ||= other.beyond53
    this.beyond64 ||= other.beyond64
    this.beyondUnsigned64 ||= other.beyondUnsigned64
    this.inexact = Math.min(MANY, this.inexact + other.inexact)
    this.respelled ||= other.respelled
  }

  private integer(bytes: Uint8Array, first: number, end: number, negative: boolean): void {
    const digits = end - first
    if (bytes[first] === ZERO) {
      if (negative) {
        this.floats++
        this.respelled = true
      } else {
        this.integers++
      }
      return
    }
    this.integers++
    if (digits > this.whole) this.whole = digits
    if (digits <= 9 || !beyond(bytes, first, digits, negative ? '2147483648' : '2147483647')) return
    this.beyond32 = true
    if (!beyond(bytes, first, digits, '9007199254740991')) return
    this.beyond53 = true
    this.check(bytes, first, end)
    if (!beyond(bytes, first, digits, negative ? '9223372036854775808' : '9223372036854775807')) return
    this.beyond64 = true
    if (beyond(bytes, first, digits, '18446744073709551615')) this.beyondUnsigned64 = true
  }

  private real(bytes: Uint8Array, first: number, end: number, negative: boolean): void {
    let at = first
    while (at < end && bytes[at] >= ZERO) at++
    let whole = at - first
    // The letter of an exponent is no digit, though it's beyond zero.
    if (bytes[at - 1] > 0x39 || bytes[at] !== 0x2e) {
      this.exponent(bytes, first, end)
      return
    }
    if (bytes[first] === ZERO) whole = 0
    const point = at
    at++
    while (at < end && bytes[at] >= ZERO && bytes[at] <= 0x39) at++
    if (at < end) {
      this.exponent(bytes, first, end)
      return
    }
    const scale = end - point - 1
    if (scale > 1 && bytes[end - 1] === ZERO) this.respelled = true
    const short = whole + scale <= 15
    if (negative && (!short || whole === 0) && significant(bytes, first, end) === 0) {
      this.floats++
      return
    }
    this.decimals++
    if (whole > this.whole) this.whole = whole
    if (scale > this.scale) this.scale = scale
    if (!short && significant(bytes, first, end) > 15) this.check(bytes, first, end)
    // Of these, doubles are printed with an exponent.
    else if (whole === 0 && scale > 6) this.respelled ||= !isPrintedSo(bytes, first, end)
  }

  private exponent(bytes: Uint8Array, first: number, end: number): void {
    this.floats++
    this.check(bytes, first, end)
  }

  private check(bytes: Uint8Array, first: number, end: number): void {
    if (this.inexact >= MANY || isPrintedSo(bytes, first, end)) return
    this.respelled = true
    if (end - first > LONGEST || !isShortestDouble(bytes, first, end)) this.inexact++
  }
}

/** No double is printed of more than 17 digits; those of the largest have 309 with their zeros. */
const LONGEST = 400

/** Whether the double nearest to a number is printed as the number is spelled. */
function isPrintedSo(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > LONGEST) return false
  const text = asciiText(bytes, start, end)
  return String(Number(text)) === text
}

/** Digits from the first to the last that isn't zero. */
function significant(bytes: Uint8Array, start: number, end: number): number {
  let count = 0
  let kept = 0
  for (let at = start; at < end; at++) {
    const digit = bytes[at] - ZERO
    if (digit < 0 || (digit === 0 && count === 0)) continue
    count++
    if (digit > 0) kept = count
  }
  return kept
}
