import type { Expression } from './expression.ts'
import { Untranslatable, type PlanExpression, type PlanNode } from './plan.ts'
import { select, sourceOf, type Condition, type Names, type Relation } from './relation.ts'
import { compared, scalar } from './scalars.ts'
import type { Type } from './types.ts'

/** A table in ClickHouse. */
export interface KnownTable {
  /** Its quoted name. */
  readonly sql: string
  /** Its columns by their positions in DuckDB's table. */
  readonly columns: ReadonlyMap<number, { readonly type: Type; readonly nulls: boolean }>
}

export interface Context {
  /** Translates an operator. @param filters conditions for its rows, to be pushed down as far as possible */
  relation(node: PlanNode, context: Context, filters?: readonly PlanExpression[]): Relation
  readonly names: Names
  /** Finds a table by its name in a plan's scan. @throws {Untranslatable} if ClickHouse doesn't have it */
  table(name: string): KnownTable
  /** The outer columns for which correlated subqueries run, the innermost subquery's last. */
  readonly delimited: readonly Relation[]
  /** Common table expressions by the plan's indexes. */
  readonly named: ReadonlyMap<number, Relation>
  /** A cache of operators' numbers of columns. */
  readonly widths: WeakMap<PlanNode, number>
}

/** Moves a relation that is used several times to a common table expression. */
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

/** Splits a condition at its ANDs. */
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
