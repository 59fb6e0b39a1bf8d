import { isInteger as isIntegerName } from '../../../tables/types.ts'
import { Untranslatable, type PlanType } from './plan.ts'

/* Types of values, by what they are in ClickHouse. Dates, times and decimals are the integers that DuckDB has for them:
   ClickHouse's own have other ranges, and other rules. */

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
  /** Its value without the point. */
  | { readonly name: 'DECIMAL'; readonly width: number; readonly scale: number }

/** Integers that a value lies between. */
export interface Range {
  readonly low: bigint
  readonly high: bigint
}

const isWhole = (name: string): name is WholeName => Object.hasOwn(WHOLE, name)

/** @throws {Untranslatable} for a type that has no exact form there */
export function typeOf(given: PlanType | undefined): Type {
  const { id = 'none', type_info: info } = given ?? {}
  if (id === 'DECIMAL' && info?.width !== undefined)
    return { name: 'DECIMAL', width: info.width, scale: info.scale ?? 0 }
  // A collation, or the name of an alias.
  if (info) throw new Untranslatable(`type ${id} with ${info.type}`)
  if (isWhole(id) || id === 'DOUBLE' || id === 'VARCHAR') return { name: id }
  throw new Untranslatable(`type ${id}`)
}

/** @param text in DuckDB's notation, as a table's columns have it; null for a type that isn't kept there */
export function columnType(text: string): Type | null {
  const [, width, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(text) ?? []
  // Parquet has no exact form of wider ones that ClickHouse takes as an integer.
  if (width !== undefined)
    return Number(width) <= 18 ? { name: 'DECIMAL', width: Number(width), scale: Number(scale) } : null
  if (text === 'HUGEINT') return null
  return isWhole(text) || text === 'DOUBLE' || text === 'VARCHAR' ? { name: text } : null
}

/** Where values lie; null for those that aren't integers in ClickHouse. */
export function rangeOf(type: Type): Range | null {
  if (type.name === 'DECIMAL') return { low: 1n - 10n ** BigInt(type.width), high: 10n ** BigInt(type.width) - 1n }
  if (!isWhole(type.name)) return null
  const [, low, high] = WHOLE[type.name]
  return { low, high }
}

/** ClickHouse's type that holds such values. */
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
