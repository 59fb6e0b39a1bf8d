import { CellSums } from '../../kernel/cell-sums.ts'
import type { CsvRows } from './rows.ts'

const encoder = new TextEncoder()

/** Sums the cells of a file's rows, as they stand in it: of all that aren't rejected for their form. */
export class RowSums {
  private sums: CellSums | null = null

  /** Takes in the rows of a batch. */
  add(rows: CsvRows): void {
    const { tokenizer, first, count, made, width } = rows
    if (count === 0) return
    this.sums ??= new CellSums(width)
    const { bytes, starts, ends, kinds, records, recordStarts, recordEnds } = tokenizer
    const [from, to] = records === 0 ? [0, 0] : [recordStarts[0], recordEnds[records - 1]]
    const unescaped = (field: number): Uint8Array => encoder.encode(rows.text(field))
    this.sums.add({ bytes, from, to, starts, ends, kinds, fields: made, first, count, unescaped })
  }

  /** One for each column; undefined where there are no rows, null where some were too large to be looked at. */
  get found(): BigUint64Array | null | undefined {
    return this.sums?.found
  }

  /** Whether there is a NUL in the rows. */
  get nulBytes(): boolean {
    return this.sums?.nulBytes ?? false
  }

  /** Takes in what was found of other rows. */
  merge(found: BigUint64Array | null | undefined): void {
    if (found === undefined) return
    this.sums ??= new CellSums(found?.length ?? 0)
    this.sums.merge(found)
  }
}
