import type { PlanOperator } from '../../../../engine/client.ts'

/* What stands out in a plan: where the time goes, and where the optimizer guessed wrong. */

/** An operator in its place. */
export interface PlanNode {
  /** `0`, `0.1`, `0.1.0`: by place. */
  readonly id: string
  readonly operator: PlanOperator
  readonly depth: number
  /** Of the time of all operators, from 0 to 1; null when it wasn't run. */
  readonly share: number | null
  /** On the way from the end of the plan to where most of the time goes. */
  readonly slow: boolean
  /** The one that takes the most time. */
  readonly slowest: boolean
  readonly misestimate: Misestimate | null
  readonly children: readonly PlanNode[]
}

export interface Misestimate {
  /** How many times too many or too few rows were expected; more than 10. */
  readonly factor: number
  readonly direction: 'more' | 'fewer'
}

const FACTOR = 10

export function measured(plan: PlanOperator): PlanNode {
  const all = operatorsOf(plan)
  const total = all.reduce((sum, { milliseconds }) => sum + (milliseconds ?? 0), 0)
  const isTimed = all.some(({ milliseconds }) => milliseconds !== null)
  const slowest = all.reduce<PlanOperator | null>(
    (most, each) => ((each.milliseconds ?? 0) > (most?.milliseconds ?? 0) ? each : most),
    null,
  )
  const place = (operator: PlanOperator, id: string, depth: number): PlanNode => {
    const children = operator.children.map((child, i) => place(child, `${id}.${i}`, depth + 1))
    const isSlowest = operator === slowest
    return {
      id,
      operator,
      depth,
      share: !isTimed ? null : total > 0 ? (operator.milliseconds ?? 0) / total : 0,
      slow: isSlowest || children.some((child) => child.slow),
      slowest: isSlowest,
      misestimate: misestimateOf(operator),
      children,
    }
  }
  return place(plan, '0', 0)
}

export function misestimateOf({ rows, estimatedRows }: PlanOperator): Misestimate | null {
  if (rows === null || estimatedRows === null) return null
  // No rows at all and one are the same to the optimizer.
  const [actual, guessed] = [Math.max(1, rows), Math.max(1, estimatedRows)]
  const factor = Math.max(actual / guessed, guessed / actual)
  return factor > FACTOR ? { factor, direction: actual > guessed ? 'more' : 'fewer' } : null
}

/** An operator and all below it, as they stand in the plan. */
function operatorsOf(plan: PlanOperator): PlanOperator[] {
  return [plan, ...plan.children.flatMap(operatorsOf)]
}

/** The nodes that are in view, from top to bottom. */
export function visibleNodes(root: PlanNode, closed: ReadonlySet<string>): PlanNode[] {
  return closed.has(root.id) ? [root] : [root, ...root.children.flatMap((child) => visibleNodes(child, closed))]
}

/** Sum of the operators' times, in milliseconds; null when it wasn't run. */
export function totalTime(plan: PlanOperator): number | null {
  const all = operatorsOf(plan)
  if (all.every(({ milliseconds }) => milliseconds === null)) return null
  return all.reduce((sum, { milliseconds }) => sum + (milliseconds ?? 0), 0)
}
