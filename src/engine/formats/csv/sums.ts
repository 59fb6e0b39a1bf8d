import type { CellMemory } from '../../kernel/cell-memory.ts'
import type { CsvRows } from './rows.ts'

/**
 * Text checksums: for each column, the sum modulo 2^64 of hashes of its cells' text as in the file, over all rows that
 * aren't rejected for their form. Quoted cells hash differently from unquoted ones, and nulls by their text. The order
 * of rows doesn't matter. If two readings of a file give different sums, they read different cells.
 */
export class RowSums {
  /** Memory in which the kernel sums the rows added here. */
  private cells: CellMemory | null = null
  private width = 0
  /** Sums of rows read elsewhere. */
  private others: BigUint64Array | undefined
  /** Whether the rows contain a NUL. */
  nulBytes = false

  /** Adds the rows of a batch. */
  add({ tokenizer, first, count, width }: CsvRows): void {
    if (count === 0) return
    const { cells, records } = tokenizer
    if (this.cells === null) cells.beginSums(width)
    this.cells = cells
    this.width = width
    cells.setRows(first.subarray(0, count))
    const { exports } = cells.kernel
    exports.sumCells(count, width, cells.sumsAt)
    if (this.nulBytes || records === 0) return
    const [from, to] = [cells.recordStarts[0], cells.recordEnds[records - 1]]
    this.nulBytes = exports.hasNul(cells.text + from, cells.text + to) !== 0
  }

  /** One sum per column; undefined if there are no rows. */
  get found(): BigUint64Array | undefined {
    const { others } = this
    // The memory may have had more columns in an earlier reading.
    const own = this.cells?.sums.subarray(0, this.width)
    return own && others ? own.map((sum, column) => sum + others[column]) : (own?.slice() ?? others)
  }

  /** Adds the sums of rows read elsewhere. */
  merge(found: BigUint64Array | undefined): void {
    if (found) this.others = found
  }
}
