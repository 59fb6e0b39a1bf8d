import type { PlanNode } from '../gate/authorize.ts'
import type { Statement } from '../statement.ts'

/** What takes a row and gives rows for it alone, in order: a part of a table after the other gives what the whole gives. */
const BY_ROW: ReadonlySet<string> = new Set(['PROJECTION', 'FILTER', 'UNNEST'])

/** How a statement can be answered from a table's rows as they come. */
export interface Flow {
  /** Rows that are enough; null: all of them. */
  readonly limit: number | null
  /** Whether each of the table's rows gives one. */
  readonly plain: boolean
}

/** A table whose rows are read as they come, for one statement. */
export interface Flowing {
  readonly table: string
  readonly columns: ReadonlySet<number>
  /** Of the file only these parts; null: all. */
  readonly parts: ReadonlySet<number> | null
  /** Whether the statement needs them all at once. */
  readonly together: boolean
}

/** A plan before and after it was optimized. */
export interface Plans {
  readonly bound: readonly PlanNode[]
  readonly optimized: readonly PlanNode[]
}

/** How a statement can be answered part by part; null when it needs the table as a whole. */
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
  // Those of a view aren't among the statement's words.
  if (limit === undefined || limits !== wanted || limitsIn(bound) !== wanted) return null
  return { limit, plain }
}

function limitsIn(nodes: readonly PlanNode[]): number {
  return nodes.reduce((sum, { name, children }) => sum + (name.trim() === 'LIMIT' ? 1 : 0) + limitsIn(children), 0)
}

/** The number that a statement ends with after its only LIMIT; null when it has none, undefined when it has another. */
function limitOf(tokens: Statement['tokens']): number | null | undefined {
  const words = tokens.map(({ text }) => text.toLowerCase())
  const uses = words.filter((word) => word === 'limit' || word === 'offset' || word === 'fetch' || word === 'sample')
  if (uses.length === 0) return null
  const last = tokens.at(-1)
  if (uses.length > 1 || words.at(-2) !== 'limit' || last?.kind !== 'number' || !/^\d{1,9}$/.test(last.text)) return
  return Number(last.text)
}
