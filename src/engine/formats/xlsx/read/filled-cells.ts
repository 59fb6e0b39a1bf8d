import type { ReadColumn } from '../../../columns/column-builder.ts'
import { LabelsAbove } from '../../../columns/labels-above.ts'

/** Texts of blank cells of a row, by the index of the column that is read. */
export type FilledValues = ReadonlyMap<number, Uint8Array>

/** A cell's text within other bytes. */
interface CellBytes {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

/** Tells what blank cells have above them, also in rows that are rejected. */
export class FilledCells {
  private readonly labels: LabelsAbove<Uint8Array>
  /** The columns that are filled, from left to right: their indexes among those that are read. */
  private readonly places: readonly number[]
  private readonly columns: readonly ReadColumn[]
  private readonly counts: number[]
  private current = new Map<number, Uint8Array>()

  constructor(columns: readonly ReadColumn[]) {
    this.columns = columns
    this.labels = new LabelsAbove(columns)
    this.places = this.labels.columns.map((index) => columns.findIndex((column) => column.index === index))
    this.counts = columns.map(() => 0)
  }

  /**
   * The values for a row's blank cells.
   * @param hasValues whether the row has any cells; else it stays blank
   * @param read reads a column's cell; false if there is none
   */
  fill(hasValues: boolean, read: (place: number) => CellBytes | false): FilledValues {
    const { labels, places } = this
    const filled = new Map<number, Uint8Array>()
    for (const [i, index] of hasValues ? labels.columns.entries() : []) {
      const own = read(places[i])
      if (own && own.end > own.start) {
        labels.set(index, own.bytes.slice(own.start, own.end))
        continue
      }
      const above = labels.above(index)
      if (!above) continue
      for (const [place, column] of this.columns.entries()) if (column.index === index) filled.set(place, above)
    }
    this.current = filled
    return filled
  }

  /** Counts what was filled in the last row, which was accepted. */
  keep(): void {
    for (const place of this.current.keys()) this.counts[place]++
  }

  /** The numbers of filled cells since the last call. */
  take(): readonly number[] {
    return this.counts.splice(0, this.counts.length, ...this.columns.map(() => 0))
  }
}
