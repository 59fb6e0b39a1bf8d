import type { NamedTable, StatementResult } from '../storage/table-types.ts'

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
