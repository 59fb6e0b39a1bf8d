import type { PlanNode } from '../gate/authorize.ts'
import type { Statement } from '../statement.ts'

/**
 * Operators that map each row by itself and keep the order: run over one part after another, they give the same result.
 */
const BY_ROW: ReadonlySet<string> = new Set(['PROJECTION', 'FILTER', 'UNNEST'])

/** How a statement can be answered while the table is being read. */
export interface Flow {
  /** Number of rows that suffice; null for all. */
  readonly limit: number | null
  /** Whether each row of the table gives exactly one. */
  readonly plain: boolean
}

/** A table that is read part by part for one statement. */
export interface Flowing {
  readonly table: string
  readonly columns: ReadonlySet<number>
  /** The parts of the file to read; null for all. */
  readonly parts: ReadonlySet<number> | null
  /** Whether the statement needs all rows at once. */
  readonly together: boolean
}

/** A plan before and after optimization. */
interface Plans {
  readonly bound: readonly PlanNode[]
  readonly optimized: readonly PlanNode[]
}

/** How a statement can be answered part by part; null if it needs the whole table at once. */
export function flowOf({ bound, optimized }: Plans, { tokens }: Statement): Flow | null {
  const [root, ...more] = optimized
  if (!root || more.length > 0) return null
  let [plain, limits] = [true, 0]
  let node = root
  for (;;) {
    const name = node.name.trim()
    const [child, ...others] = node.children
    if (others.length > 0) return null
    if (!child) break
    if (name === 'LIMIT') limits++
    else if (!BY_ROW.has(name)) return null
    plain &&= name !== 'FILTER' && name !== 'UNNEST'
    node = child
  }
  if (node.name.trim() !== 'RANGE') return null
  const limit = limitOf(tokens)
  const wanted = limit === null ? 0 : 1
  // A LIMIT inside a view isn't in the statement's text.
  if (limit === undefined || limits !== wanted || limitsIn(bound) !== wanted) return null
  return { limit, plain }
}

function limitsIn(nodes: readonly PlanNode[]): number {
  return nodes.reduce((sum, { name, children }) => sum + (name.trim() === 'LIMIT' ? 1 : 0) + limitsIn(children), 0)
}

/** The LIMIT that ends the statement: null if there is none, undefined if it isn't a plain number. */
function limitOf(tokens: Statement['tokens']): number | null | undefined {
  const words = tokens.map(({ text }) => text.toLowerCase())
  const uses = words.filter((word) => word === 'limit' || word === 'offset' || word === 'fetch' || word === 'sample')
  if (uses.length === 0) return null
  const last = tokens.at(-1)
  if (uses.length > 1 || words.at(-2) !== 'limit' || last?.kind !== 'number' || !/^\d{1,9}$/.test(last.text)) return
  return Number(last.text)
}
