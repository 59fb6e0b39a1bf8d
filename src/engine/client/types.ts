import type { Dialect } from '../../lib/duckdb-sql/index.ts'
import type { Readable } from '../../lib/store.ts'
import type { TemporaryObjects } from '../sql/protocol.ts'
import type {
  KeptChange,
  KeptTable,
  MadeBy,
  ParameterValue,
  PlanOperator,
  ResultColumn,
  ResultSet,
  RunSummary,
  ScriptStatement,
  SessionTables,
  TransactionState,
  SqlProblem,
} from '../sql/session-types.ts'
import type {
  IngestProgress,
  IngestRequest,
  StatementRequest,
  StatementResult,
  StoredTable,
} from '../storage/table-types.ts'

export interface CallOptions<P> {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: P) => void
}

/** How a file becomes a table at rest. `onto` is the file id of a table whose rows come before the file's. */
export type TableIngest = IngestRequest & { readonly onto?: string }

/**
 * Failures are `EngineError`s; a statement's are `sql-error` (`details: {line, column}` if the engine gives them),
 * `sql-not-allowed`, `unknown-table` (`details: {table}`) and `sql-timeout`.
 */
export interface TableStore {
  /** Whether a statement has been answered. The first one takes longer, since the engine must start. */
  readonly hasAnswered: Readable<boolean>
  /** Protects the files of a creation from every tab's sweep until `work` settles. */
  whileCreating<T>(creationId: string, work: () => Promise<T>): Promise<T>
  /** Loads one table of a file, completely or not at all. */
  ingest(file: File, request: TableIngest, options?: CallOptions<IngestProgress>): Promise<StoredTable>
  /** Runs exactly one statement, which must only read. Cancelling and timeouts stop it in the engine, too. */
  run(request: StatementRequest, options?: CallOptions<never>): Promise<StatementResult>
  /** @throws {EngineError} `file-changed` if it's gone */
  file(fileId: string): Promise<File>
  /** Restores a table's file from a backup. Call it within `whileCreating` of the id's creation. */
  put(fileId: string, file: Blob, options?: CallOptions<never>): Promise<void>
  remove(fileId: string): Promise<void>
  /** Removes it once no session reads it. */
  removeUnused(fileId: string): Promise<void>
  /** Removes all tables but those in `keep` and those being created. `keep` is called under each creation's lock. */
  sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void>
}

export interface RunningStatement {
  /** Has its columns; rows are added as they arrive. */
  readonly result: ResultSet
  /** Resolves when all rows have arrived; rejects with `EngineError`, or with the signal's reason. */
  readonly done: Promise<RunSummary>
}

export interface SessionProgress {
  /** From 0 to 1; null if the engine can't tell. */
  readonly fraction: number | null
  readonly rows: number
}

/** What a session has lost. */
export interface LostThings {
  /** Its tables and views. */
  readonly names: readonly string[]
  /** The statements that created everything, in order, so that they can be run again. */
  readonly statements: readonly MadeBy[]
  /** Whether a transaction was open, whose changes can't be recovered. */
  readonly transaction: boolean
  /** Set if the page was left or its tab closed; otherwise the engine stopped. */
  readonly left?: true
}

/** Errors are those of `TableStore.run`, and `out-of-memory` if a statement needs more memory than there is. */
export interface SqlSession {
  /** Sets the tables that statements can refer to from now on. */
  use(tables: SessionTables): void
  /** Splits a script into statements with the engine's own tokenizer. */
  split(script: string, options?: CallOptions<never>): Promise<readonly ScriptStatement[]>
  /** Binds a statement without running it, even while another one runs. */
  check(statement: string, options?: CallOptions<never>): Promise<readonly SqlProblem[]>
  /** The columns of a statement's result, without running it; null if it can't be bound. */
  describe(statement: string, options?: CallOptions<never>): Promise<readonly ResultColumn[] | null>
  /** Cancels the running statement, then runs this one. Resolves when its columns are known. */
  run(
    statement: string,
    options?: CallOptions<SessionProgress> & { readonly parameters?: Readonly<Record<string, ParameterValue>> },
  ): Promise<RunningStatement>
  explain(
    statement: string,
    options: CallOptions<never> & {
      readonly analyze: boolean
      readonly parameters?: Readonly<Record<string, ParameterValue>>
    },
  ): Promise<PlanOperator>
  /** Temporary tables, views and macros that statements have created. */
  temporary(): Promise<TemporaryObjects>
  /** What was lost with a worker and hasn't been created again; null if nothing. */
  lost(): LostThings | null
  /** What would be lost if the session ended now, and what is already lost. */
  atStake(): LostThings | null
  /** Takes over what an earlier session lost, which this one continues. */
  inherit(lost: LostThings): void
  forgetLost(): void
  /** Sets what is called when something was lost with a worker, even while nothing runs. */
  onLost(listener: () => void): void
  transaction(): Promise<TransactionState>
  /** The engine's keywords, functions and types, which are the same for all sessions. */
  dialect(): Promise<Dialect>
  /** Ends its worker and the running statement. */
  close(): void
}

/** The records of kept tables, which outlive sessions (`../sql/kept`). */
export interface KeptStore {
  /** Like `TableStore.whileCreating`. */
  whileCreating<T>(creationId: string, work: () => Promise<T>): Promise<T>
  /** The current versions. */
  tables(): Promise<readonly KeptTable[]>
  /**
   * Records new versions, all of them or none.
   * @returns the current versions afterwards
   * @throws {EngineError} `file-changed` if a table was changed elsewhere since the statement read it
   */
  keep(changes: readonly KeptChange[]): Promise<readonly KeptTable[]>
}

/** @param kept if omitted, the session has no kept tables */
export type CreateSqlSession = (kept?: KeptStore) => SqlSession
