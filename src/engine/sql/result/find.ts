import type { ResultSet } from '../session-types.ts'
import { eachRow } from './each-row.ts'
import type { FindOptions, FoundCells } from './types.ts'

/** Cells that are found; the rest isn't looked at. */
const MOST = 100_000
/** Rows and milliseconds between two reports. */
const ROWS = 1024
const PAUSE = 100

/**
 * Finds the cells whose text contains another, in either case, row by row.
 * @throws the signal's reason
 */
export async function findCells(
  set: ResultSet,
  text: string,
  columns: readonly number[],
  { signal, onFound, most = MOST }: FindOptions,
): Promise<FoundCells> {
  const wanted = text.toLowerCase()
  const places: number[] = []
  let told = performance.now()
  await eachRow(set, signal, (row) => {
    if (row % ROWS === 0 && performance.now() - told > PAUSE) {
      told = performance.now()
      onFound({ places: [...places], end: 'looking' })
    }
    for (const [i, column] of columns.entries())
      if (set.text(row, column)?.toLowerCase().includes(wanted)) places.push(row * columns.length + i)
    return places.length < most
  })
  return { places, end: places.length < most ? 'all' : 'more' }
}
