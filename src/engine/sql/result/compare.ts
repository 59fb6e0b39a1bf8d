import type { ResultSet } from '../session-types.ts'
import { eachRow } from './each-row.ts'
import type { RowComparison } from './types.ts'

/**
 * Compares the rows of two results whose columns are the same, as multisets: of equal rows, so many match as both have.
 * @throws the signal's reason
 */
export async function compareRows(one: ResultSet, other: ResultSet, signal: AbortSignal): Promise<RowComparison> {
  const unmatched = new Map<string, number[]>()
  let sameOrder = one.rowCount === other.rowCount
  const keys: string[] = []
  await eachRow(other, signal, (row) => {
    const key = keyOf(other, row)
    keys.push(key)
    const rows = unmatched.get(key)
    if (rows) rows.push(row)
    else unmatched.set(key, [row])
  })
  // The first of equal rows are matched first.
  for (const rows of unmatched.values()) rows.reverse()
  const onlyInOne: number[] = []
  await eachRow(one, signal, (row) => {
    const key = keyOf(one, row)
    if (keys[row] !== key) sameOrder = false
    if (unmatched.get(key)?.pop() === undefined) onlyInOne.push(row)
  })
  const onlyInOther = [...unmatched.values()].flat().sort((a, b) => a - b)
  return { onlyInOne, onlyInOther, sameOrder }
}

const keyOf = (set: ResultSet, row: number): string =>
  JSON.stringify(set.columns.map((_, column) => set.text(row, column)))
