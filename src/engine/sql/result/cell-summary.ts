import { isNumeric } from '../../../tables/types.ts'
import { printDecimal } from '../../arrow/write/digits.ts'
import type { ResultSet } from '../session-types.ts'
import type { CellSummary, CopySelection } from './types.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/** Digits of a double that are surely its own. */
const DIGITS = 15
/** Cells between two pauses. */
const STEP = 4096

/**
 * What cells add up to: integers and decimals with all their digits, others as doubles.
 * @throws the signal's reason
 */
export async function summarizeCells(set: ResultSet, cells: CopySelection, signal: AbortSignal): Promise<CellSummary> {
  const sum = new Sum()
  let [values, nulls] = [0, 0]
  const types = cells.columns.map((column) => set.columns[column].type)
  const step = Math.max(1, Math.floor(STEP / cells.columns.length))
  for (let row = cells.rows.from; row < cells.rows.to; row++) {
    if ((row - cells.rows.from) % step === 0) await checkpoint(signal)
    cells.columns.forEach((column, i) => {
      const text = set.text(row, column)
      if (text === null) nulls++
      else {
        values++
        if (isNumeric(types[i])) sum.add(text, /^(FLOAT|DOUBLE)$/.test(types[i]))
      }
    })
  }
  return { values, nulls, numbers: sum.count, ...sum.result() }
}

/** Adds numbers by their texts. */
class Sum {
  count = 0
  private double = 0
  private isExact = true
  /** By how many digits stand after the point. */
  private readonly exact = new Map<number, bigint>()

  add(text: string, isDouble: boolean): void {
    this.count++
    if (isDouble) {
      this.isExact = false
      this.double += Number(text)
      return
    }
    const scale = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
    this.exact.set(scale, (this.exact.get(scale) ?? 0n) + BigInt(text.replace('.', '')))
  }

  result(): Pick<CellSummary, 'sum' | 'mean'> {
    if (this.count === 0) return { sum: null, mean: null }
    const scale = Math.max(0, ...this.exact.keys())
    let total = 0n
    for (const [own, part] of this.exact) total += part * 10n ** BigInt(scale - own)
    const text = printDecimal(total, scale)
    const double = Number(text) + this.double
    return { sum: this.isExact ? text : String(Number(double.toPrecision(DIGITS))), mean: double / this.count }
  }
}
