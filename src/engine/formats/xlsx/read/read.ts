import { BatchBuilder } from '../../../columns/batch-builder.ts'
import { FilledCells, type FilledValues } from './filled-cells.ts'
import { TextSums } from '../../../kernel/text-sums.ts'
import type { ReadColumn } from '../../../columns/column-builder.ts'
import type { EngineContext, ReadBatch, ReadRequest } from '../../types.ts'
import type { Workbook } from './book.ts'
import { CellText, type Want, wantOf } from './text/cell-text.ts'
import { mergesOf } from './merged-values.ts'
import { placeOf, repeatsMerged, type TableSettings, tableSettings, xlsxSettings } from './settings.ts'
import { MAX_COLUMNS, sumCells, type Row } from './row.ts'
import type { SharedStrings } from './strings.ts'
import { type RowTarget, TableRows } from './table-rows.ts'
import { MAX_RAW } from '../../../../tables/plan.ts'
import { rejectedValue } from '../../../columns/rejected-value.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Reads the rows of one of a workbook's tables. */
export async function* readWorkbook(
  workbook: Workbook,
  request: ReadRequest,
  context: EngineContext,
): AsyncGenerator<ReadBatch, void, undefined> {
  const settings = xlsxSettings(request.settings)
  const { sheet, table } = placeOf(workbook, request)
  const merges = repeatsMerged(settings, table) ? await mergesOf(sheet, context.signal) : []
  const reader = new RowReader(workbook, request, tableSettings(settings, table, merges))
  const stream = await sheet.open((row) => reader.take(row), context.signal)
  try {
    let more = true
    while (more) {
      more = await stream.step()
      if (!more) reader.finish()
      if (reader.full) stream.stop()
      if (!more || reader.full || reader.batch.isFull) yield reader.flush(stream.consumed)
      if (reader.full) return
      context.progress({ bytes: stream.consumed, rows: reader.total })
    }
  } finally {
    await stream.close()
  }
}

/** Converts a sheet's rows to columns of the requested types. */
class RowReader implements RowTarget {
  /** Number of data rows so far, including rejected ones. */
  total = 0
  readonly batch: BatchBuilder
  private readonly wants: readonly Want[]
  private readonly cells: CellText
  private readonly rows: TableRows
  private readonly columns: readonly ReadColumn[]
  private readonly limit: number
  /** For each sheet column: the index of the current row's cell, plus 1. */
  private readonly slots = new Int32Array(MAX_COLUMNS)
  private readonly names: string[]
  private readonly sums: TextSums | null
  private readonly strings: SharedStrings
  private readonly filled: FilledCells | null

  constructor(workbook: Workbook, request: ReadRequest, settings: TableSettings) {
    this.columns = request.columns
    this.batch = new BatchBuilder(request.columns)
    this.wants = request.columns.map(({ type }) => wantOf(type))
    this.names = request.columns.map(() => '')
    this.cells = new CellText(workbook)
    this.limit = request.limit ?? Number.POSITIVE_INFINITY
    this.sums = request.checksums && request.limit === undefined ? new TextSums() : null
    this.strings = workbook.strings
    this.rows = new TableRows(this.cells, settings, this)
    this.filled = request.columns.some(({ format }) => format?.fillDown) ? new FilledCells(request.columns) : null
  }

  /** Whether the limit has been reached. */
  get full(): boolean {
    return this.total >= this.limit
  }

  take(row: Row): void {
    this.rows.take(row)
  }

  finish(): void {
    this.rows.finish()
  }

  flush(bytes: number): ReadBatch {
    const checksums = this.sums?.take(this.columns.map(({ index }) => index))
    return {
      ...this.batch.finish(),
      bytes,
      // Merged cells in a header of several rows are known only at the end of the sheet.
      ...(this.rows.headerRows === 1 ? { names: this.names } : {}),
      ...(checksums === undefined ? {} : { checksums }),
      ...(this.filled ? { filled: this.filled.take() } : {}),
    }
  }

  data(row: Row): void {
    if (this.full) return
    this.total++
    if (this.sums) sumCells(this.sums, row, this.strings)
    const { slots } = this
    for (let slot = 0; slot < row.count; slot++) slots[row.column[slot]] = slot + 1
    const filled = this.filled?.fill(row.count > 0, (i) => this.readCell(row, i) && this.cells)
    const failed = this.append(row, filled)
    if (failed < 0) this.filled?.keep()
    for (let slot = 0; slot < row.count; slot++) slots[row.column[slot]] = 0
    if (failed >= 0) this.reject(row, failed, filled)
  }

  header(row: Row): void {
    const positions = row.column.subarray(0, row.count)
    for (const [i, { index }] of this.columns.entries()) {
      const slot = positions.indexOf(index)
      if (slot >= 0) this.names[i] = this.cells.rawString(row, slot)
    }
  }

  /** Reads the row's cell for a column. False if there is none. */
  private readCell(row: Row, i: number): boolean {
    const { index, format } = this.columns[i]
    const slot = this.slots[index]
    return slot > 0 && this.cells.read(row, slot - 1, this.wants[i], format?.dateFormat !== undefined)
  }

  /**
   * Appends the row's values. Returns the index of the first invalid one, or -1.
   * @param filled values of blank cells
   */
  private append(row: Row, filled: FilledValues | undefined): number {
    const { columns, cells, batch } = this
    const { builders } = batch
    let bytes = 0
    for (let i = 0; i < columns.length; i++) {
      const value = filled?.get(i)
      if (value) {
        if (!builders[i].appendText(value, 0, value.length)) return i
        bytes += value.length
      } else if (!this.readCell(row, i)) {
        builders[i].appendNull()
      } else if (builders[i].appendText(cells.bytes, cells.start, cells.end)) {
        bytes += cells.end - cells.start
      } else {
        return i
      }
    }
    batch.endRow(bytes)
    return -1
  }

  private reject(row: Row, failed: number, filled: FilledValues | undefined): void {
    const column = this.columns[failed]
    const cells = this.texts(row)
    for (const [i, value] of filled ?? []) {
      const { index } = this.columns[i]
      while (cells.length <= index) cells.push(null)
      cells[index] = decoder.decode(value)
    }
    const value = cells[column.index] ?? ''
    const place = { row: this.total, line: row.number, raw: this.raw(row), cells }
    this.batch.reject(rejectedValue(column, value, place))
  }

  /** The texts by column. */
  private texts(row: Row): (string | null)[] {
    const texts: (string | null)[] = []
    for (let slot = 0; slot < row.count; slot++) {
      while (texts.length < row.column[slot]) texts.push(null)
      texts[row.column[slot]] = this.cells.string(row, slot) || null
    }
    return texts
  }

  private raw(row: Row): string {
    const parts: string[] = []
    for (let slot = 0; slot < row.count; slot++) {
      while (parts.length < row.column[slot]) parts.push('')
      parts[row.column[slot]] = this.cells.rawString(row, slot)
    }
    return parts.join('\t').slice(0, MAX_RAW)
  }
}
