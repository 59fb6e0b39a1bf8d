import type { CellMemory } from '../../kernel/cell-memory.ts'
import type { CsvRows } from './rows.ts'

/**
 * For each column a sum of hashes of its cells' text, modulo 2^64, as it stands in the file: quoted cells apart from
 * others, whatever is a null; of all rows that aren't rejected for their form. It's the same for the same cells in any
 * order, and another for almost any others: what one reading of a file comes to, another has to come upon.
 */
export class RowSums {
  /** Of the rows here: they are summed in their memory. */
  private cells: CellMemory | null = null
  private width = 0
  /** Of other rows. */
  private others: BigUint64Array | undefined
  /** Whether there is a NUL in the rows. */
  nulBytes = false

  /** Takes in the rows of a batch. */
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

  /** One for each column; undefined where there are no rows. */
  get found(): BigUint64Array | undefined {
    const { others } = this
    // The memory may have had more columns in an earlier reading.
    const own = this.cells?.sums.subarray(0, this.width)
    return own && others ? own.map((sum, column) => sum + others[column]) : (own?.slice() ?? others)
  }

  /** Takes in what was found of other rows. */
  merge(found: BigUint64Array | undefined): void {
    if (found) this.others = found
  }
}
