import type { RecordBatch } from 'apache-arrow'
import type { RejectedRow } from '../../tables/plan.ts'
import { BATCH_BYTES, BATCH_ROWS, batchFromColumns } from '../arrow/batch.ts'
import { makeColumnBuilder } from './builder.ts'
import { BATCH_REJECTED, type ColumnBuilder, type ReadColumn } from './column-builder.ts'

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
