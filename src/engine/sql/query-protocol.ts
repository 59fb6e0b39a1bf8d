import type { PlainError } from '../rpc.ts'
import type { NamedTable, StatementResult } from '../storage/table-types.ts'

/* What crosses between the page and a query worker. */

export interface RunRequest {
  readonly sql: string
  /** All that the statement may see. */
  readonly tables: readonly NamedTable[]
  /** The files of those that it may be about, by file id. A table without one is known by name alone. */
  readonly files: ReadonlyMap<string, Blob>
  readonly maxRows: number
}

export type ToQuery =
  | { readonly type: 'run'; readonly request: RunRequest }
  /** Ends the statement that runs: an error comes back. */
  | { readonly type: 'abort' }

export type FromQuery =
  /** Its engine has started: what it's asked runs at once. */
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: Omit<StatementResult, 'durationMs'> }
  /** @property ended the engine can't run another statement */
  | { readonly type: 'error'; readonly error: PlainError; readonly ended?: boolean }
