import { amountOf, Sum, totalsIn } from '../../layout/ends.ts'
import { LABEL_CELLS, mostOf, SubtotalCheck, type Subtotals } from '../../layout/subtotals.ts'
import type { CellText } from './cell-text.ts'
import { readDouble } from './numbers.ts'
import { NUMBER, SHARED, STRING, type Row } from './row.ts'

const MARKS = ['.', ','] as const
type Mark = (typeof MARKS)[number]

/** Whether a table's last row has the sums of its columns, be they numbers or amounts that were typed as text. */
export class TotalCheck {
  private readonly checks: readonly MarkedCheck[]
  private last: Row | null = null

  constructor(cells: CellText) {
    this.checks = MARKS.map((mark) => new MarkedCheck(cells, mark))
  }

  take(row: Row): void {
    if (this.last) for (const check of this.checks) check.add(this.last)
    this.last = row.copy()
  }

  /** How many columns have their sum in the last row; 0 where it's no total. */
  get columns(): number {
    const { last } = this
    return last ? Math.max(...this.checks.map((check) => check.totalsIn(last))) : 0
  }
}

/** Which rows among a table's others call themselves totals, each by its number. */
export class SubtotalRows {
  private readonly checks: readonly { readonly mark: Mark; readonly check: SubtotalCheck }[]
  private readonly cells: CellText

  private readonly width: number

  /** @param width how many columns the table has */
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

/** The sums of columns where texts have one decimal mark. */
class MarkedCheck {
  private readonly sums = new Map<number, Sum>()
  private readonly cells: CellText
  private readonly mark: Mark

  constructor(cells: CellText, mark: Mark) {
    this.cells = cells
    this.mark = mark
  }

  add(row: Row): void {
    for (const [column, value] of numbersIn(row, this.cells, this.mark)) {
      let sum = this.sums.get(column)
      if (!sum) this.sums.set(column, (sum = new Sum()))
      sum.add(value)
    }
  }

  totalsIn(row: Row): number {
    const pairs = [...numbersIn(row, this.cells, this.mark)].map(
      ([column, value]) => [this.sums.get(column)?.value ?? 0, value] as const,
    )
    return totalsIn(
      pairs,
      [...this.sums.values()].map(({ value }) => value),
    )
  }
}

/** A row's numbers by their columns, and amounts that were typed as text. */
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
