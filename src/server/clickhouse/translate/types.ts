import { isInteger as isIntegerName } from '../../../tables/types.ts'
import { Untranslatable, type PlanType } from './plan.ts'

/* Types, and how ClickHouse stores them. Dates, timestamps and decimals are stored as the integers that DuckDB uses for
   them, since ClickHouse's own types have other ranges and rules. */

const WHOLE = {
  BOOLEAN: ['UInt8', 0n, 1n],
  TINYINT: ['Int8', -(2n ** 7n), 2n ** 7n - 1n],
  SMALLINT: ['Int16', -(2n ** 15n), 2n ** 15n - 1n],
  INTEGER: ['Int32', -(2n ** 31n), 2n ** 31n - 1n],
  BIGINT: ['Int64', -(2n ** 63n), 2n ** 63n - 1n],
  HUGEINT: ['Int128', -(2n ** 127n), 2n ** 127n - 1n],
  UTINYINT: ['UInt8', 0n, 2n ** 8n - 1n],
  USMALLINT: ['UInt16', 0n, 2n ** 16n - 1n],
  UINTEGER: ['UInt32', 0n, 2n ** 32n - 1n],
  UBIGINT: ['UInt64', 0n, 2n ** 64n - 1n],
  /** Days since 1970. */
  DATE: ['Int32', -(2n ** 31n), 2n ** 31n - 1n],
  /** Microseconds since 1970. */
  TIMESTAMP: ['Int64', -(2n ** 63n), 2n ** 63n - 1n],
} as const

type WholeName = keyof typeof WHOLE

export type Type =
  | { readonly name: WholeName | 'DOUBLE' | 'VARCHAR' }
  /** Stored as an integer, without the decimal point. */
  | { readonly name: 'DECIMAL'; readonly width: number; readonly scale: number }

/** The smallest and the largest integer that a value may be. */
export interface Range {
  readonly low: bigint
  readonly high: bigint
}

const isWhole = (name: string): name is WholeName => Object.hasOwn(WHOLE, name)

/** @throws {Untranslatable} for a type that ClickHouse can't hold exactly */
export function typeOf(given: PlanType | undefined): Type {
  const { id = 'none', type_info: info } = given ?? {}
  if (id === 'DECIMAL' && info?.width !== undefined)
    return { name: 'DECIMAL', width: info.width, scale: info.scale ?? 0 }
  // A collation, or the name of an alias.
  if (info) throw new Untranslatable(`type ${id} with ${info.type}`)
  if (isWhole(id) || id === 'DOUBLE' || id === 'VARCHAR') return { name: id }
  throw new Untranslatable(`type ${id}`)
}

/** @param text in DuckDB's notation @returns null for a type that isn't stored in ClickHouse */
export function columnType(text: string): Type | null {
  const [, width, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(text) ?? []
  // In Parquet, wider decimals can't be passed to ClickHouse as integers.
  if (width !== undefined)
    return Number(width) <= 18 ? { name: 'DECIMAL', width: Number(width), scale: Number(scale) } : null
  if (text === 'HUGEINT') return null
  return isWhole(text) || text === 'DOUBLE' || text === 'VARCHAR' ? { name: text } : null
}

/** The range of a type's values; null if they aren't integers in ClickHouse. */
export function rangeOf(type: Type): Range | null {
  if (type.name === 'DECIMAL') return { low: 1n - 10n ** BigInt(type.width), high: 10n ** BigInt(type.width) - 1n }
  if (!isWhole(type.name)) return null
  const [, low, high] = WHOLE[type.name]
  return { low, high }
}

/** The type in which ClickHouse stores such values. */
export function storedAs(type: Type): string {
  if (type.name === 'DECIMAL') return type.width <= 18 ? 'Int64' : 'Int128'
  if (type.name === 'DOUBLE') return 'Float64'
  return isWhole(type.name) ? WHOLE[type.name][0] : 'String'
}

export const isInteger = ({ name }: Type): boolean => isIntegerName(name)

export function sameType(a: Type, b: Type): boolean {
  if (a.name !== b.name) return false
  return a.name !== 'DECIMAL' || b.name !== 'DECIMAL' || (a.width === b.width && a.scale === b.scale)
}
