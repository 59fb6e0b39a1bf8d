import type { Data } from 'apache-arrow'
import type { ColumnType } from '../../../../tables/types.ts'

/** Gives a value as a double, and as an integer where doubles can't tell values apart. Rows must not be null. */
export interface NumberReader {
  readonly at: (row: number) => number
  readonly exact: (row: number) => bigint
  /** From this magnitude on several values share a double. */
  readonly shared: number
}

const HIGH = 2 ** 32
const EXACT = 2 ** 53

/** Infinite dates and timestamps: the last and the first but one of their integers. */
const MAX_DAY = 2 ** 31 - 1
const MAX_INT64 = 2n ** 63n - 1n

/**
 * What reads a column as numbers on a line: numbers as they are, dates and times in their own unit.
 * @param hugeint whether the column is integers that are carried as text
 * @returns null for types that have no place on a line
 */
export function numberReader(type: ColumnType, data: Data, hugeint: boolean): NumberReader | null {
  if (hugeint) return digits(data)
  if (type.kind === 'decimal') return decimal(data, 10 ** -type.scale)
  if (type.kind !== 'scalar') return null
  switch (type.name) {
    case 'TINYINT':
    case 'SMALLINT':
    case 'INTEGER':
    case 'UTINYINT':
    case 'USMALLINT':
    case 'UINTEGER':
    case 'FLOAT':
    case 'DOUBLE':
      return plain(data)
    case 'DATE':
      return days(data)
    case 'BIGINT':
    case 'UBIGINT':
      return long(data, type.name === 'BIGINT')
    case 'TIME':
    case 'TIMESTAMP':
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP_NS':
    case 'TIMESTAMP WITH TIME ZONE':
      return instants(data)
    case 'BOOLEAN':
    case 'VARCHAR':
    case 'BLOB':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
    case 'HUGEINT':
      return null
  }
}

function plain(data: Data): NumberReader {
  const values: Float64Array = data.values
  return { at: (row) => values[row], exact: (row) => BigInt(values[row]), shared: Number.NaN }
}

function days(data: Data): NumberReader {
  const values: Int32Array = data.values
  const at = (row: number): number => {
    const value = values[row]
    return value === MAX_DAY ? Infinity : value === -MAX_DAY ? -Infinity : value
  }
  return { at, exact: (row) => BigInt(values[row]), shared: Number.NaN }
}

function long(data: Data, signed: boolean): NumberReader {
  const values: BigInt64Array = data.values
  const low = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
  const high = signed ? new Int32Array(values.buffer, values.byteOffset, values.length * 2) : low
  return { at: (row) => high[row * 2 + 1] * HIGH + low[row * 2], exact: (row) => values[row], shared: EXACT }
}

function instants(data: Data): NumberReader {
  const values: BigInt64Array = data.values
  const { at, exact } = long(data, true)
  return {
    at: (row) => {
      const value = at(row)
      if (Math.abs(value) < 2 ** 63) return value
      return values[row] === MAX_INT64 ? Infinity : values[row] === -MAX_INT64 ? -Infinity : value
    },
    exact,
    shared: EXACT,
  }
}

function decimal(data: Data, unit: number): NumberReader {
  const words: Uint32Array = data.values
  return {
    at: (row) => {
      const i = row * 4
      const top = words[i + 3] | 0
      // Small negative numbers would lose their digits against 2^96.
      if (top === -1 && (words[i + 2] & words[i + 1]) === 0xffffffff) return (words[i] - HIGH) * unit
      return (((top * HIGH + words[i + 2]) * HIGH + words[i + 1]) * HIGH + words[i]) * unit
    },
    exact: (row) => {
      const i = row * 4
      const upper = (BigInt(words[i + 3] | 0) << 32n) | BigInt(words[i + 2])
      return (upper << 64n) | (BigInt(words[i + 1]) << 32n) | BigInt(words[i])
    },
    shared: EXACT * unit,
  }
}

const decoder = new TextDecoder()

function digits(data: Data): NumberReader {
  const bytes: Uint8Array = data.values
  const offsets: Int32Array = data.valueOffsets
  return {
    at: (row) => {
      let at = offsets[row]
      const end = offsets[row + 1]
      const negative = bytes[at] === 0x2d
      if (negative) at++
      let value = 0
      for (; at < end; at++) value = value * 10 + (bytes[at] - 0x30)
      return negative ? -value : value
    },
    exact: (row) => BigInt(decoder.decode(bytes.subarray(offsets[row], offsets[row + 1]))),
    shared: EXACT,
  }
}
