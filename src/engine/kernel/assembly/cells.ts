import { readBoolean, readScalar, setNull } from './columns'
import {
  BOOLEAN,
  CELL_ESCAPED,
  CELL_MISSING,
  CELL_NESTED,
  CELL_NULL,
  CELL_PLAIN,
  CELL_QUOTED,
  COLUMN_GROUP,
  COLUMN_MARK,
  COLUMN_NULLS,
  COLUMN_OFFSETS,
  COLUMN_PATTERN,
  COLUMN_TYPE,
  COLUMN_VALIDITY,
  COLUMN_VALUES,
  DATE,
  JSON_ESCAPES,
  TEXT,
} from './layout'
import { unescapeJson } from './json-text'
import { patternDays, patternMicros, readPattern } from './pattern'
import { ends, first, kinds, starts, text } from './places'
import { setDecimalMark } from './values'

/* Cells of delimited text, as offsets: their hash sums, their nulls and their values. */

let quote: i32 = -1
let escape: i32 = -1

/**
 * Sets the quote and escape bytes: -1 for none, `JSON_ESCAPES` for JSON's escapes. With an escape but no quote, any
 * byte may be escaped.
 */
export function setEscapes(quoteByte: i32, escapeByte: i32): void {
  quote = quoteByte
  escape = escapeByte
}

/** Whether unquoted cells have escapes such as `\n`. */
export function hasBareEscapes(): bool {
  return quote < 0 && escape >= 0
}

export function hasJsonEscapes(): bool {
  return escape === JSON_ESCAPES
}

/** The escape byte; -1 for none and for JSON. */
export function escapingByte(): i32 {
  return escape
}

/** Size of the character's encoding here: 2 for an escape, else 1. */
export function unitSize(at: usize, end: usize): usize {
  if (i32(load<u8>(at)) !== escape || at + 1 >= end) return 1
  const next = load<u8>(at, 1)
  if (hasBareEscapes()) return escapedByte(next) < 0 ? 1 : 2
  return i32(next) === quote || i32(next) === escape ? 2 : 1
}

/** The byte that an escape or a plain byte stands for, given its last byte. */
function unitByte(last: usize, size: usize): u8 {
  const byte = load<u8>(last)
  return size > 1 && hasBareEscapes() ? u8(escapedByte(byte)) : byte
}

/** What a byte after a backslash stands for; -1 for itself. Same as `escapedByte` in `formats/csv`. */
function escapedByte(byte: u8): i32 {
  switch (byte) {
    case 0x30: // 0
      return 0
    case 0x62: // b
      return 0x08
    case 0x74: // t
      return 0x09
    case 0x6e: // n
      return 0x0a
    case 0x76: // v
      return 0x0b
    case 0x66: // f
      return 0x0c
    case 0x72: // r
      return 0x0d
    case 0x5a: // Z
      return 0x1a
  }
  const isWord = u32((byte | 0x20) - 0x61) < 26 || u32(byte - 0x30) < 10 || byte >= 0x80
  return isWord ? -1 : i32(byte)
}

/** Copies a cell, unescaped. Returns the copy's end. */
function unescape(from: usize, end: usize, to: usize): usize {
  if (escape === JSON_ESCAPES) return unescapeJson(from, end, to)
  let out = to
  for (let at = from; at < end;) {
    const size = unitSize(at, end)
    at += size
    store<u8>(out++, unitByte(at - 1, size))
  }
  return out
}

/* Text checksums: one sum per column, modulo 2^64, so that the order of the cells doesn't matter. */

const MIX_A: u64 = (u64(0x9e3779b9) << 32) | 0x7f4a7c15
const MIX_B: u64 = (u64(0xd6e8feb8) << 32) | 0x6659fd93
const PLAIN_SEED: u64 = (u64(0x2545f491) << 32) | 0x4f6cdd1d
const QUOTED_SEED: u64 = (u64(0x6c078965) << 32) | 0xa5b35705

/** Masks that keep the first bytes of a vector and clear the others. */
const KEEP = memory.data<u64>([u64.MAX_VALUE, u64.MAX_VALUE, 0, 0])

/**
 * Hashes a cell's text; 0 for an unquoted empty cell, which may be a null. Texts of up to 16 bytes take no branch on
 * their size, which would often be mispredicted.
 * @param from the 16 bytes after the text must be addressable
 */
export function hashCell(from: usize, size: usize, quoted: bool): u64 {
  if (size === 0 && !quoted) return 0
  let hash = seed(size, quoted)
  let at = from
  let left = size
  for (; left > 16; at += 16, left -= 16) hash = mix(hash, load<u64>(at), load<u64>(at, 8))
  return mixLast(hash, at, left)
}

function seed(size: usize, quoted: bool): u64 {
  return u64(size) * MIX_B + (quoted ? QUOTED_SEED : PLAIN_SEED)
}

function mixLast(hash: u64, at: usize, left: usize): u64 {
  const last = v128.and(v128.load(at), v128.load(KEEP + 16 - left))
  return mix(hash, i64x2.extract_lane(last, 0), i64x2.extract_lane(last, 1))
}

function mix(hash: u64, low: u64, high: u64): u64 {
  let mixed = (hash ^ low) * MIX_A
  mixed = (mixed ^ (mixed >> 32) ^ high) * MIX_B
  return mixed ^ (mixed >> 29)
}

/** A block of sixteen bytes, with a spare byte for the second half of an escape. */
const BLOCK = memory.data(32)

/** Hashes a cell as unescaped text. */
function hashEscaped(from: usize, end: usize): u64 {
  let size: usize = 0
  for (let at = from; at < end; at += unitSize(at, end)) size++
  let hash = seed(size, true)
  let filled: usize = 0
  for (let at = from; at < end;) {
    if (filled === 16) {
      hash = mix(hash, load<u64>(BLOCK), load<u64>(BLOCK, 8))
      filled = 0
    }
    const unit = unitSize(at, end)
    at += unit
    store<u8>(BLOCK + filled++, unitByte(at - 1, unit))
  }
  return mixLast(hash, BLOCK, filled)
}

/** Whether there is a NUL byte. The 16 bytes after `to` must be addressable. */
export function hasNul(from: usize, to: usize): bool {
  let at = from
  for (; at + 16 <= to; at += 16) if (!i8x16.all_true(v128.load(at))) return true
  for (; at < to; at++) if (load<u8>(at) === 0) return true
  return false
}

/**
 * Adds the hashes of texts to their columns' sums.
 * @param entries three 32-bit integers per text: column, address and size; the 16 bytes after each text must be
 * addressable
 */
export function sumTexts(entries: usize, count: i32, sums: usize): void {
  for (let entry = entries, after = entries + usize(count) * 12; entry < after; entry += 12) {
    const sum = sums + (usize(load<u32>(entry)) << 3)
    store<u64>(sum, load<u64>(sum) + hashCell(usize(load<u32>(entry, 4)), usize(load<u32>(entry, 8)), false))
  }
}

/** Adds the hashes of rows' cells to the columns' sums. */
export function sumCells(rows: i32, width: i32, sums: usize): void {
  for (let row: i32 = 0; row < rows; row++) {
    let field = usize(load<u32>(first + (usize(row) << 2)))
    for (let sum = sums, after = sums + (usize(width) << 3); sum < after; sum += 8, field++) {
      const kind = i32(load<u8>(kinds + field))
      const start = text + usize(load<u32>(starts + (field << 2)))
      const end = text + usize(load<u32>(ends + (field << 2)))
      const size = end - start
      const quoted = kind === CELL_QUOTED
      let hash: u64
      if (kind === CELL_ESCAPED) hash = hashEscaped(start, end)
      else if (size > 0 && size <= 16) hash = mixLast(seed(size, quoted), start, size)
      else hash = hashCell(start, size, quoted)
      store<u64>(sum, load<u64>(sum) + hash)
    }
  }
}

/** Marks unquoted empty cells as nulls. */
export function markEmpty(count: i32): void {
  const mark = i8x16.splat(u8(CELL_NULL))
  for (let cell: usize = 0; cell < usize(count); cell += 16) {
    const at = cell << 2
    const low = i16x8.narrow_i32x4_s(areEmpty(at, 0), areEmpty(at, 16))
    const high = i16x8.narrow_i32x4_s(areEmpty(at, 32), areEmpty(at, 48))
    const kind = v128.load(kinds + cell)
    const plain = i8x16.eq(kind, i8x16.splat(u8(CELL_PLAIN)))
    v128.store(kinds + cell, v128.or(kind, v128.and(v128.and(i8x16.narrow_i16x8_s(low, high), plain), mark)))
  }
}

function areEmpty(at: usize, offset: usize): v128 {
  return i32x4.eq(v128.load(starts + at + offset), v128.load(ends + at + offset))
}

/**
 * Marks unquoted cells that equal a null text as nulls.
 * @param texts two 32-bit words per null text: its size, at least 1, and its address
 */
export function markNulls(count: i32, texts: usize, textCount: i32): void {
  const after = texts + (usize(textCount) << 3)
  for (let cell: usize = 0; cell < usize(count); cell++) {
    if (i32(load<u8>(kinds + cell)) !== CELL_PLAIN) continue
    const start = load<u32>(starts + (cell << 2))
    const size = load<u32>(ends + (cell << 2)) - start
    for (let known = texts; known < after; known += 8) {
      if (load<u32>(known) !== size) continue
      if (memory.compare(text + usize(start), usize(load<u32>(known, 4)), usize(size)) !== 0) continue
      store<u8>(kinds + cell, u8(CELL_NULL))
      break
    }
  }
}

/** Total size of a column's cells in bytes, before unescaping. */
export function cellsSize(index: i32, rows: i32): u32 {
  let size: u32 = 0
  for (let row: i32 = 0; row < rows; row++) {
    const field = usize(load<u32>(first + (usize(row) << 2))) + usize(index)
    if (i32(load<u8>(kinds + field)) < CELL_MISSING)
      size += load<u32>(ends + (field << 2)) - load<u32>(starts + (field << 2))
  }
  return size
}

/** Resets a column; all of its rows are valid until `setNull`. */
export function beginCells(column: usize, rows: i32): void {
  store<u32>(column, 0, COLUMN_NULLS)
  memory.fill(usize(load<u32>(column, COLUMN_VALIDITY)), 0xff, (usize(rows) + 7) >> 3)
  if (load<u32>(column, COLUMN_TYPE) === TEXT) store<u32>(usize(load<u32>(column, COLUMN_OFFSETS)), 0)
}

/**
 * Parses cells into a column after `beginCells`, until one isn't plainly of the column's type.
 * @param index index of the field
 * @returns the row after the last parsed one
 */
export function readCells(column: usize, index: i32, from: i32, to: i32): i32 {
  const type = load<u32>(column, COLUMN_TYPE)
  if (type === TEXT) {
    return readTexts(column, index, from, to)
  }
  const mark = u8(load<u32>(column, COLUMN_MARK))
  const group = u8(load<u32>(column, COLUMN_GROUP))
  const pattern = usize(load<u32>(column, COLUMN_PATTERN))
  setDecimalMark(mark === 0 ? POINT : mark)
  for (let row = from; row < to; row++) {
    const field = usize(load<u32>(first + (usize(row) << 2))) + usize(index)
    const kind = i32(load<u8>(kinds + field))
    if (kind > CELL_QUOTED) {
      if (kind === CELL_ESCAPED || kind === CELL_NESTED) return row
      setNull(column, row)
      continue
    }
    let start = text + usize(load<u32>(starts + (field << 2)))
    let end = text + usize(load<u32>(ends + (field << 2)))
    if (start === end) return row
    if (pattern !== 0) {
      if (!readPattern(pattern, start, end) || !putMoment(column, type, row)) return row
      continue
    }
    if (group !== 0) {
      end = ungroup(start, end, group)
      if (end === 0) return row
      start = UNGROUPED
    }
    const after = type === BOOLEAN ? readBoolean(column, row, start) : readScalar(column, type, row, start)
    // The parser stopped inside the cell, for example at a decimal mark that is also the delimiter.
    if (after !== end) return row
  }
  return to
}

const POINT: u8 = 0x2e
const DASH: u8 = 0x2d

/**
 * Stores the date or timestamp that was parsed by a pattern; false if it has a time of day but the column is a DATE.
 */
function putMoment(column: usize, type: u32, row: i32): bool {
  const values = usize(load<u32>(column, COLUMN_VALUES))
  if (type === DATE) {
    store<i32>(values + (usize(row) << 2), patternDays())
    return patternMicros() === 0
  }
  store<i64>(values + (usize(row) << 3), i64(patternDays()) * 86400000000 + patternMicros())
  return true
}

const LONGEST_GROUPED: usize = 48
const UNGROUPED = memory.data(64)

/**
 * Copies a number without its thousands separators. Returns the copy's end; 0 if the number isn't grouped in threes.
 */
function ungroup(from: usize, end: usize, group: u8): usize {
  if (end - from > LONGEST_GROUPED) return 0
  let out = UNGROUPED
  let at = from
  if (load<u8>(at) === DASH) {
    store<u8>(out++, DASH)
    at++
  }
  let digits: i32 = 0
  let groups: i32 = 0
  for (; at < end; at++) {
    const byte = load<u8>(at)
    if (byte === group) {
      if (groups === 0 ? digits < 1 || digits > 3 : digits !== 3) return 0
      groups++
      digits = 0
    } else {
      if (u32(byte) - 0x30 > 9) break
      store<u8>(out++, byte)
      digits++
    }
  }
  if (groups > 0 && digits !== 3) return 0
  for (; at < end; at++) {
    const byte = load<u8>(at)
    if (byte === group) return 0
    store<u8>(out++, byte)
  }
  store<u8>(out, 0)
  return out
}

function readTexts(column: usize, index: i32, from: i32, to: i32): i32 {
  const values = usize(load<u32>(column, COLUMN_VALUES))
  const offsets = usize(load<u32>(column, COLUMN_OFFSETS))
  let out = values + usize(load<u32>(offsets + (usize(from) << 2)))
  for (let row = from; row < to; row++) {
    const field = usize(load<u32>(first + (usize(row) << 2))) + usize(index)
    const kind = i32(load<u8>(kinds + field))
    if (kind >= CELL_MISSING) {
      if (kind === CELL_NESTED) return row
      setNull(column, row)
      continue
    }
    const start = text + usize(load<u32>(starts + (field << 2)))
    const end = text + usize(load<u32>(ends + (field << 2)))
    if (kind === CELL_ESCAPED) {
      out = unescape(start, end, out)
    } else {
      for (let at: usize = 0; start + at < end; at += 16) v128.store(out + at, v128.load(start + at))
      out += end - start
    }
    store<u32>(offsets + (usize(row) << 2), u32(out - values), 4)
  }
  return to
}
