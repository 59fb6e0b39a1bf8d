import type { Expression } from './expression.ts'
import type { Context, KnownTable } from './context.ts'
import { named, projected, relation } from './operators.ts'
import {
  requireOnly,
  Untranslatable,
  type PlanExpression,
  type PlanLimit,
  type PlanNode,
  type PlanOrder,
} from './plan.ts'
import { from, Names, sized, type Relation } from './relation.ts'
import { scalar } from './scalars.ts'
import type { Type } from './types.ts'

export interface Translation {
  readonly sql: string
  /** The columns' types. */
  readonly types: readonly Type[]
  /** The tables that it reads, by their names in the plan. */
  readonly tables: readonly string[]
  /** If there are more rows, it isn't determined which of them to return, so there's no answer. */
  readonly rows: number
  /**
   * With OFFSET, the first row is the last one that isn't returned, and all rows have one more value: what they're
   * sorted by. If it's equal in the first two rows, it isn't determined which of them is returned.
   */
  readonly skips: boolean
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
  const { answer, order, limit } = ordered(node, context)
  if (tables.size === 0) throw new Untranslatable('no table')
  const by = order.map(({ sql, direction }) => `${sql} ${direction}`).join(', ')
  if (by === '' && !answer.unordered) throw new Untranslatable('rows in their table’s order')
  const skipped = limit?.skipped ?? 0
  const most = Math.min(limit?.most ?? Infinity, maxRows)
  const isDecided = decides(order, answer)
  const skips = !isDecided && skipped > 0
  const rows = most + (skips ? 1 : 0)
  const list = answer.columns.map((column, i) => `${printed(column)} AS r${i}`)
  if (skips) list.push(`toString(tuple(${order.map(({ sql }) => sql).join(', ')})) AS sorted`)
  const common = names.common.map(({ name, sql }) => `${name} AS (${sql})`).join(', ')
  const start = `${common === '' ? '' : `WITH ${common} `}SELECT ${list.join(', ')}${from(answer)}`
  // If the last row ties with others, there are more than `rows`.
  const count = limit?.most === most ? `${rows}${isDecided ? '' : ' WITH TIES'}` : String(rows + 1)
  const end = ` LIMIT ${skipped > 0 ? `${skips ? skipped - 1 : skipped}, ` : ''}${count}`
  return {
    sql: sized(`${start}${by === '' ? '' : ` ORDER BY ${by}`}${end}`),
    types: answer.columns.map(({ type }) => type),
    tables: [...tables],
    rows,
    skips,
  }
}

interface Limit {
  readonly most: number
  readonly skipped: number
}

/** LIMIT and OFFSET. @throws {Untranslatable} if they aren't constant */
function limitOf(node: PlanNode): Limit {
  requireOnly(node, LIMIT_FIELDS, 'a limit')
  const of = (value: PlanLimit | undefined, unset: number): number => {
    if (!value || value.type === 'UNSET') return unset
    const { type, constant_integer: count } = value
    if (type !== 'CONSTANT_VALUE' || !Number.isSafeInteger(count)) throw new Untranslatable('such a limit')
    return count
  }
  return { most: of(node.limit_val, Infinity), skipped: of(node.offset_val, 0) }
}

/** Whether rows that tie are equal, so that it doesn't matter which of them are returned. */
function decides(order: readonly OrderKey[], { columns }: Relation): boolean {
  const keys = new Set(order.map(({ sql }) => sql))
  return columns.every(({ sql, constant }) => constant !== undefined || keys.has(sql))
}

interface OrderKey {
  readonly sql: string
  readonly direction: string
}

/** The sorted rows, their order and limit, through projections above the sort and the limit. */
function ordered(
  node: PlanNode,
  context: Context,
): { readonly answer: Relation; readonly order: readonly OrderKey[]; readonly limit: Limit | null } {
  const picked: (readonly PlanExpression[])[] = []
  let limit: Limit | null = null
  let below = node
  for (;;) {
    const [child] = below.children ?? []
    if (!child) break
    if (below.type === 'LOGICAL_PROJECTION') {
      requireOnly(below, PROJECTION_FIELDS, 'a projection')
      picked.unshift(below.expressions ?? [])
    } else if (below.type === 'LOGICAL_LIMIT' && !limit) limit = limitOf(below)
    else break
    below = child
  }
  const [child] = below.children ?? []
  if (below.type !== 'LOGICAL_ORDER_BY' || !child) {
    if (limit) throw new Untranslatable('rows in their table’s order')
    return { answer: relation(node, context), order: [], limit }
  }
  requireOnly(below, ORDER_FIELDS, 'ORDER BY')
  const sorted = relation(child, context)
  return {
    answer: picked.reduce((rows, expressions) => projected(expressions, rows), sorted),
    order: (below.orders ?? []).map((each) => orderKey(each, sorted.columns)),
    limit,
  }
}

function orderKey({ type, null_order: nulls, expression }: PlanOrder, columns: readonly Expression[]): OrderKey {
  const key = scalar(expression, columns)
  const direction = type === 'ASCENDING' ? 'ASC' : type === 'DESCENDING' ? 'DESC' : null
  if (!direction || (nulls !== 'NULLS FIRST' && nulls !== 'NULLS LAST')) throw new Untranslatable('such an order')
  return { sql: key.sql, direction: `${direction} ${nulls}` }
}

/** Integers are returned as texts, since JSON's numbers are exact only up to 2^53. */
function printed({ sql, type }: Expression): string {
  return type.name === 'VARCHAR' || type.name === 'DOUBLE' ? sql : `toString(${sql})`
}
