import { headerRowsFrom } from '../../layout/header-rows.ts'
import type { CellText } from './text/cell-text.ts'
import type { SampleCell, SampleRow } from '../../layout/cells.ts'
import { findHeader, SAMPLE_ROWS } from '../../layout/find-header.ts'
import type { Range } from '../../../../tables/range.ts'
import { clip, holds } from './range.ts'
import { MergedValues } from './merged-values.ts'
import { NUMBER, Row, SHARED, STRING } from './row.ts'
import type { TableSettings } from './settings.ts'

/** Limits for the sample, for sheets with thousands of columns, long texts or endless rows of nulls. */
const SAMPLE_CELLS = 100_000
const SAMPLE_BYTES = 16 * 1024 * 1024
const HELD_ROWS = 10_000

/** Receives a table's rows. Each row is valid only until the next one. */
export interface RowTarget {
  header(row: Row): void
  data(row: Row): void
  /** Called for a row above the header. */
  title?(row: Row): void
}

/**
 * Sorts a sheet's rows by their role in one of its tables. The first rows are held back until the header is known, and
 * the last ones if some are to be left out.
 */
export class TableRows {
  /** Null: the table has none. Known once a row has been passed on. */
  headerRow: number | null
  headerRows: number
  /** Number of rows that the settings leave out by number. */
  leftOut = 0
  /** Numbers of non-empty rows, and rows with cells, outside the range. */
  readonly outside = { above: 0, below: 0, beside: 0 }
  /** The last non-empty rows, as many as are left out, and the numbers of the null rows after each. */
  readonly last: Row[] = []
  /** The first rows, if the header was detected from them. */
  sample: readonly SampleRow[] = []
  private readonly nullsAfter: number[][] = []
  private held: Row[] | null
  private valued = 0
  private cellCount = 0
  private bytes = 0
  private readonly cells: CellText
  private readonly settings: TableSettings
  private readonly clips: boolean
  private readonly merged: MergedValues | null
  private readonly target: RowTarget

  constructor(cells: CellText, settings: TableSettings, target: RowTarget) {
    const { headerRow, headerRows = 1, range } = settings
    this.cells = cells
    this.settings = settings
    this.target = target
    this.headerRow = headerRow ?? null
    this.headerRows = headerRow === null ? 0 : headerRows
    this.held = headerRow === undefined ? [] : null
    this.merged = settings.merges.length === 0 ? null : new MergedValues(settings.merges)
    this.clips = range !== null && (range.left > 0 || range.right < Number.POSITIVE_INFINITY)
  }

  /** Number of cells filled with the value of a merged one above. */
  get repeated(): number {
    return this.merged?.count ?? 0
  }

  take(row: Row): void {
    const { range, leftOut } = this.settings
    this.merged?.note(row)
    if (range && !this.isWithin(row, range)) return
    if (leftOut.size > 0 && leftOut.has(row.number)) {
      this.leftOut++
      return
    }
    if (this.held) this.hold(row, this.held)
    else this.sort(row)
  }

  private isWithin(row: Row, range: Range): boolean {
    const { outside } = this
    const { around } = this.settings
    const isAbove = row.number < range.top
    if (isAbove || row.number > range.bottom) {
      if (around !== undefined && holds(row, around, null)) outside[isAbove ? 'above' : 'below']++
      return false
    }
    if (!this.clips || row.bare) return true
    if (around !== undefined && holds(row, around, range)) outside.beside++
    clip(row, range)
    return row.count > 0
  }

  private hold(row: Row, held: Row[]): void {
    held.push(row.copy())
    if (row.count > 0) this.valued++
    this.cellCount += row.count
    this.bytes += row.text.length
    const enough = this.valued >= SAMPLE_ROWS || held.length >= HELD_ROWS
    if (enough || this.cellCount >= SAMPLE_CELLS || this.bytes >= SAMPLE_BYTES) this.decide(held)
  }

  /** Decides with the rows so far; may be called twice. */
  finish(): void {
    if (this.held) this.decide(this.held)
  }

  private decide(held: readonly Row[]): void {
    this.held = null
    const rows = held.filter((row) => row.count > 0).map((row) => sampleRow(row, this.cells))
    this.sample = rows
    this.headerRow = findHeader(rows)
    this.headerRows = this.headerRow === null ? 0 : (this.settings.headerRows ?? headerRowsFrom(rows, this.headerRow))
    for (const row of held) this.sort(row)
  }

  private sort(row: Row): void {
    const { headerRow, headerRows, target } = this
    if (headerRow === null || row.number >= headerRow + headerRows) this.data(row)
    else if (row.number >= headerRow) target.header(row)
    else if (row.count > 0) target.title?.(row)
  }

  private data(found: Row): void {
    const { skipLast } = this.settings
    const row = this.merged?.fill(found) ?? found
    if (skipLast === 0) {
      this.target.data(row)
      return
    }
    if (row.count === 0) {
      const nulls = this.nullsAfter.at(-1)
      if (nulls) nulls.push(row.number)
      else this.target.data(row)
      return
    }
    this.last.push(row.copy())
    this.nullsAfter.push([])
    if (this.last.length <= skipLast) return
    const [first, nulls = []] = [this.last.shift(), this.nullsAfter.shift()]
    if (first) this.target.data(first)
    for (const number of nulls) this.target.data(rowOfNulls(number))
  }
}

function rowOfNulls(number: number): Row {
  const row = new Row(0, 0)
  row.number = number
  row.bare = true
  return row
}

export function sampleRow(row: Row, cellText: CellText): SampleRow {
  const cells: SampleCell[] = []
  for (let slot = 0; slot < row.count; slot++) {
    const kind = row.kind[slot]
    const text = cellText.rawString(row, slot)
    if (text === '') continue
    const isText = kind === SHARED || kind === STRING
    const isNumber = kind === NUMBER && cellText.formatOf(row, slot) === 0
    cells.push({ column: row.column[slot], kind: isText ? 'text' : isNumber ? 'number' : 'other', text })
  }
  return { number: row.number, cells }
}
