import { amountOf, Sum, totalsIn } from '../../layout/ends.ts'
import type { CellText } from './cell-text.ts'
import { readDouble } from './numbers.ts'
import { NUMBER, SHARED, STRING, type Row } from './row.ts'

const MARKS = ['.', ','] as const

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

/** The sums of columns where texts have one decimal mark. */
class MarkedCheck {
  private readonly sums = new Map<number, Sum>()
  private readonly cells: CellText
  private readonly mark: (typeof MARKS)[number]

  constructor(cells: CellText, mark: (typeof MARKS)[number]) {
    this.cells = cells
    this.mark = mark
  }

  add(row: Row): void {
    this.eachNumber(row, (column, value) => {
      let sum = this.sums.get(column)
      if (!sum) this.sums.set(column, (sum = new Sum()))
      sum.add(value)
    })
  }

  totalsIn(row: Row): number {
    const pairs: [number, number][] = []
    this.eachNumber(row, (column, value) => pairs.push([this.sums.get(column)?.value ?? 0, value]))
    return totalsIn(
      pairs,
      [...this.sums.values()].map(({ value }) => value),
    )
  }

  private eachNumber(row: Row, take: (column: number, value: number) => void): void {
    for (let slot = 0; slot < row.count; slot++) {
      const value = this.numberIn(row, slot)
      if (!Number.isNaN(value)) take(row.column[slot], value)
    }
  }

  private numberIn(row: Row, slot: number): number {
    const kind = row.kind[slot]
    if (kind === NUMBER) return readDouble(row.text.bytes, row.start[slot], row.end[slot])
    return kind === SHARED || kind === STRING ? amountOf(this.cells.rawString(row, slot), this.mark) : Number.NaN
  }
}
