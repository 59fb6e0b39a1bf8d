import type { RowParser } from '../read/book.ts'
import { MAX_COLUMNS } from '../read/row.ts'
import { XmlRowParser } from './row-parser.ts'
import { CLOSE, END, NEED, OPEN, TEXT } from './scanner.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Parses one sheet from XML that contains all sheets one after another. A cell may inherit its style from its row or
 * column.
 */
export abstract class SheetsParser extends XmlRowParser implements RowParser {
  paused = false
  readonly unkept = 0
  /** Whether the sheet has ended. */
  protected ended = false
  /** Column of the next cell. */
  protected column = 0
  protected rowStyle = ''
  private readonly columnStyles: string[] = []

  run(): boolean {
    const { scanner } = this
    if (this.paused) this.repeat()
    if (this.paused) return false
    while (!this.ended) {
      const token = scanner.next()
      if (token === NEED) return false
      if (token === END) {
        if (!this.mayEnd()) throw scanner.broken('its XML ends in the middle')
        return true
      }
      if (token === TEXT) {
        if (this.skipped === 0) this.text()
      } else if (token === OPEN) {
        if (this.skipped > 0) this.skip()
        else this.open()
      } else if (token === CLOSE) {
        if (this.skipped > 0) this.skipped--
        else this.close()
        if (this.paused || this.stopped) return false
      }
    }
    return true
  }

  protected abstract open(): void
  protected abstract close(): void
  protected abstract text(): void
  /** Whether the file may end here. */
  protected abstract mayEnd(): boolean

  /** Passes on a row again that is repeated but in the file once. */
  protected repeat(): void {
    this.paused = false
  }

  /** @param at the first of the columns; by default the one after the last */
  protected addColumns(count: number, style: string, hidden: boolean, at = this.columnStyles.length): void {
    const { columnStyles } = this
    while (columnStyles.length < Math.min(at, MAX_COLUMNS)) columnStyles.push('')
    const end = Math.min(columnStyles.length + count, MAX_COLUMNS)
    if (hidden) this.hiddenColumns += end - columnStyles.length
    while (columnStyles.length < end) columnStyles.push(style)
  }

  protected beginRow(number: number): void {
    const { row } = this
    row.clear()
    row.number = number
    row.hidden = false
    this.rowStyle = ''
    this.column = 0
  }

  protected styleAt(column: number, own: string): string {
    return own || this.rowStyle || (this.columnStyles[column] ?? '')
  }

  /** The cell's text so far. */
  protected cellText(): string {
    return decoder.decode(this.row.text.bytes.subarray(this.cellStart, this.row.text.length))
  }
}
