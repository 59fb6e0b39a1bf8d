import { hashCell } from './cells'
import {
  beginColumns,
  endText,
  isMoment,
  readScalar,
  setBoolean,
  setNull,
  setValid,
  stamp,
  takeBack,
  textAt,
} from './columns'
import { copied, copyString, passNumber, passString } from './json-text'
import {
  BOOLEAN,
  COLUMN_CELL,
  COLUMN_KEY,
  COLUMN_KEY_SIZE,
  COLUMN_SIZE,
  COLUMN_STAMP,
  COLUMN_SUM,
  COLUMN_TYPE,
  TEXT,
} from './layout'
import { isUtf8 } from './utf8'
import { FALSE, NULL, TRUE } from './words'

const LF: u8 = 0x0a
const QUOTE: u8 = 0x22

let position: usize = 0

/** Where the first line begins that the last `readLines` hasn't read. */
export function linesEnd(): usize {
  return position
}

let summing: bool = false

let lines: i32 = 0

/** How many lines, blank ones among them, the last `readLines` has passed. */
export function linesRead(): i32 {
  return lines
}

/**
 * Reads lines of JSON objects into columns, row after row, until it comes upon a line that isn't of the most usual form:
 * one that isn't an object or isn't valid, that has a key twice, or a value that isn't plainly of its column's type.
 * @param at where a line begins; behind the last line there must be a line end
 * @param most rows
 * @param last no line that begins at or behind this is read
 * @param sums whether to sum the hashes of values, as they stand
 * @returns the rows read
 */
export function readLines(columns: usize, count: i32, at: usize, most: i32, last: usize, sums: i32): i32 {
  const behind = columns + usize(count) * COLUMN_SIZE
  beginColumns(columns, behind)
  let row: i32 = 0
  lines = 0
  summing = sums !== 0
  position = at
  while (row < most && position < last) {
    let next = spaces(position)
    if (load<u8>(next) !== LF) {
      next = readObject(columns, behind, row, next)
      if (next !== 0) next = spaces(next)
      if (next === 0 || load<u8>(next) !== LF) {
        takeBack(columns, behind, row)
        break
      }
      endRow(columns, behind, row)
      row++
    }
    lines++
    position = next + 1
  }
  return row
}

/** Adds a row's values to the sums of their columns; columns of which it has none are null. */
function endRow(columns: usize, behind: usize, row: i32): void {
  for (let column = columns; column < behind; column += COLUMN_SIZE) {
    if (load<u32>(column, COLUMN_STAMP) !== row + 1) setNull(column, row)
    else if (summing) store<u64>(column, load<u64>(column, COLUMN_SUM) + load<u64>(column, COLUMN_CELL), COLUMN_SUM)
  }
}

function spaces(from: usize): usize {
  let at = from
  let byte = load<u8>(at)
  while (byte === 0x20 || byte === 0x09 || byte === 0x0d) byte = load<u8>(++at)
  return at
}

/** Reads an object; returns the position behind it, 0 for one that is left to others. */
function readObject(columns: usize, behind: usize, row: i32, from: usize): usize {
  if (load<u8>(from) !== 0x7b) return 0
  let at = spaces(from + 1)
  if (load<u8>(at) === 0x7d) return at + 1
  let expected = columns
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0
    let column: usize = 0
    if (expected < behind && isKey(expected, at + 1)) {
      column = expected
      at += usize(load<u32>(column, COLUMN_KEY_SIZE)) + 3
    } else {
      const close = keyEnd(at + 1)
      if (close === 0) return 0
      column = findColumn(columns, behind, at + 1, close)
      if (column === 0 && !isUtf8(at + 1, close)) return 0
      at = spaces(close + 1)
      if (load<u8>(at) !== 0x3a) return 0
      at++
    }
    at = spaces(at)
    if (column === 0) {
      at = passValue(at)
    } else {
      if (load<u32>(column, COLUMN_STAMP) === row + 1) return 0
      stamp(column, row)
      const value = at
      at = readValue(column, row, at)
      if (summing && at !== 0) store<u64>(column, hashCell(value, at - value, false), COLUMN_CELL)
      expected = column + COLUMN_SIZE
    }
    if (at === 0) return 0
    at = spaces(at)
    const byte = load<u8>(at)
    if (byte === 0x7d) return at + 1
    if (byte !== 0x2c) return 0
    at = spaces(at + 1)
  }
}

/** Whether a column's key, with the quote and the colon behind it, stands here. */
function isKey(column: usize, at: usize): bool {
  const key = usize(load<u32>(column, COLUMN_KEY))
  const size = i32(load<u32>(column, COLUMN_KEY_SIZE)) + 2
  for (let i: i32 = 0; i < size; i += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(key + i), v128.load(at + i)))
    const left = size - i
    const wanted = left < 16 ? (1 << left) - 1 : 0xffff
    if ((mask & wanted) !== wanted) return false
  }
  return true
}

/** Where a key's closing quote is; 0 for a key with escapes. */
function keyEnd(from: usize): usize {
  let at = from
  for (let byte = load<u8>(at); byte !== QUOTE; byte = load<u8>(++at)) if (byte < 0x20 || byte === 0x5c) return 0
  return at
}

function findColumn(columns: usize, behind: usize, key: usize, close: usize): usize {
  const size = close - key
  for (let column = columns; column < behind; column += COLUMN_SIZE) {
    if (usize(load<u32>(column, COLUMN_KEY_SIZE)) !== size) continue
    if (memory.compare(usize(load<u32>(column, COLUMN_KEY)), key, size) === 0) return column
  }
  return 0
}

/** Passes over a value that nobody wants. */
function passValue(at: usize): usize {
  return load<u8>(at) === QUOTE ? passString(at + 1) : passWord(at) || passNumber(at)
}

/** Passes over `null`, `true` or `false`; 0 for anything else. */
function passWord(at: usize): usize {
  const word = load<u32>(at)
  if (word === NULL || word === TRUE) return at + 4
  return word === FALSE && load<u8>(at, 4) === 0x65 ? at + 5 : 0
}

/** Reads the value of a column's key. */
function readValue(column: usize, row: i32, from: usize): usize {
  const type = load<u32>(column, COLUMN_TYPE)
  if (load<u32>(from) === NULL) {
    setNull(column, row)
    return from + 4
  }
  setValid(column, row)
  if (type === TEXT) return readText(column, row, from)
  if (type === BOOLEAN) {
    const at = passWord(from)
    setBoolean(column, row, load<u8>(from) === 0x74)
    return at
  }
  if (!isMoment(type)) return readScalar(column, type, row, from)
  if (load<u8>(from) !== QUOTE) return 0
  const at = readScalar(column, type, row, from + 1)
  return at !== 0 && load<u8>(at) === QUOTE ? at + 1 : 0
}

/** Reads a string, or a number or boolean as it stands. */
function readText(column: usize, row: i32, from: usize): usize {
  const out = textAt(column, row)
  if (load<u8>(from) === QUOTE) {
    const at = copyString(from + 1, out)
    endText(column, row, copied())
    return at
  }
  const at = passWord(from) || passNumber(from)
  if (at === 0) return 0
  memory.copy(out, from, at - from)
  endText(column, row, at - from)
  return at
}
