import { amountOf, isUnnamed, MARKS, TotalSums, type Mark } from '../../layout/ends.ts'
import { LABEL_CELLS, mostOf, SubtotalCheck, type Subtotals } from '../../layout/subtotals.ts'
import type { CellText } from './text/cell-text.ts'
import { readDouble } from './text/numbers.ts'
import { NUMBER, SHARED, STRING, type Row } from './row.ts'

/** Checks whether a table's last row has the sums of its columns, of numbers or of amounts typed as text. */
export class TotalCheck {
  private readonly sums = new TotalSums()
  private last: Row | null = null
  private readonly cells: CellText

  constructor(cells: CellText) {
    this.cells = cells
  }

  take(row: Row): void {
    const { last, cells } = this
    if (last) this.sums.add((mark) => numbersIn(last, cells, mark))
    this.last = row.copy()
  }

  /**
   * Number of columns whose sum is in the last row; 0 if it's no total.
   * @param isNamed whether it's labeled as a total
   */
  columns(isNamed: boolean): number {
    const { last, cells } = this
    if (!last || (!isNamed && !isUnnamed(['', ...textsIn(last, cells)]))) return 0
    return this.sums.columns((mark) => numbersIn(last, cells, mark), isNamed)
  }
}

/** Finds rows within a table that are labeled as totals, by row number. */
export class SubtotalRows {
  private readonly checks: readonly { readonly mark: Mark; readonly check: SubtotalCheck }[]
  private readonly cells: CellText

  private readonly width: number

  /** @param width number of columns in the table */
  constructor(cells: CellText, width: number) {
    this.cells = cells
    this.width = width
    this.checks = MARKS.map((mark) => ({ mark, check: new SubtotalCheck() }))
  }

  take(row: Row): void {
    const texts = firstTexts(row, this.cells)
    for (const { mark, check } of this.checks)
      check.take(row.number, texts, [...numbersIn(row, this.cells, mark)], row.count < this.width)
  }

  get found(): Subtotals {
    return mostOf(this.checks.map(({ check }) => check))
  }
}

/** A row's first cells as text. */
export const firstTexts = (row: Row, cells: CellText): string[] =>
  Array.from({ length: Math.min(LABEL_CELLS, row.count) }, (_, slot) => cells.rawString(row, slot))

/** The text cells of a row. */
const textsIn = (row: Row, cells: CellText): string[] =>
  Array.from({ length: row.count }, (_, slot) => slot)
    .filter((slot) => row.kind[slot] === SHARED || row.kind[slot] === STRING)
    .map((slot) => cells.rawString(row, slot))

/** A row's numbers by column, including amounts typed as text. */
function* numbersIn(row: Row, cells: CellText, mark: Mark): Generator<readonly [column: number, value: number]> {
  for (let slot = 0; slot < row.count; slot++) {
    const value = numberIn(row, slot, cells, mark)
    if (!Number.isNaN(value)) yield [row.column[slot], value]
  }
}

function numberIn(row: Row, slot: number, cells: CellText, mark: Mark): number {
  const kind = row.kind[slot]
  if (kind === NUMBER) return readDouble(row.text.bytes, row.start[slot], row.end[slot])
  return kind === SHARED || kind === STRING ? amountOf(cells.rawString(row, slot), mark) : Number.NaN
}
