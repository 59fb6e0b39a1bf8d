import { EngineError } from '../../errors.ts'
import { foldIdentifier, type Statement } from '../statement.ts'
import { guardSortKeys } from './refusals.ts'

/* What a statement may do. The checks by words are cheap and incomplete; the bound plan decides the rest. */

/**
 * First words of statements that do more than read. Anything else that doesn't read isn't SQL, and the engine has the
 * best message for that.
 */
const WRITING_WORDS = new Set([
  'abort',
  'alter',
  'analyze',
  'attach',
  'begin',
  'call',
  'checkpoint',
  'comment',
  'commit',
  'copy',
  'create',
  'deallocate',
  'delete',
  'detach',
  'drop',
  'end',
  'execute',
  'export',
  'force',
  'import',
  'insert',
  'install',
  'load',
  'merge',
  'pragma',
  'prepare',
  'reset',
  'rollback',
  'set',
  'start',
  'truncate',
  'update',
  'upsert',
  'use',
  'vacuum',
  'grant',
  'revoke',
  'replace',
  'update_extensions',
])

/**
 * Scalar functions that reveal the engine's state or have side effects in it. Plans name table functions, but not
 * these, so they are found in the text.
 */
const FUNCTIONS = new Set([
  'add_parquet_key',
  'create_sort_key',
  'current_connection_id',
  'current_query',
  'current_query_id',
  'current_schemas',
  'current_setting',
  'current_transaction_id',
  'currval',
  'getenv',
  'getvariable',
  'get_block_size',
  'in_search_path',
  // Their argument is SQL, whose words these checks don't see.
  'query',
  'nextval',
  'parse_duckdb_log_message',
  'pg_get_viewdef',
  'setseed',
  'stats',
  'txid_current',
  'which_secret',
  'write_log',
])

/**
 * A check by words: refuses statements that aren't for reading, and functions that reveal the engine's state. The bound
 * plan decides the rest.
 * @throws {EngineError} `sql-not-allowed`
 */
export function guardWords(statement: Statement): void {
  const first = statement.tokens[0].text.toLowerCase()
  if (WRITING_WORDS.has(first)) {
    throw notAllowed(`A statement can only read, and ${first.toUpperCase()} does more.`)
  }
  guardFunctions(statement)
}

/**
 * Refuses functions that reveal the engine's state.
 * @throws {EngineError} `sql-not-allowed`
 */
export function guardFunctions({ tokens }: Statement): void {
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]?.text
    if (token.kind === 'operator' || token.kind === 'number') continue
    const name = foldIdentifier(token.text)
    if (next === '(') guardSortKeys(name)
    if (next === '(' && (FUNCTIONS.has(name) || /^(duckdb|pragma)_/.test(name))) {
      throw notAllowed('The statement calls a function that is about the engine, not about tables.')
    }
  }
}

export function notAllowed(message: string): EngineError {
  return new EngineError('sql-not-allowed', message, {
    remedy: 'Use SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN, PIVOT or UNPIVOT.',
  })
}

/** A node of the plan from `EXPLAIN (FORMAT JSON)`. */
export interface PlanNode {
  readonly name: string
  readonly children: readonly PlanNode[]
  readonly extra_info: Readonly<Record<string, string | readonly string[]>>
}

/** Operators of DuckDB 1.4 that only read and compute. Any other is refused. */
const READING_OPERATORS: ReadonlySet<string> = new Set([
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

/** Table functions that depend on their arguments alone. */
const TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'GENERATE_SERIES',
  'RANGE',
  'REPEAT',
  'REPEAT_ROW',
  'SUMMARY',
  'TEST_ALL_TYPES',
  'TEST_VECTOR_TYPES',
  'UNNEST',
])

const SCAN = 'SEQ_SCAN'
const NONE: ReadonlySet<string> = new Set()

/**
 * The physical names of all tables that a bound plan scans, including those behind views and subqueries.
 * @param also further operators that the caller allows
 * @throws {EngineError} `sql-not-allowed` if the plan does anything but read tables
 */
export function scannedTables(plan: readonly PlanNode[], also: ReadonlySet<string> = NONE): ReadonlySet<string> {
  const tables = new Set<string>()
  const visit = (node: PlanNode): void => {
    const name = node.name.trim()
    if (name === SCAN) {
      const { Table: table } = node.extra_info
      if (typeof table !== 'string') throw refusedOperator(name)
      tables.add(table)
    } else if (!READING_OPERATORS.has(name) && !TABLE_FUNCTIONS.has(name) && !also.has(name))
      throw refusedOperator(name)
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
