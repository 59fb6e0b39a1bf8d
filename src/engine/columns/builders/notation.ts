import { DASH, DOT, PLUS } from '../../../lib/ascii.ts'
import type { ValueFormat } from '../../../tables/plan.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { CREDIT, DEBIT, NumberAffixes, PARENTHESES, TRAILING } from '../number-affixes.ts'
import {
  APOSTROPHE,
  COMMA,
  isDigit,
  isMinusSign,
  movePoint,
  POINT,
  separatorAt,
  SPACE,
  widthOf,
} from '../text-bytes.ts'
import { WrappingBuilder } from './wrapping.ts'

const LONGEST_NUMBER = 1000

const SEPARATORS: Readonly<Record<NonNullable<ValueFormat['grouping']>, number>> = {
  '.': POINT,
  ',': COMMA,
  ' ': SPACE,
  "'": APOSTROPHE,
}
const encoder = new TextEncoder()
const NEGATIVES = { trailing: TRAILING, parentheses: PARENTHESES, debit: DEBIT | CREDIT } as const

/** The affixes of a format. */
class FormatAffixes extends NumberAffixes {
  private readonly unit: Uint8Array
  /** Whether only a sign is allowed. */
  private readonly isSignAlone: boolean

  constructor({ negative, percent = false, scaled = false, unit = '' }: ValueFormat) {
    super({ negatives: negative ? NEGATIVES[negative] : 0, plus: unit !== '', percent, scaled })
    this.unit = encoder.encode(unit)
    this.isSignAlone = !unit && !percent && !scaled && negative === undefined
  }

  /** Finds the digits of `bytes[start, end)`. */
  find(bytes: Uint8Array, start: number, end: number): void {
    this.begin(start, end)
    if (this.isSignAlone) this.sign(bytes)
    else this.strip(bytes)
  }

  protected unitAt(bytes: Uint8Array, where: 'start' | 'end'): number {
    const { unit, from, to } = this
    if (unit.length === 0 || to - from < unit.length) return 0
    const at = where === 'start' ? from : to - unit.length
    return unit.every((byte, i) => bytes[at + i] === byte) ? unit.length : 0
  }
}

/** Reads the typographic minus (U+2212) for a builder of plain numbers. */
export class MinusBuilder extends WrappingBuilder {
  private readonly scratch = new Uint8Array(LONGEST_NUMBER)

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    if (!isMinusSign(bytes, start, end)) return this.inner.appendText(bytes, start, end)
    const { scratch } = this
    const length = end - start - 2
    // A second sign would be read as the number's own.
    if (length > LONGEST_NUMBER || bytes[start + 3] === DASH || bytes[start + 3] === PLUS) return false
    scratch.set(bytes.subarray(start + 2, end))
    scratch[0] = DASH
    return this.inner.appendText(scratch, 0, length)
  }
}

/**
 * Converts numbers with another decimal mark, thousands separators or affixes for a builder of plain numbers. Groups
 * must be complete: three digits after each separator, or the Indian grouping (`12,34,567`). A space also matches
 * no-break spaces, an apostrophe also the typographic one.
 */
export class NotationBuilder extends WrappingBuilder {
  private readonly mark: number
  private readonly group: number
  private readonly affixes: FormatAffixes
  private readonly scratch = new Uint8Array(LONGEST_NUMBER + 16)

  constructor(inner: ColumnBuilder, format: ValueFormat) {
    super(inner)
    this.mark = format.decimalMark === ',' ? COMMA : POINT
    this.group = format.grouping === undefined ? 0 : SEPARATORS[format.grouping]
    this.affixes = new FormatAffixes(format)
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start > LONGEST_NUMBER) return false
    const { affixes, scratch } = this
    affixes.find(bytes, start, end)
    if (affixes.from >= affixes.to) return false
    // The builder of plain numbers would take a second sign.
    if (affixes.plus && (bytes[affixes.from] === PLUS || bytes[affixes.from] === DASH)) return false
    if (affixes.minus) scratch[0] = DASH
    let length = this.body(bytes, affixes.minus ? 1 : 0)
    if (length < 0) return false
    if (affixes.power !== 0) length = movePoint(scratch, length, affixes.power)
    return this.inner.appendText(scratch, 0, length)
  }

  /** Copies the number without separators to `scratch`, from `from` on. Returns its end, or -1. */
  private body(bytes: Uint8Array, from: number): number {
    const { scratch, mark, group } = this
    const { from: start, to } = this.affixes
    let length = from
    let digits = 0
    let middle = 0
    let groups = 0
    let whole = true
    for (let at = start; at < to;) {
      const byte = bytes[at]
      if (isDigit(byte)) {
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
