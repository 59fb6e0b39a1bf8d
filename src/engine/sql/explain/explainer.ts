import { checkpoint } from '../../../lib/abort.ts'
import { EngineError } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import type { PlanNode } from '../gate/authorize.ts'
import { offsetOf, type Binder } from '../binder.ts'
import { textRows } from '../text-rows.ts'
import type { Catalog } from '../catalog.ts'
import { EXPLAIN_COLUMNS, planLines, planTree, renderPlan, type Explained } from './explain.ts'
import type { Written } from '../problems/problems.ts'
import type { PlanOperator } from '../session-types.ts'
import type { TextRows } from './show.ts'
import type { Statement } from '../statement.ts'

/** What the engine plans for a statement, by the names that the person knows. */
export class Explainer {
  private readonly db: Database
  private readonly catalog: Catalog
  private readonly binder: Binder
  private readonly renamed: (plan: string) => string

  /** @param renamed a plan without names that are the engine's alone */
  constructor(db: Database, catalog: Catalog, binder: Binder, renamed: (plan: string) => string) {
    this.db = db
    this.catalog = catalog
    this.binder = binder
    this.renamed = renamed
  }

  /** What EXPLAIN gives as rows. */
  async explained({ statement, json, analyze }: Explained, written: Written, signal: AbortSignal): Promise<TextRows> {
    if (analyze) {
      const tree = await this.tree(statement, true, written, signal)
      return { columns: EXPLAIN_COLUMNS, rows: [['analyzed_plan', planLines(tree).join('\n')]] }
    }
    const plans = await this.plans('EXPLAIN (FORMAT JSON)\n', statement, written, signal)
    const stages = new Map(Array.from(plans, ([stage, plan]) => [stage, JSON.parse(plan) as PlanNode[]]))
    return renderPlan(stages, json, this.catalog.shown)
  }

  async tree(part: Statement, analyze: boolean, written: Written, signal: AbortSignal): Promise<PlanOperator> {
    const prefix = analyze ? 'EXPLAIN (ANALYZE, FORMAT JSON)\n' : 'EXPLAIN (FORMAT JSON)\n'
    const plans = await this.plans(prefix, part, written, signal)
    const json = plans.get('analyzed_plan') ?? plans.get('physical_plan')
    const tree = json === undefined ? null : planTree(json, this.catalog.shown)
    if (tree) return tree
    // What it finds out without running anything, such as a stored table's count, it doesn't measure.
    if (analyze && json !== undefined) return this.tree(part, false, written, signal)
    throw new EngineError('internal', 'The engine gave no plan.')
  }

  private async plans(
    prefix: string,
    part: Statement,
    written: Written,
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    try {
      const batches = await this.db.guest.queryInSlices(prefix + written.toEngine(part.text), () => checkpoint(signal))
      return new Map(batches.flatMap(textRows).map(([stage, plan]) => [stage, this.renamed(plan)]))
    } catch (error) {
      signal.throwIfAborted()
      throw this.binder.failure(error, written, prefix.length - offsetOf(part, written.statement))
    }
  }
}
