import type { ResultSet } from '../session-types.ts'
import { eachRow } from './each-row.ts'
import type { ColumnValues } from './types.ts'

/** Different values that are counted. */
const KEPT = 5000
/** Texts are cut at so many characters: longer ones aren't chosen from a list. */
const LONGEST = 200

/**
 * A column's different values with how often they are there, the most frequent first, then by their texts.
 * @throws the signal's reason
 */
export async function columnValues(set: ResultSet, column: number, signal: AbortSignal): Promise<ColumnValues> {
  const counts = new Map<string, number>()
  let exact = true
  await eachRow(set, signal, (row) => {
    const text = set.text(row, column, LONGEST + 1)
    if (text === null) return
    const known = counts.get(text)
    if (text.length > LONGEST || (known === undefined && counts.size >= KEPT)) exact = false
    else counts.set(text, (known ?? 0) + 1)
  })
  const order = new Intl.Collator('en', { numeric: true })
  const values = Array.from(counts, ([text, count]) => ({ text, count }))
  return { values: values.sort((a, b) => b.count - a.count || order.compare(a.text, b.text)), exact }
}
