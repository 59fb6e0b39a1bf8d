import { formatCount, plural } from '../lib/counts.ts'
import type { CheckName, CheckOutcome, ColumnChecks, RowCountCheck } from './checks.ts'

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
