import type { Dialect } from '../../lib/duckdb-sql/index.ts'
import type { Readable } from '../../lib/store.ts'
import type { TemporaryTable } from '../sql/protocol.ts'
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

/* What the page gets. */

export interface CallOptions<P> {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: P) => void
}

/** How a file becomes a table at rest; `onto` is the file id of the one whose rows come first. */
export type TableIngest = IngestRequest & { readonly onto?: string }

/**
 * Failures are `EngineError`s; a statement's are `sql-error` (`details: {line, column}` where the engine tells),
 * `sql-not-allowed`, `unknown-table` (`details: {table}`) and `sql-timeout`.
 */
export interface TableStore {
  /** Whether a statement has been answered: the first one waits until the engine has started. */
  readonly hasAnswered: Readable<boolean>
  /** Keeps the files made under `creationId` from every tab's sweep until `work` has settled. */
  whileCreating<T>(creationId: string, work: () => Promise<T>): Promise<T>
  /** Loads one table of a file: whole or not at all. */
  ingest(file: File, request: TableIngest, options?: CallOptions<IngestProgress>): Promise<StoredTable>
  /** Runs exactly one reading statement. Cancelling and timing out really stop it. */
  run(request: StatementRequest, options?: CallOptions<never>): Promise<StatementResult>
  /** @throws {EngineError} `file-changed` when it's gone */
  file(fileId: string): Promise<File>
  /** Puts a table's file, of a backup, back in its place. Its id must be of a creation that's being made. */
  put(fileId: string, file: Blob, options?: CallOptions<never>): Promise<void>
  remove(fileId: string): Promise<void>
  /** The same, once no session reads it. */
  removeUnused(fileId: string): Promise<void>
  /** Removes all tables but those that `keep` names and those being created. `keep` is asked under each creation's lock. */
  sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void>
}

export interface RunningStatement {
  /** Its columns are known; rows follow. */
  readonly result: ResultSet
  /** Settles when all rows are here; rejects with `EngineError`, or with the signal's reason. */
  readonly done: Promise<RunSummary>
}

export interface SessionProgress {
  /** From 0 to 1 where the engine can tell, else null. */
  readonly fraction: number | null
  readonly rows: number
}

/** What a session had and has no more. */
export interface LostThings {
  /** Its tables and views. */
  readonly names: readonly string[]
  /** What made all of it, in that order: run again, they make it again as far as they give the same again. */
  readonly statements: readonly MadeBy[]
  /** A transaction was open: its changes were not kept, and nothing makes them again. */
  readonly transaction: boolean
  /** It ended with its page or its tab, rather than that its engine stopped. */
  readonly left?: true
}

/** Errors as `TableStore.run`'s; a statement that the engine stops for memory rejects with `out-of-memory`. */
export interface SqlSession {
  /** What statements see from now on. */
  use(tables: SessionTables): void
  /** Takes a script apart, by the engine's own tokenizer. */
  split(script: string, options?: CallOptions<never>): Promise<readonly ScriptStatement[]>
  /** Binds a statement without running it; also while another one runs. */
  check(statement: string, options?: CallOptions<never>): Promise<readonly SqlProblem[]>
  /** Columns that a statement would give, without running it; null when it doesn't bind. */
  describe(statement: string, options?: CallOptions<never>): Promise<readonly ResultColumn[] | null>
  /** Runs one statement. Resolves when its columns are known. Another one that runs is cancelled first. */
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
  /** Temporary tables and views that the session's statements have made. */
  temporary(): Promise<readonly TemporaryTable[]>
  /** What went with a worker that had to be ended, as long as it hasn't been made again; null where nothing did. */
  lost(): LostThings | null
  /** What would be lost if it ended now, with what is lost already. */
  atStake(): LostThings | null
  /** An earlier session had that, which this one stands for. */
  inherit(lost: LostThings): void
  /** Nobody wants back what was lost. */
  forgetLost(): void
  /** Calls back when something has gone with a worker, also while nothing runs. */
  onLost(listener: () => void): void
  /** Whether its statements are in a transaction. */
  transaction(): Promise<TransactionState>
  /** What the engine knows: the same for all sessions. */
  dialect(): Promise<Dialect>
  /** Ends its worker, and what it runs. */
  close(): void
}

/** Where sessions' tables are that stay. */
export interface KeptStore {
  /** As `TableStore.whileCreating`. */
  whileCreating<T>(creationId: string, work: () => Promise<T>): Promise<T>
  /** The tables as they are in this moment. */
  tables(): Promise<readonly KeptTable[]>
  /**
   * Keeps new versions: all of them or none.
   * @returns the tables as they are then
   * @throws {EngineError} `file-changed` when one isn't what a statement was about any more
   */
  keep(changes: readonly KeptChange[]): Promise<readonly KeptTable[]>
}

/** @param kept without it, none of its tables stay */
export type CreateSqlSession = (kept?: KeptStore) => SqlSession
