import { COMMA as ASCII_COMMA, DASH, DOT } from '../../../lib/ascii.ts'
import { CURRENCIES, isMeasure, MEASURES } from '../../../tables/currencies.ts'
import { parseExponent } from '../builders/floats.ts'
import { DEBIT, NumberAffixes, PARENTHESES, TRAILING } from '../number-affixes.ts'
import { COMMA, isDigit, movePoint, POINT, separatorAt, SPACE, spaceBefore, widthOf } from '../text-bytes.ts'

const LONGEST = 100

/**
 * Recognizes formatted numbers: with thousands separators, a currency, a unit or `%`, or an unusual minus. The fields
 * describe the last scanned value; one scanner serves a column.
 */
export class NumberScanner extends NumberAffixes {
  /** The last value as a plain number, in `plain[0, length)`, after `spell`. */
  readonly plain = new Uint8Array(LONGEST + 32)
  length = 0
  /** Digits of the last value before and after the decimal mark, and their values. */
  whole = 0
  scale = 0
  zeroFirst = false
  zero = false
  /** Separators of the last value: decimal mark, thousands separator, and one that may be either, as in `1.234`. */
  mark = 0
  group = 0
  either = 0
  /** Digits before the first separator. */
  first = 0
  /** Whether the last value has an exponent: `1,5E+3`. */
  scientific = false
  /** Currency or measure of the last value. */
  unit = ''
  private unitIsApart = false
  private unitIsWord = false
  private unitBytes: Uint8Array = new Uint8Array(0)
  private lastUnit = ''

  constructor() {
    super({ negatives: TRAILING | PARENTHESES | DEBIT, plus: true, percent: true, scaled: true })
  }

  /** Whether `bytes[start, end)` is a formatted number; false for a plain one. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start > LONGEST) return false
    this.begin(start, end)
    this.unit = ''
    let formed = false
    if (bytes[start] === DASH && isDigit(bytes[start + 1]) && isDigit(bytes[end - 1])) {
      this.minus = true
      this.from++
    } else if (!isDigit(bytes[start]) || !isDigit(bytes[end - 1])) {
      this.strip(bytes)
      if (!this.isBetweenDigits(bytes)) return false
      formed = true
    }
    if (!this.digits(bytes)) return false
    // “+49 301 234” and “+1” may be phone numbers.
    const isGrouped = this.group === POINT || this.group === COMMA
    if (this.plus && this.unit === '' && this.mark === 0 && this.either === 0 && !isGrouped) return false
    return formed || this.mark === COMMA || this.group !== 0 || this.either === COMMA
  }

  /** Whether the rest begins with a digit or a decimal mark (`,50`), and ends with a digit. */
  private isBetweenDigits(bytes: Uint8Array): boolean {
    const { from, to } = this
    if (from >= to || !isDigit(bytes[to - 1])) return false
    return isDigit(bytes[from]) || bytes[from] === DOT || bytes[from] === ASCII_COMMA
  }

  /** Whether the digits alone give the value: few enough, without exponent or multiplier. */
  get isShort(): boolean {
    return this.power === 0 && !this.scientific && this.whole + this.scale <= (this.scale === 0 ? 9 : 15)
  }

  /** Writes the last value, which is in `bytes`, to `plain`. */
  spell(bytes: Uint8Array): void {
    const { plain, to, mark } = this
    let length = 0
    if (this.minus) plain[length++] = DASH
    for (let at = this.from, exponent = false; at < to; at += widthOf(bytes[at])) {
      exponent ||= isExponentMark(bytes[at])
      if (exponent || isDigit(bytes[at])) plain[length++] = bytes[at]
      else if (mark !== 0 && separatorAt(bytes, at, to) === mark) plain[length++] = DOT
    }
    this.length = this.power === 0 ? length : movePoint(plain, length, this.power)
  }

  /** Whether the last value may be a code: only digits and letters, without a space before letters at the end. */
  get isCode(): boolean {
    if (this.mark !== 0 || this.group !== 0 || this.either !== 0 || this.minus) return false
    return this.unit !== '' && !this.unitIsApart && this.unitIsWord
  }

  protected unitAt(bytes: Uint8Array, where: 'start' | 'end'): number {
    if (this.unit !== '' || this.power !== 0 || isDigit(bytes[where === 'start' ? this.from : this.to - 1])) return 0
    const found = this.sameUnit(bytes, where) ? this.unitBytes : this.otherUnit(bytes, where)
    if (!found) return 0
    this.unit = this.lastUnit
    this.unitIsApart = where === 'end' && spaceBefore(bytes, this.from, this.to - found.length) > 0
    return found.length
  }

  /** Whether the value has the same unit as the one before. */
  private sameUnit(bytes: Uint8Array, where: 'start' | 'end'): boolean {
    const { unitBytes, from, to } = this
    const { length } = unitBytes
    if (length === 0 || to - from <= length) return false
    const at = where === 'start' ? from : to - length
    for (let i = 0; i < length; i++) if (bytes[at + i] !== unitBytes[i]) return false
    return where === 'start' || !isLetter(bytes[at - 1])
  }

  private otherUnit(bytes: Uint8Array, where: 'start' | 'end'): Uint8Array | null {
    const found = unitIn(bytes, this.from, this.to, where)
    if (!found) return null
    this.lastUnit = found.text
    this.unitIsWord = /^[a-z]+$/i.test(found.text)
    this.unitBytes = found.bytes
    return found.bytes
  }

  /** Scans the digits and their separators. */
  private digits(bytes: Uint8Array): boolean {
    const { from, to } = this
    this.mark = 0
    this.group = 0
    this.either = 0
    this.first = 0
    this.scientific = false
    let separator = 0
    let separators = 0
    let middle = 0
    let count = 0
    let whole = 0
    let bits = 0
    let at = from
    while (at < to) {
      const byte = bytes[at]
      const digit = byte - 0x30
      if (digit >= 0 && digit <= 9) {
        bits |= digit
        count++
        at++
        continue
      }
      if (isExponentMark(byte)) {
        if (count === 0 || !this.exponent(bytes, at, separator, separators)) return false
        break
      }
      const found = byte === DOT ? POINT : byte === ASCII_COMMA ? COMMA : separatorAt(bytes, at, to)
      if (found === 0 || this.mark !== 0) return false
      if (separator === 0 && count > 0) {
        separator = found
        separators = 1
        this.first = count
      } else if (found === separator) {
        const fewest = found === COMMA ? 2 : 3
        if (this.first > 3 || (middle === 0 ? count < fewest || count > 3 : count !== middle)) return false
        middle = count
        separators++
      } else {
        if (found > COMMA || (separator !== 0 && (count !== 3 || this.first > 3))) return false
        this.mark = found
        this.group = separator
      }
      whole += count
      count = 0
      at += found < SPACE ? 1 : widthOf(byte)
    }
    this.zero = bits === 0
    this.zeroFirst = bytes[from] === 0x30
    this.whole = whole
    this.scale = count
    return count > 0 && (this.mark !== 0 || this.alone(separator, separators, count))
  }

  /**
   * Whether `at` begins an exponent that ends the value. Only a number with a decimal comma counts: others are plain.
   */
  private exponent(bytes: Uint8Array, at: number, separator: number, separators: number): boolean {
    if (this.mark === 0 && separator === COMMA && separators === 1) this.mark = COMMA
    this.scientific = this.mark === COMMA && this.power === 0 && !Number.isNaN(parseExponent(bytes, at, this.to))
    return this.scientific
  }

  /** Decides what a repeated separator is: for thousands, the decimal mark, or either. */
  private alone(separator: number, separators: number, count: number): boolean {
    const grouped = count === 3 && this.first <= 3
    if (separator === 0 || separators > 1 || separator >= SPACE) {
      this.group = separator
      this.whole += count
      this.scale = 0
      return separator === 0 || grouped
    }
    if (grouped && !this.zeroFirst && this.power === 0) this.either = separator
    else this.mark = separator
    return true
  }
}

const isExponentMark = (byte: number): boolean => (byte | 0x20) === 0x65

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a

const encoder = new TextEncoder()

interface Spelled {
  readonly text: string
  readonly bytes: Uint8Array
}

/** Longest first, so that `US$` is found before `$`. */
const spelled = (units: readonly string[]): readonly Spelled[] =>
  units.map((text) => ({ text, bytes: encoder.encode(text) })).sort((a, b) => b.bytes.length - a.bytes.length)

const SIGNS = CURRENCIES.map(([text]) => text)
const UNITS = { start: spelled(SIGNS), end: spelled([...SIGNS, ...MEASURES]) }

/** The unit at the start or the end of `bytes[start, end)`; null for none. */
function unitIn(bytes: Uint8Array, start: number, end: number, where: 'start' | 'end'): Spelled | null {
  return (
    UNITS[where].find(({ text, bytes: unit }) => {
      const { length } = unit
      const at = where === 'start' ? start : end - length
      if (end - start <= length || !unit.every((byte, i) => bytes[at + i] === byte)) return false
      // “5m” may mean five million, and “12h” be a code.
      return !(length === 1 && isMeasure(text)) || spaceBefore(bytes, start, at) > 0
    }) ?? null
  )
}
