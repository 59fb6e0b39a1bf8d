import type { CsvSettings, ReadSettings } from '../../tables/settings.ts'
import type { NamedTable, StoredTable } from '../storage/table-types.ts'

/* SQL in this browser: a session is one tab of the editor, with a worker and temporary tables of its own. */

/** What a session's statements may see, beside what they make themselves. */
export interface SessionTables {
  /** Reached as `workspace.dataset.table`; read-only. */
  readonly published: readonly NamedTable[]
  /** Reached as `local.<name>`; read-only. */
  readonly local: readonly LocalTable[]
  /** Reached as `my.<name>`: statements change them, and they stay. */
  readonly kept?: readonly KeptTable[]
}

/** A table that stays, in one of its versions. */
export interface KeptTable {
  readonly name: string
  /** Each version has another file. */
  readonly fileId: string
}

/** A new version of a table that stays. */
export interface KeptVersion extends StoredTable {
  /** The file itself, where the worker can't put it in its place. */
  readonly stored?: File
}

/** What a statement made of a table that stays. */
export interface KeptChange {
  readonly name: string
  /** The file of the version that it was about; null: there was none of that name. */
  readonly before: string | null
  /** Null: it's gone. */
  readonly after: KeptVersion | null
}

/** What a session's statements make. */
export type ObjectKind = 'table' | 'view' | 'index' | 'macro' | 'type' | 'sequence' | 'schema'

/** A statement that made something of what a session has, and that goes with it. */
export interface MadeBy {
  readonly kind: ObjectKind | 'variable' | 'prepared' | 'setting' | 'zone'
  readonly sql: string
  readonly parameters: Readonly<Record<string, ParameterValue>>
}

/** A table that only this browser has. */
export interface LocalTable {
  readonly name: string
  readonly fileId: string
  /** What it was made of, where it's known: statements may name it by that. */
  readonly file?: DroppedFile
  /** The file itself, where its rows are read from the person's disk. */
  readonly onDisk?: FileOnDisk
  /** Of a DuckDB file that is queried in place: which of its tables. The others have the same `fileId`. */
  readonly database?: DatabaseTable
}

/** A table or view of a DuckDB file, by its own names. */
export interface DatabaseTable {
  readonly schema: string
  readonly table: string
}

/** A file where the person has it, as it was when it was added. */
export interface FileOnDisk {
  readonly handle: FileSystemFileHandle
  /** Bytes. */
  readonly size: number
  readonly lastModified: number
}

/** A file that was dropped on the SQL screen. */
export interface DroppedFile {
  /** With the folders that were dropped with it, `/` between them. */
  readonly path: string
  /** Its sheet or table, where it has several. */
  readonly table: string | null
  /** As the table has them. */
  readonly columns: readonly ResultColumn[]
  /** How it was read; null where that isn't known any more. */
  readonly read: { readonly kind: ReadSettings['kind']; readonly text: TextReading | null } | null
}

/** How delimited text was read. */
export type TextReading = Pick<
  CsvSettings,
  'encoding' | 'delimiter' | 'quote' | 'escape' | 'header' | 'skipLines' | 'comment' | 'nullStrings'
>

/** A place in a statement's or a script's text, in UTF-16 code units: `from` up to `to`. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** One statement of a script; its text without the semicolon. */
export interface ScriptStatement extends TextRange {
  readonly text: string
  /** Names of its `$name` parameters, in the order of their first use. */
  readonly parameters: readonly string[]
}

/** Null: there's no transaction. After a failure, ROLLBACK alone ends it. */
export type TransactionState = 'open' | 'failed' | null

/** Something that the engine says of a text before anything runs. */
export interface SqlProblem extends TextRange {
  readonly message: string
  /** Names that may have been meant, as they can be written. */
  readonly suggestions: readonly string[]
}

/** A parameter's value, as SQL text of that type: `{type: 'DATE', text: '2024-01-31'}`; text null: NULL. */
export interface ParameterValue {
  readonly type: 'VARCHAR' | 'BIGINT' | 'DOUBLE' | 'DECIMAL(38,9)' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP'
  readonly text: string | null
}

export interface ResultColumn {
  /** As the statement gives it: duplicates are duplicates. */
  readonly name: string
  /** DuckDB's name of the type. */
  readonly type: string
  /** Of a time with a zone: by whose clocks it's shown. By default UTC's. */
  readonly zone?: string
}

/**
 * A result's rows, in the page: they arrive while the statement runs. Cells are read by index, without waiting; nothing
 * turns rows into objects.
 */
export interface ResultSet {
  readonly columns: readonly ResultColumn[]
  /** Rows that are here. */
  readonly rowCount: number
  /** Bytes of Arrow that they take. */
  readonly bytes: number
  readonly status: 'running' | 'complete' | 'cancelled' | 'failed'
  /**
   * The value's canonical text, exactly as it would be exported; null for NULL.
   * @param limit characters that are enough: a long value may be cut there
   */
  text(row: number, column: number, limit?: number): string | null
  /** The value as JSON has it (`StatementResult.rows`): for the inspector and for charts. */
  value(row: number, column: number): unknown
  /** Called when rows came or the status changed, at most once a frame. */
  subscribe(listener: () => void): () => void
  /**
   * All rows as an Arrow file that the engine's reader takes: for exports and for publishing. Once it's complete.
   * @param form `text`: for a format of texts, in which times stand as they're shown, by their column's zone
   */
  file(name: string, form?: 'values' | 'text'): Promise<File>
  /** Gives the memory back. */
  dispose(): void
}

export interface RunSummary {
  readonly rows: number
  readonly bytes: number
  /** Until the engine's first batch, and in all. */
  readonly firstMs: number
  readonly totalMs: number
  /** For statements that give no rows: "Created the temporary table orders2, which is gone when this tab closes." */
  readonly message: string | null
  /** Which local tables its paths and bare names mean: "orders.csv is the local table local.orders." */
  readonly notes?: readonly string[]
  /** Rows that were left out since memory would not have held them; 0: it's whole. */
  readonly leftOut: boolean
  /** What it made of tables that stay. */
  readonly kept?: readonly KeptChange[]
  /** It, or the transaction that it ended, as far as it changed what is the session's own. */
  readonly made?: readonly MadeBy[]
}

/** A node of a plan as it's shown: what an operator does and, when it was run, what it took. */
export interface PlanOperator {
  readonly name: string
  /** "orders", "o.id = l.order_id", as (label, text). */
  readonly details: readonly (readonly [string, string])[]
  /** As the optimizer guesses. */
  readonly estimatedRows: number | null
  /** Only after running. */
  readonly rows: number | null
  readonly milliseconds: number | null
  readonly children: readonly PlanOperator[]
}
