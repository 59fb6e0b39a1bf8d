import type { ColumnType } from '../../../tables/types.ts'
import { WordsBuilder } from './flat.ts'
import { parseExponent } from './floats.ts'

/** Longer exponents are refused. */
const MOST_EXPONENT_DIGITS = 6

const TWO_32 = 4_294_967_296
const POWERS = Array.from({ length: 7 }, (_, power) => 10 ** power)

/**
 * DECIMAL and HUGEINT: digits with an optional point, and an optional exponent if the value stays exact. Stored as
 * 128-bit two's complement, little-endian.
 */
export class DecimalBuilder extends WordsBuilder {
  private readonly width: number
  private readonly scale: number
  /** Whether only integers are allowed, without point or exponent. */
  private readonly whole: boolean

  constructor(type: ColumnType, width: number, scale: number, whole: boolean) {
    super(type, 4)
    this.width = width
    this.scale = scale
    this.whole = whole
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start
    if (at >= end) return false
    const first = bytes[at]
    if (first === 0x2d || first === 0x2b) at++
    // Fast path: up to 15 digits are exact as a double.
    if (end - at <= 16) {
      let value = 0
      let digits = 0
      let fraction = -1
      let i = at
      for (; i < end; i++) {
        const digit = bytes[i] - 0x30
        if (digit >= 0 && digit <= 9) {
          value = value * 10 + digit
          digits++
        } else if (digit === -2 && fraction < 0) {
          fraction = digits
        } else {
          break
        }
      }
      if (i === end && digits > 0 && digits <= 15) {
        const zeros = this.scale - (fraction < 0 ? 0 : digits - fraction)
        if (zeros >= 0 && digits + zeros <= 15 && digits + zeros <= this.width && !(this.whole && fraction >= 0)) {
          for (let left = zeros; left > 0; left -= 6) value *= POWERS[left < 6 ? left : 6]
          this.push(first === 0x2d ? -value : value)
          return true
        }
      }
    }
    return this.appendAny(bytes, at, end, first === 0x2d)
  }

  private push(value: number): void {
    const row = this.length
    if (row === this.capacity) this.grow()
    const { words } = this
    const sign = value < 0 ? -1 : 0
    words[row * 4] = value
    words[row * 4 + 1] = Math.floor(value / TWO_32)
    words[row * 4 + 2] = sign
    words[row * 4 + 3] = sign
    this.validity.setValid(row)
    this.length = row + 1
  }

  /** For any length: finds the significant digits and the point, then converts the digits. */
  private appendAny(bytes: Uint8Array, start: number, end: number, negative: boolean): boolean {
    let point = -1
    let digits = 0
    let firstDigit = -1
    let lastDigit = -1
    let at = start
    for (; at < end; at++) {
      const digit = bytes[at] - 0x30
      if (digit >= 0 && digit <= 9) {
        digits++
        if (digit > 0) {
          if (firstDigit < 0) firstDigit = at
          lastDigit = at
        }
      } else if (digit === -2 && point < 0) {
        point = at
      } else {
        break
      }
    }
    if (digits === 0) return false
    const mantissaEnd = at
    const exponent = at < end ? parseExponent(bytes, at, end, MOST_EXPONENT_DIGITS) : 0
    if (Number.isNaN(exponent) || (this.whole && (point >= 0 || mantissaEnd < end))) return false
    if (firstDigit < 0) {
      this.push(0)
      return true
    }
    const unit = point < 0 ? mantissaEnd : point
    const lowest = powerOf(lastDigit, unit) + exponent
    if (lowest < -this.scale || powerOf(firstDigit, unit) + exponent >= this.width - this.scale) return false
    this.pushDigits(bytes, firstDigit, lastDigit, lowest + this.scale, negative)
    return true
  }

  /** Appends the digits of `bytes[first..last]` without a point among them, followed by `zeros` zeros. */
  private pushDigits(bytes: Uint8Array, first: number, last: number, zeros: number, negative: boolean): void {
    const row = this.length
    if (row === this.capacity) this.grow()
    const { words } = this
    const base = row * 4
    // A double holds the first 15 digits exactly; then six at a time.
    let head = 0
    let at = first
    for (let digits = 0; at <= last && digits < 15; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0) continue
      head = head * 10 + digit
      digits++
    }
    words[base] = head
    words[base + 1] = Math.floor(head / TWO_32)
    words[base + 2] = 0
    words[base + 3] = 0
    let chunk = 0
    let count = 0
    for (; at <= last; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0) continue
      chunk = chunk * 10 + digit
      if (++count === 6) {
        multiplyAdd(words, base, 1e6, chunk)
        chunk = 0
        count = 0
      }
    }
    if (count > 0) multiplyAdd(words, base, POWERS[count], chunk)
    for (let left = zeros; left > 0; left -= 6) multiplyAdd(words, base, POWERS[left < 6 ? left : 6], 0)
    if (negative) negate(words, base)
    this.validity.setValid(row)
    this.length = row + 1
  }
}

/** The power of ten of the digit at `at`, if the point is at `unit`. */
function powerOf(at: number, unit: number): number {
  return at < unit ? unit - 1 - at : unit - at
}

/** `words = words * factor + addend`. The factor is at most 10^6, so that products stay below 2^53. */
function multiplyAdd(words: Int32Array, base: number, factor: number, addend: number): void {
  let carry = addend
  for (let i = base; i < base + 4; i++) {
    const product = (words[i] >>> 0) * factor + carry
    // Int32Array stores numbers modulo 2^32.
    words[i] = product
    carry = Math.floor(product / TWO_32)
  }
}

function negate(words: Int32Array, base: number): void {
  let carry = 1
  for (let i = base; i < base + 4; i++) {
    const sum = (~words[i] >>> 0) + carry
    words[i] = sum
    carry = sum >= TWO_32 ? 1 : 0
  }
}
