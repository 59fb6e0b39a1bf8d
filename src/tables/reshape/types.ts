/* Changes of tables between reading and writing. Plain data. */

/** A statement between reading and writing. Its result is written instead of the tables that it reads. */
export interface Shape {
  readonly sql: string
  /** The statement's names for the tables, which also fit next month's file. */
  readonly tables: readonly ShapeTable[]
}

/** A table with its name in the statement. */
export interface ShapeTable {
  /** Its name in the file; null for a file with a single table, and for combined files. */
  readonly table: string | null
  readonly name: string
  /** Name of its file at that time. The statement may use it in quotes. */
  readonly file?: string
}

export type SplitPeriod = 'month' | 'year'

/** How a table is split into several files. */
export type Split =
  /**
   * One file per value of a column, or per month or year of its dates. The name is that in the output or, before
   * renaming, in the file.
   */
  | { readonly by: 'column'; readonly column: string; readonly period?: SplitPeriod }
  /** One file per number of rows. */
  | { readonly by: 'rows'; readonly rows: number }
