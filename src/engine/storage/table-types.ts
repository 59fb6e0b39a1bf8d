import type { FormatId } from '../../contract/formats.ts'
import type { ImportPlan, Note } from '../../tables/plan.ts'

/* Stored tables: each is an immutable DuckDB file in the private file system, attached read-only by any tab. */

export interface IngestRequest {
  /** The id under which the table's file is stored, together with others of the same dataset. */
  readonly creationId: string
  /** Null: detected by content. */
  readonly format: FormatId | null
  /** How to read the file, and which of the plan's tables to load. By default the file's only table, as detected. */
  readonly planned?: { readonly plan: ImportPlan; readonly table: number }
  /** Whether to load only as many rows as the plan's inspection counted, which didn't read all. */
  readonly firstRows?: boolean
  /** Whether to leave out rows that don't fit, as agreed by the person. Otherwise, any such row refuses the file. */
  readonly withoutRejected?: boolean
}

/** @property onto the file of a stored table: the new table has its rows, followed by those of the file loaded */
export type FileIngest = IngestRequest & { readonly onto?: File }

export interface IngestProgress {
  readonly phase: 'inspect' | 'load'
  readonly bytes: number
  readonly totalBytes: number
  readonly rows: number
}

export interface StoredTable {
  /** `<creation id>/<table id>` */
  readonly fileId: string
  readonly rowCount: number
  readonly byteSize: number
  /** DuckDB's names of types. */
  readonly schema: readonly { readonly name: string; readonly type: string }[]
}

/** A table with the name by which a statement refers to it: `workspace.dataset.table`. */
export interface NamedTable {
  readonly workspace: string
  readonly dataset: string
  readonly table: string
  readonly fileId: string
}

export interface StatementRequest {
  readonly sql: string
  /** All tables that the statement may read. */
  readonly tables: readonly NamedTable[]
  readonly timeoutMs: number
  readonly maxRows: number
}

export interface StatementResult {
  /** Unique: duplicates get `_1`, `_2`. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /**
   * JSON values in the columns' order: integers beyond ±(2^53-1), HUGEINT and DECIMAL as strings in plain notation;
   * dates and times ISO 8601 with microseconds; BLOB base64; NaN and infinities as strings; lists and structs as arrays
   * and objects; maps as arrays of `{key, value}`.
   */
  readonly rows: readonly (readonly unknown[])[]
  /** There were more than `maxRows`. */
  readonly truncated: boolean
}

/** A table or view of a person's DuckDB file, described without reading rows. */
export interface ListedTable {
  readonly schema: string
  readonly table: string
  readonly view: boolean
  /** Its name, which is unique in the file. */
  readonly name: string
  /** Null for a view, whose rows are known only by running it. */
  readonly rows: number | null
  readonly columns: StoredTable['schema']
}

/** @property notes views that can't be read, with the reasons */
export interface DatabaseTables {
  readonly tables: readonly ListedTable[]
  readonly notes: readonly Note[]
}
