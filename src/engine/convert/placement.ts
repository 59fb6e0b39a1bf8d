import { Int64, makeData, Utf8, type Data, type RecordBatch } from 'apache-arrow'
import { batchFromColumns } from '../arrow/batch.ts'
import type { PassedRows, PlacedColumn, Placement } from './transfer.ts'
import { nullColumn } from '../arrow/cast/take.ts'

/** Converts batches of one input to batches of the combined table. */
export class ColumnPlacement implements Placement {
  readonly columns: readonly PlacedColumn[]

  constructor(columns: readonly PlacedColumn[]) {
    this.columns = columns
  }

  begin(): (passed: PassedRows) => RecordBatch {
    const numbers = new RowNumbers()
    return (passed) => {
      const { batch } = passed
      const rows = batch.numRows
      const children = this.columns.map((column) => {
        switch (column.kind) {
          case 'own':
            return batch.data.children[column.index]
          case 'missing':
            return nullColumn(column.type, rows)
          case 'text':
            return repeated(column.text, rows)
          case 'row':
            return rowColumn(numbers.of(passed))
        }
      })
      return batchFromColumns(children, rows)
    }
  }
}

const encoder = new TextEncoder()

function repeated(text: string, rows: number): Data {
  const bytes = encoder.encode(text)
  const data = new Uint8Array(bytes.length * rows)
  if (rows > 0) data.set(bytes)
  for (let filled = bytes.length; filled > 0 && filled < data.length; filled *= 2) data.copyWithin(filled, 0, filled)
  const valueOffsets = new Int32Array(rows + 1)
  for (let row = 1; row <= rows; row++) valueOffsets[row] = row * bytes.length
  return makeData({ type: new Utf8(), length: rows, nullCount: 0, valueOffsets, data })
}

/** Computes the row numbers in the file. */
export class RowNumbers {
  private at = 1
  /** Numbers of rows that aren't in their original place. */
  private readonly absent = new Set<number>()

  /** Row numbers of a batch. Batches must come in order. */
  of({ batch, rejected, later, numbers }: PassedRows): Float64Array {
    for (const { row } of rejected) this.absent.add(row)
    for (const { row } of later ?? []) this.absent.add(row)
    return numbers ?? this.next(batch.numRows)
  }

  private next(rows: number): Float64Array {
    const data = new Float64Array(rows)
    for (let i = 0; i < rows; i++) {
      while (this.absent.delete(this.at)) this.at++
      data[i] = this.at++
    }
    return data
  }
}

function rowColumn(numbers: Float64Array): Data {
  const data = BigInt64Array.from(numbers, BigInt)
  return makeData({ type: new Int64(), length: data.length, nullCount: 0, data })
}
