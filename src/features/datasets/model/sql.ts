import type { DatasetTable } from '../../../api/client.ts'
import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { isNumeric, isTemporal } from '../../../tables/types.ts'

/* Statements that the screens run. All names are quoted. */

/** `"workspace"."dataset"."table"`. */
export function tableName(slug: string, dataset: string, table: string): string {
  return [slug, dataset, table].map(quoteIdentifier).join('.')
}

/** Distinguishes a table's versions: tables can only grow. */
export const versionOf = ({ rowCount, byteSize }: Pick<DatasetTable, 'rowCount' | 'byteSize'>): readonly number[] => [
  rowCount,
  byteSize,
]

/** Some of a table's rows and columns; all columns if none are named. */
export function pageSql(table: string, columns: readonly string[], limit: number, offset: number): string {
  const wanted = columns.length === 0 ? '*' : columns.map(quoteIdentifier).join(', ')
  return `SELECT ${wanted} FROM ${table} LIMIT ${limit} OFFSET ${offset}`
}

export type ProfileKind = 'number' | 'time' | 'boolean' | 'text' | 'nested' | 'bytes'

export function profileKind(type: string): ProfileKind {
  if (type.endsWith(']') || /^(STRUCT|MAP|UNION)\b/.test(type)) return 'nested'
  if (isNumeric(type)) return 'number'
  // Intervals can't be put on a scale, since months have 28 to 31 days.
  if (isTemporal(type)) return 'time'
  if (type === 'BOOLEAN') return 'boolean'
  return type === 'BLOB' || type === 'BIT' ? 'bytes' : 'text'
}

/**
 * One row: `n` rows, `filled` non-null values, `distinct_count` different values, `low`, `high`.
 * @param exact whether to count different values exactly instead of estimating
 */
export function summarySql(table: string, column: string, kind: ProfileKind, exact = true): string {
  const c = quoteIdentifier(column)
  const ends =
    kind === 'nested' || kind === 'bytes' ? 'NULL AS low, NULL AS high' : `min(${c}) AS low, max(${c}) AS high`
  return `SELECT count(*) AS n, count(${c}) AS filled, ${exact ? `count(DISTINCT ${c})` : `approx_count_distinct(${c})`} AS distinct_count, ${ends} FROM ${table}`
}

/** The most frequent values with their counts, `value` and `n`, the most frequent first. */
export function topSql(table: string, column: string, limit: number): string {
  const c = quoteIdentifier(column)
  return `SELECT ${c}::VARCHAR AS value, count(*) AS n FROM ${table} WHERE ${c} IS NOT NULL GROUP BY ALL ORDER BY n DESC, value LIMIT ${limit}`
}

/** A column's values as numbers: dates and times in seconds. */
function onALine(column: string, type: string): string {
  const c = quoteIdentifier(column)
  if (isNumeric(type)) return `${c}::DOUBLE`
  return type.startsWith('TIME') && !type.startsWith('TIMESTAMP') ? `epoch(${c})` : `epoch(${c}::TIMESTAMP)`
}

/** The number of values `n` in each of `bins` equal parts of the range, `bin` from 0, and the range `low`, `high`. */
export function histogramSql(table: string, column: string, type: string, bins: number): string {
  return `WITH v AS (SELECT ${onALine(column, type)} AS x FROM ${table}), r AS (SELECT min(x) AS low, max(x) AS high FROM v WHERE isfinite(x)) SELECT least(${bins - 1}, floor((x - low) / nullif(high - low, 0) * ${bins}))::INTEGER AS bin, count(*) AS n, any_value(low) AS low, any_value(high) AS high FROM v, r WHERE isfinite(x) GROUP BY ALL ORDER BY bin`
}

/* Values of a query's answer as text, unformatted. */

/** A value in one line; null for null. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

/** A value in full: nested ones in several lines. */
export function fullText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
