import type { DatasetTable } from '../../../api/client.ts'
import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { isNumeric, isTemporal } from '../../../tables/types.ts'

/* The statements that the screens run. Every name is quoted. */

/** `"workspace"."dataset"."table"`. */
export function tableName(slug: string, dataset: string, table: string): string {
  return [slug, dataset, table].map(quoteIdentifier).join('.')
}

/** What tells a table's rows from those that it had before: it may only get more. */
export const versionOf = ({ rowCount, byteSize }: Pick<DatasetTable, 'rowCount' | 'byteSize'>): readonly number[] => [
  rowCount,
  byteSize,
]

/** Some of a table's rows and columns. No columns: all of them. */
export function pageSql(table: string, columns: readonly string[], limit: number, offset: number): string {
  const wanted = columns.length === 0 ? '*' : columns.map(quoteIdentifier).join(', ')
  return `SELECT ${wanted} FROM ${table} LIMIT ${limit} OFFSET ${offset}`
}

export type ProfileKind = 'number' | 'time' | 'boolean' | 'text' | 'nested' | 'bytes'

export function profileKind(type: string): ProfileKind {
  if (type.endsWith(']') || /^(STRUCT|MAP|UNION)\b/.test(type)) return 'nested'
  if (isNumeric(type)) return 'number'
  // An interval has no place on a line: a month is 28 to 31 days.
  if (isTemporal(type)) return 'time'
  if (type === 'BOOLEAN') return 'boolean'
  return type === 'BLOB' || type === 'BIT' ? 'bytes' : 'text'
}

/**
 * One row: `n` rows, `filled` values that aren't null, `distinct_count` how many different ones, `low`, `high`.
 * @param exact whether the different ones are counted one by one, else about right
 */
export function summarySql(table: string, column: string, kind: ProfileKind, exact = true): string {
  const c = quoteIdentifier(column)
  const ends =
    kind === 'nested' || kind === 'bytes' ? 'NULL AS low, NULL AS high' : `min(${c}) AS low, max(${c}) AS high`
  return `SELECT count(*) AS n, count(${c}) AS filled, ${exact ? `count(DISTINCT ${c})` : `approx_count_distinct(${c})`} AS distinct_count, ${ends} FROM ${table}`
}

/** The most frequent values, `value` and `n` each, the most frequent first. */
export function topSql(table: string, column: string, limit: number): string {
  const c = quoteIdentifier(column)
  return `SELECT ${c}::VARCHAR AS value, count(*) AS n FROM ${table} WHERE ${c} IS NOT NULL GROUP BY ALL ORDER BY n DESC, value LIMIT ${limit}`
}

/** A column's values as numbers on a line: instants as seconds, times of day too. */
function onALine(column: string, type: string): string {
  const c = quoteIdentifier(column)
  if (isNumeric(type)) return `${c}::DOUBLE`
  return type.startsWith('TIME') && !type.startsWith('TIMESTAMP') ? `epoch(${c})` : `epoch(${c}::TIMESTAMP)`
}

/** How many values are in each of `bins` equal parts of the range: `bin` from 0, `n`, and the range `low`, `high`. */
export function histogramSql(table: string, column: string, type: string, bins: number): string {
  return `WITH v AS (SELECT ${onALine(column, type)} AS x FROM ${table}), r AS (SELECT min(x) AS low, max(x) AS high FROM v WHERE isfinite(x)) SELECT least(${bins - 1}, floor((x - low) / nullif(high - low, 0) * ${bins}))::INTEGER AS bin, count(*) AS n, any_value(low) AS low, any_value(high) AS high FROM v, r WHERE isfinite(x) GROUP BY ALL ORDER BY bin`
}

/* Values of a query's answer as text: as they came, never formatted. */

/** A value in one line; null for null. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

/** A value to be looked at: nested ones over several lines. */
export function fullText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
