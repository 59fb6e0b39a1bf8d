import { EngineError } from '../../../errors.ts'
import { type Range, rangeOf } from '../../../../tables/range.ts'
import type { Row } from './row.ts'

/**
 * Parses a range in spreadsheet notation.
 * @throws {EngineError} `invalid-plan`
 */
export function parseRange(text: string): Range {
  const range = rangeOf(text)
  if (range) return range
  throw new EngineError('invalid-plan', `“${text}” isn’t a range of cells.`, {
    remedy: 'Write it as spreadsheets do: A4:E64.',
  })
}

/** Removes cells outside a range from a row. */
export function clip(row: Row, { left, right }: Range): void {
  let count = 0
  for (let slot = 0; slot < row.count; slot++) {
    const column = row.column[slot]
    if (column < left || column > right) continue
    row.column[count] = column
    row.kind[count] = row.kind[slot]
    row.style[count] = row.style[slot]
    row.start[count] = row.start[slot]
    row.end[count] = row.end[slot]
    count++
  }
  row.count = count
}

/**
 * Whether a row has a cell in a range, or anywhere if it's null.
 * @param but columns to ignore
 */
export function holds(row: Row, range: Range | null, but: Range | null): boolean {
  if (range && (row.number < range.top || row.number > range.bottom)) return false
  for (let slot = 0; slot < row.count; slot++) {
    const column = row.column[slot]
    const isIn = range === null || (column >= range.left && column <= range.right)
    if (isIn && !(but && column >= but.left && column <= but.right)) return true
  }
  return false
}
