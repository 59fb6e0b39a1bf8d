import { Int64, makeData, Utf8, type Data, type RecordBatch } from 'apache-arrow'
import type { RejectedRow } from '../../tables/plan.ts'
import type { ColumnType } from '../../tables/types.ts'
import { batchFromColumns, nullColumn } from '../arrow/normalize.ts'

/** What stands in a column of a combined table for the rows of one input. */
export type PlacedColumn =
  /** Its own column, by its place among those that are read. */
  | { readonly kind: 'own'; readonly index: number }
  | { readonly kind: 'missing'; readonly type: ColumnType }
  /** The same text in every row. */
  | { readonly kind: 'text'; readonly text: string }
  /** The row's number in its file, from 1, rejected rows counted. */
  | { readonly kind: 'row' }

/** Makes batches of one input batches of the combined table. */
export class Placement {
  readonly columns: readonly PlacedColumn[]

  constructor(columns: readonly PlacedColumn[]) {
    this.columns = columns
  }

  /** Begins with the input's first row; batches and the rows rejected among them have to come in order. */
  begin(): (batch: RecordBatch, rejected: readonly RejectedRow[]) => RecordBatch {
    const numbers = new RowNumbers()
    return (batch, rejected) => {
      const rows = batch.numRows
      numbers.reject(rejected)
      const children = this.columns.map((column) => {
        switch (column.kind) {
          case 'own':
            return batch.data.children[column.index]
          case 'missing':
            return nullColumn(column.type, rows)
          case 'text':
            return repeated(column.text, rows)
          case 'row':
            return rowColumn(numbers.next(rows))
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
  const valueOffsets = new Int32Array(rows + 1)
  for (let row = 0; row < rows; row++) {
    data.set(bytes, row * bytes.length)
    valueOffsets[row + 1] = (row + 1) * bytes.length
  }
  return makeData({ type: new Utf8(), length: rows, nullCount: 0, valueOffsets, data })
}

/** Numbers the rows that fitted by their place among all. */
export class RowNumbers {
  private at = 1
  private readonly rejected = new Set<number>()

  /** Rows that aren't among the batches; told no later than the rows behind them come. */
  reject(rows: readonly RejectedRow[]): void {
    for (const { row } of rows) this.rejected.add(row)
  }

  /** Of so many rows that fitted. */
  next(rows: number): Float64Array {
    const data = new Float64Array(rows)
    for (let i = 0; i < rows; i++) {
      while (this.rejected.delete(this.at)) this.at++
      data[i] = this.at++
    }
    return data
  }
}

function rowColumn(numbers: Float64Array): Data {
  const data = BigInt64Array.from(numbers, BigInt)
  return makeData({ type: new Int64(), length: data.length, nullCount: 0, data })
}
