import { formatCount, plural } from '../lib/counts.ts'
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

/** Drops constraints that have no effect; undefined if none is left. */
export function tidyChecks(checks: ColumnChecks): ColumnChecks | undefined {
  const kept = Object.entries(checks).filter(([, value]: [string, unknown]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== '',
  )
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as ColumnChecks)
}

/** A regular expression for the whole value. @throws {SyntaxError} if the pattern is invalid */
export const wholeValue = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u')

/** What is wrong with a regular expression; null if it's valid. */
export function expressionProblem(pattern: string): string | null {
  try {
    wholeValue(pattern)
    return null
  } catch {
    return 'This isn’t a regular expression.'
  }
}

export const failedOf = (outcomes: readonly CheckOutcome[]): CheckOutcome[] =>
  outcomes.filter(({ failed }) => failed > 0)

/** Describes a check: `“id”: no value twice`. */
export const describeCheck = ({ column, check, expected }: CheckOutcome): string =>
  check === 'rowCount' ? expected : `“${column}”: ${WORDS[check](expected)}`

/**
 * Compares a table's row count with last time's; null if that is unknown.
 * @param rows data rows, including rejected ones
 */
export function checkRowCount(check: RowCountCheck, table: string | null, rows: number): CheckOutcome | null {
  const { least, most, last } = check
  const before = last.find((each) => each.table === table)?.rows
  if (before === undefined) return null
  const passes = rows * 100 >= before * least && rows * 100 <= before * most
  const share = before === 0 ? '' : `, ${formatShare(rows / before)} of them`
  const allowed = `${formatCount(least)} % to ${formatCount(most)} % are allowed`
  const expected = `${plural(rows, 'row')}; last time ${formatCount(before)}${share} (${allowed})`
  return { column: '', check: 'rowCount', expected, failed: passes ? 0 : 1, first: [] }
}

/** Updates the check with these row counts, for the next time. */
export function withRowCounts(check: RowCountCheck, counted: RowCountCheck['last']): RowCountCheck {
  const others = check.last.filter(({ table }) => !counted.some((each) => each.table === table))
  return { ...check, last: [...others, ...counted] }
}

const formatShare = (share: number): string => `${(Math.round(share * 1000) / 10).toLocaleString('en')} %`

const WORDS: Readonly<Record<CheckName, (expected: string) => string>> = {
  present: () => 'the column is there',
  required: () => 'a value in every row',
  unique: () => 'no value twice',
  minimum: (expected) => `at least ${expected}`,
  maximum: (expected) => `at most ${expected}`,
  minLength: (expected) => `at least ${expected} characters`,
  maxLength: (expected) => `at most ${expected} characters`,
  pattern: (expected) => `matches ${expected}`,
  enum: (expected) => `one of ${expected}`,
  rowCount: (expected) => expected,
}
