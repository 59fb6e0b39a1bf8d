import type { ValueFormat } from '../../../tables/plan.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { WrappingBuilder } from './wrapping.ts'
import {
  APOSTROPHE,
  COMMA,
  isMinusSign,
  movePoint,
  POINT,
  separatorAt,
  SPACE,
  spaceAt,
  spaceBefore,
  widthOf,
} from '../text-bytes.ts'

const LONGEST_NUMBER = 1000
const DASH = 0x2d
const DOT = 0x2e
const PERCENT = 0x25

const SEPARATORS: Readonly<Record<NonNullable<ValueFormat['grouping']>, number>> = {
  '.': POINT,
  ',': COMMA,
  ' ': SPACE,
  "'": APOSTROPHE,
}
/** What a letter behind a number multiplies it by, as a power of ten. */
const SCALES: ReadonlyMap<string, number> = new Map([
  ['k', 3],
  ['m', 6],
  ['mn', 6],
  ['mio', 6],
  ['bn', 9],
  ['b', 9],
  ['mrd', 9],
])

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Numbers with another decimal mark, with grouped digits or with more than a number around them, for a builder that
 * knows none of it. Groups must be whole: three digits behind each separator, or two and then three at the end as in
 * India (`12,34,567`). A space stands for the no-break spaces too, an apostrophe for the typographic one.
 */
export class NotationBuilder extends WrappingBuilder {
  private readonly mark: number
  private readonly group: number
  private readonly unit: Uint8Array
  private readonly format: ValueFormat
  /** Whether there may be more than a minus before the digits, and anything behind them. */
  private readonly bare: boolean
  private readonly scratch = new Uint8Array(LONGEST_NUMBER + 16)
  private from = 0
  private to = 0
  private power = 0

  constructor(inner: ColumnBuilder, format: ValueFormat) {
    super(inner)
    this.format = format
    this.mark = format.decimalMark === ',' ? COMMA : POINT
    this.group = format.grouping === undefined ? 0 : SEPARATORS[format.grouping]
    this.unit = encoder.encode(format.unit ?? '')
    this.bare = !format.unit && !format.percent && !format.scaled && format.negative === undefined
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start > LONGEST_NUMBER) return false
    this.from = start
    this.to = end
    this.power = 0
    const { scratch } = this
    let length = 0
    if (this.strip(bytes)) scratch[length++] = DASH
    if (this.from >= this.to) return false
    length = this.body(bytes, length)
    if (length < 0) return false
    if (this.power !== 0) length = movePoint(scratch, length, this.power)
    return this.inner.appendText(scratch, 0, length)
  }

  /** Leaves what is around the digits out; gives whether the number is negative by it. */
  private strip(bytes: Uint8Array): boolean {
    if (this.bare) {
      if (!isMinusSign(bytes, this.from, this.to)) return false
      this.from += 3
      return true
    }
    const { negative } = this.format
    let minus = false
    if (negative === 'parentheses' && bytes[this.from] === 0x28 && bytes[this.to - 1] === 0x29) {
      this.from++
      this.to--
      minus = true
    }
    // A sign stands before or behind a unit.
    for (let i = 0; i < 2; i++) {
      const width = minus ? 0 : this.signAt(bytes)
      if (width > 0) minus = true
      this.from += width
      if (this.startsWithUnit(bytes)) this.from += this.unit.length + this.spaces(bytes, this.from + this.unit.length)
    }
    for (let i = 0; i < 2; i++) {
      if (negative === 'trailing' && !minus && this.to > this.from && bytes[this.to - 1] === DASH) {
        this.to--
        minus = true
        this.trimEnd(bytes)
      }
      this.suffix(bytes)
    }
    return minus
  }

  private signAt(bytes: Uint8Array): number {
    if (bytes[this.from] === DASH) return 1
    return isMinusSign(bytes, this.from, this.to) ? 3 : 0
  }

  private startsWithUnit(bytes: Uint8Array): boolean {
    const { unit, from, to } = this
    return unit.length > 0 && to - from >= unit.length && unit.every((byte, i) => bytes[from + i] === byte)
  }

  private spaces(bytes: Uint8Array, from: number): number {
    let at = from
    for (let width = 1; width > 0 && at < this.to; at += width) width = spaceAt(bytes, at, this.to)
    return at - from
  }

  private trimEnd(bytes: Uint8Array): void {
    for (let width = 1; width > 0 && this.to > this.from; this.to -= width) {
      width = spaceBefore(bytes, this.from, this.to)
    }
  }

  private suffix(bytes: Uint8Array): void {
    const { unit, format } = this
    const at = this.to - unit.length
    if (unit.length > 0 && at >= this.from && unit.every((byte, i) => bytes[at + i] === byte)) {
      this.to = at
      this.trimEnd(bytes)
    }
    if (format.percent && this.power === 0 && bytes[this.to - 1] === PERCENT && this.to > this.from) {
      this.to--
      this.power = -2
      this.trimEnd(bytes)
    } else if (format.scaled && this.power === 0) {
      const scale = scaleBefore(bytes, this.from, this.to)
      if (!scale) return
      this.to -= scale.letters
      this.power = scale.power
      this.trimEnd(bytes)
    }
  }

  /** Copies the number without its groups; gives where it ends, or -1. */
  private body(bytes: Uint8Array, from: number): number {
    const { scratch, mark, group, to } = this
    let length = from
    let digits = 0
    let middle = 0
    let groups = 0
    let whole = true
    for (let at = this.from; at < to;) {
      const byte = bytes[at]
      if (byte >= 0x30 && byte <= 0x39) {
        scratch[length++] = byte
        digits++
        at++
        continue
      }
      const separator = separatorAt(bytes, at, to)
      if (whole && digits > 0 && separator !== 0 && separator === group) {
        if (groups === 0 ? digits > 3 : middle === 0 ? digits > 3 || digits < 2 : digits !== middle) return -1
        if (groups > 0) middle = digits
        groups++
        digits = 0
        at += widthOf(byte)
        continue
      }
      if (whole && groups > 0 && digits !== 3) return -1
      if (digits > 0 || groups > 0) whole = false
      if (separator === mark) scratch[length++] = DOT
      else if (separator !== 0) return -1
      else scratch[length++] = byte
      at++
    }
    return whole && groups > 0 && digits !== 3 ? -1 : length
  }
}

/** What the letters before `end` multiply a number by; null where they're no such letters. */
export function scaleBefore(bytes: Uint8Array, start: number, end: number): { letters: number; power: number } | null {
  let at = end
  while (at > start && (bytes[at - 1] | 0x20) >= 0x61 && (bytes[at - 1] | 0x20) <= 0x7a) at--
  const letters = end - at
  if (letters === 0 || letters > 3) return null
  const word = decoder.decode(bytes.subarray(at, end))
  // Statistical offices write “9.9 b” where a series has a break.
  if (word === 'b' && spaceBefore(bytes, start, at) > 0) return null
  const power = SCALES.get(word.toLowerCase())
  return power === undefined ? null : { letters, power }
}
