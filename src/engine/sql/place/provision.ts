import type { Database } from '../../storage/database.ts'
import type { PlanNode } from '../gate/authorize.ts'
import { textRows } from '../text-rows.ts'
import type { Written } from '../problems/problems.ts'
import type { Statement } from '../statement.ts'
import { flowOf, type Flow, type Flowing } from './flow.ts'
import { columnsNamed, type Columns } from './markers.ts'
import type { PlacedTables } from './placed-tables.ts'

/** What a statement needs from files that are queried in place. */
export interface Need {
  /** All columns that it needs, including loaded ones. */
  readonly columns: Columns
  /** How to answer it while its only table is being read; null if it needs whole columns. */
  readonly flow: (Flow & Flowing) | null
}

interface Explained {
  readonly text: string
  readonly stages: ReadonlyMap<string, string>
}

function nodesOf({ stages }: Explained, stage: string): PlanNode[] {
  return JSON.parse(stages.get(stage) ?? '[]') as PlanNode[]
}

function hasFilter(plan: readonly PlanNode[]): boolean {
  return plan.some(({ name, children }) => name.trim() === 'FILTER' || hasFilter(children))
}

/** Finds out what a statement needs from its plan. */
export class Provision {
  private readonly db: Database
  private readonly placed: PlacedTables
  private readonly inTransaction: () => boolean

  constructor(db: Database, placed: PlacedTables, inTransaction: () => boolean) {
    this.db = db
    this.placed = placed
    this.inTransaction = inTransaction
  }

  /**
   * What must be read before a statement can run; null if everything is loaded.
   * @throws the engine's error within a transaction, which the error has ended
   */
  of(part: Statement, written: Written): Need | null {
    const { placed, db } = this
    if (placed.isEmpty) return null
    placed.show(db.guest)
    const now = this.explain(part, written)
    if (!now || placed.missing(now.text).size === 0) return null
    // Plans show loaded columns without their markers, so bind over empty views.
    placed.show(db.guest, 'nothing')
    const alone = this.explain(part, written)
    placed.show(db.guest)
    return alone && { columns: columnsNamed(alone.text), flow: this.flow(alone, part, written) }
  }

  private flow(alone: Explained, part: Statement, written: Written): Need['flow'] {
    // A transaction must keep seeing the rows of a table that it has used.
    if (this.inTransaction()) return null
    const [only, ...others] = columnsNamed(alone.text)
    if (!only || others.length > 0) return null
    const [table, columns] = only
    const optimized = nodesOf(alone, 'logical_opt')
    const flow = flowOf({ bound: nodesOf(alone, 'logical_plan'), optimized }, part)
    const plan = (): PlanNode[] => {
      const explained = this.explain(part, written)
      return explained ? nodesOf(explained, 'logical_opt') : []
    }
    const parts = hasFilter(optimized) ? this.placed.partsFor(this.db.guest, table, plan) : null
    if (flow) return { ...flow, table, columns, parts, together: false }
    return parts && { limit: null, plain: false, table, columns, parts, together: true }
  }

  /** Null if the engine refuses the statement. Running it then gives the error. */
  private explain(part: Statement, written: Written): Explained | null {
    try {
      const rows = this.db.guest.query(`EXPLAIN (FORMAT JSON)\n${written.toEngine(part.text)}`).flatMap(textRows)
      const stages = new Map(rows.map(([stage, plan]) => [stage, plan]))
      const optimized = ['logical_opt', 'physical_plan'].map((stage) => stages.get(stage) ?? '')
      return { stages, text: optimized.join('\n') }
    } catch (error) {
      if (this.inTransaction()) throw error
      return null
    }
  }
}
