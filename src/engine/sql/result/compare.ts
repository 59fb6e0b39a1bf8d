import { checkpoint } from '../../../lib/abort.ts'
import type { ResultSet } from '../session-types.ts'
import type { RowComparison } from './types.ts'

/** Milliseconds of work between two pauses. */
const SLICE = 8

/**
 * Compares the rows of two results whose columns are the same, as multisets: of equal rows, so many match as both have.
 * @throws the signal's reason
 */
export async function compareRows(one: ResultSet, other: ResultSet, signal: AbortSignal): Promise<RowComparison> {
  const unmatched = new Map<string, number[]>()
  let sameOrder = one.rowCount === other.rowCount
  const keys: string[] = []
  await eachRow(other, signal, (key, row) => {
    keys.push(key)
    const rows = unmatched.get(key)
    if (rows) rows.push(row)
    else unmatched.set(key, [row])
  })
  // The first of equal rows are matched first.
  for (const rows of unmatched.values()) rows.reverse()
  const onlyInOne: number[] = []
  await eachRow(one, signal, (key, row) => {
    if (keys[row] !== key) sameOrder = false
    if (unmatched.get(key)?.pop() === undefined) onlyInOne.push(row)
  })
  const onlyInOther = [...unmatched.values()].flat().sort((a, b) => a - b)
  return { onlyInOne, onlyInOther, sameOrder }
}

async function eachRow(set: ResultSet, signal: AbortSignal, take: (key: string, row: number) => void): Promise<void> {
  let started = performance.now()
  for (let row = 0; row < set.rowCount; row++) {
    if (performance.now() - started > SLICE) {
      await checkpoint(signal)
      started = performance.now()
    }
    take(JSON.stringify(set.columns.map((_, column) => set.text(row, column))), row)
  }
  signal.throwIfAborted()
}
