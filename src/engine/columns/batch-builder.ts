import type { RecordBatch } from 'apache-arrow'
import type { RejectedRow } from '../../tables/plan.ts'
import type { ColumnType } from '../../tables/types.ts'
import { BATCH_BYTES, BATCH_ROWS, batchFromColumns } from '../arrow/batch.ts'
import { makeColumnBuilder } from './builder.ts'
import { BATCH_REJECTED, type ColumnBuilder, type ReadColumn } from './column-builder.ts'
import { concatenateBatches } from '../arrow/concatenate.ts'

/** Nulls take no bytes of the source, but as much of a batch as other values. */
const BATCH_CELLS = 4 * 1024 * 1024

/** Builds batches of rows. For each row, append its cells to the columns' builders, then call `endRow` or `reject`. */
export class BatchBuilder {
  readonly builders: readonly ColumnBuilder[]
  private rejected: RejectedRow[] = []
  private rows = 0
  private bytes = 0

  constructor(columns: readonly Pick<ReadColumn, 'type' | 'format'>[]) {
    this.builders = columns.map(({ type, format }) => makeColumnBuilder(type, format))
  }

  get isFull(): boolean {
    const { rows, bytes, rejected, builders } = this
    if (rows >= BATCH_ROWS || rows * builders.length >= BATCH_CELLS) return true
    return bytes >= BATCH_BYTES || rejected.length >= BATCH_REJECTED
  }

  /** @param bytes approximate size of the row's cells */
  endRow(bytes: number): void {
    this.rows++
    this.bytes += bytes
  }

  /** Removes the cells of the current row, and keeps the reason. */
  reject(row: RejectedRow): void {
    this.takeBack()
    this.rejected.push(row)
    this.bytes += row.raw.length
  }

  /** Removes the cells of the current row. */
  takeBack(): void {
    for (const builder of this.builders) builder.truncate(this.rows)
  }

  /** Returns the rows so far, and starts over. */
  finish(): { readonly batch: RecordBatch; readonly rejected: readonly RejectedRow[] } {
    const data = this.builders.map((builder) => builder.finish())
    const batch = batchFromColumns(data, this.rows)
    const { rejected } = this
    this.rejected = []
    this.rows = 0
    this.bytes = 0
    return { batch, rejected }
  }
}

/**
 * Combines DuckDB's batches of 2,048 rows. A batch has fixed costs downstream, which are then shared by 65,536 rows.
 */
export class Gathering {
  private readonly types: readonly ColumnType[]
  private held: RecordBatch[] = []
  private rows = 0
  private bytes = 0

  /** @param types of the batches, in physical form */
  constructor(types: readonly ColumnType[]) {
    this.types = types
  }

  /** @returns the previous batches as one, if adding this one would exceed the size; else null */
  add(batch: RecordBatch): RecordBatch | null {
    const { byteLength } = batch.data
    const isFull = this.rows + batch.numRows > BATCH_ROWS || this.bytes + byteLength > BATCH_BYTES
    const whole = isFull ? this.flush() : null
    this.held.push(batch)
    this.rows += batch.numRows
    this.bytes += byteLength
    return whole
  }

  /** @returns the remaining rows as one batch; null if there are none */
  flush(): RecordBatch | null {
    const { held } = this
    if (held.length === 0) return null
    this.held = []
    this.rows = 0
    this.bytes = 0
    return held.length === 1 ? held[0] : concatenateBatches(held, this.types)
  }
}
