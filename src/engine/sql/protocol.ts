import type { ResultMessage } from './result/message.ts'
import type { PlainError } from '../rpc.ts'
import type {
  Dialect,
  ParameterValue,
  PlanOperator,
  ResultColumn,
  RunSummary,
  ScriptStatement,
  SessionTables,
  SqlProblem,
} from './session-types.ts'
import type { NamedTable } from '../storage/table-types.ts'

/* What crosses between the page and a session's worker. */

/** A statement with the tables that it may be about. */
export interface StatementCall {
  readonly sql: string
  /** Local files are in the workspace `local`, in its dataset `main`. */
  readonly tables: readonly NamedTable[]
  /** By file id: those that the worker hasn't had yet. */
  readonly files: ReadonlyMap<string, Blob>
  readonly parameters: Readonly<Record<string, ParameterValue>>
}

export interface TemporaryTable {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly columns: readonly ResultColumn[]
}

/** What a session's worker can be asked. */
export interface SessionCalls {
  use: { request: SessionTables; result: null }
  split: { request: string; result: readonly ScriptStatement[] }
  check: { request: StatementCall; result: readonly SqlProblem[] }
  describe: { request: StatementCall; result: readonly ResultColumn[] | null }
  /** Columns and rows come before the answer. */
  run: { request: StatementCall; result: RunSummary }
  explain: { request: StatementCall & { readonly analyze: boolean }; result: PlanOperator }
  temporary: { request: null; result: readonly TemporaryTable[] }
  dialect: { request: null; result: Dialect }
}
export type SessionCall = keyof SessionCalls

export type ToSession =
  | {
      readonly type: 'call'
      readonly id: number
      readonly name: SessionCall
      readonly request: SessionCalls[SessionCall]['request']
    }
  | { readonly type: 'abort'; readonly id: number }
  /** The page has taken a batch. */
  | { readonly type: 'taken'; readonly id: number; readonly bytes: number }

export type FromSession =
  | { readonly type: 'columns'; readonly id: number; readonly columns: readonly ResultColumn[] }
  | { readonly type: 'rows'; readonly id: number; readonly message: ResultMessage; readonly bytes: number }
  | { readonly type: 'result'; readonly id: number; readonly result: SessionCalls[SessionCall]['result'] }
  /** @property ended the engine can't run another statement */
  | { readonly type: 'error'; readonly id: number; readonly error: PlainError; readonly ended?: boolean }
