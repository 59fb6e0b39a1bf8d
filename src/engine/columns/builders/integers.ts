import { DASH, PLUS } from '../../../lib/ascii.ts'
import type { ScalarType } from '../../../tables/types.ts'
import { WordsBuilder } from './flat.ts'

const TWO_32 = 4_294_967_296

type SmallName = 'TINYINT' | 'SMALLINT' | 'INTEGER' | 'UTINYINT' | 'USMALLINT' | 'UINTEGER'

const RANGES: Readonly<Record<SmallName, readonly [min: number, max: number]>> = {
  TINYINT: [-128, 127],
  SMALLINT: [-32_768, 32_767],
  INTEGER: [-2_147_483_648, 2_147_483_647],
  UTINYINT: [0, 255],
  USMALLINT: [0, 65_535],
  UINTEGER: [0, 4_294_967_295],
}

export function isSmallInteger(name: string): name is SmallName {
  return Object.hasOwn(RANGES, name)
}

/** Integers of up to 32 bits: an optional sign, and digits. */
export class SmallIntegerBuilder extends WordsBuilder {
  private readonly min: number
  private readonly max: number

  constructor(type: ScalarType, name: SmallName) {
    super(type, 1)
    ;[this.min, this.max] = RANGES[name]
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start
    if (at >= end) return false
    const first = bytes[at]
    if (first === DASH || first === PLUS) at++
    if (at === end) return false
    // With too many digits the double only grows, so it can't wrap around.
    let value = 0
    for (; at < end; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0 || digit > 9) return false
      value = value * 10 + digit
    }
    if (first === DASH) value = -value
    if (value < this.min || value > this.max) return false
    const row = this.length
    if (row === this.capacity) this.grow()
    this.words[row] = value
    this.validity.setValid(row)
    this.length = row + 1
    return true
  }
}

/** BIGINT and UBIGINT. */
export class BigIntegerBuilder extends WordsBuilder {
  private readonly signed: boolean

  constructor(type: ScalarType) {
    super(type, 2)
    this.signed = type.name === 'BIGINT'
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    let at = start
    if (at >= end) return false
    const first = bytes[at]
    if (first === DASH || first === PLUS) at++
    if (at === end) return false
    while (at < end - 1 && bytes[at] === 0x30) at++
    const digits = end - at
    if (digits > 20) return false
    // Split off nine digits, so that both parts (at most 11 and 9 digits) are exact as doubles.
    const split = digits > 15 ? end - 9 : end
    let head = 0
    for (; at < split; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0 || digit > 9) return false
      head = head * 10 + digit
    }
    const negative = first === DASH
    if (split === end) {
      if (negative && !this.signed && head !== 0) return false
      this.push(negative ? -head : head)
      return true
    }
    let tail = 0
    for (; at < end; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0 || digit > 9) return false
      tail = tail * 10 + digit
    }
    return this.pushLarge(head, tail, negative)
  }

  private push(value: number): void {
    const row = this.length
    if (row === this.capacity) this.grow()
    // Int32Array stores numbers modulo 2^32, which gives two's complement.
    this.words[row * 2] = value
    this.words[row * 2 + 1] = Math.floor(value / TWO_32)
    this.validity.setValid(row)
    this.length = row + 1
  }

  /** Appends `head * 10^9 + tail`, keeping all steps below 2^53. */
  private pushLarge(head: number, tail: number, negative: boolean): boolean {
    const upper = Math.floor(head / 65_536)
    const product = upper * 1e9
    const productHigh = Math.floor(product / 65_536)
    const low = (product - productHigh * 65_536) * 65_536 + (head - upper * 65_536) * 1e9 + tail
    const carry = Math.floor(low / TWO_32)
    let high = productHigh + carry
    let word = low - carry * TWO_32
    if (this.signed) {
      if (high > 0x7fffffff && !(negative && high === 0x80000000 && word === 0)) return false
    } else if (negative || high > 0xffffffff) {
      return false
    }
    if (negative) {
      high = word === 0 ? -high : -high - 1
      word = -word
    }
    const row = this.length
    if (row === this.capacity) this.grow()
    this.words[row * 2] = word
    this.words[row * 2 + 1] = high
    this.validity.setValid(row)
    this.length = row + 1
    return true
  }
}
