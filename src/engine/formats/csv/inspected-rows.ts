import { joinNames } from '../layout/names.ts'
import { CsvRows, type Adjustment } from './rows.ts'
import { areEmpty } from './row-batch.ts'
import { lineAfter, splitLoosely } from './stray-quotes.ts'
import { UNCLOSED_QUOTE } from './tokenizer.ts'

/** Rows of any text, with what inspection wants to know of them beyond their cells. */
export class InspectedRows extends CsvRows {
  /* How rows were adjusted to the width. */
  readonly padded = new Tally()
  readonly surplus = new Tally()
  readonly strayQuotes = new Tally()
  /** Lines outside a drawn table. */
  readonly outside = new Tally()
  /** Rows that repeat the header, left out or not. */
  readonly repeated = new Tally()
  /** Number of rows for each width other than the table's, ignoring trailing empty fields. */
  readonly otherWidths = new Map<number, number>()
  /**
   * The last run of lines with a single text that were rejected, with lines after them of at most half the table's
   * width.
   */
  remarks: Remarks | null = null

  /** Before any rows: continues the table of `others` from the beginning of a record. */
  continue(others: InspectedRows): void {
    this.width = others.width
    this.header = others.header
    this.headerFields = others.headerFields
    this.headerBytes = others.headerBytes
    this.headerFrom = others.headerFrom
  }

  /** Whether the width is known and the last record is complete. */
  get isBetween(): boolean {
    return this.width >= 0 && this.undecided === 0 && !this.hasOtherFields && this.tokenizer.betweenRecords
  }

  /** The texts in the first fields of a row of the batch. */
  firstTexts(row: number, count: number): string[] {
    return Array.from({ length: Math.min(count, this.width) }, (_, i) => this.text(this.first[row] + i))
  }

  /** Whether a row of the batch has an empty field. */
  hasEmpty(row: number): boolean {
    const first = this.first[row]
    for (let field = first; field < first + this.width; field++) if (areEmpty(this.tokenizer, field, 1)) return true
    return false
  }

  countWidth(fields: number, rows = 1): void {
    this.otherWidths.set(fields, (this.otherWidths.get(fields) ?? 0) + rows)
  }

  protected override note(what: Adjustment, record: number): void {
    this[what].add(this.tokenizer.lines[record], () => this.raw(record, SHOWN_TEXT))
  }

  protected override noteWidth(fields: number): void {
    this.countWidth(fields)
  }

  protected override noteShort(record: number, fields: number, isRemark: boolean): void {
    const row = this.rows
    const { remarks } = this
    const mayContinue = remarks !== null && (isRemark || fields * 2 <= this.width)
    if (mayContinue && remarks.lastRow === row - 1) {
      this.remarks = { ...remarks, lastRow: row, text: this.raw(record, SHOWN_TEXT) }
    } else if (isRemark) {
      this.remarks = { row, lastRow: row, line: this.tokenizer.lines[record], text: this.raw(record, SHOWN_TEXT) }
    }
  }

  protected override columnNames(rows: readonly (readonly string[])[]): readonly string[] {
    return joinNames(rows)
  }

  protected override loosen(record: number, width: number | undefined): number | null {
    const { tokenizer, dialect } = this
    const { bytes, recordStarts, recordEnds } = tokenizer
    const fields = splitLoosely(bytes, recordStarts[record], recordEnds[record], dialect)
    if (fields.length !== width) return null
    // If a quote is open at the end of the line, the next lines may belong to its text.
    if (tokenizer.problems[record] === UNCLOSED_QUOTE) {
      const { start, end } = lineAfter(bytes, recordEnds[record], tokenizer.size)
      if (end > start && splitLoosely(bytes, start, end, dialect).length !== width) return null
    }
    const at = this.makeRoom(width)
    for (const [i, { start, end, kind }] of fields.entries()) {
      tokenizer.starts[at + i] = start
      tokenizer.ends[at + i] = end
      tokenizer.kinds[at + i] = kind
    }
    return at
  }
}

/** Characters of a row that are shown in a note. */
export const SHOWN_TEXT = 200

/** Counts occurrences, and keeps the first line. */
export class Tally {
  count = 0
  line = 0
  raw = ''

  add(line: number, raw: () => string): void {
    if (this.count === 0) {
      this.line = line
      this.raw = raw()
    }
    this.count++
  }

  /** Adds counts of the rest of the file, which begins after `lines` lines. */
  merge(rest: Pick<Tally, 'count' | 'line' | 'raw'>, lines: number): void {
    if (this.count === 0 && rest.count > 0) {
      this.line = rest.line + lines
      this.raw = rest.raw
    }
    this.count += rest.count
  }
}

/** Consecutive rows that are remarks by their width: the first and last row, the first line, and the last text. */
export interface Remarks {
  readonly row: number
  readonly lastRow: number
  readonly line: number
  readonly text: string
}
