import * as layout from '../../kernel/assembly/layout.ts'
import type { ColumnType, ScalarName } from '../../../tables/types.ts'

/** A physical type of the kernel. */
export interface Kind {
  readonly type: number
  /** Bytes per value; 0 for bits and for texts. */
  readonly width: number
  /** Fractional digits of a second or of a decimal. */
  readonly digits?: number
  /** Precision of a decimal. */
  readonly precision?: number
  /** Arrow's array type for the values. */
  readonly values: TypedArrayOf
}

interface TypedArrayOf {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBuffer, at: number, length: number): ArrayBufferView
}

/** Decimals with at most this many digits fit in 64 bits. */
const MOST_DIGITS = 18

const timestamp = (digits: number): Kind => ({ type: layout.TIMESTAMP, width: 8, digits, values: BigInt64Array })

const KINDS: Partial<Readonly<Record<ScalarName, Kind>>> = {
  BOOLEAN: { type: layout.BOOLEAN, width: 0, values: Uint8Array },
  TINYINT: { type: layout.INT8, width: 1, values: Int8Array },
  SMALLINT: { type: layout.INT16, width: 2, values: Int16Array },
  INTEGER: { type: layout.INT32, width: 4, values: Int32Array },
  BIGINT: { type: layout.INT64, width: 8, values: BigInt64Array },
  UTINYINT: { type: layout.UINT8, width: 1, values: Uint8Array },
  USMALLINT: { type: layout.UINT16, width: 2, values: Uint16Array },
  UINTEGER: { type: layout.UINT32, width: 4, values: Uint32Array },
  UBIGINT: { type: layout.UINT64, width: 8, values: BigUint64Array },
  DOUBLE: { type: layout.DOUBLE, width: 8, values: Float64Array },
  VARCHAR: { type: layout.TEXT, width: 0, values: Uint8Array },
  DATE: { type: layout.DATE, width: 4, values: Int32Array },
  TIME: { type: layout.TIME, width: 8, digits: 6, values: BigInt64Array },
  TIMESTAMP: timestamp(6),
  TIMESTAMP_S: timestamp(0),
  TIMESTAMP_MS: timestamp(3),
  TIMESTAMP_NS: timestamp(9),
  'TIMESTAMP WITH TIME ZONE': { ...timestamp(6), type: layout.ZONED },
}

/** The kernel's physical type for a type; null if it has none. */
export function kindOf(type: ColumnType): Kind | null {
  if (type.kind === 'scalar') return KINDS[type.name] ?? null
  if (type.kind !== 'decimal' || type.width > MOST_DIGITS) return null
  return { type: layout.DECIMAL, width: 16, digits: type.scale, precision: type.width, values: Uint32Array }
}
