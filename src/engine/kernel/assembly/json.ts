import { hashCell } from './cells'
import { CLOSERS_SIZE } from './document-layout'
import { escaped, skipNumber, skipString } from './json-text'
import { skipColon, skipNested, skipWhitespace, skipWord, setClosers, setLines } from './json-values'
import {
  CELL_ESCAPED,
  CELL_MISSING,
  CELL_NESTED,
  CELL_NULL,
  CELL_PLAIN,
  CELL_QUOTED,
  JSON_ITEMS,
  JSON_LINES,
  KEY_AT,
  KEY_CELL,
  KEY_NEXT,
  KEY_SIZE,
} from './layout'
import { ends, kinds, recordEnds, recordLines, recordStarts, starts, text } from './places'

/* Splits JSON into rows and cells, one cell per column. 0 means that JavaScript must parse the row. */

const LF: u8 = 0x0a
const CR: u8 = 0x0d
const QUOTE: u8 = 0x22
const COMMA: u8 = 0x2c
const OPEN_LIST: u8 = 0x5b
const CLOSE_LIST: u8 = 0x5d
const OPEN_OBJECT: u8 = 0x7b
const CLOSE_OBJECT: u8 = 0x7d

setClosers(memory.data(CLOSERS_SIZE))

let form: i32 = 0
let inArrays: bool = false
let width: i32 = 0
let known: i32 = 0
let keys: usize = 0
let mask: u32 = 0

/**
 * Sets the form of rows.
 * @param rowForm `JSON_LINES`, `JSON_ITEMS` or `JSON_VALUES`
 * @param arrays whether rows are arrays rather than objects
 * @param cells cells per row
 * @param knownCells if negative, unknown keys are skipped; else a row with an unknown key, or with more items than
 * this, is left to JavaScript
 * @param keyTable table from keys to cells: see `layout.ts`
 * @param slots number of slots in the table
 */
export function setJson(rowForm: i32, arrays: bool, cells: i32, knownCells: i32, keyTable: usize, slots: u32): void {
  form = rowForm
  setLines(rowForm === JSON_LINES)
  inArrays = arrays
  width = cells
  known = knownCells
  keys = keyTable
  mask = slots - 1
}

let position: usize = 0
let line: f64 = 0

/** Offset after the last row that was split. */
export function jsonEnd(): usize {
  return position
}

/** Number of the line at that offset, from 1. */
export function jsonLine(): f64 {
  return line
}

/**
 * Splits rows until one isn't in the usual form: another shape, invalid JSON, a duplicate key.
 * @param from offset after a row, or at the beginning of one; a zero byte must follow the text
 * @param stop offset from which no further row begins
 * @param first index of the first row among the cells
 * @param most number of rows that fit
 * @param startLine number of the line at `from`
 * @param sums hash sums, one per cell of a row; 0 for none
 * @returns the index after the last row
 */
export function splitJson(from: usize, stop: usize, first: i32, most: i32, startLine: f64, sums: usize): i32 {
  position = from
  line = startLine
  let row = first
  while (row < most && position < stop) {
    const begin = text + position
    let at = skipWhitespace(begin)
    if (form === JSON_LINES) {
      if (load<u8>(at) === LF) {
        line++
        position = at + 1 - text
        continue
      }
    } else if (form === JSON_ITEMS) {
      if (load<u8>(at) !== COMMA) break
      at = skipWhitespace(at + 1)
    }
    const end = inArrays ? splitArray(at, row * width) : splitObject(at, row * width)
    if (end === 0) break
    if (form === JSON_LINES) {
      const lineEnd = skipWhitespace(end)
      if (load<u8>(lineEnd) !== LF) break
      setRow(row, begin, load<u8>(lineEnd - 1) === CR ? lineEnd - 1 : lineEnd)
      line++
      position = lineEnd + 1 - text
    } else {
      setRow(row, at, end)
      position = end - text
    }
    if (sums !== 0) sumRow(row * width, width, sums)
    row++
  }
  return row
}

function setRow(row: i32, begin: usize, end: usize): void {
  store<u32>(recordStarts + (usize(row) << 2), u32(begin - text))
  store<u32>(recordEnds + (usize(row) << 2), u32(end - text))
  store<f64>(recordLines + (usize(row) << 3), line)
}

/** Adds the hashes of a row's values, as written, to the columns' sums. */
export function sumRow(first: i32, count: i32, sums: usize): void {
  for (let i: i32 = 0; i < count; i++) {
    const cell = usize(first + i)
    const kind = i32(load<u8>(kinds + cell))
    if (kind === CELL_MISSING) continue
    const quote: usize = kind === CELL_QUOTED || kind === CELL_ESCAPED ? 1 : 0
    const start = text + usize(load<u32>(starts + (cell << 2))) - quote
    const size = text + usize(load<u32>(ends + (cell << 2))) + quote - start
    const sum = sums + (usize(i) << 3)
    store<u64>(sum, load<u64>(sum) + hashCell(start, size, false))
  }
}

export function hashText(start: usize, end: usize): u64 {
  return hashCell(text + start, end - start, false)
}

/** Initializes a row whose values are all missing. */
function clear(cell: i32): void {
  const missing = i8x16.splat(u8(CELL_MISSING))
  // Writing past the row is fine: the next row initializes its own cells.
  for (let i: i32 = 0; i < width; i += 16) v128.store(kinds + usize(cell + i), missing)
}

function splitArray(from: usize, cell: i32): usize {
  if (load<u8>(from) !== OPEN_LIST) return 0
  clear(cell)
  let at = skipWhitespace(from + 1)
  if (load<u8>(at) === CLOSE_LIST) return at + 1
  let i: i32 = 0
  while (true) {
    if (known >= 0 && i >= known) return 0
    at = skipValue(at)
    if (at === 0) return 0
    if (i < width) put(cell + i)
    i++
    at = skipWhitespace(at)
    const byte = load<u8>(at)
    if (byte === CLOSE_LIST) return at + 1
    if (byte !== COMMA) return 0
    at = skipWhitespace(at + 1)
  }
}

function splitObject(from: usize, cell: i32): usize {
  if (load<u8>(from) !== OPEN_OBJECT) return 0
  clear(cell)
  let at = skipWhitespace(from + 1)
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1
  const entries = keys + (usize(mask + 1) << 2)
  let before = entries
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0
    at++
    // Try the key that followed this one last time, then the one after that: rows often omit a key.
    let entry = keys + load<u32>(before, KEY_NEXT)
    if (entry === entries || !isKey(entry, at)) {
      const skipped = keys + load<u32>(entry, KEY_NEXT)
      if (skipped !== entries && isKey(skipped, at)) {
        entry = skipped
      } else {
        const close = skipString(at)
        if (close === 0) return 0
        entry = findKey(at, u32(close - 1 - at))
        if (entry !== 0) {
          store<u32>(before, u32(entry - keys), KEY_NEXT)
        } else {
          // An escaped key may be a known key in another spelling.
          if (known >= 0 || escaped) return 0
          at = skipValue(skipColon(close))
          if (at === 0) return 0
        }
      }
    }
    if (entry !== 0) {
      const own = cell + load<i32>(entry, KEY_CELL)
      if (i32(load<u8>(kinds + usize(own))) !== CELL_MISSING) return 0
      at = skipValue(skipColon(at + usize(load<u32>(entry, KEY_SIZE)) + 1))
      if (at === 0) return 0
      put(own)
      before = entry
    }
    at = skipWhitespace(at)
    const byte = load<u8>(at)
    if (byte === CLOSE_OBJECT) return at + 1
    if (byte !== COMMA) return 0
    at = skipWhitespace(at + 1)
  }
}

/** Whether the entry's key, with its closing quote, is at `at`. */
function isKey(entry: usize, at: usize): bool {
  const key = keys + load<u32>(entry, KEY_AT)
  const size = i32(load<u32>(entry, KEY_SIZE)) + 1
  for (let i: i32 = 0; i < size; i += 16) {
    const same = i8x16.bitmask(i8x16.eq(v128.load(key + i), v128.load(at + i)))
    const left = size - i
    const wanted = left < 16 ? (1 << left) - 1 : 0xffff
    if ((same & wanted) !== wanted) return false
  }
  return true
}

function findKey(at: usize, size: u32): usize {
  let slot = hashKey(at, size) & mask
  while (true) {
    const place = load<u32>(keys + (usize(slot) << 2))
    if (place === 0) return 0
    const entry = keys + place
    if (load<u32>(entry, KEY_SIZE) === size && isKey(entry, at)) return entry
    slot = (slot + 1) & mask
  }
}

/** FNV-1a, 32 bits. */
function hashKey(at: usize, size: u32): u32 {
  let hash: u32 = 0x811c9dc5
  for (let i: u32 = 0; i < size; i++) hash = (hash ^ load<u8>(at + i)) * 0x01000193
  return hash ^ (hash >> 15)
}

/** As `hashKey`, exported. */
export function keyHash(at: usize, size: u32): u32 {
  return hashKey(at, size)
}

/* The last skipped value. */
let kind: i32 = 0
let valueStart: usize = 0
let valueEnd: usize = 0

function put(cell: i32): void {
  const at = usize(cell)
  store<u8>(kinds + at, u8(kind))
  store<u32>(starts + (at << 2), u32(valueStart - text))
  store<u32>(ends + (at << 2), u32(valueEnd - text))
}

function skipValue(from: usize): usize {
  const byte = load<u8>(from)
  if (byte === QUOTE) {
    const after = skipString(from + 1)
    kind = escaped ? CELL_ESCAPED : CELL_QUOTED
    valueStart = from + 1
    valueEnd = after - 1
    return after
  }
  let after: usize
  if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
    kind = CELL_NESTED
    after = skipNested(from)
  } else {
    kind = byte === 0x6e ? CELL_NULL : CELL_PLAIN
    after = byte > 0x39 ? skipWord(from) : skipNumber(from)
  }
  valueStart = from
  valueEnd = after
  return after
}
