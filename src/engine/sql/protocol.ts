import type { Dialect, FunctionInfo } from '../../lib/duckdb-sql/index.ts'
import type { BatchBuffers } from '../arrow/buffer-types.ts'
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

/** A statement with the tables that it may use. */
export interface StatementCall {
  readonly sql: string
  /** Local tables have the workspace `local` and the dataset `main`; persistent tables have `my` and no dataset. */
  readonly tables: readonly NamedTable[]
  /** New files for the worker, by file id. */
  readonly files: ReadonlyMap<string, Blob>
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** Id under which files of persistent tables are created. */
  readonly creationId?: string
}

export interface TemporaryTable {
  /** Qualified by its schema, unless that is `main`. */
  readonly name: string
  /** Name as statements write it. */
  readonly reference: string
  readonly kind: 'table' | 'view'
  readonly columns: readonly ResultColumn[]
}

/** What a session's statements have created. */
export interface TemporaryObjects {
  readonly tables: readonly TemporaryTable[]
  readonly macros: readonly FunctionInfo[]
}

export type RunItem = { readonly columns: readonly ResultColumn[] } | { readonly message: BatchBuffers }

/** Calls to a session's worker. */
export interface SessionCalls {
  use: { request: SessionTables; result: null }
  split: { request: string; result: readonly ScriptStatement[] }
  check: { request: StatementCall; result: readonly SqlProblem[] }
  describe: { request: StatementCall; result: readonly ResultColumn[] | null }
  /** Streams the columns and then batches of rows, whose weight is their bytes; those that come last go with the summary. */
  run: {
    request: StatementCall
    item: readonly RunItem[]
    /** Share that is done, or that was read of a file queried in place; null if unknown. */
    progress: number | null
    result: RunSummary & { readonly rest?: readonly RunItem[] }
  }
  explain: { request: StatementCall & { readonly analyze: boolean }; result: PlanOperator }
  temporary: { request: null; result: TemporaryObjects }
  transaction: { request: null; result: TransactionState }
  dialect: { request: null; result: Dialect }
}

export interface RunRequest {
  readonly sql: string
  /** All tables that the statement may use. */
  readonly tables: readonly NamedTable[]
  /** Files by id. A table without a file is known by name only. */
  readonly files: ReadonlyMap<string, Blob>
  readonly maxRows: number
}

/** Calls to a worker that runs the service's queries. */
export interface QueryCalls {
  run: { request: RunRequest; result: StatementResult }
}
