/* The result of `json_serialize_plan`: DuckDB's bound plan of a statement before optimization. */

export interface PlanType {
  readonly id: string
  readonly type_info?: { readonly type: string; readonly width?: number; readonly scale?: number }
}

/** An expression, or a part of one. Its class determines which fields it has. */
export interface PlanExpression {
  readonly expression_class: string
  readonly type: string
  readonly return_type?: PlanType
  readonly index?: number
  readonly name?: string
  readonly children?: readonly PlanExpression[]
  readonly child?: PlanExpression
  readonly left?: PlanExpression
  readonly right?: PlanExpression
  readonly input?: PlanExpression
  readonly lower?: PlanExpression
  readonly upper?: PlanExpression
  readonly lower_inclusive?: boolean
  readonly upper_inclusive?: boolean
  readonly filter?: PlanExpression
  readonly aggregate_type?: string
  readonly try_cast?: boolean
  readonly value?: { readonly type: PlanType; readonly is_null: boolean; readonly value?: unknown }
  readonly case_checks?: readonly { readonly when_expr: PlanExpression; readonly then_expr: PlanExpression }[]
  readonly else_expr?: PlanExpression
}

/** Fields of all expressions. */
export const EXPRESSION_FIELDS = ['expression_class', 'type', 'alias', 'query_location', 'return_type'] as const

/** Fields of a call. `arguments` are the children's types; a function's data add nothing to its name and types. */
export const CALL_FIELDS = [
  'children',
  'name',
  'arguments',
  'catalog_name',
  'schema_name',
  'has_serialize',
  'function_data',
] as const

export interface PlanOrder {
  readonly type: string
  readonly null_order: string
  readonly expression: PlanExpression
}

export interface PlanCondition {
  readonly left: PlanExpression
  readonly right: PlanExpression
  readonly comparison: string
}

/** An operator. */
export interface PlanNode {
  readonly type: string
  readonly children?: readonly PlanNode[]
  readonly expressions?: readonly PlanExpression[]
  readonly groups?: readonly PlanExpression[]
  readonly grouping_sets?: readonly (readonly number[])[]
  readonly orders?: readonly PlanOrder[]
  readonly limit_val?: PlanLimit
  readonly offset_val?: PlanLimit
  readonly join_type?: string
  readonly conditions?: readonly PlanCondition[]
  readonly duplicate_eliminated_columns?: readonly PlanExpression[]
  readonly delim_flipped?: boolean
  readonly distinct_type?: string
  readonly distinct_targets?: readonly PlanExpression[]
  readonly table_index?: number
  readonly cte_index?: number
  /** Whether UNION, INTERSECT or EXCEPT keep equal rows. */
  readonly setop_all?: boolean
  readonly name?: string
  readonly names?: readonly string[]
  readonly returned_types?: readonly PlanType[]
  readonly column_indexes?: readonly { readonly index: number }[]
  readonly function_data?: { readonly table?: string }
}

export interface PlanLimit {
  readonly type: string
  readonly constant_integer: number
}

/** A statement that isn't known to mean the same in ClickHouse, so DuckDB must run it. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable'
}

interface Serialized {
  readonly error: boolean
  readonly error_message?: string
  readonly plans?: readonly PlanNode[]
}

/**
 * Parses the plan of one statement. Integers that JavaScript's numbers can't hold become texts.
 * @throws {Untranslatable} if DuckDB couldn't serialize it
 */
export function readPlan(json: string): PlanNode {
  const exact = json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
  )
  const { error, error_message: message, plans } = JSON.parse(exact) as Serialized
  const [plan] = plans ?? []
  if (error || !plan || plans?.length !== 1) throw new Untranslatable(message ?? 'no plan')
  return plan
}

/**
 * Refuses a part of the plan with unknown fields, since they may change its meaning.
 * @param known the fields that are read, or don't matter
 */
export function requireOnly(part: object, known: ReadonlySet<string>, what: string): void {
  const other = Object.keys(part).find((key) => !known.has(key))
  if (other !== undefined) throw new Untranslatable(`${what} with ${other}`)
}
