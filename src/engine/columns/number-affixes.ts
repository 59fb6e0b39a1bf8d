import { DASH, DOT, PAREN, PAREN_END, PLUS } from '../../lib/ascii.ts'
import { isMinusSign, skipSpaces, spaceBefore, trimmedEnd } from './text-bytes.ts'

const PERCENT = 0x25
const LETTER_C = 0x63
const LETTER_D = 0x64
const LETTER_R = 0x72
const decoder = new TextDecoder()

/* Notations of negative numbers other than a leading minus, as bits of a mask. */

export const TRAILING = 1
export const PARENTHESES = 2
/** `Dr` after a debit, which is negative, and `Cr` after a credit. */
export const DEBIT = 4
export const CREDIT = 8

/** Suffixes with their powers of ten. */
const SCALES: ReadonlyMap<string, number> = new Map([
  ['k', 3],
  ['m', 6],
  ['mn', 6],
  ['mio', 6],
  ['bn', 9],
  ['b', 9],
  ['mrd', 9],
])

/** Allowed affixes of a number besides a leading minus and a unit. */
interface AllowedAffixes {
  /** Bit mask of the notations. */
  readonly negatives: number
  /** Whether to remove a plus. Number builders parse one themselves, unless a unit follows. */
  readonly plus?: boolean
  readonly percent: boolean
  readonly scaled: boolean
}

/** Finds a number's digits between sign, unit, `%` and suffixes such as k or M. One object serves a column. */
export abstract class NumberAffixes {
  /** Range of the digits. */
  from = 0
  to = 0
  /** Of the last value. */
  minus = false
  plus = false
  /** The notation of its sign, other than a leading minus. */
  negative = 0
  percent = false
  scaled = false
  /** The suffix's power of ten. */
  power = 0
  private unitIsAfter = false
  private readonly allowed: AllowedAffixes

  constructor(allowed: AllowedAffixes) {
    this.allowed = allowed
  }

  /** Length of the unit at the start or the end of the number, in bytes. */
  protected abstract unitAt(bytes: Uint8Array, where: 'start' | 'end'): number

  protected begin(start: number, end: number): void {
    this.from = start
    this.to = end
    this.minus = false
    this.plus = false
    this.negative = 0
    this.percent = false
    this.scaled = false
    this.power = 0
    this.unitIsAfter = false
  }

  /** Skips everything around the digits. */
  protected strip(bytes: Uint8Array): void {
    this.parentheses(bytes)
    this.prefix(bytes)
    this.suffix(bytes)
    // Excel's format for accounting has them inside the unit: `$ (1,200.50)`.
    if (this.negative === 0 && !this.minus) this.parentheses(bytes)
  }

  private parentheses(bytes: Uint8Array): void {
    if (bytes[this.from] !== PAREN || bytes[this.to - 1] !== PAREN_END) return
    if ((this.allowed.negatives & PARENTHESES) === 0) return
    this.from++
    this.to--
    this.minus = true
    this.negative = PARENTHESES
  }

  /** Skips a sign and a unit, in either order: `-$5`, `$-5`, `- $5`. */
  private prefix(bytes: Uint8Array): void {
    for (let i = 0; i < 2; i++) {
      const { from } = this
      this.sign(bytes)
      // “- 5” could be an item of a list: only a unit shows that it's a number.
      const signed = this.from
      if (signed > from) this.from = skipSpaces(bytes, signed, this.to)
      const length = this.unitAt(bytes, 'start')
      if (length > 0) this.from = skipSpaces(bytes, this.from + length, this.to)
      else if (signed > from) this.from = signed
      if (this.from === from) return
    }
  }

  /** Skips a minus, `%` or suffix, and a unit, in either order. */
  private suffix(bytes: Uint8Array): void {
    for (let i = 0; i < 2; i++) {
      const { to } = this
      this.trailingMinus(bytes)
      this.debitOrCredit(bytes)
      this.scaleAndUnit(bytes)
      if (this.to === to) return
    }
  }

  protected sign(bytes: Uint8Array): void {
    if (this.minus || this.plus) return
    if (bytes[this.from] === PLUS && this.allowed.plus) {
      this.plus = true
      this.from++
      return
    }
    const width = bytes[this.from] === DASH ? 1 : isMinusSign(bytes, this.from, this.to) ? 3 : 0
    this.from += width
    this.minus = width > 0
  }

  private trailingMinus(bytes: Uint8Array): void {
    if (this.minus || this.plus || bytes[this.to - 1] !== DASH || this.to - this.from < 2) return
    if ((this.allowed.negatives & TRAILING) === 0) return
    this.minus = true
    this.negative = TRAILING
    this.cutEnd(bytes, 1)
  }

  private debitOrCredit(bytes: Uint8Array): void {
    if (this.minus || this.plus || this.negative !== 0 || (this.allowed.negatives & DEBIT) === 0) return
    const at = this.to - (bytes[this.to - 1] === DOT ? 3 : 2)
    const first = bytes[at] | 0x20
    const isDebit = first === LETTER_D
    if (at <= this.from || (!isDebit && first !== LETTER_C) || (bytes[at + 1] | 0x20) !== LETTER_R) return
    this.minus = isDebit
    this.negative = isDebit ? DEBIT : CREDIT
    this.cutEnd(bytes, this.to - at)
  }

  private scaleAndUnit(bytes: Uint8Array): void {
    const { allowed } = this
    if (this.to <= this.from) return
    if (bytes[this.to - 1] === PERCENT && allowed.percent && this.power === 0 && !this.unitIsAfter) {
      this.percent = true
      this.power = -2
      this.cutEnd(bytes, 1)
      return
    }
    const length = this.unitAt(bytes, 'end')
    if (length > 0) {
      this.unitIsAfter = true
      this.cutEnd(bytes, length)
    }
    const scale = allowed.scaled && this.power === 0 ? scaleBefore(bytes, this.from, this.to) : null
    if (!scale) return
    this.scaled = true
    this.power = scale.power
    this.cutEnd(bytes, scale.letters)
  }

  /** Drops the last bytes, and spaces before them. */
  private cutEnd(bytes: Uint8Array, length: number): void {
    this.to = trimmedEnd(bytes, this.from, this.to - length)
  }
}

/** The suffix before `end` with its power of ten; null if there's none. */
function scaleBefore(bytes: Uint8Array, start: number, end: number): { letters: number; power: number } | null {
  let at = end
  while (at > start && (bytes[at - 1] | 0x20) >= 0x61 && (bytes[at - 1] | 0x20) <= 0x7a) at--
  const letters = end - at
  if (letters === 0 || letters > 3) return null
  const word = decoder.decode(bytes.subarray(at, end))
  // Statistical offices mark breaks in series as in “9.9 b”, and “34 m” is in metres.
  if ((word === 'b' || word === 'm') && spaceBefore(bytes, start, at) > 0) return null
  const power = SCALES.get(word.toLowerCase())
  return power === undefined ? null : { letters, power }
}
