import type { CsvSettings, ReadSettings } from '../../tables/settings.ts'
import type { NamedTable, StoredTable } from '../storage/table-types.ts'

/* SQL in the browser. A session belongs to one tab of the editor, and has its own worker and temporary tables. */

/** Tables that a session's statements can use besides their own. */
export interface SessionTables {
  /** Named `workspace.dataset.table`; read-only. */
  readonly published: readonly NamedTable[]
  /** Named `local.<name>`; read-only. */
  readonly local: readonly LocalTable[]
  /** Named `my.<name>`; persistent, and statements can change them. */
  readonly kept?: readonly KeptTable[]
}

/** A version of a persistent table. */
export interface KeptTable {
  readonly name: string
  /** Each version is a new file. */
  readonly fileId: string
}

/** A new version of a persistent table. */
export interface KeptVersion extends StoredTable {
  /** The file itself, if the worker can't move it into place. */
  readonly stored?: File
}

/** A change of a persistent table by a statement. */
export interface KeptChange {
  readonly name: string
  /** File id of the version that was changed; null if there was no such table. */
  readonly before: string | null
  /** Null if the table was dropped. */
  readonly after: KeptVersion | null
}

/** Kinds of objects that statements can create. */
export type ObjectKind = 'table' | 'view' | 'index' | 'macro' | 'type' | 'sequence' | 'schema'

/** A statement that created or set something in the session, which is lost with its worker. */
export interface MadeBy {
  readonly kind: ObjectKind | 'variable' | 'prepared' | 'setting' | 'zone'
  readonly sql: string
  readonly parameters: Readonly<Record<string, ParameterValue>>
}

/** A table in this browser only. */
export interface LocalTable {
  readonly name: string
  readonly fileId: string
  /** The file that it was made from, if known. Statements may use its name. */
  readonly file?: DroppedFile
  /** Set if the rows are read from a file on the person's disk. */
  readonly onDisk?: FileOnDisk
  /** The table's name in a DuckDB file that is queried in place. Tables of one file share the `fileId`. */
  readonly database?: DatabaseTable
}

/** A table or view in a DuckDB file. */
export interface DatabaseTable {
  readonly schema: string
  readonly table: string
}

/** A file on the person's disk, as it was when it was added. */
export interface FileOnDisk {
  readonly handle: FileSystemFileHandle
  readonly size: number
  readonly lastModified: number
}

/** A file that was added on the SQL screen. */
export interface DroppedFile {
  /** With the dropped folder, separated by `/`. */
  readonly path: string
  /** Sheet or table, if the file has several. */
  readonly table: string | null
  /** Columns of the table. */
  readonly columns: readonly ResultColumn[]
  /** How it was read; null if unknown. */
  readonly read: { readonly kind: ReadSettings['kind']; readonly text: TextReading | null } | null
}

/** The settings with which delimited text was read. */
export type TextReading = Pick<
  CsvSettings,
  'encoding' | 'delimiter' | 'quote' | 'escape' | 'header' | 'skipLines' | 'comment' | 'nullStrings'
>

/** A range of a text in UTF-16 code units: from `from` up to `to`. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** A statement of a script, without its semicolon. */
export interface ScriptStatement extends TextRange {
  readonly text: string
  /** Names of its parameters, in order of first use. */
  readonly parameters: readonly string[]
}

/** Null if there's no transaction. A failed one can only be rolled back. */
export type TransactionState = 'open' | 'failed' | null

/** A problem found before running. */
export interface SqlProblem extends TextRange {
  readonly message: string
  /** What to do about it, where more is known than to change the statement. */
  readonly remedy?: string
  /** Names that may be meant, ready to insert. */
  readonly suggestions: readonly string[]
}

/** A parameter's value as SQL text of its type: `{type: 'DATE', text: '2024-01-31'}`. A null text is NULL. */
export interface ParameterValue {
  readonly type: 'VARCHAR' | 'BIGINT' | 'DOUBLE' | 'DECIMAL(38,9)' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP'
  readonly text: string | null
}

export interface ResultColumn {
  /** Name in the result; it may occur twice. */
  readonly name: string
  /** DuckDB's type name. */
  readonly type: string
  /** For TIMESTAMP WITH TIME ZONE: the time zone to show it in; UTC by default. */
  readonly zone?: string
}

/**
 * A result in the page, which grows while the statement runs. Cells are read synchronously by index, without creating
 * an object per row.
 */
export interface ResultSet {
  readonly columns: readonly ResultColumn[]
  /** Rows received so far. */
  readonly rowCount: number
  /** Size of the Arrow data. */
  readonly bytes: number
  readonly status: 'running' | 'complete' | 'cancelled' | 'failed'
  /**
   * The value as text, exactly as exports write it; null for NULL.
   * @param limit characters that suffice: longer values may be cut
   */
  text(row: number, column: number, limit?: number): string | null
  /** The value as in the service's JSON (`StatementResult.rows`), for the inspector and for charts. */
  value(row: number, column: number): unknown
  /** Calls back when rows arrive or the status changes, at most once per frame. */
  subscribe(listener: () => void): () => void
  /**
   * All rows of a complete result as an Arrow file, for exports and publishing.
   * @param form `text` for text formats: times as they are shown, in their column's time zone
   */
  file(name: string, form?: 'values' | 'text'): Promise<File>
  /** Frees the memory. */
  dispose(): void
}

export interface RunSummary {
  readonly rows: number
  readonly bytes: number
  /** Milliseconds until the first batch, and in total. */
  readonly firstMs: number
  readonly totalMs: number
  /** For statements without a result: "Created the temporary table orders2, which is gone when this tab closes." */
  readonly message: string | null
  /** Notes about file names in it: "orders.csv is the local table local.orders." */
  readonly notes?: readonly string[]
  /** Whether rows were left out because they exceed the memory. */
  readonly leftOut: boolean
  /** Changes of persistent tables. */
  readonly kept?: readonly KeptChange[]
  /** Statements that changed the session's objects and are committed. */
  readonly made?: readonly MadeBy[]
}

/** An operator of a query plan. */
export interface PlanOperator {
  readonly name: string
  /** Label and text: (“table”, “orders”), (“condition”, “o.id = l.order_id”). */
  readonly details: readonly (readonly [string, string])[]
  /** The optimizer's estimate. */
  readonly estimatedRows: number | null
  /** Null unless the statement was run. */
  readonly rows: number | null
  readonly milliseconds: number | null
  readonly children: readonly PlanOperator[]
}
