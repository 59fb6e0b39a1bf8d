import { EngineError } from '../errors.ts'
import { foldIdentifier, type Statement } from './statement.ts'

/** What a statement that reads begins with. */
const READING = new Set([
  'select',
  'from',
  'with',
  'values',
  'table',
  'describe',
  'desc',
  'summarize',
  'show',
  'explain',
  'pivot',
  'pivot_wider',
  'pivot_longer',
  'unpivot',
  '(',
])

/** What other statements begin with; all else isn't SQL, which the engine says best. */
const OTHERS = new Set([
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
 * Functions that tell of the engine instead of tables, or leave something behind in it. The plan names functions that
 * make tables; these stand in expressions, where only the text tells them.
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
  // What it's given is SQL again, whose words aren't among these.
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
 * Refuses what a look at the words can tell: statements that aren't for reading, functions that tell of the engine.
 * What they leave, the bound plan decides.
 * @throws {EngineError} `sql-not-allowed`
 */
export function guardWords(statement: Statement): void {
  const first = statement.tokens[0].text.toLowerCase()
  if (!READING.has(first) && OTHERS.has(first)) {
    throw notAllowed(`A statement can only read, and ${first.toUpperCase()} does more.`)
  }
  guardFunctions(statement)
}

/** Whether statements may not use a function. */
export function guardedFunction(name: string): boolean {
  return FUNCTIONS.has(name.toLowerCase())
}

/**
 * Refuses functions that tell of the engine.
 * @throws {EngineError} `sql-not-allowed`
 */
export function guardFunctions({ tokens }: Statement): void {
  for (const [i, token] of tokens.entries()) {
    const next = tokens[i + 1]?.text
    if (token.kind === 'operator' || token.kind === 'number') continue
    const name = foldIdentifier(token.text)
    if (next === '(' && (FUNCTIONS.has(name) || /^(duckdb|pragma)_/.test(name))) {
      throw notAllowed('A function of the statement tells of the engine, not of tables.')
    }
  }
}

export function notAllowed(message: string): EngineError {
  return new EngineError('sql-not-allowed', message, {
    remedy: 'Use SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN, PIVOT or UNPIVOT.',
  })
}
