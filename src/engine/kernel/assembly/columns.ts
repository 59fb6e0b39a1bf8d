import {
  BOOLEAN,
  COLUMN_DIGITS,
  COLUMN_FOUND,
  COLUMN_NULLS,
  COLUMN_OFFSETS,
  COLUMN_SCALE,
  COLUMN_SIZE,
  COLUMN_STAMP,
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

/* Columns that are being read, row after row. */

/** Begins columns anew. */
export function beginColumns(columns: usize, behind: usize): void {
  for (let column = columns; column < behind; column += COLUMN_SIZE) {
    store<u32>(column, 0, COLUMN_STAMP)
    store<u32>(column, 0, COLUMN_NULLS)
    const offsets = usize(load<u32>(column, COLUMN_OFFSETS))
    if (offsets !== 0) store<u32>(offsets, 0)
  }
}

/** Notes that a row has a value of a column. */
export function stamp(column: usize, row: i32): void {
  store<u32>(column, row + 1, COLUMN_STAMP)
  if (load<u32>(column, COLUMN_FOUND) === 0) store<u32>(column, row + 1, COLUMN_FOUND)
}

/** Notes that it's no null. */
export function setValid(column: usize, row: i32): void {
  const validity = usize(load<u32>(column, COLUMN_VALIDITY)) + (usize(row) >> 3)
  store<u8>(validity, load<u8>(validity) | bitOf(row))
}

/** Where a text of a row begins to be written. */
export function textAt(column: usize, row: i32): usize {
  const offset = usize(load<u32>(column, COLUMN_OFFSETS)) + (usize(row) << 2)
  return usize(load<u32>(column, COLUMN_VALUES)) + load<u32>(offset)
}

/** Ends a text that is in its place. */
export function endText(column: usize, row: i32, size: usize): void {
  const offset = usize(load<u32>(column, COLUMN_OFFSETS)) + (usize(row) << 2)
  store<u32>(offset, load<u32>(offset) + u32(size), 4)
}

export function setBoolean(column: usize, row: i32, value: bool): void {
  const at = usize(load<u32>(column, COLUMN_VALUES)) + (usize(row) >> 3)
  store<u8>(at, value ? load<u8>(at) | bitOf(row) : load<u8>(at) & ~bitOf(row))
}

/** Reads `true` or `false` in any case; its end, 0 for another text. */
export function readBoolean(column: usize, row: i32, from: usize): usize {
  const word = load<u32>(from) | 0x20202020
  const isTrue = word === TRUE
  setBoolean(column, row, isTrue)
  if (isTrue) return from + 4
  return word === FALSE && (load<u8>(from, 4) | 0x20) === 0x65 ? from + 5 : 0
}

/** Whether values of a type stand in quotes in JSON. */
export function isMoment(type: u32): bool {
  return type >= u32(DATE) && type <= u32(ZONED)
}

/** Reads a value that is neither text nor a boolean; its end, 0 for one that is left to others. */
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

/** Stores the integer that was read up to `at`; 0 for one that isn't of the type. */
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

/** The bit of a row in its byte. */
function bitOf(row: i32): u8 {
  return u8(1) << u8(row & 7)
}

/** Appends a null. */
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

/** Forgets a row of which some columns have been read. */
export function takeBack(columns: usize, behind: usize, row: i32): void {
  for (let column = columns; column < behind; column += COLUMN_SIZE) {
    if (load<u32>(column, COLUMN_STAMP) !== row + 1) continue
    if (load<u32>(column, COLUMN_FOUND) === row + 1) store<u32>(column, 0, COLUMN_FOUND)
    const bits = load<u8>(usize(load<u32>(column, COLUMN_VALIDITY)) + (usize(row) >> 3))
    if ((bits & bitOf(row)) === 0) store<u32>(column, load<u32>(column, COLUMN_NULLS) - 1, COLUMN_NULLS)
  }
}
