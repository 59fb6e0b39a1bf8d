import * as layout from '../../kernel/assembly/layout.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'
import type { ColumnInference } from '../infer/column-inference.ts'
import * as kinds from '../infer/kinds.ts'

const TYPES: ReadonlyMap<number, number> = new Map([
  [kinds.TEXT, layout.TEXT],
  [kinds.INTEGER, layout.INT64],
  [kinds.DECIMAL, layout.DECIMAL],
  [kinds.BOOLEAN, layout.BOOLEAN],
  [kinds.DATE, layout.DATE],
  [kinds.TIMESTAMP, layout.TIMESTAMP],
])

/**
 * Has the kernel skip cells that are like the last value, and counts them.
 * @param column column of the cells; the rows' first cells must be set
 * @returns the row after the skipped ones
 */
export function skipAlike(
  inference: ColumnInference,
  cells: CellMemory,
  column: number,
  from: number,
  to: number,
): number {
  const { countedKind } = inference
  const type = TYPES.get(countedKind)
  if (type === undefined) return from
  const { exports, words } = cells.kernel
  const after = exports.skipCells(type, column, from, to, inference.leastScale, inference.hasNonCanonical(countedKind))
  if (after === from) return from
  const passed = exports.skippedAt()
  const word = (at: number): number => words[(passed + at) >> 2]
  inference.count(after - from, {
    digits: word(layout.SKIPPED_DIGITS),
    bits: word(layout.SKIPPED_BITS),
    negative: word(layout.SKIPPED_NEGATIVE) !== 0,
    scale: word(layout.SKIPPED_SCALE),
    atScale: countedKind === kinds.INTEGER ? after - from : word(layout.SKIPPED_AT_SCALE),
    lengths: word(layout.SKIPPED_LENGTHS),
    ungroupable: word(layout.SKIPPED_UNGROUPABLE),
    zeros: word(layout.SKIPPED_ZEROS),
  })
  return after
}
