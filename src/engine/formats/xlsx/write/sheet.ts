import { formatCount } from '../../../../lib/counts.ts'
import type { RecordBatch, Data } from 'apache-arrow'
import { ByteWriter } from '../../../../lib/bytes.ts'
import type { Note } from '../../../../tables/plan.ts'
import type { OutputTable } from '../../types.ts'
import { CellColumn } from './cells.ts'
import type { SheetNames } from './names.ts'
import { sheetPath } from './parts.ts'
import type { SharedStrings } from './strings.ts'
import { STYLE, type Styles } from './styles.ts'
import { CellTarget, columnLetters, type CellWriter, type TextTemplate } from './target.ts'
import type { EntryWriter, ZipWriter } from '../../../../lib/zip/write.ts'
import type { Column } from '../../../../tables/types.ts'
import { makeCellText } from '../../../arrow/text.ts'
import { utf16Length } from './text.ts'
import { Yielder } from '../../../../lib/yielding.ts'

/** Maximum rows of a sheet, including the header. */
export const MAX_SHEET_ROWS = 1_048_576

const FLUSH_BYTES = 256 * 1024

/** Shared by all sheets of a workbook. */
export interface Workbook {
  readonly zip: ZipWriter
  readonly names: SheetNames
  readonly strings: SharedStrings
  readonly styles: Styles
  readonly signal: AbortSignal
  /** Maximum rows of a sheet, including the header. */
  readonly maxRows: number
  /** Names of the sheets begun so far, in order. */
  readonly sheets: string[]
}

/** Writes one table as a sheet, or as several if it has too many rows. */
export class TableSheets {
  /** Names of its sheets, in order. */
  readonly sheets: string[] = []
  private readonly workbook: Workbook
  private readonly table: OutputTable
  private readonly out = new ByteWriter(FLUSH_BYTES + 64 * 1024)
  private readonly target = new CellTarget(this.out)
  private readonly columns: readonly CellColumn[]
  private readonly headers: readonly TextTemplate[]
  private widths: readonly number[] | null = null
  private entry: EntryWriter | null = null
  /** Number of rows in the current sheet. */
  private rows = 0
  private readonly yielder: Yielder

  constructor(workbook: Workbook, table: OutputTable) {
    this.workbook = workbook
    this.yielder = new Yielder(workbook.signal)
    this.table = table
    this.columns = table.columns.map(
      (column, i) => new CellColumn(column, i, this.target, workbook.strings, workbook.styles),
    )
    this.headers = table.columns.map((_, i) => this.target.textTemplate(i, STYLE.header))
  }

  async write(batch: RecordBatch): Promise<void> {
    const children = batch.data.children
    this.widths ??= columnWidths(this.table.columns, children)
    if (!this.entry) await this.beginSheet()
    const cells: CellWriter[] = this.columns.map((column, i) => column.cells(children[i]))
    const { target, out } = this
    for (let row = 0; row < batch.numRows; row++) {
      if (this.rows === this.workbook.maxRows) {
        await this.endSheet()
        await this.beginSheet()
      }
      target.tableRow++
      target.beginRow(++this.rows)
      for (let i = 0; i < cells.length; i++) cells[i](row)
      target.endRow()
      if (out.length >= FLUSH_BYTES) await this.flush()
    }
  }

  /** Ends the table's last sheet. */
  async finish(): Promise<void> {
    this.widths ??= columnWidths(this.table.columns, [])
    if (!this.entry) await this.beginSheet()
    await this.endSheet()
  }

  /** How the sheets' contents differ from the batches. */
  changes(): Note[] {
    const notes = this.columns.flatMap((column) => column.changes())
    if (this.sheets.length > 1) {
      const rows = formatCount(this.target.tableRow)
      const count = this.sheets.length
      notes.push({
        code: 'split-sheets',
        message: `${rows} rows are more than a sheet holds: they are on ${count} sheets, ${this.sheets.map((name) => `“${name}”`).join(', ')}.`,
        count,
      })
    }
    return notes
  }

  abort(reason: unknown): void {
    this.entry?.abort(reason)
    this.entry = null
  }

  private async beginSheet(): Promise<void> {
    const { workbook, target, out, columns, headers } = this
    const name = workbook.names.take(this.table.name, this.sheets.length + 1)
    workbook.sheets.push(name)
    this.sheets.push(name)
    this.entry = await workbook.zip.begin(sheetPath(workbook.sheets.length))
    out.text(this.opening(workbook.sheets.length === 1))
    target.beginRow(1)
    for (const [i, { column }] of columns.entries()) {
      const text = new TextEncoder().encode(column.name)
      target.text(headers[i], text, 0, text.length)
    }
    target.endRow()
    this.rows = 1
  }

  private opening(first: boolean): string {
    const cols = this.columns.map(
      ({ style }, i) =>
        `<col min="${i + 1}" max="${i + 1}" width="${this.widths?.[i] ?? 10}" style="${style}" customWidth="1"/>`,
    )
    return (
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n` +
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
      `<sheetViews><sheetView${first ? ' tabSelected="1"' : ''} workbookViewId="0">` +
      `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
      `<sheetFormatPr defaultRowHeight="15"/>` +
      (cols.length > 0 ? `<cols>${cols.join('')}</cols>` : '') +
      `<sheetData>`
    )
  }

  private async endSheet(): Promise<void> {
    this.out.text(`</sheetData>${this.ignoredErrors()}</worksheet>`)
    await this.flush()
    await this.entry?.close()
    this.entry = null
  }

  /** Suppresses Excel's green triangle for texts that look like numbers, since they are text on purpose. */
  private ignoredErrors(): string {
    const ranges: string[] = []
    for (let from = 0; from < this.columns.length; from++) {
      if (!this.columns[from].hasText) continue
      let to = from
      while (this.columns[to + 1]?.hasText) to++
      ranges.push(`${columnLetters(from)}1:${columnLetters(to)}${this.rows}`)
      from = to
    }
    if (ranges.length === 0) return ''
    return `<ignoredErrors><ignoredError sqref="${ranges.join(' ')}" numberStoredAsText="1"/></ignoredErrors>`
  }

  private async flush(): Promise<void> {
    await this.entry?.write(this.out.view())
    this.out.clear()
    if (this.yielder.due) await this.yielder.yield()
  }
}

/** In characters, including the cell's margins. */
const NARROWEST = 8
const WIDEST = 60
const MARGIN = 2
/** Rows of the first batch to look at. */
const SAMPLE = 200

/**
 * Column widths in characters, from the names and the table's first rows. In the file they precede the rows, so later
 * rows aren't known.
 * @param batch the first batch's columns; empty if there are no rows
 */
function columnWidths(columns: readonly Column[], batch: readonly Data[]): number[] {
  const scratch = new ByteWriter()
  return columns.map(({ name, type }, i) => {
    let widest = name.length
    const data = batch[i] as Data | undefined
    if (data) {
      const cell = makeCellText(type, data)
      for (let row = 0; row < Math.min(data.length, SAMPLE) && widest < WIDEST; row++) {
        if (!data.getValid(row)) continue
        scratch.clear()
        cell(scratch, row)
        widest = Math.max(widest, utf16Length(scratch.bytes, 0, scratch.length))
      }
    }
    return Math.min(WIDEST, Math.max(NARROWEST, widest + MARGIN))
  })
}
