import type { Data } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'

const LONGEST_NUMBER = 1000

/**
 * Numbers with another decimal mark or with grouped digits, for a builder that knows neither. Groups must be whole:
 * three digits behind each separator, or two and then three at the end as in India (`12,34,567`). A space stands for
 * the no-break spaces too, an apostrophe for the typographic one.
 */
export class NotationBuilder implements ColumnBuilder {
  private readonly inner: ColumnBuilder
  private readonly mark: number
  private readonly grouping: string | undefined
  private readonly scratch = new Uint8Array(LONGEST_NUMBER)

  constructor(inner: ColumnBuilder, decimalMark: '.' | ',', grouping: string | undefined) {
    this.inner = inner
    this.mark = decimalMark.charCodeAt(0)
    this.grouping = grouping
  }

  get type(): ColumnType {
    return this.inner.type
  }
  get length(): number {
    return this.inner.length
  }
  get byteLength(): number {
    return this.inner.byteLength
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start > LONGEST_NUMBER) return false
    const { scratch } = this
    let length = 0
    let digits = 0
    let middle = 0
    let groups = 0
    let whole = true
    let at = start
    while (at < end) {
      const byte = bytes[at]
      const digit = byte >= 0x30 && byte <= 0x39
      const separator = whole && digits > 0 ? this.separatorLength(bytes, at, end) : 0
      if (separator > 0) {
        if (groups === 0 ? digits > 3 : middle === 0 ? digits > 3 || digits < 2 : digits !== middle) return false
        if (groups > 0) middle = digits
        groups++
        digits = 0
        at += separator
        continue
      }
      if (!digit && (digits > 0 || groups > 0)) {
        if (whole && groups > 0 && digits !== 3) return false
        whole = false
      }
      if (byte === this.mark) scratch[length++] = 0x2e
      else if (byte === 0x2e || byte === 0x2c) return false
      else scratch[length++] = byte
      if (digit) digits++
      at++
    }
    if (whole && groups > 0 && digits !== 3) return false
    return this.inner.appendText(scratch, 0, length)
  }

  /** How many bytes at `at` are a group separator. */
  private separatorLength(bytes: Uint8Array, at: number, end: number): number {
    const { grouping } = this
    if (grouping === undefined) return 0
    if (bytes[at] === grouping.charCodeAt(0)) return 1
    if (grouping === ' ') {
      if (at + 1 < end && bytes[at] === 0xc2 && bytes[at + 1] === 0xa0) return 2
      return at + 2 < end && bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && isThinSpace(bytes[at + 2]) ? 3 : 0
    }
    if (grouping === "'") {
      return at + 2 < end && bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && bytes[at + 2] === 0x99 ? 3 : 0
    }
    return 0
  }

  appendNull(): void {
    this.inner.appendNull()
  }
  truncate(length: number): void {
    this.inner.truncate(length)
  }
  finish(): Data {
    return this.inner.finish()
  }
}

/** The last byte of U+2009 (thin space) or U+202F (narrow no-break space). */
function isThinSpace(byte: number): boolean {
  return byte === 0x89 || byte === 0xaf
}
