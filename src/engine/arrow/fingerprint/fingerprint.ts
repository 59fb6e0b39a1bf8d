import type { Data, RecordBatch } from 'apache-arrow'
import type { ColumnFingerprint, TableFingerprint } from '../../../tables/receipt.ts'
import { printType, type Column } from '../../../tables/types.ts'
import type { Extremes, PrintCell } from './extremes-kind.ts'
import { makeExtremes } from './extremes.ts'
import { addToRows, beginRows, HashSum, makeHasher, type Hasher } from './hash.ts'

/** What a fingerprint has taken in so far: plain data, for `merge` alone. */
export interface FingerprintState {
  readonly rows: number
  readonly rowChecksum: bigint
  readonly columns: readonly { readonly nulls: number; readonly checksum: bigint; readonly extremes: unknown }[]
}

/** Rows taken in at once: their hashes stay in the processor's cache. */
const RUN = 8192

class ColumnFingerprinter {
  readonly hasher: Hasher
  private readonly column: Column
  private readonly extremes: Extremes
  private readonly checksum = new HashSum()
  private nulls = 0

  constructor(column: Column, printCell: PrintCell) {
    this.column = column
    this.hasher = makeHasher(column.type)
    this.extremes = makeExtremes(column.type, printCell)
  }

  add(data: Data, start: number, end: number): void {
    const nulls = countNulls(data, start, end)
    this.nulls += nulls
    this.hasher.hash(data, start, end)
    this.checksum.add(this.hasher.a, this.hasher.b, end - start, nulls)
    this.extremes.add(data, start, end)
  }

  get state(): FingerprintState['columns'][number] {
    return { nulls: this.nulls, checksum: this.checksum.state, extremes: this.extremes.state }
  }

  merge({ nulls, checksum, extremes }: FingerprintState['columns'][number]): void {
    this.nulls += nulls
    this.checksum.merge(checksum)
    this.extremes.merge(extremes)
  }

  finish(rows: number): ColumnFingerprint {
    const { name, type } = this.column
    const { min, max } = this.extremes
    const sum = rows > this.nulls ? this.extremes.sum() : null
    return { name, type: printType(type), nulls: this.nulls, min, max, sum, checksum: this.checksum.toString() }
  }
}

/**
 * Takes a table's fingerprint, batch by batch. It doesn't depend on where batches begin or on the order of rows, and
 * changes with any value, null or place of a value in its row.
 */
export class TableFingerprinter {
  private readonly columns: readonly ColumnFingerprinter[]
  private readonly rowChecksum = new HashSum()
  private readonly a = new Int32Array(RUN)
  private readonly b = new Int32Array(RUN)
  private rows = 0

  /** @param printCell the text of a least or greatest value; text and blobs have their own */
  constructor(columns: readonly Column[], printCell: PrintCell) {
    this.columns = columns.map((column) => new ColumnFingerprinter(column, printCell))
  }

  /** @param batch columns in the order given, in the physical types of `toArrowType` */
  add(batch: RecordBatch): void {
    const children = batch.data.children
    for (let start = 0; start < batch.numRows; start += RUN) {
      const end = Math.min(batch.numRows, start + RUN)
      beginRows(this.a, this.b, end - start)
      for (const [i, column] of this.columns.entries()) {
        column.add(children[i], start, end)
        addToRows(this.a, this.b, column.hasher, end - start)
      }
      this.rowChecksum.addRows(this.a, this.b, end - start)
    }
    this.rows += batch.numRows
  }

  get state(): FingerprintState {
    const { rows, rowChecksum, columns } = this
    return { rows, rowChecksum: rowChecksum.state, columns: columns.map((column) => column.state) }
  }

  /** Takes in what another took in of other rows of the same table. */
  merge({ rows, rowChecksum, columns }: FingerprintState): void {
    this.rows += rows
    this.rowChecksum.merge(rowChecksum)
    for (const [i, column] of this.columns.entries()) column.merge(columns[i])
  }

  finish(): TableFingerprint {
    return {
      rows: this.rows,
      columns: this.columns.map((column) => column.finish(this.rows)),
      rowChecksum: this.rowChecksum.toString(),
    }
  }
}

function countNulls(data: Data, start: number, end: number): number {
  const bits: Uint8Array | undefined = data.nullBitmap
  if (bits === undefined || bits.length === 0) return 0
  let nulls = 0
  for (let at = data.offset + start; at < data.offset + end; at++) nulls += ~(bits[at >> 3] >> (at & 7)) & 1
  return nulls
}
