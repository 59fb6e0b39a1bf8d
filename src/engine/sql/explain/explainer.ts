import { EngineError } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import type { PlanNode } from '../gate/authorize.ts'
import { offsetOf, type Binder } from '../binder.ts'
import { textRows } from '../text-rows.ts'
import type { Catalog } from '../catalog.ts'
import {
  EXPLAIN_COLUMNS,
  noFormat,
  PHYSICAL,
  planLines,
  planText,
  planTree,
  withNames,
  type Explained,
} from './explain.ts'
import type { Written } from '../problems/problems.ts'
import type { PlanOperator } from '../session-types.ts'
import type { TextRows } from './show.ts'
import type { Statement } from '../statement.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/** What files are called that the person never named. */
const HIDDEN = /\b[ft]_[0-9a-f]{16,}/

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
  async explained({ statement, format, analyze }: Explained, written: Written, signal: AbortSignal): Promise<TextRows> {
    const row = (stage: string, plan: string): TextRows => ({ columns: EXPLAIN_COLUMNS, rows: [[stage, plan]] })
    if (analyze) {
      const tree = await this.tree(statement, true, written, signal)
      return row('analyzed_plan', planLines(tree).join('\n'))
    }
    const ask = async (as: string): Promise<string> =>
      (await this.plans(`EXPLAIN (FORMAT ${as})\n`, statement, written, signal)).get(PHYSICAL) ?? '[]'
    const json = await ask('json')
    const plan = JSON.parse(this.renamed(json)) as PlanNode[]
    const named = plan.map((node) => withNames(node, this.catalog.shown))
    if (format === 'json') return row(PHYSICAL, JSON.stringify(named, null, 4))
    // The engine draws plans with its own names for files and their columns.
    if (!HIDDEN.test(json) && JSON.stringify(named) === JSON.stringify(JSON.parse(json)))
      return row(PHYSICAL, await ask(format))
    if (format === 'text') return row(PHYSICAL, planText(named))
    throw noFormat(`The plan of a statement that reads files can’t be written as ${format.toUpperCase()}.`)
  }

  async tree(part: Statement, analyze: boolean, written: Written, signal: AbortSignal): Promise<PlanOperator> {
    const prefix = analyze ? 'EXPLAIN (ANALYZE, FORMAT JSON)\n' : 'EXPLAIN (FORMAT JSON)\n'
    const plans = await this.plans(prefix, part, written, signal)
    const json = plans.get('analyzed_plan') ?? plans.get(PHYSICAL)
    const tree = json === undefined ? null : planTree(this.renamed(json), this.catalog.shown)
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
      return new Map(batches.flatMap(textRows).map(([stage, plan]) => [stage, plan]))
    } catch (error) {
      signal.throwIfAborted()
      throw this.binder.failure(error, written, prefix.length - offsetOf(part, written.statement))
    }
  }
}
