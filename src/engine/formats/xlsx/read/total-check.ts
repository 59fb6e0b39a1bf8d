import { Sum, totalsIn } from '../../layout/totals.ts'
import { readDouble } from './numbers.ts'
import { NUMBER, type Row } from './row.ts'

/** Whether a table's last row has the sums of its columns. */
export class TotalCheck {
  private readonly sums = new Map<number, Sum>()
  private last: Row | null = null

  take(row: Row): void {
    if (this.last) this.add(this.last)
    this.last = row.copy()
  }

  /** How many columns have their sum in the last row; 0 where it's no total. */
  get columns(): number {
    const pairs: [number, number][] = []
    if (this.last) {
      eachNumber(this.last, (column, value) => pairs.push([this.sums.get(column)?.value ?? 0, value]))
    }
    return totalsIn(
      pairs,
      [...this.sums.values()].map(({ value }) => value),
    )
  }

  private add(row: Row): void {
    eachNumber(row, (column, value) => {
      let sum = this.sums.get(column)
      if (!sum) this.sums.set(column, (sum = new Sum()))
      sum.add(value)
    })
  }
}

function eachNumber(row: Row, take: (column: number, value: number) => void): void {
  for (let slot = 0; slot < row.count; slot++) {
    if (row.kind[slot] === NUMBER) take(row.column[slot], readDouble(row.text.bytes, row.start[slot], row.end[slot]))
  }
}
