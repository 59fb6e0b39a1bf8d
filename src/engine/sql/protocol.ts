import type { Dialect } from '../../lib/duckdb-sql/index.ts'
import type { ResultMessage } from './result/message.ts'
import type {
  ParameterValue,
  PlanOperator,
  ResultColumn,
  RunSummary,
  ScriptStatement,
  SessionTables,
  SqlProblem,
  TransactionState,
} from './session-types.ts'
import type { NamedTable, StatementResult } from '../storage/table-types.ts'

/** A statement with the tables that it may be about. */
export interface StatementCall {
  readonly sql: string
  /** Local files are in the workspace `local`, in its dataset `main`; tables that stay in `my`, in no dataset. */
  readonly tables: readonly NamedTable[]
  /** By file id: those that the worker hasn't had yet. */
  readonly files: ReadonlyMap<string, Blob>
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** Files of tables that stay are made under it. */
  readonly creationId?: string
}

export interface TemporaryTable {
  /** With its schema, unless that is `main`. */
  readonly name: string
  /** As a statement writes it. */
  readonly reference: string
  readonly kind: 'table' | 'view'
  readonly columns: readonly ResultColumn[]
}

/** What a session's worker can be asked. */
export interface SessionCalls {
  use: { request: SessionTables; result: null }
  split: { request: string; result: readonly ScriptStatement[] }
  check: { request: StatementCall; result: readonly SqlProblem[] }
  describe: { request: StatementCall; result: readonly ResultColumn[] | null }
  /** Streams the columns first, then rows, which weigh their bytes. */
  run: {
    request: StatementCall
    item: { readonly columns: readonly ResultColumn[] } | { readonly message: ResultMessage }
    /** The share of it that is done, or that was read of a file that is queried where it lies; null where it isn’t known. */
    progress: number | null
    result: RunSummary
  }
  explain: { request: StatementCall & { readonly analyze: boolean }; result: PlanOperator }
  temporary: { request: null; result: readonly TemporaryTable[] }
  transaction: { request: null; result: TransactionState }
  dialect: { request: null; result: Dialect }
}

export interface RunRequest {
  readonly sql: string
  /** All that the statement may see. */
  readonly tables: readonly NamedTable[]
  /** The files of those that it may be about, by file id. A table without one is known by name alone. */
  readonly files: ReadonlyMap<string, Blob>
  readonly maxRows: number
}

/** What a worker is asked that runs the service's queries. */
export interface QueryCalls {
  run: { request: RunRequest; result: Omit<StatementResult, 'durationMs'> }
}
