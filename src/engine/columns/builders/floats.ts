import { BufferType } from 'apache-arrow'
import { grown } from '../../../lib/bytes.ts'
import type { ScalarType } from '../../../tables/types.ts'
import { asciiText, equalsIgnoringCase } from '../text-bytes.ts'
import { FIRST_ROWS, FlatBuilder, rowsAfter, type ValueBuffers } from './flat.ts'

const MAX_FLOAT = 3.4028234663852886e38

/** 10^0 to 10^22: the powers of ten that doubles represent exactly. */
export const EXACT_POWERS = new Float64Array(Array.from({ length: 23 }, (_, power) => Number(`1e${power}`)))

const NAN_WORDS = ['nan']
const INFINITY_WORDS = ['infinity', 'inf']

/**
 * Parses a decimal number, correctly rounded.
 * @returns NaN if it isn't one, or exceeds the range of doubles
 */
export function parseDouble(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  const first = at < end ? bytes[at] : 0
  if (first === 0x2d || first === 0x2b) at++
  // The first 15 significant digits, and up to 15 more, are each exact as doubles.
  let head = 0
  let tail = 0
  let significant = 0
  let digits = 0
  let exponent = 0
  let seenPoint = false
  for (; at < end; at++) {
    const digit = bytes[at] - 0x30
    if (digit >= 0 && digit <= 9) {
      digits++
      if (significant < 15) head = head * 10 + digit
      else if (significant < 30) tail = tail * 10 + digit
      if (head > 0) significant++
      if (seenPoint) exponent--
    } else if (digit === -2 && !seenPoint) {
      seenPoint = true
    } else {
      break
    }
  }
  if (digits === 0) return Number.NaN
  if (at < end) {
    const power = parseExponent(bytes, at, end)
    if (Number.isNaN(power)) return power
    exponent += power
  }
  if (head === 0) return first === 0x2d ? -0 : 0
  if (exponent >= -22 && exponent <= 22) {
    let value = Number.NaN
    if (significant <= 15) {
      // Both operands are exact, so the single operation rounds once (Clinger, "How to read floating point numbers",
      // 1990).
      value = exponent < 0 ? head / EXACT_POWERS[-exponent] : head * EXACT_POWERS[exponent]
    } else if (significant <= 30) {
      value = combine(head, tail, EXACT_POWERS[significant - 15], exponent)
    }
    if (!Number.isNaN(value)) return first === 0x2d ? -value : value
  }
  const value = Number(asciiText(bytes, start, end))
  return value === 0 || !Number.isFinite(value) ? Number.NaN : value
}

/**
 * Parses the exponent whose `e` or `E` is at `start`; NaN if it's invalid.
 * @param most maximum number of digits
 */
export function parseExponent(bytes: Uint8Array, start: number, end: number, most = Number.POSITIVE_INFINITY): number {
  let at = start + 1
  if ((bytes[start] | 0x20) !== 0x65 || at === end) return Number.NaN
  const negative = bytes[at] === 0x2d
  if (negative || bytes[at] === 0x2b) at++
  if (at === end || end - at > most) return Number.NaN
  let power = 0
  for (; at < end; at++) {
    const digit = bytes[at] - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    power = power * 10 + digit
  }
  return negative ? -power : power
}

/** Multiplying by 2^27 + 1 splits a double into halves whose products are exact. */
const SPLITTER = 134_217_729

/** The rounding error of `product`, the rounded `a * b` (Dekker, 1971). */
export function productError(a: number, b: number, product: number): number {
  const aBig = a * SPLITTER
  const aHigh = aBig - (aBig - a)
  const aLow = a - aHigh
  const bBig = b * SPLITTER
  const bHigh = bBig - (bBig - b)
  const bLow = b - bHigh
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow
}

/**
 * `(head * shift + tail) * 10^exponent` in double-double arithmetic (about 100 bits), rounded.
 * @returns NaN if it's too close to the midpoint of two doubles
 */
function combine(head: number, tail: number, shift: number, exponent: number): number {
  const shifted = head * shift
  const low = productError(head, shift, shifted) + tail
  const mantissa = shifted + low
  const mantissaLow = low - (mantissa - shifted)
  const power = EXACT_POWERS[exponent < 0 ? -exponent : exponent]
  let first: number
  let rest: number
  if (exponent < 0) {
    first = mantissa / power
    const product = first * power
    rest = (mantissa - product - productError(first, power, product) + mantissaLow) / power
  } else {
    first = mantissa * power
    rest = productError(mantissa, power, first) + mantissaLow * power
  }
  const value = first + rest
  const error = rest - (value - first)
  const doubt = value * 2 ** -90
  return value + (error + doubt) === value && value + (error - doubt) === value ? value : Number.NaN
}

/** FLOAT and DOUBLE: numbers, and `NaN`, `Infinity`, `inf` ignoring case. */
export class FloatBuilder extends FlatBuilder<ScalarType> {
  private values = new Float64Array(FIRST_ROWS)
  private capacity = FIRST_ROWS
  private readonly single: boolean

  constructor(type: ScalarType) {
    super(type)
    this.single = type.name === 'FLOAT'
  }

  get byteLength(): number {
    return this.length * 8 + this.validity.byteLength
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    let value = parseDouble(bytes, start, end)
    if (Number.isNaN(value)) {
      value = specialValue(bytes, start, end)
      if (value === 0) return false
    } else if (this.single && Math.abs(Math.fround(value)) > MAX_FLOAT) {
      return false
    } else if (this.single && value !== 0 && Math.fround(value) === 0) {
      return false
    }
    const row = this.length
    if (row === this.capacity) this.grow()
    this.values[row] = value
    this.validity.setValid(row)
    this.length = row + 1
    return true
  }

  appendNull(): void {
    const row = this.length
    if (row === this.capacity) this.grow()
    this.values[row] = 0
    this.validity.setNull(row)
    this.length = row + 1
  }

  protected takeValues(length: number): ValueBuffers {
    const doubles = this.values.subarray(0, length)
    this.capacity = rowsAfter(length)
    this.values = new Float64Array(this.capacity)
    return { [BufferType.DATA]: this.single ? new Float32Array(doubles) : doubles }
  }

  private grow(): void {
    this.capacity *= 2
    this.values = grown(this.values, this.capacity)
  }
}

/** NaN or an infinity; 0 for other texts. */
function specialValue(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 9 || start >= end) return 0
  const signed = bytes[start] === 0x2d || bytes[start] === 0x2b
  const from = signed ? start + 1 : start
  if (INFINITY_WORDS.some((word) => equalsIgnoringCase(bytes, from, end, word))) {
    return bytes[start] === 0x2d ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  return NAN_WORDS.some((word) => equalsIgnoringCase(bytes, from, end, word)) ? Number.NaN : 0
}
