import type { Expression } from './expression.ts'
import { Untranslatable, type PlanExpression, type PlanNode } from './plan.ts'
import { select, sourceOf, type Condition, type Names, type Relation } from './relation.ts'
import { compared, scalar } from './scalars.ts'
import type { Type } from './types.ts'

/** A table as ClickHouse has it. */
export interface KnownTable {
  /** As SQL names it. */
  readonly sql: string
  /** The columns that it has there, by their places in DuckDB's table. */
  readonly columns: ReadonlyMap<number, { readonly type: Type; readonly nulls: boolean }>
}

export interface Context {
  /** An operator's rows. @param filters conditions of theirs, as early as they can be looked at */
  relation(node: PlanNode, context: Context, filters?: readonly PlanExpression[]): Relation
  readonly names: Names
  /** By the name that a plan's scan has. Throws for one that isn't there. */
  table(name: string): KnownTable
  /** What the columns are of that a correlated subquery is run for: the innermost last. */
  readonly delimited: readonly Relation[]
  /** What WITH names, by the plan's indexes. */
  readonly named: ReadonlyMap<number, Relation>
  /** How many columns operators have, as far as that was asked. */
  readonly widths: WeakMap<PlanNode, number>
}

/** Rows that several statements are made of. */
export function common(given: Relation, { names }: Context): Relation {
  const name = names.name()
  names.common.push({ name, sql: select(given) })
  return sourceOf(name, given.columns, names, given.unordered)
}

export function filtered(filters: readonly PlanExpression[], from: Relation): Relation {
  if (filters.length === 0) return from
  const conditions = filters.map((each) => condition(each, from.columns))
  return { ...from, conditions: [...from.conditions, ...conditions] }
}

/** What has to hold altogether, each by itself. */
export function conjuncts(given: PlanExpression): readonly PlanExpression[] {
  const isAnd = given.expression_class === 'BOUND_CONJUNCTION' && given.type === 'CONJUNCTION_AND'
  return isAnd ? (given.children ?? []).flatMap(conjuncts) : [given]
}

function condition(given: PlanExpression, columns: readonly Expression[]): Condition {
  const whole = scalar(given, columns)
  if (whole.type.name !== 'BOOLEAN') throw new Untranslatable('a condition of another type')
  const { left, right } = given
  if (given.type !== 'COMPARE_EQUAL' || !left || !right) return whole
  return equality(scalar(left, columns), scalar(right, columns))
}

export function equality(a: Expression, b: Expression): Condition {
  return { ...compared('COMPARE_EQUAL', a, b), pair: [a, b] }
}
