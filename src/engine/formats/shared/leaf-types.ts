import { DataType } from 'apache-arrow'
import { scalar, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { leafTypeOf } from '../../arrow/types.ts'

/*
 * For values whose meaning isn't in Arrow's type, or that can be more precise than ours. Each leaf of a column in an
 * Arrow or Parquet file has a rule for transforming its data before it's converted to its column type; `leaf-rules.ts`
 * applies it.
 */

/** `keep`: nothing. */
export type LeafRule =
  | 'keep'
  | 'utf8'
  | 'parquet-interval'
  | 'int96-micros'
  | 'int96-nanos'
  | 'int96-text'
  | 'zoned-nanos-to-plain'

/** Whether a column's rules change nothing. */
export const keeps = (rules: readonly LeafRule[]): boolean => rules.every((rule) => rule === 'keep')

/** The column type for a leaf's values. */
export interface TypedLeaf {
  readonly type: ColumnType
  readonly rule: LeafRule
  /** Whether no column type holds the values exactly. */
  readonly asText?: boolean
}

/** What a leaf's values need. */
export interface Fineness {
  /** Whether any value is more precise than microseconds. */
  readonly finer: boolean
  /** Whether any value is outside the range of 64-bit nanoseconds, years 1677 to 2262. */
  readonly far: boolean
}

/** @param fineness for a leaf whose values can be more precise than ours */
export function typedLeaf(type: DataType, fineness: Fineness | undefined): TypedLeaf {
  if (fineness?.finer && DataType.isTime(type)) return { type: VARCHAR, rule: 'keep', asText: true }
  if (fineness?.finer && DataType.isTimestamp(type))
    return { type: scalar('TIMESTAMP_NS'), rule: 'zoned-nanos-to-plain' }
  const own = leafTypeOf(type)
  return { type: own, rule: 'keep', asText: DataType.isDecimal(type) && own.kind !== 'decimal' }
}

/** A column's type, and how its values are read. */
export interface TypedColumn {
  readonly type: ColumnType
  /** One rule per leaf. */
  readonly rules: readonly LeafRule[]
  /** Whether some of its values become text although the file has another type. */
  readonly asText: boolean
  readonly zonedNanos: boolean
}

/**
 * Types a column from its leaves.
 * @param typeOf the column's type; calls `take` for each leaf, in order
 */
export function typedByLeaves(typeOf: (take: (leaf: TypedLeaf) => ColumnType) => ColumnType): TypedColumn {
  const rules: LeafRule[] = []
  let isText = false
  const type = typeOf(({ type: own, rule, asText = false }) => {
    rules.push(rule)
    isText ||= asText
    return own
  })
  return { type, rules, asText: isText, zonedNanos: rules.includes('zoned-nanos-to-plain') }
}
