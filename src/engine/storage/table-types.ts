import type { FormatId } from '../../contract/formats.ts'
import type { ImportPlan, Note } from '../../tables/plan.ts'

/* Tables at rest: each an immutable DuckDB file in the private file system, attached read-only by any tab. */

export interface IngestRequest {
  /** The table's file is kept under it, with the others of one dataset. */
  readonly creationId: string
  /** Null: detected by content. */
  readonly format: FormatId | null
  /** How it's read, and which of the plan's tables it is. Left out: the file's one table, as it's found. */
  readonly planned?: { readonly plan: ImportPlan; readonly table: number }
  /** Rows that don't fit are left out, as the person has agreed to. Otherwise one of them refuses the file. */
  readonly withoutRejected?: boolean
}

/** @property onto the file of a table at rest: what is made has its rows, and after them those of the file loaded */
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

/** A table with the names that a statement reaches it by: `workspace.dataset.table`. */
export interface NamedTable {
  readonly workspace: string
  readonly dataset: string
  readonly table: string
  readonly fileId: string
}

export interface StatementRequest {
  readonly sql: string
  /** All that the statement may see. */
  readonly tables: readonly NamedTable[]
  readonly timeoutMs: number
  readonly maxRows: number
}

export interface StatementResult {
  /** Unique: duplicates have `_1`, `_2`. */
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

/** A table or view of a person's DuckDB file, by what tells of it without reading rows. */
export interface ListedTable {
  readonly schema: string
  readonly table: string
  readonly view: boolean
  /** What it's called: no two of a file have the same. */
  readonly name: string
  /** Null for a view: only running it tells. */
  readonly rows: number | null
  readonly columns: StoredTable['schema']
}

/** @property notes views that can't be read, and why */
export interface DatabaseTables {
  readonly tables: readonly ListedTable[]
  readonly notes: readonly Note[]
}
