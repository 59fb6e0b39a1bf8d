import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'
import { columnType, storedAs, type Type } from './translate/types.ts'

/** A table's column in ClickHouse, where its name is `c` and its position in DuckDB's table. */
export interface LoadedColumn {
  readonly place: number
  readonly type: Type
  /** Whether it may have NULL, which is checked only for dates and timestamps. */
  readonly nulls: boolean
}

interface TableColumn {
  readonly name: string
  /** In DuckDB's notation. */
  readonly type: string
}

/** The columns that ClickHouse can hold exactly, and expressions to export them from DuckDB. */
export interface Export {
  readonly columns: readonly LoadedColumn[]
  /** The SELECT list. */
  readonly list: string
  /** A SELECT list that returns a boolean per column: whether it has special values, or NULL. */
  readonly check: string
}

/** @param found the check's results by position, if it has been run */
export function exportOf(columns: readonly TableColumn[], found?: ReadonlyMap<number, boolean>): Export {
  const kept = columns.flatMap(({ name, type: text }, place) => {
    const type = columnType(text)
    if (!type || (type.name === 'DOUBLE' && found?.get(place))) return []
    return [{ place, type, nulls: found?.get(place) ?? true, value: quoteIdentifier(name) }]
  })
  return {
    columns: kept.map(({ place, type, nulls }) => ({ place, type, nulls })),
    list: kept.map(({ place, type, value }) => `${handedOver(value, type)} AS c${place}`).join(', '),
    check: kept.map(({ place, type, value }) => `${checked(value, type)} AS c${place}`).join(', '),
  }
}

/** An expression that converts a value to the type in which ClickHouse stores it. */
function handedOver(value: string, type: Type): string {
  if (type.name === 'BOOLEAN') return `CAST(${value} AS UTINYINT)`
  // Removing the decimal point is exact, whatever the width.
  if (type.name === 'DECIMAL') return `CAST(replace(CAST(${value} AS VARCHAR), '.', '') AS BIGINT)`
  if (type.name === 'DATE')
    return finite(value, `CAST(${value} - DATE '1970-01-01' AS INTEGER)`, 2n ** 31n - 1n, `DATE '1970-01-01'`)
  if (type.name === 'TIMESTAMP') return finite(value, `epoch_us(${value})`, 2n ** 63n - 1n, `TIMESTAMP '1970-01-01'`)
  return value
}

function finite(value: string, sql: string, infinity: bigint, middle: string): string {
  return `CASE WHEN isinf(${value}) THEN CASE WHEN ${value} > ${middle} THEN ${infinity} ELSE -${infinity} END ELSE ${sql} END`
}

function checked(value: string, { name }: Type): string {
  if (name === 'DOUBLE') return special(value)
  return name === 'DATE' || name === 'TIMESTAMP' ? `coalesce(bool_or(${value} IS NULL), false)` : 'true'
}

/** Engines compare, sort and group NaN, infinities and -0 differently. */
const special = (value: string): string =>
  `coalesce(bool_or(NOT isfinite(${value}) OR (${value} = 0 AND signbit(${value}))), false)`

/** The column definitions of CREATE TABLE. */
export function definitions(columns: readonly LoadedColumn[]): string {
  return columns.map(({ place, type }) => `c${place} Nullable(${storedAs(type)})`).join(', ')
}
