import type { Average, Expression } from './expression.ts'
import type { Context, KnownTable } from './context.ts'
import { named, projected, relation } from './operators.ts'
import { requireOnly, Untranslatable, type PlanExpression, type PlanNode, type PlanOrder } from './plan.ts'
import { from, Names, sized, type Relation } from './relation.ts'
import { scalar } from './scalars.ts'
import type { Type } from './types.ts'

/** A column of an answer, and how its values come. */
export interface AnsweredColumn {
  readonly type: Type
  readonly average: Average | undefined
}

export interface Translation {
  readonly sql: string
  readonly columns: readonly AnsweredColumn[]
  /** Names of the tables that it reads, as its plan has them. */
  readonly tables: readonly string[]
  /** More rows than these aren't an answer: which of them are wanted isn't settled. */
  readonly rows: number
}

const LIMIT_FIELDS: ReadonlySet<string> = new Set(['type', 'children', 'limit_val', 'offset_val'])
const ORDER_FIELDS: ReadonlySet<string> = new Set(['type', 'children', 'orders'])
const PROJECTION_FIELDS: ReadonlySet<string> = new Set(['type', 'children', 'expressions', 'table_index'])

/**
 * A bound statement in ClickHouse's SQL: one that gives what DuckDB gives, or fails, or gives more rows than it says.
 * @param maxRows how many an answer may have
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
  // Where the last one isn't alone in its place, there are more.
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

/** The number of rows wanted, where that is known. */
function limitOf(node: PlanNode): number {
  requireOnly(node, LIMIT_FIELDS, 'a limit')
  const { limit_val: limit, offset_val: offset } = node
  if (limit?.type !== 'CONSTANT_VALUE' || (offset && offset.type !== 'UNSET')) throw new Untranslatable('such a limit')
  return limit.constant_integer
}

/** What is sorted, through the columns that are picked of it. */
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

/** Integers as texts: JSON's numbers end at 2^53. */
function printed({ sql, type, average }: Expression): string {
  return average || type.name === 'VARCHAR' || type.name === 'DOUBLE' ? sql : `toString(${sql})`
}
