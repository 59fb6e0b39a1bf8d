import type { Data } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'

/** A value's text. */
export type PrintCell = (type: ColumnType, data: Data, row: number) => string | null

/** Least and greatest value and sum of a column. */
export interface Extremes {
  /** Takes in rows `start` to `end - 1`, at most 2^20 of them at once. */
  add(data: Data, start: number, end: number): void
  readonly min: string | null
  readonly max: string | null
  /** Null for what isn't a number. */
  sum(): string | null
  /** What was taken in so far, as plain data that only extremes of the same type understand. */
  readonly state: unknown
  /** Takes in what others of the same type have. */
  merge(state: unknown): void
}

/** A column's validity bits; null where it has no nulls. */
export function validityOf(data: Data): Uint8Array | null {
  const bits: Uint8Array | undefined = data.nullBitmap
  return bits === undefined || bits.length === 0 ? null : bits
}
