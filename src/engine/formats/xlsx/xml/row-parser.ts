import { formatBytes } from '../../../../lib/bytes.ts'
import type { Range } from '../../../../tables/range.ts'
import { EngineError } from '../../../errors.ts'
import { Row } from '../read/row.ts'
import type { XmlScanner } from './scanner.ts'
import { appendXmlText } from './text.ts'

/** Maximum number of merged cells to keep; those of a header are among the first. */
export const MAX_MERGES = 10_000
/** Limit for all texts of a row, far beyond any real one. */
const MAX_ROW_BYTES = 256 * 1024 * 1024

/** Base of the parsers of a sheet's XML: the row being filled, and facts about the sheet. */
export abstract class XmlRowParser {
  stopped = false
  mergedRanges = 0
  /** The first ones, up to a limit. */
  readonly merges: Range[] = []
  hiddenColumns = 0
  protected readonly row = new Row()
  protected inCell = false
  /** Where the cell's text begins in the row's text. */
  protected cellStart = 0
  /** Nesting depth inside a skipped element. */
  protected skipped = 0
  protected readonly scanner: XmlScanner
  protected readonly onRow: (row: Row) => void

  constructor(scanner: XmlScanner, onRow: (row: Row) => void) {
    this.scanner = scanner
    this.onRow = onRow
  }

  /** Skips the element just opened. */
  protected skip(): void {
    if (!this.scanner.selfClosing) this.skipped++
  }

  /** Appends the scanner's text to the row's. */
  protected appendText(flags: number): void {
    const { scanner, row } = this
    appendXmlText(row.text, scanner.bytes, scanner.textStart, scanner.textEnd, flags)
    if (row.text.length <= MAX_ROW_BYTES) return
    throw new EngineError('too-large', `Row ${row.number} holds over ${formatBytes(MAX_ROW_BYTES)} of text.`, {
      remedy: 'Export the sheet as CSV from the program that made it.',
    })
  }

  /** Replaces the cell's text. */
  protected set(text: string, kind: number): number {
    this.row.text.length = this.cellStart
    this.row.text.text(text)
    return kind
  }

  /** @param range null if unknown */
  protected merge(range: Range | null): void {
    this.mergedRanges++
    if (range && this.merges.length < MAX_MERGES) this.merges.push(range)
  }
}
