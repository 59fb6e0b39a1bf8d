/* What is done to tables between reading and writing. Plain data. */

/** One statement between reading and writing: what it gives is written, in place of the tables that it reads. */
export interface Shape {
  readonly sql: string
  /** What the statement calls the tables: names that hold for next month's file, whatever it's called. */
  readonly tables: readonly ShapeTable[]
}

/** A table with the name that a statement has for it. */
export interface ShapeTable {
  /** In its file, where that has several; null where a file is one table, and where several files were combined. */
  readonly table: string | null
  readonly name: string
  /** What its file was called when the name was given: the statement may say that instead, in quotes. */
  readonly file?: string
}

export type SplitPeriod = 'month' | 'year'

/** How a table becomes several files. */
export type Split =
  /**
   * A file for each value of a column, or for each month or year of its dates: by the name that it has in the output or,
   * before it was renamed, in the file.
   */
  | { readonly by: 'column'; readonly column: string; readonly period?: SplitPeriod }
  /** A file for every so many rows. */
  | { readonly by: 'rows'; readonly rows: number }
