import { aggregate } from './aggregates.ts'
import { made, unless, type Expression } from './expression.ts'
import { common, conjuncts, filtered, type Context } from './context.ts'
import { joined } from './joins.ts'
import { requireOnly, Untranslatable, type PlanExpression, type PlanNode } from './plan.ts'
import { columnOf, select, sourceOf, type Relation } from './relation.ts'
import { scalar } from './scalars.ts'
import { combined, isSetOperation } from './sets.ts'
import { rangeOf, sameType, typeOf } from './types.ts'

const COMMON = ['type', 'children', 'table_index', 'expressions']
const SET_FIELDS = ['column_count', 'setop_all', 'allow_out_of_order']
const FIELDS: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    LOGICAL_GET: [
      'returned_types',
      'names',
      'name',
      'has_serialize',
      'function_data',
      'column_indexes',
      'extra_info',
      'ordinality_idx',
    ],
    LOGICAL_PROJECTION: [],
    LOGICAL_FILTER: [],
    LOGICAL_CROSS_PRODUCT: [],
    LOGICAL_ORDER_BY: ['orders'],
    LOGICAL_AGGREGATE_AND_GROUP_BY: [
      'group_index',
      'aggregate_index',
      'groupings_index',
      'groups',
      'grouping_sets',
      'distinct_validity',
    ],
    LOGICAL_DISTINCT: ['distinct_type', 'distinct_targets'],
    LOGICAL_DELIM_GET: ['chunk_types'],
    LOGICAL_DUMMY_SCAN: [],
    LOGICAL_UNION: SET_FIELDS,
    LOGICAL_INTERSECT: SET_FIELDS,
    LOGICAL_EXCEPT: SET_FIELDS,
    LOGICAL_MATERIALIZED_CTE: ['ctename', 'column_count', 'materialize'],
    LOGICAL_CTE_REF: ['cte_index', 'chunk_types', 'bound_columns', 'is_recurring', 'materialized_cte'],
  }).map(([kind, fields]) => [kind, new Set([...COMMON, ...fields])]),
)

/**
 * Translates an operator.
 * @param filters conditions for its rows, to be pushed down as far as possible
 * @throws {Untranslatable}
 */
export function relation(node: PlanNode, context: Context, filters: readonly PlanExpression[] = []): Relation {
  if (node.type === 'LOGICAL_COMPARISON_JOIN' || node.type === 'LOGICAL_DELIM_JOIN')
    return joined(node, context, filters)
  if (node.type === 'LOGICAL_FILTER' && node.children?.[0]) {
    requireOnly(node, FIELDS[node.type], node.type)
    return relation(node.children[0], context, [...filters, ...(node.expressions ?? []).flatMap(conjuncts)])
  }
  return filtered(filters, operator(node, context))
}

function operator(node: PlanNode, context: Context): Relation {
  const fields = FIELDS[node.type]
  if (!fields) throw new Untranslatable(`the operator ${node.type}`)
  requireOnly(node, fields, node.type)
  const children = node.children ?? []
  const [child] = children
  switch (node.type) {
    case 'LOGICAL_GET':
      return scan(node, context)
    case 'LOGICAL_DELIM_GET': {
      const found = context.delimited.at(-1)
      if (!found) throw new Untranslatable('a correlation with nothing')
      return sourceOf(`(${select(found, { distinct: true })})`, found.columns, context.names, true)
    }
    case 'LOGICAL_MATERIALIZED_CTE': {
      const { rest, within } = named(node, context)
      return relation(rest, within)
    }
    case 'LOGICAL_CTE_REF': {
      const found = context.named.get(node.cte_index ?? -1)
      if (!found) throw new Untranslatable('a name of WITH')
      return sourceOf(found.sources[0].sql, found.columns, context.names, found.unordered)
    }
    case 'LOGICAL_CROSS_PRODUCT':
      return crossed(children.map((each) => relation(each, context)))
    case 'LOGICAL_DUMMY_SCAN':
      return sourceOf('(SELECT 1)', [], context.names, true)
  }
  if (isSetOperation(node)) return combined(node, context)
  if (!child || children.length > 1) throw new Untranslatable(`${node.type} of several`)
  switch (node.type) {
    case 'LOGICAL_PROJECTION':
      return onlyValue(node, child, context) ?? projected(node.expressions ?? [], relation(child, context))
    case 'LOGICAL_AGGREGATE_AND_GROUP_BY':
      return grouped(node, relation(child, context), context)
    case 'LOGICAL_DISTINCT':
      return distinct(node, relation(child, context), context)
    // Below other operators, it doesn't determine the order of rows.
    case 'LOGICAL_ORDER_BY':
      return relation(child, context)
    default:
      throw new Untranslatable(node.type)
  }
}

/** Translates a common table expression for the rest of the statement. */
export function named(node: PlanNode, context: Context): { readonly rest: PlanNode; readonly within: Context } {
  requireOnly(node, FIELDS['LOGICAL_MATERIALIZED_CTE'], 'WITH')
  const [definition, rest] = node.children ?? []
  if (!definition || !rest || node.table_index === undefined) throw new Untranslatable('such a WITH')
  const rows = common(relation(definition, context), context)
  return { rest, within: { ...context, named: new Map([...context.named, [node.table_index, rows]]) } }
}

function scan(node: PlanNode, context: Context): Relation {
  const { name, function_data: data, column_indexes: indexes = [], returned_types: types = [] } = node
  if (name !== 'seq_scan' || !data?.table) throw new Untranslatable(`the scan ${name}`)
  const table = context.table(data.table)
  const alias = context.names.name()
  const columns = indexes.map((each): Expression | null => {
    requireOnly(each, new Set(['index']), 'a column')
    const { type, nulls } = table.columns.get(each.index) ?? {}
    // A column that ClickHouse doesn't have may be scanned without being used.
    if (!type) return null
    if (!sameType(type, typeOf(types[each.index]))) throw new Untranslatable('a column of another type')
    return { ...columnOf(alias, `c${each.index}`, type, rangeOf(type)), solid: !nulls }
  })
  return { sources: [{ alias, sql: table.sql }], conditions: [], columns: withMissing(columns), unordered: false }
}

/** Columns that ClickHouse doesn't have throw only when they're used. */
function withMissing(columns: readonly (Expression | null)[]): Expression[] {
  const missing = (): Expression => {
    const fail = (): never => {
      throw new Untranslatable('a column that isn’t in ClickHouse')
    }
    return Object.defineProperties({} as Expression, {
      sql: { get: fail },
      type: { get: fail },
    })
  }
  return columns.map((column) => column ?? missing())
}

function crossed(parts: readonly Relation[]): Relation {
  return {
    sources: parts.flatMap(({ sources }) => sources),
    conditions: parts.flatMap(({ conditions }) => conditions),
    columns: parts.flatMap(({ columns }) => columns),
    unordered: parts.every(({ unordered }) => unordered),
  }
}

export function projected(expressions: readonly PlanExpression[], from: Relation): Relation {
  return { ...from, columns: expressions.map((each) => reference(each, from) ?? scalar(each, from.columns)) }
}

/** A column that is only passed on, so ClickHouse may not have it. */
function reference({ expression_class: kind, index = -1 }: PlanExpression, from: Relation): Expression | undefined {
  return kind === 'BOUND_REF' ? from.columns[index] : undefined
}

function grouped(node: PlanNode, from: Relation, { names }: Context): Relation {
  const { groups = [], grouping_sets: sets = [], expressions = [] } = node
  if (sets.length > 1 || (sets[0] && sets[0].length !== groups.length)) throw new Untranslatable('several groupings')
  const keys = groups.map((each) => scalar(each, from.columns))
  for (const key of keys) {
    // If all keys are constant, ClickHouse returns a group even without rows.
    if (key.uses.size === 0 || key.type.name === 'DOUBLE') throw new Untranslatable('such a group')
  }
  const columns = [...keys, ...expressions.map((each) => aggregate(each, from.columns))]
  return sourceOf(`(${select({ ...from, columns }, { groups: keys })})`, columns, names, true)
}

function distinct(node: PlanNode, from: Relation, { names }: Context): Relation {
  if (node.distinct_type !== 'DISTINCT' || from.columns.some(({ type }) => type.name === 'DOUBLE'))
    throw new Untranslatable('such a DISTINCT')
  const targets = (node.distinct_targets ?? []).map((each) => (each.expression_class === 'BOUND_REF' ? each.index : -1))
  if (from.columns.some((_, i) => !targets.includes(i))) throw new Untranslatable('DISTINCT of some columns')
  return sourceOf(`(${select(from, { distinct: true })})`, from.columns, names, true)
}

/** Recognizes DuckDB's plan for a scalar subquery: its first row, and an error if there are more. */
function onlyValue({ expressions = [] }: PlanNode, child: PlanNode, context: Context): Relation | null {
  const [choice] = expressions
  const [first, count] = child.expressions ?? []
  const isOnly =
    expressions.length === 1 &&
    child.type === 'LOGICAL_AGGREGATE_AND_GROUP_BY' &&
    (child.groups ?? []).length === 0 &&
    child.expressions?.length === 2 &&
    first?.name === 'first' &&
    count?.name === 'count_star' &&
    choice?.expression_class === 'BOUND_CASE' &&
    choice.case_checks?.length === 1 &&
    isMoreThanOne(choice.case_checks[0].when_expr) &&
    choice.case_checks[0].then_expr.name === 'error' &&
    choice.else_expr?.expression_class === 'BOUND_REF' &&
    choice.else_expr.index === 0
  const [below] = child.children ?? []
  const [value] = first?.children ?? []
  if (!isOnly || !below || !value || first.filter) return null
  const from = relation(below, context)
  const inner = scalar(value, from.columns)
  const only = made(unless('count() > 1', `anyOrNull(${inner.sql})`), inner.type, [inner], inner.range)
  return sourceOf(`(${select({ ...from, columns: [only] })})`, [only], context.names, true)
}

function isMoreThanOne({ type, left, right }: PlanExpression): boolean {
  return type === 'COMPARE_GREATERTHAN' && left?.index === 1 && right?.value?.value === 1
}
