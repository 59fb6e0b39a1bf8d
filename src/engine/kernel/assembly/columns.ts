import {
  BOOLEAN,
  COLUMN_DIGITS,
  COLUMN_NULLS,
  COLUMN_OFFSETS,
  COLUMN_SCALE,
  COLUMN_TYPE,
  COLUMN_VALIDITY,
  COLUMN_VALUES,
  DATE,
  DECIMAL,
  DOUBLE,
  INT16,
  INT32,
  INT64,
  INT8,
  TEXT,
  TIME,
  TIMESTAMP,
  UINT16,
  UINT32,
  UINT8,
  ZONED,
} from './layout'
import {
  readDate,
  readDecimal,
  readDouble,
  readInteger,
  readTime,
  readTimestamp,
  realValue,
  wholeValue,
} from './values'
import { FALSE, TRUE } from './words'

/*
 * Writes parsed values into columns. A parser returns the end of the value, or 0 for a text that JavaScript must parse.
 */

export function setBoolean(column: usize, row: i32, value: bool): void {
  const at = usize(load<u32>(column, COLUMN_VALUES)) + (usize(row) >> 3)
  store<u8>(at, value ? load<u8>(at) | bitOf(row) : load<u8>(at) & ~bitOf(row))
}

/** Parses `true` or `false` in any case. */
export function readBoolean(column: usize, row: i32, from: usize): usize {
  const word = load<u32>(from) | 0x20202020
  const isTrue = word === TRUE
  setBoolean(column, row, isTrue)
  if (isTrue) return from + 4
  return word === FALSE && (load<u8>(from, 4) | 0x20) === 0x65 ? from + 5 : 0
}

/** Parses a value of any type but text and boolean. */
export function readScalar(column: usize, type: u32, row: i32, from: usize): usize {
  const values = usize(load<u32>(column, COLUMN_VALUES))
  const index = usize(row)
  switch (type) {
    case DOUBLE: {
      const at = readDouble(from)
      store<f64>(values + (index << 3), realValue())
      return at
    }
    case DECIMAL: {
      const at = readDecimal(from, load<u32>(column, COLUMN_DIGITS), load<u32>(column, COLUMN_SCALE))
      store<i64>(values + (index << 4), wholeValue())
      store<i64>(values + (index << 4), wholeValue() >> 63, 8)
      return at
    }
    case DATE: {
      const at = readDate(from)
      store<i32>(values + (index << 2), i32(wholeValue()))
      return at
    }
    case TIME:
    case TIMESTAMP:
    case ZONED: {
      const at = type === TIME ? readTime(from) : readTimestamp(from, type === ZONED)
      store<i64>(values + (index << 3), wholeValue())
      return at
    }
    default: {
      const at = readInteger(from)
      return at === 0 ? 0 : putInteger(type, values, index, at)
    }
  }
}

/** Stores the integer that was parsed up to `at`; 0 if it's out of the type's range. */
function putInteger(type: u32, values: usize, index: usize, at: usize): usize {
  const value = wholeValue()
  switch (type) {
    case INT8:
      store<i8>(values + index, i8(value))
      return value === i64(i8(value)) ? at : 0
    case INT16:
      store<i16>(values + (index << 1), i16(value))
      return value === i64(i16(value)) ? at : 0
    case INT32:
      store<i32>(values + (index << 2), i32(value))
      return value === i64(i32(value)) ? at : 0
    case INT64:
      store<i64>(values + (index << 3), value)
      return at
    case UINT8:
      store<u8>(values + index, u8(value))
      return value === i64(u8(value)) ? at : 0
    case UINT16:
      store<u16>(values + (index << 1), u16(value))
      return value === i64(u16(value)) ? at : 0
    case UINT32:
      store<u32>(values + (index << 2), u32(value))
      return value === i64(u32(value)) ? at : 0
    default:
      return unreachable()
  }
}

function bitOf(row: i32): u8 {
  return u8(1) << u8(row & 7)
}

export function setNull(column: usize, row: i32): void {
  const type = load<u32>(column, COLUMN_TYPE)
  const validity = usize(load<u32>(column, COLUMN_VALIDITY)) + (usize(row) >> 3)
  store<u8>(validity, load<u8>(validity) & ~bitOf(row))
  store<u32>(column, load<u32>(column, COLUMN_NULLS) + 1, COLUMN_NULLS)
  const values = usize(load<u32>(column, COLUMN_VALUES))
  const index = usize(row)
  switch (type) {
    case TEXT: {
      const offset = usize(load<u32>(column, COLUMN_OFFSETS)) + (index << 2)
      store<u32>(offset, load<u32>(offset), 4)
      break
    }
    case BOOLEAN:
      store<u8>(values + (index >> 3), load<u8>(values + (index >> 3)) & ~bitOf(row))
      break
    case INT8:
    case UINT8:
      store<u8>(values + index, 0)
      break
    case INT16:
    case UINT16:
      store<u16>(values + (index << 1), 0)
      break
    case INT32:
    case UINT32:
    case DATE:
      store<u32>(values + (index << 2), 0)
      break
    case DECIMAL:
      v128.store(values + (index << 4), i64x2.splat(0))
      break
    default:
      store<u64>(values + (index << 3), 0)
  }
}
