import { formatCount, plural } from '../lib/counts.ts'

/* What values and tables have to be: checks that a person sets. Names and meaning are those of Frictionless Table Schema. */

/** What the values of a column have to be. A null is only what `required` is about. */
export interface ColumnChecks {
  readonly required?: boolean
  /** No value twice. */
  readonly unique?: boolean
  /** Of numbers, dates and times: the least and the greatest value, in the type's own text form. */
  readonly minimum?: string
  readonly maximum?: string
  /** Of text: characters. */
  readonly minLength?: number
  readonly maxLength?: number
  /** Of text: a regular expression that all of the value has to match. */
  readonly pattern?: string
  /** The only values allowed, in the type's own text form. */
  readonly enum?: readonly string[]
}

/** How many rows a table may have, in percent of those that it had last time. */
export interface RowCountCheck {
  readonly least: number
  readonly most: number
  /** By the tables' names, null where a file is one table, or several became one: data rows, rejected ones counted. */
  readonly last: readonly { readonly table: string | null; readonly rows: number }[]
  /** Id of the recipe that keeps it for the next time. */
  readonly recipe?: string
}

export type CheckName = keyof ColumnChecks | 'present' | 'rowCount'

/** What became of a check. */
export interface CheckOutcome {
  /** Empty where it's the table's. */
  readonly column: string
  /** `present`: the column has to be there at all. `rowCount`: the table's rows beside last time's. */
  readonly check: CheckName
  /** What was asked for, as text; empty where the check's name says all. */
  readonly expected: string
  /** Rows that failed; of a column that isn't there 1. None: it passed. */
  readonly failed: number
  /** The first of them, at most five. */
  readonly first: readonly FailedRow[]
}

export interface FailedRow {
  /** The file's name, where several are combined. */
  readonly file?: string
  /** Among the table's data rows, from 1, rejected ones counted; null where it's about no one row. */
  readonly row: number | null
  /** At most 200 characters. */
  readonly value: string | null
}

/** Checks without those that ask for nothing; undefined where none is left. */
export function tidyChecks(checks: ColumnChecks): ColumnChecks | undefined {
  const kept = Object.entries(checks).filter(([, value]: [string, unknown]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== '',
  )
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as ColumnChecks)
}

/** A pattern as what all of a value has to match. @throws {SyntaxError} when it's no regular expression */
export const wholeValue = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u')

/** What is wrong with a regular expression; null where it can be matched. */
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

/** What a check asks for: `“id”: no value twice`. */
export const describeCheck = ({ column, check, expected }: CheckOutcome): string =>
  check === 'rowCount' ? expected : `“${column}”: ${WORDS[check](expected)}`

/**
 * Whether a table has about as many rows as last time; null where nothing is known of that.
 * @param rows data rows, rejected ones counted
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

/** The check for the next time, when these were the rows. */
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
