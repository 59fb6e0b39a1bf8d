import * as layout from '../../kernel/assembly/layout.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'
import type { ColumnInference } from '../infer/column-inference.ts'
import * as kinds from '../infer/kinds.ts'

/** The kernel's type of values of a kind. */
const TYPES: ReadonlyMap<number, number> = new Map([
  [kinds.TEXT, layout.TEXT],
  [kinds.INTEGER, layout.INT64],
  [kinds.DECIMAL, layout.DECIMAL],
  [kinds.BOOLEAN, layout.BOOLEAN],
  [kinds.DATE, layout.DATE],
  [kinds.TIMESTAMP, layout.TIMESTAMP],
])

/**
 * Has the kernel pass over cells that are like the last value, and of which an inference only counts how many there are.
 * @param column of the cells' rows, whose first cells are set
 * @returns the row after them
 */
export function passAlike(
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
  const after = exports.passCells(type, column, from, to, inference.leastScale, inference.hasNonCanonical(countedKind))
  if (after === from) return from
  const passed = exports.passedAt()
  const word = (at: number): number => words[(passed + at) >> 2]
  inference.count(after - from, {
    digits: word(layout.PASSED_DIGITS),
    bits: word(layout.PASSED_BITS),
    negative: word(layout.PASSED_NEGATIVE) !== 0,
    scale: word(layout.PASSED_SCALE),
    atScale: countedKind === kinds.INTEGER ? after - from : word(layout.PASSED_AT_SCALE),
    ungroupable: word(layout.PASSED_UNGROUPABLE),
    zeros: word(layout.PASSED_ZEROS),
  })
  return after
}
