import { Untranslatable } from './plan.ts'
import { rangeOf, storedAs, type Range, type Type } from './types.ts'

/** An expression in ClickHouse's SQL that has exactly DuckDB's value, or fails. */
export interface Expression {
  readonly sql: string
  readonly type: Type
  /** The range of its values; null unless they're integers in ClickHouse. */
  readonly range: Range | null
  /** Aliases of the sources that it reads. */
  readonly uses: ReadonlySet<string>
  /** Its value if it's constant. */
  readonly constant?: Constant | undefined
  /** Whether it's a table's column without NULL. */
  readonly solid?: boolean | undefined
}

export type Constant = bigint | number | string | null

const NOTHING: ReadonlySet<string> = new Set()

function usesOf(parts: readonly Expression[]): ReadonlySet<string> {
  return parts.length === 1 && parts[0] ? parts[0].uses : new Set(parts.flatMap(({ uses }) => [...uses]))
}

/** Combines expressions. @param range by default the whole range of the type */
export function made(sql: string, type: Type, parts: readonly Expression[], range = rangeOf(type)): Expression {
  return { sql, type, range, uses: usesOf(parts) }
}

export function constant(value: Constant, type: Type): Expression {
  const range = typeof value === 'bigint' ? { low: value, high: value } : rangeOf(type)
  return { sql: literal(value, type), type, range, uses: NOTHING, constant: value }
}

function literal(value: Constant, type: Type): string {
  if (value === null) return `CAST(NULL, 'Nullable(${storedAs(type)})')`
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return `toFloat64(${Object.is(value, -0) ? '-0.' : String(value)})`
  const inner = storedAs(type)
  return value > -(2n ** 31n) && value < 2n ** 31n ? `to${inner}(${value})` : `to${inner}('${value}')`
}

/** A string literal for ClickHouse. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll('\0', String.raw`\0`)}'`
}

/** Converts an integer to a type with enough bits for the range. */
export function widened({ sql }: Expression, { low, high }: Range): string {
  return `to${widthFor(low, high)}(${sql})`
}

function widthFor(low: bigint, high: bigint): string {
  const bits = [64, 128, 256].find((each) => low >= -(2n ** BigInt(each - 1)) && high < 2n ** BigInt(each - 1))
  if (bits === undefined) throw new Untranslatable('numbers beyond 256 bits')
  return `Int${bits}`
}

/** An integer literal. Without a cast, ClickHouse reads integers beyond 64 bits as floats. */
export function integer(value: bigint): string {
  return value > -(2n ** 63n) && value < 2n ** 63n ? String(value) : `to${widthFor(value, value)}('${value}')`
}

export function hull(ranges: readonly (Range | null)[]): Range {
  const all = ranges.filter((range) => range !== null)
  const low = all.map((range) => range.low).reduce((a, b) => (a < b ? a : b))
  const high = all.map((range) => range.high).reduce((a, b) => (a > b ? a : b))
  return { low, high }
}

/**
 * Converts an integer with a given range to a type. If a value doesn't fit, ClickHouse fails, like DuckDB.
 * @throws {Untranslatable} if values may not fit, and ClickHouse can't be made to fail
 */
export function fitted(sql: string, range: Range, type: Type, parts: readonly Expression[]): Expression {
  const own = rangeOf(type)
  if (!own) throw new Untranslatable('integers as something else')
  if (range.low >= own.low && range.high <= own.high) return made(sql, type, parts, range)
  if (type.name === 'DECIMAL') return made(unless(`abs(${sql}) > ${integer(own.high)}`, sql), type, parts)
  if (type.name === 'DATE' || type.name === 'TIMESTAMP') throw new Untranslatable(`${type.name} that may overflow`)
  return made(`accurateCast(${sql}, 'Nullable(${storedAs(type)})')`, type, parts)
}

/** The value; if the condition holds, ClickHouse fails, and DuckDB runs the statement. */
export function unless(condition: string, sql: string): string {
  return `if(throwIf(ifNull(${condition}, 0)) = 0, ${sql}, NULL)`
}

/** Casts to the type in which ClickHouse stores such values. */
export function stored({ sql, type }: Expression): string {
  return `CAST(${sql}, 'Nullable(${storedAs(type)})')`
}
