import type { RecordBatch } from 'apache-arrow'
import type { ColumnType } from '../../tables/types.ts'
import { concatenateBatches } from '../arrow/concatenate.ts'
import { BATCH_BYTES, BATCH_ROWS } from './batch-builder.ts'

/** Puts DuckDB's batches of 2,048 rows together: what a batch costs everyone after is the same for 65,536. */
export class Gathering {
  private readonly types: readonly ColumnType[]
  private held: RecordBatch[] = []
  private rows = 0
  private bytes = 0

  /** @param types of the batches, which are in their physical form */
  constructor(types: readonly ColumnType[]) {
    this.types = types
  }

  /** @returns the batches before as one, once this one would make too many of them */
  add(batch: RecordBatch): RecordBatch | null {
    const { byteLength } = batch.data
    const isFull = this.rows + batch.numRows > BATCH_ROWS || this.bytes + byteLength > BATCH_BYTES
    const whole = isFull ? this.flush() : null
    this.held.push(batch)
    this.rows += batch.numRows
    this.bytes += byteLength
    return whole
  }

  /** @returns what is held as one batch; null where nothing is */
  flush(): RecordBatch | null {
    const { held } = this
    if (held.length === 0) return null
    this.held = []
    this.rows = 0
    this.bytes = 0
    return held.length === 1 ? held[0] : concatenateBatches(held, this.types)
  }
}
