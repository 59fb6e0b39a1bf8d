import { printSum } from '../../../lib/bytes.ts'
import type { Data, RecordBatch } from 'apache-arrow'
import type { ColumnFingerprint, TableFingerprint } from '../../../tables/receipt.ts'
import { printType, type Column } from '../../../tables/types.ts'
import { Extremes, type ExtremesState } from './extremes.ts'
import { hashColumn, placeHashes, type Hashes } from './hash.ts'
import { runMemory, type RunMemory } from './run-memory.ts'

/** The state of a fingerprint, as plain data for `merge`. */
export interface FingerprintState {
  readonly rows: number
  readonly rowChecksum: bigint
  readonly columns: readonly { readonly nulls: number; readonly checksum: bigint; readonly extremes: ExtremesState }[]
}

/** Rows per run, so that their hashes stay in the processor's cache. */
const RUN = 8192

class ColumnFingerprinter {
  private readonly column: Column
  private readonly extremes: Extremes
  private checksum = 0n
  private nulls = 0

  constructor(column: Column) {
    this.column = column
    this.extremes = new Extremes(column.type)
  }

  /** @param rows hashes of the rows, to which the column's hashes are added */
  add(data: Data, start: number, end: number, rows: Hashes, memory: RunMemory): void {
    const { exports } = memory.kernel
    const placed = hashColumn(this.column.type, data, start, end, memory)
    const { a, b, count, nulls } = placed
    this.nulls += nulls
    this.checksum += exports.sumHashes(a, b, count, nulls)
    exports.addToRows(a, b, count, rows.a, rows.b)
    this.extremes.add(data, start, placed, memory)
  }

  get state(): FingerprintState['columns'][number] {
    return { nulls: this.nulls, checksum: this.checksum, extremes: this.extremes.state }
  }

  merge({ nulls, checksum, extremes }: FingerprintState['columns'][number]): void {
    this.nulls += nulls
    this.checksum += checksum
    this.extremes.merge(extremes)
  }

  finish(rows: number): ColumnFingerprint {
    const { name, type } = this.column
    const { min, max } = this.extremes
    const sum = rows > this.nulls ? this.extremes.sum() : null
    return { name, type: printType(type), nulls: this.nulls, min, max, sum, checksum: printSum(this.checksum) }
  }
}

/**
 * Computes a table's fingerprint, batch by batch. It doesn't depend on batch boundaries or the order of rows, but
 * changes with any value, null, or position of a value in its row.
 */
export class Fingerprinter {
  private readonly columns: readonly ColumnFingerprinter[]
  /** Sum of the rows' hashes so far. */
  rowChecksum = 0n
  private rows = 0

  constructor(columns: readonly Column[]) {
    this.columns = columns.map((column) => new ColumnFingerprinter(column))
  }

  /** @param batch columns in the order given, in the physical types of `toArrowType` */
  add(batch: RecordBatch): void {
    const { children } = batch.data
    const memory = runMemory()
    for (let start = 0; start < batch.numRows; start += RUN) {
      const end = Math.min(batch.numRows, start + RUN)
      memory.begin()
      const { exports } = memory.kernel
      const rows = placeHashes(end - start, memory)
      exports.beginRows(end - start, rows.a, rows.b)
      for (const [i, column] of this.columns.entries()) {
        memory.within(() => column.add(children[i], start, end, rows, memory))
      }
      exports.finishRows(end - start, rows.a, rows.b)
      this.rowChecksum += exports.sumHashes(rows.a, rows.b, end - start, 0)
    }
    this.rows += batch.numRows
  }

  get state(): FingerprintState {
    const { rows, rowChecksum, columns } = this
    return { rows, rowChecksum, columns: columns.map((column) => column.state) }
  }

  /** Merges another fingerprint of other rows of the same table. */
  merge({ rows, rowChecksum, columns }: FingerprintState): void {
    this.rows += rows
    this.rowChecksum += rowChecksum
    for (const [i, column] of this.columns.entries()) column.merge(columns[i])
  }

  finish(): TableFingerprint {
    return {
      rows: this.rows,
      columns: this.columns.map((column) => column.finish(this.rows)),
      rowChecksum: printSum(this.rowChecksum),
    }
  }
}
