import type { CsvSettings, ReadSettings, RejectedRow } from '../../../tables/plan.ts'
import { printType } from '../../../tables/types.ts'
import { checkpoint } from '../../../lib/abort.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import type { ColumnBuilder } from '../../columns/column-builder.ts'
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
import { CsvRecords } from '../../kernel/csv-records.ts'
import { CsvRows } from './rows.ts'
import { RowSums } from './sums.ts'

const MAX_VALUE = 1000
/** Milliseconds between two looks at the signal. */
const PATIENCE = 50
/** Bytes. */
const LEAST_PIECE = 64 * 1024
const LF = 0x0a

/** Streams the rows of a CSV file, in the types wanted. */
export function readCsv(file: Blob, request: ReadRequest, context: EngineContext): AsyncIterable<ReadBatch> {
  const settings = csvSettings(request.settings)
  const taken = { bytes: 0 }
  const text = openText(file, { ...settings, signal: context.signal, onBytes: (bytes) => (taken.bytes = bytes) })
  const table = new TableBuilder(request.columns)
  const readers = { rows: new CsvRows(settings), table, usual: new UsualRecords(request) }
  const reading = new Reading(readers, taken, request, context)
  return request.checksums && request.limit === undefined ? reading.runWithSums(text) : reading.run(text)
}

/** Of files that we wrote: a line end may be within quotes, so that only who wrote the rows knows where they begin. */
export const csvParts: PartReading = {
  cutter: () => null,

  open: (request, context) => {
    const settings = csvSettings(request.settings)
    const table = new TableBuilder(request.columns)
    const usual = new UsualRecords(request)
    return ({ index, bytes }) => {
      const rows = new CsvRows(index === 0 ? settings : { ...settings, skipLines: 0 })
      if (index > 0) rows.width = request.columns.length
      return new Reading({ rows, table, usual }, { bytes: bytes.length }, request, context).run([bytes])
    }
  },
}

/** What reads records of the most usual form, once it's known how many fields they have. */
class UsualRecords {
  private readonly request: ReadRequest
  private records: CsvRecords | null | undefined
  private width = -1

  constructor(request: ReadRequest) {
    this.request = request
  }

  /** Null where it can't read such records, undefined where it can't read on from here. */
  at(rows: CsvRows): CsvRecords | null | undefined {
    const { columns, settings, limit, checksums } = this.request
    // A few rows aren't worth it.
    if (limit !== undefined) return null
    if (rows.width !== this.width) {
      this.width = rows.width
      this.records = this.width < 0 ? undefined : CsvRecords.of(columns, csvSettings(settings), this.width, checksums)
    }
    return this.records === null || rows.isBetween ? this.records : undefined
  }

  /** What the cells of a column come to that it has read. */
  sum(column: number): bigint {
    return this.records?.sum(column) ?? 0n
  }
}

interface Readers {
  readonly rows: CsvRows
  readonly table: TableBuilder
  readonly usual: UsualRecords
}

/** Reads a text from its beginning. */
class Reading {
  private readonly readers: Readers
  private readonly columns: readonly ReadColumn[]
  private readonly context: EngineContext
  /** Bytes of the file so far. */
  private readonly taken: { readonly bytes: number }
  /** Rows that are still wanted. */
  private left: number
  private named = false
  private paused = performance.now()
  /** Bytes that are read whatever their form, before the usual one is tried again. */
  private piece = LEAST_PIECE
  private sums: RowSums | null = null

  constructor(
    readers: Readers,
    taken: { readonly bytes: number },
    { columns, limit = Number.POSITIVE_INFINITY }: ReadRequest,
    context: EngineContext,
  ) {
    this.readers = readers
    this.columns = columns
    this.context = context
    this.taken = taken
    this.left = limit
  }

  /** Tells with the last batch what the cells come to. */
  async *runWithSums(text: AsyncIterable<Uint8Array>): AsyncGenerator<ReadBatch, void, undefined> {
    const sums = new RowSums()
    this.sums = sums
    let last: ReadBatch | null = null
    for await (const batch of this.run(text)) {
      if (last) yield last
      last = batch
    }
    const { found } = sums
    if (!last) return
    const sumOf = ({ index }: ReadColumn, i: number): bigint => (found?.[index] ?? 0n) + this.readers.usual.sum(i)
    yield { ...last, checksums: found === null ? null : this.columns.map(sumOf) }
  }

  async *run(text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<ReadBatch, void, undefined> {
    const { rows, table } = this.readers
    for await (const slice of text) {
      yield* this.readSlice(slice)
      if (this.left === 0) break
    }
    rows.end()
    if (this.left > 0) yield* this.readRows()
    yield this.withNames(table.finish(this.taken.bytes))
  }

  private async *readSlice(slice: Uint8Array): AsyncGenerator<ReadBatch, void, undefined> {
    const { rows, usual } = this.readers
    for (let at = 0; at < slice.length && this.left > 0;) {
      const records = usual.at(rows)
      if (records) {
        const read = yield* this.readUsual(records, slice.subarray(at))
        at += read
        this.piece = read > this.piece ? LEAST_PIECE : this.piece * 2
      }
      const end = records === null ? slice.length : lineEnd(slice, at + this.piece)
      if (end > at) rows.push(slice.subarray(at, end))
      at = end
      yield* this.readRows()
    }
  }

  /** Reads records as long as they're of the usual form; returns how many bytes they had. */
  private async *readUsual(records: CsvRecords, text: Uint8Array): AsyncGenerator<ReadBatch, number, undefined> {
    const { rows, table } = this.readers
    let at = 0
    while (at < text.length) {
      const batch = records.read(text.subarray(at))
      if (records.bytes === 0) break
      at += records.bytes
      rows.skip(records.rows, records.lines)
      if (records.rows === 0) continue
      if (!table.isEmpty) yield this.withNames(table.finish(this.taken.bytes))
      yield this.withNames({ batch, rejected: [], bytes: this.taken.bytes })
      await this.breathe()
    }
    return at
  }

  /** Reads what has been pushed. */
  private async *readRows(): AsyncGenerator<ReadBatch, void, undefined> {
    const { rows, table } = this.readers
    while (this.left > 0 && rows.next()) {
      this.sums?.add(rows)
      table.addRejected(rows.rejected)
      for (let from = 0; from < rows.count && this.left > 0;) {
        const to = Math.min(rows.count, from + table.room, from + this.left)
        this.left -= table.take(rows, from, to)
        from = to
        if (table.isFull) yield this.withNames(table.finish(this.taken.bytes))
      }
      if (table.isFull) yield this.withNames(table.finish(this.taken.bytes))
      await this.breathe()
    }
  }

  private withNames(batch: ReadBatch): ReadBatch {
    const { header } = this.readers.rows
    if (this.named || !header) return batch
    this.named = true
    return { ...batch, names: this.columns.map(({ index }) => header[index] ?? '') }
  }

  private async breathe(): Promise<void> {
    if (performance.now() - this.paused < PATIENCE) return
    const { context, taken, readers } = this
    await checkpoint(context.signal)
    this.paused = performance.now()
    context.progress({ bytes: taken.bytes, rows: readers.rows.rows })
  }
}

/** Behind the first line end from a place on; the end where there is none. */
function lineEnd(text: Uint8Array, from: number): number {
  const found = from < text.length ? text.indexOf(LF, from) : -1
  return found < 0 ? text.length : found + 1
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

  get isEmpty(): boolean {
    return this.count === 0 && this.rejected.length === 0
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
