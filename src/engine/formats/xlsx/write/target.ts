import { ByteWriter } from '../../../../lib/bytes.ts'
import type { SharedStrings } from './strings.ts'
import { appendXmlText, hasOuterSpace, MAX_CELL_CHARS, utf16Length } from './text.ts'

/** Writes a row's cell, by the row's index in the batch. */
export type CellWriter = (row: number) => void

/** A cell's tag as bytes, to be completed with the row number. */
export interface CellTemplate {
  /** `<c r="AB` */
  readonly head: Uint8Array
  /** `" s="2"><v>` */
  readonly tail: Uint8Array
}

export interface TextTemplate extends CellTemplate {
  /** Used instead of `tail` if the text begins or ends with white space. */
  readonly preserving: Uint8Array
}

/** Why a cell is text although its column isn't. */
export type TextReason =
  | 'long-numbers'
  | 'not-finite'
  | 'dates-as-text'
  | 'times-as-text'
  | 'nanoseconds-as-text'
  | 'durations-as-text'

/** What is counted for the report. Excel calculates with negative durations, but can't show them. */
export type CellRemark = TextReason | 'negative-durations'

/** Shared by the cell writers of a column. */
export interface CellContext {
  readonly target: CellTarget
  readonly strings: SharedStrings
  readonly tally: (remark: CellRemark) => void
}

const encoder = new TextEncoder()
const CLOSE_VALUE = encoder.encode('</v></c>')
const CLOSE_TEXT = encoder.encode('</t></is></c>')
const ROW_HEAD = encoder.encode('<row r="')
const ROW_TAIL = encoder.encode('">')
const ROW_END = encoder.encode('</row>')
const MAX_DIGITS = 16

/** A column's letters: 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  let letters = ''
  for (let n = index + 1; n > 0; n = Math.floor((n - 1) / 26)) {
    letters = String.fromCharCode(65 + ((n - 1) % 26)) + letters
  }
  return letters
}

/** Writes rows and cells as XML, and keeps track of the row. */
export class CellTarget {
  readonly out: ByteWriter
  /** Number of the table's data row, from 1, without the header and continuing over several sheets. */
  tableRow = 0
  /** The sheet's row number, as digits. */
  private readonly digits = new Uint8Array(MAX_DIGITS)
  private digitCount = 0
  private readonly scratch = new Uint8Array(MAX_DIGITS)
  private readonly retracted = new ByteWriter(64)

  constructor(out: ByteWriter) {
    this.out = out
  }

  /** @param type the `t` attribute; none for numbers */
  template(index: number, style: number, type?: string): CellTemplate {
    const attributes = `"${style === 0 ? '' : ` s="${style}"`}${type ? ` t="${type}"` : ''}`
    return { head: encoder.encode(`<c r="${columnLetters(index)}`), tail: encoder.encode(`${attributes}><v>`) }
  }

  textTemplate(index: number, style: number): TextTemplate {
    const { head } = this.template(index, style)
    const attributes = `" s="${style}" t="inlineStr"><is>`
    return {
      head,
      tail: encoder.encode(`${attributes}<t>`),
      preserving: encoder.encode(`${attributes}<t xml:space="preserve">`),
    }
  }

  /** @param number the sheet's row, from 1 */
  beginRow(number: number): void {
    let n = number
    let count = 0
    do {
      this.scratch[count++] = 0x30 + (n % 10)
      n = (n / 10) | 0
    } while (n > 0)
    for (let i = 0; i < count; i++) this.digits[i] = this.scratch[count - 1 - i]
    this.digitCount = count
    this.out.append(ROW_HEAD)
    this.out.append(this.digits, 0, count)
    this.out.append(ROW_TAIL)
  }

  endRow(): void {
    this.out.append(ROW_END)
  }

  /** Begins a cell, after which its value can be appended to `out`. */
  open(template: CellTemplate): void {
    this.begin(template.head, template.tail)
  }

  /** Ends a cell that `open` began. */
  close(): void {
    const { out } = this
    out.reserve(8)
    const { bytes } = out
    const at = out.length
    for (let i = 0; i < 8; i++) bytes[at + i] = CLOSE_VALUE[i]
    out.length = at + 8
  }

  /**
   * Writes a complete text cell.
   * @returns false, with nothing written, if the text exceeds a cell's limit
   */
  text(template: TextTemplate, source: Uint8Array, start: number, end: number): boolean {
    if (end - start > MAX_CELL_CHARS && utf16Length(source, start, end) > MAX_CELL_CHARS) return false
    this.begin(template.head, hasOuterSpace(source, start, end) ? template.preserving : template.tail)
    appendXmlText(this.out, source, start, end)
    this.out.append(CLOSE_TEXT)
    return true
  }

  /** Removes a cell begun at `start`, and writes its content from `at` on as text. */
  retractToText(template: TextTemplate, start: number, at: number): void {
    const { out, retracted } = this
    retracted.clear()
    retracted.append(out.bytes, at, out.length)
    out.length = start
    this.text(template, retracted.bytes, 0, retracted.length)
  }

  /** Appends a whole number from 0 to 2^31-1 in digits. */
  integer(value: number): void {
    const { out, scratch } = this
    let n = value
    let count = 0
    do {
      const tens = (n / 10) | 0
      scratch[count++] = 0x30 + (n - tens * 10)
      n = tens
    } while (n > 0)
    out.reserve(count)
    const { bytes } = out
    let at = out.length
    while (count > 0) bytes[at++] = scratch[--count]
    out.length = at
  }

  /**
   * Appends `.` and a fraction of five and eight digits. If the eight are 0, trailing zeros of the five are omitted.
   */
  fraction(high: number, low: number): void {
    if (high === 0 && low === 0) return
    const { out } = this
    out.reserve(14)
    const { bytes } = out
    const at = out.length
    bytes[at] = 0x2e
    let rest = low
    for (let i = 13; i > 5; i--) {
      const tens = (rest / 10) | 0
      bytes[at + i] = 0x30 + (rest - tens * 10)
      rest = tens
    }
    rest = high
    for (let i = 5; i > 0; i--) {
      const tens = (rest / 10) | 0
      bytes[at + i] = 0x30 + (rest - tens * 10)
      rest = tens
    }
    // All thirteen digits tell the reader that microseconds count; with fewer, it assumes a rounded double.
    let end = at + 14
    if (low === 0) while (bytes[end - 1] === 0x30) end--
    out.length = end
  }

  private begin(head: Uint8Array, tail: Uint8Array): void {
    const { out, digits, digitCount } = this
    out.reserve(head.length + digitCount + tail.length)
    const { bytes } = out
    let at = out.length
    for (let i = 0; i < head.length; i++) bytes[at++] = head[i]
    for (let i = 0; i < digitCount; i++) bytes[at++] = digits[i]
    for (let i = 0; i < tail.length; i++) bytes[at++] = tail[i]
    out.length = at
  }
}
