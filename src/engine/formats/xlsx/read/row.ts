import { ByteWriter, grown } from '../../../../lib/bytes.ts'
import type { TextSums } from '../../../kernel/text-sums.ts'
import type { SharedStrings } from './strings.ts'

/* Kinds of cells. Empty cells aren't kept. */
export const NUMBER = 0
/** `start` is the index of a shared string. */
export const SHARED = 1
export const STRING = 2
/** Text `1` or `0`. */
export const BOOLEAN = 3
/** `#N/A` and the like. */
export const ERROR = 4
/** ISO 8601, as in strict workbooks. */
export const ISO = 5
/** A formula without a stored value. */
export const UNCALCULATED = 6

/** Excel's last column is XFD. */
export const MAX_COLUMNS = 16_384

/** One row's cells. The object is reused for every row. */
export class Row {
  /** Excel's row number, from 1. */
  number = 0
  hidden = false
  /** Whether the row has nothing but its number: our writer's notation for a row of nulls. */
  bare = false
  count = 0
  /** For each cell: column from 0, kind, style, and its text's position in `text.bytes`. */
  column: Int32Array
  kind: Uint8Array
  style: Int32Array
  start: Int32Array
  end: Int32Array
  readonly text: ByteWriter

  constructor(cells = 64, bytes = 4096) {
    this.column = new Int32Array(cells)
    this.kind = new Uint8Array(cells)
    this.style = new Int32Array(cells)
    this.start = new Int32Array(cells)
    this.end = new Int32Array(cells)
    this.text = new ByteWriter(bytes)
  }

  clear(): void {
    this.count = 0
    this.text.clear()
  }

  copy(): Row {
    const row = new Row(0, this.text.length)
    row.number = this.number
    row.hidden = this.hidden
    row.bare = this.bare
    row.count = this.count
    row.column = this.column.slice(0, this.count)
    row.kind = this.kind.slice(0, this.count)
    row.style = this.style.slice(0, this.count)
    row.start = this.start.slice(0, this.count)
    row.end = this.end.slice(0, this.count)
    row.text.append(this.text.view())
    return row
  }

  /** @param start, end position of the text, or for `SHARED` its index */
  add(column: number, kind: number, style: number, start: number, end: number): void {
    if (this.count === this.column.length) this.grow()
    this.set(this.count++, column, kind, style, start, end)
  }

  /** Inserts a cell in column order. */
  insert(column: number, kind: number, style: number, start: number, end: number): void {
    this.add(column, kind, style, start, end)
    for (let slot = this.count - 1; slot > 0 && this.column[slot - 1] > column; slot--) {
      const before = slot - 1
      this.set(slot, this.column[before], this.kind[before], this.style[before], this.start[before], this.end[before])
      this.set(before, column, kind, style, start, end)
    }
  }

  set(slot: number, column: number, kind: number, style: number, start: number, end: number): void {
    this.column[slot] = column
    this.kind[slot] = kind
    this.style[slot] = style
    this.start[slot] = start
    this.end[slot] = end
  }

  private grow(): void {
    const size = Math.max(8, this.column.length * 2)
    this.kind = grown(this.kind, size)
    this.column = grown(this.column, size)
    this.style = grown(this.style, size)
    this.start = grown(this.start, size)
    this.end = grown(this.end, size)
  }
}

/** Number of first cells that may have a row's label, and bytes of their texts to keep. */
const HEAD_CELLS = 3
const HEAD_BYTES = 64

/** A cheap copy of the first cells of the last row. */
export class RowHead {
  readonly row = new Row(HEAD_CELLS, HEAD_BYTES * HEAD_CELLS)

  keep(from: Row): void {
    const { row } = this
    row.clear()
    row.number = from.number
    row.count = Math.min(HEAD_CELLS, from.count)
    for (let slot = 0; slot < row.count; slot++) {
      const kind = from.kind[slot]
      row.column[slot] = from.column[slot]
      row.kind[slot] = kind
      row.style[slot] = from.style[slot]
      row.start[slot] = from.start[slot]
      row.end[slot] = from.end[slot]
      if (kind === SHARED) continue
      const start = row.text.length
      row.text.append(from.text.bytes, from.start[slot], Math.min(from.end[slot], from.start[slot] + HEAD_BYTES))
      row.start[slot] = start
      row.end[slot] = row.text.length
    }
  }
}

/** Adds a row's cells to the text checksums of their columns: each cell's kind, and its stored text. */
export function sumCells(sums: TextSums, row: Row, strings: SharedStrings): void {
  const { bytes } = row.text
  for (let slot = 0; slot < row.count; slot++) {
    const kind = row.kind[slot]
    const start = row.start[slot]
    if (kind === SHARED)
      sums.addText(row.column[slot], strings.bytes, strings.offsets[start], strings.offsets[start + 1], kind)
    else sums.addText(row.column[slot], bytes, start, row.end[slot], kind)
  }
}
