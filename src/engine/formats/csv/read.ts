import type { CsvSettings, ReadSettings, RejectedRow } from '../../../tables/plan.ts'
import { printType } from '../../../tables/types.ts'
import { checkpoint } from '../../../lib/abort.ts'
import { makeColumnBuilder, type ColumnBuilder } from '../../arrow/builder.ts'
import { batchFromColumns } from '../../arrow/normalize.ts'
import { EngineError } from '../../errors.ts'
import { openText } from '../../io/text-stream.ts'
import {
  BATCH_BYTES,
  BATCH_REJECTED,
  BATCH_ROWS,
  type EngineContext,
  type PartReading,
  type ReadBatch,
  type ReadColumn,
  type ReadRequest,
} from '../types.ts'
import { CsvRows } from './rows.ts'

const MAX_VALUE = 1000
/** Milliseconds between two looks at the signal. */
const PATIENCE = 50

/** Streams the rows of a CSV file, in the types wanted. */
export function readCsv(file: Blob, request: ReadRequest, context: EngineContext): AsyncIterable<ReadBatch> {
  const settings = csvSettings(request.settings)
  const taken = { bytes: 0 }
  const text = openText(file, { ...settings, signal: context.signal, onBytes: (bytes) => (taken.bytes = bytes) })
  const table = new TableBuilder(request.columns)
  return readText(text, taken, { rows: new CsvRows(settings), table }, request, context)
}

/** Of files that we wrote: a line end may be within quotes, so that only who wrote the rows knows where they begin. */
export const csvParts: PartReading = {
  cutter: () => null,

  open: (request, context) => {
    const settings = csvSettings(request.settings)
    const table = new TableBuilder(request.columns)
    return ({ index, bytes }) => {
      const rows = new CsvRows(index === 0 ? settings : { ...settings, skipLines: 0 })
      if (index > 0) rows.width = request.columns.length
      return readText([bytes], { bytes: bytes.length }, { rows, table }, request, context)
    }
  },
}

/** @param taken bytes of the file so far */
async function* readText(
  text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  taken: { readonly bytes: number },
  { rows, table }: { readonly rows: CsvRows; readonly table: TableBuilder },
  { columns, limit = Number.POSITIVE_INFINITY }: ReadRequest,
  context: EngineContext,
): AsyncGenerator<ReadBatch, void, undefined> {
  const { signal } = context
  let last = performance.now()
  let total = 0
  const names = { told: false }
  const finish = (): ReadBatch => {
    const batch = table.finish(taken.bytes)
    if (names.told || !rows.header) return batch
    names.told = true
    return { ...batch, names: columns.map(({ index }) => rows.header?.[index] ?? '') }
  }
  reading: for await (const slice of withEnd(text)) {
    if (slice) rows.push(slice)
    else rows.end()
    while (rows.next()) {
      table.addRejected(rows.rejected)
      for (let from = 0; from < rows.count && total < limit;) {
        const to = Math.min(rows.count, from + table.room, from + limit - total)
        total += table.take(rows, from, to)
        from = to
        if (table.isFull) yield finish()
      }
      if (total >= limit) break reading
      if (table.isFull) yield finish()
      if (performance.now() - last < PATIENCE) continue
      await checkpoint(signal)
      last = performance.now()
      context.progress({ bytes: taken.bytes, rows: rows.rows })
    }
  }
  yield finish()
}

/** The slices, and then null. */
async function* withEnd(
  slices: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array | null, void, undefined> {
  yield* slices
  yield null
}

/** @throws {EngineError} `invalid-plan` for settings of another format */
export function csvSettings(settings: ReadSettings): CsvSettings {
  if (settings.kind === 'csv') return settings
  throw new EngineError('invalid-plan', `A text table can’t be read with settings for ${settings.kind}.`)
}

/** Builds the columns of a batch from batches of rows. */
class TableBuilder {
  private readonly columns: readonly ReadColumn[]
  private readonly builders: readonly ColumnBuilder[]
  private rejected: RejectedRow[] = []
  private count = 0

  constructor(columns: readonly ReadColumn[]) {
    this.columns = columns
    this.builders = columns.map(({ type, format }) => makeColumnBuilder(type, format))
  }

  get isFull(): boolean {
    if (this.count >= BATCH_ROWS || this.rejected.length >= BATCH_REJECTED) return true
    let size = 0
    for (const builder of this.builders) size += builder.byteLength
    return size >= BATCH_BYTES
  }

  /** How many rows the batch still has room for. */
  get room(): number {
    return BATCH_ROWS - this.count
  }

  addRejected(rejected: readonly RejectedRow[]): void {
    if (rejected.length > 0) this.rejected.push(...rejected)
  }

  /** Takes in some rows; gives how many of them fit. */
  take(rows: CsvRows, from: number, to: number): number {
    this.checkWidth(rows)
    const before = this.count
    // A column at a time is the fast way. A value that doesn't fit is rare; then it is a row at a time.
    if (this.takeColumns(rows, from, to)) {
      this.count += to - from
    } else {
      for (const builder of this.builders) builder.truncate(before)
      for (let row = from; row < to; row++) this.takeRow(rows, row)
    }
    return this.count - before
  }

  private checkWidth(rows: CsvRows): void {
    const { width } = rows
    const beyond = this.columns.find(({ index }) => index >= width)
    if (!beyond || width < 0 || rows.count === 0) return
    throw new EngineError('invalid-plan', `The file has no column number ${beyond.index + 1}: it has ${width}.`, {
      remedy: 'Look at the delimiter and the header again, or add the file again.',
    })
  }

  private takeColumns(rows: CsvRows, from: number, to: number): boolean {
    for (const [i, builder] of this.builders.entries()) {
      if (!rows.appendColumn(this.columns[i].index, from, to, builder)) return false
    }
    return true
  }

  private takeRow(rows: CsvRows, row: number): void {
    for (const [i, builder] of this.builders.entries()) {
      const column = this.columns[i]
      if (rows.appendColumn(column.index, row, row + 1, builder)) continue
      for (const filled of this.builders) filled.truncate(this.count)
      this.rejected.push(this.valueReject(rows, row, column))
      return
    }
    this.count++
  }

  private valueReject(rows: CsvRows, row: number, column: ReadColumn): RejectedRow {
    const record = rows.records[row]
    const value = rows.text(rows.first[row] + column.index)
    const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value
    return {
      row: rows.numbers[row],
      line: record < 0 ? null : rows.tokenizer.lines[record],
      reason: 'value',
      message: `“${shown}” in column “${column.source}” is not a value of type ${printType(column.type)}.`,
      column: column.source,
      value: value.slice(0, MAX_VALUE),
      raw: rows.raw(record),
    }
  }

  finish(bytes: number): ReadBatch {
    const { count } = this
    const rejected = this.rejected.sort((a, b) => a.row - b.row)
    const batch = batchFromColumns(
      this.builders.map((builder) => builder.finish()),
      count,
    )
    this.rejected = []
    this.count = 0
    return { batch, rejected, bytes }
  }
}
