import { EngineError } from '../errors.ts'

/** A node of the plan that `EXPLAIN (FORMAT JSON)` gives. */
export interface PlanNode {
  readonly name: string
  readonly children: readonly PlanNode[]
  readonly extra_info: Readonly<Record<string, string | readonly string[]>>
}

/** Operators of DuckDB 1.4 that do nothing but read and compute. What isn't named here is refused. */
const READING: ReadonlySet<string> = new Set([
  'AGGREGATE',
  'ANY_JOIN',
  'ASOF_JOIN',
  'CHUNK_GET',
  'COMPARISON_JOIN',
  'CROSS_PRODUCT',
  'CTE',
  'CTE_SCAN',
  'DELIM_GET',
  'DELIM_JOIN',
  'DEPENDENT_JOIN',
  'DISTINCT',
  'DUMMY_SCAN',
  'EMPTY_RESULT',
  'EXCEPT',
  'EXPRESSION_GET',
  'FILTER',
  'INTERSECT',
  'JOIN',
  'LIMIT',
  'ORDER_BY',
  'PIVOT',
  'POSITIONAL_JOIN',
  'PROJECTION',
  'REC_CTE',
  'REC_REC_CTE_SCAN',
  'REC_CTE_SCAN',
  'SAMPLE',
  'TOP_N',
  'UNION',
  'UNNEST',
  'WINDOW',
])

/** Functions that make a table of their arguments alone. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'GENERATE_SERIES',
  'RANGE',
  'REPEAT',
  'REPEAT_ROW',
  'SUMMARY',
  'TEST_ALL_TYPES',
  'UNNEST',
])

const SCAN = 'SEQ_SCAN'
const NONE: ReadonlySet<string> = new Set()

/**
 * The physical names of all tables that a bound plan scans, through views, subqueries and whatever else.
 * @param also operators beside those that read, which the caller answers for
 * @throws {EngineError} `sql-not-allowed` when the plan does anything but read tables
 */
export function scannedTables(plan: readonly PlanNode[], also: ReadonlySet<string> = NONE): ReadonlySet<string> {
  const tables = new Set<string>()
  const visit = (node: PlanNode): void => {
    const name = node.name.trim()
    if (name === SCAN) {
      const { Table: table } = node.extra_info
      if (typeof table !== 'string') throw refusedOperator(name)
      tables.add(table)
    } else if (!READING.has(name) && !TABLE_FUNCTIONS.has(name) && !also.has(name)) throw refusedOperator(name)
    for (const child of node.children) visit(child)
  }
  for (const node of plan) visit(node)
  return tables
}

function refusedOperator(name: string): EngineError {
  const what = /^(READ_|GLOB|SNIFF)/.test(name)
    ? 'A statement can’t read files or addresses, only tables.'
    : /^(DUCKDB_|PRAGMA_|WHICH_|ENABLE_|DISABLE_|TEST_|TRUNCATE_DUCKDB)/.test(name)
      ? 'The engine’s own catalog can’t be asked.'
      : `A statement can only read, and this one does ${name.toLowerCase().replaceAll('_', ' ')}.`
  return new EngineError('sql-not-allowed', what, {
    remedy: 'Query tables as workspace.dataset.table. SHOW ALL TABLES lists them.',
  })
}
