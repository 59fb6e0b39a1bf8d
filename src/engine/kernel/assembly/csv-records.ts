import { hashCell } from './cells'
import { beginColumns, endText, readScalar, setBoolean, setNull, setValid, stamp, takeBack, textAt } from './columns'
import { BOOLEAN, COLUMN_CELL, COLUMN_SIZE, COLUMN_SUM, COLUMN_TYPE, TEXT } from './layout'
import { FALSE, TRUE } from './words'

const LF: u8 = 0x0a
const CR: u8 = 0x0d
const SPACE: u8 = 0x20
/** Turns letters to lower case. */
const LOWER: u32 = 0x20202020

let delimiter: u8 = 0
/** Also what escapes itself; line feed where there is no quoting, which no field begins with. */
let quote: u8 = LF
let emptyIsNull: bool = false
let summing: bool = false

/**
 * Sets how records are split.
 * @param sums whether to sum the hashes of cells
 */
export function setDialect(delimiterByte: i32, quoteByte: i32, nullIsEmpty: i32, sums: i32): void {
  delimiter = u8(delimiterByte)
  quote = quoteByte < 0 ? LF : u8(quoteByte)
  emptyIsNull = nullIsEmpty !== 0
  summing = sums !== 0
}

let position: usize = 0

/** Where the first record begins that the last `readRecords` hasn't read. */
export function recordsEnd(): usize {
  return position
}

let lines: i32 = 0

/** How many lines the records and the blank lines had that the last `readRecords` has passed. */
export function recordLines(): i32 {
  return lines
}

/** Line ends within the record that is read. */
let inner: i32 = 0

/** Where the text ends. */
let limit: usize = 0

/**
 * Reads records into columns, row after row, until it comes upon one that isn't whole, or isn't of the most usual form:
 * that has another number of fields, a value that isn't plainly of its column's type, or text behind a closing quote.
 * @param fields of each field of a record its column, as unsigned 32-bit words; 0 for one that isn't wanted
 * @param width fields, at least two: blank lines are no records
 * @param at where a record begins; at `end` there must be a line feed, and the text before it must be UTF-8
 * @param most rows
 * @returns the rows read
 */
export function readRecords(
  columns: usize,
  count: i32,
  fields: usize,
  width: i32,
  at: usize,
  end: usize,
  most: i32,
): i32 {
  const behind = columns + usize(count) * COLUMN_SIZE
  beginColumns(columns, behind)
  let row: i32 = 0
  lines = 0
  position = at
  limit = end
  while (row < most && position < end) {
    inner = 0
    let next = lineEnd(position)
    if (next === 0) {
      next = readRecord(fields, width, row, position)
      if (next !== 0) next = lineEnd(next)
      if (next === 0 || next > end) {
        takeBack(columns, behind, row)
        break
      }
      if (summing) addCells(columns, behind)
      row++
    } else if (next > end) {
      break
    }
    lines += inner + 1
    position = next
  }
  return row
}

/** Adds the cells of a row that is read to the sums of their columns. */
function addCells(columns: usize, behind: usize): void {
  for (let column = columns; column < behind; column += COLUMN_SIZE) {
    store<u64>(column, load<u64>(column, COLUMN_SUM) + load<u64>(column, COLUMN_CELL), COLUMN_SUM)
  }
}

function noteCell(column: usize, from: usize, size: usize, quoted: bool): void {
  if (summing) store<u64>(column, hashCell(from, size, quoted), COLUMN_CELL)
}

/** Behind the line end that is here; 0 where there is none. A carriage return alone is left to others. */
function lineEnd(at: usize): usize {
  const byte = load<u8>(at)
  if (byte === LF) return at + 1
  return byte === CR && load<u8>(at, 1) === LF ? at + 2 : 0
}

/** Reads the fields of a record; returns where the line ends, 0 for one that is left to others. */
function readRecord(fields: usize, width: i32, row: i32, from: usize): usize {
  let at = from
  for (let i: i32 = 0; i < width; i++) {
    if (i > 0) {
      if (load<u8>(at) !== delimiter) return 0
      at++
    }
    const column = usize(load<u32>(fields + (usize(i) << 2)))
    at = column === 0 ? passField(at) : readField(column, row, at)
    if (at === 0) return 0
  }
  return at
}

function isEnd(byte: u8): bool {
  return byte === delimiter || byte === LF || byte === CR
}

/** Where blanks are before a quote, the quote is what begins the field. */
function isBlankBeforeQuote(from: usize): bool {
  if (quote === LF) return false
  let at = from
  while (load<u8>(at) === SPACE) at++
  return at > from && load<u8>(at) === quote
}

function passField(from: usize): usize {
  const first = load<u8>(from)
  if (first === quote && first !== LF) return passQuoted(from + 1)
  if (first === SPACE && isBlankBeforeQuote(from)) return 0
  let at = from
  while (!isEnd(load<u8>(at))) at++
  return at
}

function passQuoted(from: usize): usize {
  let at = from
  while (true) {
    const byte = load<u8>(at++)
    if (byte === quote) {
      if (load<u8>(at) !== quote) return at
      at++
    } else if (byte === LF || byte === CR) {
      // Lines within a record are counted in one place.
      return 0
    }
  }
}

function readField(column: usize, row: i32, from: usize): usize {
  const first = load<u8>(from)
  const type = load<u32>(column, COLUMN_TYPE)
  stamp(column, row)
  if (first === quote && first !== LF) {
    setValid(column, row)
    if (type === TEXT) return readQuoted(column, row, from + 1)
    const at = readValue(column, type, row, from + 1)
    if (at === 0 || load<u8>(at) !== quote) return 0
    noteCell(column, from + 1, at - from - 1, true)
    return at + 1
  }
  if (isEnd(first)) {
    noteCell(column, from, 0, false)
    if (emptyIsNull) {
      setNull(column, row)
      return from
    }
    setValid(column, row)
    if (type !== TEXT) return 0
    endText(column, row, 0)
    return from
  }
  setValid(column, row)
  if (type !== TEXT) {
    const at = readValue(column, type, row, from)
    if (at !== 0) noteCell(column, from, at - from, false)
    return at
  }
  if (first === SPACE && isBlankBeforeQuote(from)) return 0
  return readText(column, row, from)
}

function readValue(column: usize, type: u32, row: i32, from: usize): usize {
  if (type !== BOOLEAN) return readScalar(column, type, row, from)
  const word = load<u32>(from) | LOWER
  const isTrue = word === TRUE
  setBoolean(column, row, isTrue)
  if (isTrue) return from + 4
  return word === FALSE && (load<u8>(from, 4) | 0x20) === 0x65 ? from + 5 : 0
}

/** Copies a field that isn't quoted, by 16 bytes. */
function readText(column: usize, row: i32, from: usize): usize {
  const out = textAt(column, row)
  const comma = i8x16.splat(delimiter)
  const feed = i8x16.splat(LF)
  const carriage = i8x16.splat(CR)
  for (let at: usize = 0; ; at += 16) {
    const bytes = v128.load(from + at)
    v128.store(out + at, bytes)
    const ends = v128.or(v128.or(i8x16.eq(bytes, comma), i8x16.eq(bytes, feed)), i8x16.eq(bytes, carriage))
    const mask = i8x16.bitmask(ends)
    if (mask === 0) continue
    const size = at + ctz<i32>(mask)
    endText(column, row, size)
    noteCell(column, out, size, false)
    return from + size
  }
}

/** Copies a quoted field, from behind its opening quote. */
function readQuoted(column: usize, row: i32, from: usize): usize {
  const begin = textAt(column, row)
  const mark = i8x16.splat(quote)
  const feed = i8x16.splat(LF)
  const carriage = i8x16.splat(CR)
  let out = begin
  let at = from
  while (true) {
    const bytes = v128.load(at)
    v128.store(out, bytes)
    const found = v128.or(v128.or(i8x16.eq(bytes, mark), i8x16.eq(bytes, feed)), i8x16.eq(bytes, carriage))
    const mask = i8x16.bitmask(found)
    if (mask === 0) {
      at += 16
      out += 16
      continue
    }
    const offset = usize(ctz<i32>(mask))
    at += offset
    out += offset
    const byte = load<u8>(at++)
    if (byte !== quote) {
      // A quote that isn't closed ends at the line feed behind the text.
      if (at > limit || (byte === CR && load<u8>(at) !== LF)) return 0
      if (byte === LF) inner++
      store<u8>(out++, byte)
    } else if (load<u8>(at) === quote) {
      store<u8>(out++, quote)
      at++
    } else {
      endText(column, row, out - begin)
      noteCell(column, begin, out - begin, true)
      return at
    }
  }
}
