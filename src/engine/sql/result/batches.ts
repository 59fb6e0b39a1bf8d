import type { Data } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'
import { columnFromBuffers } from '../../arrow/buffers.ts'
import type { BatchBuffers, ColumnBuffers } from '../../arrow/buffer-types.ts'
import { makeCellValue, type CellValue } from './json-values.ts'

interface Opened {
  readonly data: Data
  value: CellValue | null
}

/** Columns of batches that are kept ready to be read: those in view, many times over. */
const KEPT = 4096

/**
 * The rows of a result as they came: the buffers themselves. What Arrow needs to read one is made for the columns of
 * batches that are looked at, and forgotten again.
 */
export class Batches {
  readonly types: readonly ColumnType[]
  rows = 0
  bytes = 0
  private batches: BatchBuffers[] = []
  /** First row of each. */
  private starts: number[] = []
  private readonly open = new Map<number, Opened>()
  private last = 0

  constructor(types: readonly ColumnType[]) {
    this.types = types
  }

  get count(): number {
    return this.batches.length
  }

  add(message: BatchBuffers): void {
    if (message.rows === 0) return
    this.batches.push(message)
    this.starts.push(this.rows)
    this.rows += message.rows
    for (const column of message.columns) this.bytes += bytesOf(column)
  }

  clear(): void {
    this.batches = []
    this.starts = []
    this.rows = 0
    this.bytes = 0
    this.last = 0
    this.open.clear()
  }

  /** The batch that a row is in. */
  find(row: number): number {
    const { starts, last } = this
    if (row >= starts[last] && (last + 1 === starts.length || row < starts[last + 1])) return last
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= row) low = middle
      else high = middle - 1
    }
    this.last = low
    return low
  }

  startOf(batch: number): number {
    return this.starts[batch]
  }

  rowsOf(batch: number): number {
    return this.batches[batch].rows
  }

  /** A column of a batch, made again: for those who pass over all of them once. */
  column(batch: number, column: number): Data {
    return columnFromBuffers(this.batches[batch].columns[column], this.types[column])
  }

  /** A column of a batch that will be read again. */
  ready(batch: number, column: number): Data {
    return this.opened(batch, column).data
  }

  value(batch: number, column: number): CellValue {
    const opened = this.opened(batch, column)
    opened.value ??= makeCellValue(this.types[column], opened.data)
    return opened.value
  }

  private opened(batch: number, column: number): Opened {
    const key = batch * this.types.length + column
    let opened = this.open.get(key)
    if (!opened) {
      if (this.open.size >= KEPT) this.open.clear()
      opened = { data: this.column(batch, column), value: null }
      this.open.set(key, opened)
    }
    return opened
  }
}

function bytesOf({ nulls, offsets, values, children }: ColumnBuffers): number {
  let bytes = (nulls?.byteLength ?? 0) + (offsets?.byteLength ?? 0) + (values?.byteLength ?? 0)
  for (const child of children) bytes += bytesOf(child)
  return bytes
}
