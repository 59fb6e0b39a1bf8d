import { uniqueNames } from '../../tables/names.ts'
import type { StatementResult } from '../storage/table-types.ts'
import { notAllowed } from './gate/authorize.ts'
import { EngineError } from '../errors.ts'
import type { DuckDB } from './duckdb.ts'
import { SqlEngine } from './engine.ts'
import type { Outcome } from './outcome.ts'
import type { RunRequest } from './protocol.ts'
import { makeCellValue } from './result/json-values.ts'

const MEMORY_LIMIT = '1GB'
/** Limit of a result, in megabytes of Arrow. As JSON, a larger one might crash the page. */
const MOST_MB = 128
/** How many files stay attached after the statements that needed them. */
const KEPT_FILES = 64

export function openQueryEngine(
  duckdb: DuckDB,
  options: { readonly keptFiles?: number; readonly memoryLimit?: string } = {},
): Promise<SqlEngine> {
  return SqlEngine.open(duckdb, { readOnly: true, memoryLimit: MEMORY_LIMIT, keptFiles: KEPT_FILES, ...options })
}

/**
 * Runs one reading statement, and returns its rows in the form of the service's contract.
 * @throws {EngineError} as `SqlEngine.run`
 */
export async function answerQuery(
  engine: SqlEngine,
  request: RunRequest,
  signal: AbortSignal,
): Promise<StatementResult> {
  const { sql, tables, files, maxRows } = request
  engine.use({ published: tables, local: [] })
  return engine.run({ sql, tables, files, parameters: {}, limit: maxRows + 1 }, signal, (outcome) =>
    answerOf(outcome, maxRows),
  )
}

/** @throws {EngineError} if the statement changes something, or its rows are too large for one answer */
export async function answerOf(outcome: Outcome, maxRows: number): Promise<StatementResult> {
  if (outcome.kind === 'change') throw notAllowed('A statement can only read.')
  const { columns, types } = outcome
  const rows: unknown[][] = []
  let bytes = 0
  for await (const batch of outcome.read()) {
    bytes += batch.data.byteLength
    if (bytes > MOST_MB * 2 ** 20) throw tooLarge()
    const cells = batch.data.children.map((data, i) => makeCellValue(types[i], data))
    for (let row = 0; row < batch.numRows; row++) rows.push(cells.map((cell) => cell(row)))
  }
  const truncated = rows.length > maxRows
  const names = uniqueNames(columns.map(({ name }) => name))
  return {
    columns: columns.map(({ type }, i) => ({ name: names[i], type })),
    rows: truncated ? rows.slice(0, maxRows) : rows,
    truncated,
  }
}

function tooLarge(): EngineError {
  return new EngineError('out-of-memory', `The answer has more than the ${MOST_MB} MB that one answer can have.`, {
    remedy: 'Ask for fewer columns or rows, or for shorter values.',
  })
}

/**
 * The columns of one reading statement, and its bound plan as DuckDB's JSON. Doesn't run it.
 * @throws {EngineError} as `SqlEngine.run`
 */
export async function planQuery(
  engine: SqlEngine,
  { sql, tables, files }: Omit<RunRequest, 'maxRows'>,
  signal: AbortSignal,
): Promise<{ readonly columns: StatementResult['columns']; readonly plan: string }> {
  engine.use({ published: tables, local: [] })
  return engine.plan({ sql, tables, files, parameters: {} }, signal)
}
