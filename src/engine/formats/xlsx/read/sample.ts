import type { CellText } from './cell-text.ts'
import { findHeader, SAMPLE_ROWS, type SampleCell, type SampleRow } from './header.ts'
import { NUMBER, type Row, SHARED, STRING } from './row.ts'

/** Of a sheet with thousands of columns, long texts or endless rows of nulls fewer rows are looked at. */
const SAMPLE_CELLS = 100_000
const SAMPLE_BYTES = 16 * 1024 * 1024
const HELD_ROWS = 10_000

/**
 * Holds back a sheet's first rows until it's known which of them is the header, then hands on these and all others.
 */
export class HeaderSampler {
  /** Null: the sheet has none. Known once a row was handed on. */
  headerRow: number | null
  private held: Row[] | null
  private valued = 0
  private cellCount = 0
  private bytes = 0
  private readonly cells: CellText
  private readonly onRow: (row: Row) => void

  /** @param given the header row if it's known; undefined if it's to be found */
  constructor(cells: CellText, given: number | null | undefined, onRow: (row: Row) => void) {
    this.cells = cells
    this.headerRow = given ?? null
    this.held = given === undefined ? [] : null
    this.onRow = onRow
  }

  take(row: Row): void {
    if (!this.held) {
      this.onRow(row)
      return
    }
    this.held.push(row.copy())
    if (row.count > 0) this.valued++
    this.cellCount += row.count
    this.bytes += row.text.length
    const enough = this.valued >= SAMPLE_ROWS || this.held.length >= HELD_ROWS
    if (enough || this.cellCount >= SAMPLE_CELLS || this.bytes >= SAMPLE_BYTES) this.finish()
  }

  /** Decides with what there is; safe to call twice. */
  finish(): void {
    const { held } = this
    if (!held) return
    this.held = null
    this.headerRow = findHeader(held.filter((row) => row.count > 0).map((row) => this.sampleRow(row)))
    for (const row of held) this.onRow(row)
  }

  private sampleRow(row: Row): SampleRow {
    const cells: SampleCell[] = []
    for (let slot = 0; slot < row.count; slot++) {
      const kind = row.kind[slot]
      const text = this.cells.rawString(row, slot)
      if (text === '') continue
      const isText = kind === SHARED || kind === STRING
      const isNumber = kind === NUMBER && this.cells.formatOf(row, slot) === 0
      cells.push({ column: row.column[slot], kind: isText ? 'text' : isNumber ? 'number' : 'other', text })
    }
    return { number: row.number, cells }
  }
}
