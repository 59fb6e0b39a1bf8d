/* Checks that users set for values and tables. Names and semantics are those of Frictionless Table Schema. */

/** Constraints on a column's values. Only `required` concerns nulls. */
export interface ColumnChecks {
  readonly required?: boolean
  /** Whether values must be unique. */
  readonly unique?: boolean
  /** For numbers, dates and times: minimum and maximum in the type's text form. */
  readonly minimum?: string
  readonly maximum?: string
  /** For text: length in characters. */
  readonly minLength?: number
  readonly maxLength?: number
  /** For text: a regular expression that must match the whole value. */
  readonly pattern?: string
  /** The allowed values, in the type's text form. */
  readonly enum?: readonly string[]
}

/** The allowed number of rows, in percent of last time's. */
export interface RowCountCheck {
  readonly least: number
  readonly most: number
  /**
   * Last time's row counts, including rejected rows, by table name; null for a file with a single table, or a combined
   * one.
   */
  readonly last: readonly { readonly table: string | null; readonly rows: number }[]
  /** Id of the recipe that stores them for the next time. */
  readonly recipe?: string
}

export type CheckName = keyof ColumnChecks | 'present' | 'rowCount'

/** The result of a check. */
export interface CheckOutcome {
  /** Empty for a check of the table. */
  readonly column: string
  /** `present`: whether the column exists. `rowCount`: compared with last time. */
  readonly check: CheckName
  /** The expected value as text; empty if the check's name says it all. */
  readonly expected: string
  /** Number of failed rows; 1 for a missing column. 0 means that the check passed. */
  readonly failed: number
  /** The first failed rows, up to five. */
  readonly first: readonly FailedRow[]
}

export interface FailedRow {
  /** The file's name, if several are combined. */
  readonly file?: string
  /** Number of the data row, from 1, including rejected rows; null if it isn't about one row. */
  readonly row: number | null
  /** Up to 200 characters. */
  readonly value: string | null
}
