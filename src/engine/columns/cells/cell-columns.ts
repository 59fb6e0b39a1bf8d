import type { Data } from 'apache-arrow'
import type { ReadColumn } from '../read-column.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'
import { isReadable, ReadColumns } from './read-columns.ts'

/** Cells that are read one column after another: few enough for the processor’s nearest cache. */
const CHUNK = 4096
/** A column that has odd values in batch after batch is tried again after so many at most. */
const LONGEST_PAUSE = 64

/** A column that the kernel may read. */
interface Known {
  /** Among all columns. */
  readonly at: number
  /** Of its field. */
  readonly index: number
  /** Batches that it's left to others from now on, and for how many next time. */
  left: number
  pause: number
}

/** Reads rows of cells into columns, as fast as it goes: each as long as all of its values are plainly of its type. */
export class CellColumns {
  private readonly cells: CellMemory
  private readonly count: number
  private readonly known: readonly Known[]
  private readonly columns: ReadColumns

  constructor(columns: readonly ReadColumn[], cells: CellMemory) {
    this.cells = cells
    this.count = columns.length
    this.known = columns.flatMap((column, at) =>
      column.index >= 0 && isReadable(column) ? [{ at, index: column.index, left: 0, pause: 1 }] : [],
    )
    this.columns = new ReadColumns(
      this.known.map(({ at }) => columns[at]),
      cells.kernel,
    )
  }

  /**
   * Reads rows.
   * @param first of each row its first cell
   * @returns of each column its values; null for one that is left to others this time
   */
  read(first: Int32Array): (Data | null)[] {
    const { cells, columns, known } = this
    const rows = first.length
    const found: (Data | null)[] = Array.from({ length: this.count }, () => null)
    if (rows === 0 || known.length === 0) return found
    cells.setRows(first)
    const { kernel } = cells
    const { exports } = kernel
    const begin = columns.describe(kernel, cells.free)
    const free = columns.placeRows(begin, rows)
    const end = columns.placeTexts(free, (i) => exports.cellsSize(known[i].index, rows) >>> 0)
    const reading = known.map((column, i) => ({ column, i })).filter(({ column }) => --column.left < 0)
    const odd = new Set<Known>()
    for (const { i } of reading) exports.beginCells(columns.at(i), rows)
    const step = Math.max(16, Math.floor(CHUNK / known.length))
    for (let from = 0; from < rows; from += step) {
      const to = Math.min(rows, from + step)
      for (const { column, i } of reading) {
        if (!odd.has(column) && exports.readCells(columns.at(i), column.index, from, to) < to) odd.add(column)
      }
    }
    // One copy of all of them is faster than many.
    const buffer = kernel.bytes.buffer.slice(begin, end)
    for (const { column, i } of reading) {
      if (odd.has(column)) {
        column.left = column.pause
        column.pause = Math.min(LONGEST_PAUSE, column.pause * 2)
      } else {
        column.left = 0
        column.pause = 1
        found[column.at] = columns.data(i, rows, (at) => ({ buffer, at: at - begin }))
      }
    }
    cells.refresh()
    return found
  }
}
