import type { Average, Expression } from './expression.ts'
import type { Context, KnownTable } from './context.ts'
import { named, projected, relation } from './operators.ts'
import { requireOnly, Untranslatable, type PlanExpression, type PlanNode, type PlanOrder } from './plan.ts'
import { from, Names, sized, type Relation } from './relation.ts'
import { scalar } from './scalars.ts'
import type { Type } from './types.ts'

/** A column of an answer, and how ClickHouse returns its values. */
export interface AnsweredColumn {
  readonly type: Type
  readonly average: Average | undefined
}

export interface Translation {
  readonly sql: string
  readonly columns: readonly AnsweredColumn[]
  /** The tables that it reads, by their names in the plan. */
  readonly tables: readonly string[]
  /** If there are more rows, it isn't determined which of them to return, so there's no answer. */
  readonly rows: number
}

const LIMIT_FIELDS: ReadonlySet<string> = new Set(['type', 'children', 'limit_val', 'offset_val'])
const ORDER_FIELDS: ReadonlySet<string> = new Set(['type', 'children', 'orders'])
const PROJECTION_FIELDS: ReadonlySet<string> = new Set(['type', 'children', 'expressions', 'table_index'])

/**
 * Translates a bound statement to ClickHouse's SQL. It returns the same rows as in DuckDB, or fails, or returns more
 * than `rows`.
 * @param maxRows the most rows that an answer may have
 * @throws {Untranslatable}
 */
export function translate(
  plan: PlanNode,
  table: (name: string) => KnownTable,
  { maxRows }: { readonly maxRows: number },
): Translation {
  const tables = new Set<string>()
  const names = new Names()
  let context: Context = {
    relation,
    names,
    delimited: [],
    named: new Map(),
    widths: new WeakMap(),
    table(name) {
      tables.add(name)
      return table(name)
    },
  }
  let node = plan
  while (node.type === 'LOGICAL_MATERIALIZED_CTE') ({ rest: node, within: context } = named(node, context))
  const limit = node.type === 'LOGICAL_LIMIT' ? limitOf(node) : null
  const below = limit === null ? node : node.children?.[0]
  if (!below) throw new Untranslatable('a limit of nothing')
  const { answer, order } = ordered(below, context)
  if (tables.size === 0) throw new Untranslatable('no table')
  if (order === '' && (limit !== null || !answer.unordered)) throw new Untranslatable('rows in their table’s order')
  const rows = Math.min(limit ?? maxRows, maxRows)
  // If the last row ties with others, there are more than `rows`.
  const ties = order === '' ? '' : ' WITH TIES'
  const most = limit !== null && limit <= maxRows ? `${limit}${ties}` : String(maxRows + 1)
  const list = answer.columns.map((column, i) => `${printed(column)} AS r${i}`).join(', ')
  const common = names.common.map(({ name, sql }) => `${name} AS (${sql})`).join(', ')
  const sql = `${common === '' ? '' : `WITH ${common} `}SELECT ${list}${from(answer)}${order} LIMIT ${most}`
  return {
    sql: sized(sql),
    columns: answer.columns.map(({ type, average }) => ({ type, average })),
    tables: [...tables],
    rows,
  }
}

/** @throws {Untranslatable} if the limit isn't a constant, or there's an offset */
function limitOf(node: PlanNode): number {
  requireOnly(node, LIMIT_FIELDS, 'a limit')
  const { limit_val: limit, offset_val: offset } = node
  if (limit?.type !== 'CONSTANT_VALUE' || (offset && offset.type !== 'UNSET')) throw new Untranslatable('such a limit')
  return limit.constant_integer
}

/** The sorted rows and their order, through projections above the sort. */
function ordered(node: PlanNode, context: Context): { readonly answer: Relation; readonly order: string } {
  const picked: (readonly PlanExpression[])[] = []
  let below = node
  while (below.type === 'LOGICAL_PROJECTION' && below.children?.[0]) {
    requireOnly(below, PROJECTION_FIELDS, 'a projection')
    picked.unshift(below.expressions ?? [])
    below = below.children[0]
  }
  const [child] = below.children ?? []
  if (below.type !== 'LOGICAL_ORDER_BY' || !child) return { answer: relation(node, context), order: '' }
  requireOnly(below, ORDER_FIELDS, 'ORDER BY')
  const sorted = relation(child, context)
  const keys = (below.orders ?? []).map((each) => orderKey(each, sorted.columns))
  return {
    answer: picked.reduce((rows, expressions) => projected(expressions, rows), sorted),
    order: ` ORDER BY ${keys.join(', ')}`,
  }
}

function orderKey({ type, null_order: nulls, expression }: PlanOrder, columns: readonly Expression[]): string {
  const key = scalar(expression, columns)
  const direction = type === 'ASCENDING' ? 'ASC' : type === 'DESCENDING' ? 'DESC' : null
  if (!direction || key.average || (nulls !== 'NULLS FIRST' && nulls !== 'NULLS LAST'))
    throw new Untranslatable('such an order')
  return `${key.sql} ${direction} ${nulls}`
}

/** Integers are returned as texts, since JSON's numbers are exact only up to 2^53. */
function printed({ sql, type, average }: Expression): string {
  return average || type.name === 'VARCHAR' || type.name === 'DOUBLE' ? sql : `toString(${sql})`
}
