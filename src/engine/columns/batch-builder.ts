import type { RecordBatch } from 'apache-arrow'
import { shortened } from '../../lib/text.ts'
import type { RejectedRow } from '../../tables/plan.ts'
import { typeName } from '../../tables/type-names.ts'
import { type ColumnType, printType } from '../../tables/types.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { makeColumnBuilder } from './builder.ts'
import type { ColumnBuilder, ReadColumn } from './column-builder.ts'
import { concatenateBatches } from '../arrow/concatenate.ts'

/** Target size of a batch. A reader ends a batch at whichever comes first. */
export const BATCH_ROWS = 32_768
export const BATCH_BYTES = 16 * 1024 * 1024
/** Nulls take no bytes of the source, but as much of a batch as other values. */
const BATCH_CELLS = 4 * 1024 * 1024
/** Rejected rows, which are held as text. */
export const BATCH_REJECTED = 1000

const MAX_VALUE = 1000
const MAX_SHOWN = 60

export type BatchColumn = Pick<ReadColumn, 'source' | 'type' | 'format'>

/** Builds batches of rows. For each row, append its cells to the columns' builders, then call `endRow` or `reject`. */
export class BatchBuilder {
  readonly builders: readonly ColumnBuilder[]
  private rejected: RejectedRow[] = []
  private rows = 0
  private bytes = 0

  constructor(columns: readonly BatchColumn[]) {
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

/** A row rejected because a value isn't of its column's type. */
export function rejectedValue(
  { source, type }: BatchColumn,
  value: string,
  place: Pick<RejectedRow, 'row' | 'line' | 'raw' | 'cells'>,
): RejectedRow {
  const message = `“${shortened(value, MAX_SHOWN)}” isn’t a value of type “${typeName(printType(type))}”.`
  return { ...place, reason: 'value', message, column: source, value: value.slice(0, MAX_VALUE) }
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
