import { escapingByte, hasBareEscapes, hasJsonEscapes, unitSize } from './cells'
import { writeDouble } from './doubles'
import {
  BOOLEAN,
  CELL_ESCAPED,
  DATE,
  DECIMAL,
  INT64,
  PASSED_AT_SCALE,
  PASSED_BITS,
  PASSED_DIGITS,
  PASSED_NEGATIVE,
  PASSED_SCALE,
  PASSED_SIZE,
  PASSED_UNGROUPABLE,
  PASSED_ZEROS,
  TEXT,
  TIMESTAMP,
} from './layout'
import { ends, first, kinds, starts, text } from './places'
import { digit, readDate, readDouble, readTimestamp, realValue, setDecimalMark, twoDigits } from './values'
import { FALSE, TRUE } from './words'

/* Cells of which an inference only counts how many there are: it looks at the others itself (`columns/infer`). */

const POINT: u8 = 0x2e
const MINUS: u8 = 0x2d
const ZERO: u8 = 0x30
const LETTER_E: u8 = 0x65
const QUOTE: u8 = 0x22
const SLASH: u8 = 0x2f
const BACKSLASH: u8 = 0x5c

const PASSED = memory.data(PASSED_SIZE)

/** Where `passCells` writes what the cells that it passed last have in common. */
export function passedAt(): usize {
  return PASSED
}

/**
 * Passes over cells that are plainly of a type, and written as a value of it is: texts, whole numbers, decimals, dates,
 * timestamps without fractions, `true` and `false`. Those that aren't texts are all quoted or all unquoted.
 * @param index of the field
 * @param leastScale decimals have at least so many digits after the point
 * @param zeros whether decimals may end with a zero
 * @returns the row after the last one
 */
export function passCells(type: u32, index: i32, from: i32, to: i32, leastScale: i32, zeros: bool): i32 {
  memory.fill(PASSED, 0, PASSED_SIZE)
  setDecimalMark(POINT)
  const firstKind = from < to ? i32(load<u8>(kinds + fieldOf(from, index))) : 0
  for (let row = from; row < to; row++) {
    const field = fieldOf(row, index)
    const kind = i32(load<u8>(kinds + field))
    if (kind > CELL_ESCAPED || (type !== TEXT && kind !== firstKind)) return row
    const start = text + usize(load<u32>(starts + (field << 2)))
    const end = text + usize(load<u32>(ends + (field << 2)))
    if (start === end || !isPlainly(type, kind, start, end, leastScale, zeros)) return row
  }
  return to
}

function fieldOf(row: i32, index: i32): usize {
  return usize(load<u32>(first + (usize(row) << 2))) + usize(index)
}

function isPlainly(type: u32, kind: i32, start: usize, end: usize, leastScale: i32, zeros: bool): bool {
  if (type === TEXT) return isText(kind, start, end)
  if (kind === CELL_ESCAPED) return false
  switch (type) {
    case INT64:
      return isInteger(start, end)
    case DECIMAL:
      return isDecimal(start, end, leastScale, zeros)
    case DATE:
      return end - start === 10 && load<u32>(start) !== 0x30303030 && readDate(start) === end
    case TIMESTAMP:
      return isTimestamp(start, end)
    case BOOLEAN:
      return isBoolean(start, end)
    default:
      return false
  }
}

/** The longest of the words that may be more than text, `infinity`, in bytes. */
const LONGEST_WORD: usize = 8
/** What a character takes at most where it's escaped: two bytes, or `\uXXXX`. */
const ESCAPED_SIZE: usize = 2
const JSON_ESCAPED_SIZE: usize = 6

/** Whether a cell begins with a letter, is none of the words that may be more than text, and doesn't end with a blank. */
function isText(kind: i32, start: usize, end: usize): bool {
  const byte = load<u8>(start)
  const escaped = kind === CELL_ESCAPED
  if (u32(byte | 0x20) - 0x61 < 26) {
    if (beginsAsWord(start) && end - start <= longestWord(escaped)) return false
  } else if (byte < 0xc3 || byte === 0xe2 || (byte === 0xe1 && load<u8>(start, 1) === 0xb4)) {
    // U+00A0 and the spaces from U+2000 on begin so, and the null that ClickHouse draws.
    return false
  }
  if (escaped && !endsPlainly(start, end)) return false
  const last = load<u8>(end - 1)
  return last > 0x20 && last !== 0xa0 && last !== 0xaf && last !== 0x89
}

/** Whether a text may begin as `true`, `false`, `nan`, `inf`, `n/a`, `n.a.`, `k.a.`, `none`, `nil` and `null` do, or what is after its first letter may be escaped. */
function beginsAsWord(start: usize): bool {
  const second = load<u8>(start, 1)
  const letter = second | 0x20
  switch (load<u8>(start) | 0x20) {
    case 0x74: // t
      if (letter === 0x72) return true
      break
    case 0x66: // f
      if (letter === 0x61) return true
      break
    case 0x69: // i
      if (letter === 0x6e) return true
      break
    case 0x6e: // n
      if (letter === 0x61 || letter === 0x69 || letter === 0x6f || letter === 0x75) return true
      if (letter === 0x2e || letter === 0x2f) return true
      break
    case 0x6b: // k
      if (letter === 0x2e) return true
      break
    default:
      return false
  }
  return second === BACKSLASH || i32(second) === escapingByte()
}

/** Bytes that one of the words takes at most. */
function longestWord(escaped: bool): usize {
  if (!escaped) return LONGEST_WORD
  return LONGEST_WORD * (hasJsonEscapes() ? JSON_ESCAPED_SIZE : ESCAPED_SIZE)
}

/** Whether the last byte of a text with escapes, which doesn't begin with one, is that of its last character. */
function endsPlainly(start: usize, end: usize): bool {
  if (!hasJsonEscapes()) return !hasBareEscapes() && unitSize(start, end) === 1
  const last = load<u8>(end - 1)
  if (last === QUOTE || last === BACKSLASH || last === SLASH) return true
  for (let at = max(start, end - JSON_ESCAPED_SIZE); at < end; at++) if (load<u8>(at) === BACKSLASH) return false
  return true
}

/** So many digits are always within 32 bits. */
const SAFE_DIGITS: u32 = 9

/** Whether a number below zero begins with 99, as -999 does, which may stand for a missing measurement. */
function mayBeMissing(digits: usize, count: u32): bool {
  return count > 2 && load<u16>(digits) === 0x3939
}

/** Whole numbers of few digits, but for those that may be days, as 20240331, or a missing measurement. */
function isInteger(from: usize, end: usize): bool {
  const negative = load<u8>(from) === MINUS
  const start = negative ? from + 1 : from
  const digits = u32(end - start)
  if (digits - 1 >= SAFE_DIGITS) return false
  const lead = load<u8>(start)
  if (lead === ZERO && (digits > 1 || negative)) return false
  if (negative && mayBeMissing(start, digits)) return false
  for (let at = start; at < end; at++) if (digit(at) > 9) return false
  if (digits === 8) {
    const century = load<u16>(start)
    // `19`, `20`
    if (century === 0x3931 || century === 0x3032) return false
  }
  const bits = digits > 1 || lead > 0x31 ? 4 : u32(lead) - 0x2f
  store<u32>(PASSED, load<u32>(PASSED, PASSED_BITS) | bits, PASSED_BITS)
  if (negative) store<u32>(PASSED, 1, PASSED_NEGATIVE)
  if (digits > load<u32>(PASSED, PASSED_DIGITS)) store<u32>(PASSED, digits, PASSED_DIGITS)
  return true
}

/** A double tells all decimals of at most so many digits apart. */
const SURE_DIGITS: i32 = 15
const LONGEST_DECIMAL: usize = 26
const PRINTED = memory.data(96)

/** Decimals that are what is printed of their double, but for a zero at the end, and none that may be a missing measurement. */
function isDecimal(from: usize, end: usize, leastScale: i32, zeros: bool): bool {
  if (end - from > LONGEST_DECIMAL) return false
  const negative = load<u8>(from) === MINUS
  const start = negative ? from + 1 : from
  let at = start
  while (at < end && digit(at) < 10) at++
  const whole = i32(at - start)
  if (whole === 0 || at === end || load<u8>(at) !== POINT) return false
  if (negative && mayBeMissing(start, u32(whole))) return false
  const point = at++
  while (at < end && digit(at) < 10) at++
  if (at < end) return false
  const scale = i32(end - point) - 1
  const zeroFirst = load<u8>(start) === ZERO
  if (scale === 0 || scale < leastScale || (whole > 1 && zeroFirst)) return false
  const zeroLast = load<u8>(end - 1) === ZERO
  const isSure = !zeroFirst && whole + scale <= SURE_DIGITS
  if (zeroLast) {
    if (!zeros || !isSure || scale === 1 || whole + scale === SURE_DIGITS) return false
    store<u32>(PASSED, load<u32>(PASSED, PASSED_ZEROS) + 1, PASSED_ZEROS)
  } else if (!isSure && !isPrinted(from, end)) {
    return false
  }
  if (negative) store<u32>(PASSED, 1, PASSED_NEGATIVE)
  if (scale !== 3 || whole > 3 || zeroFirst) {
    store<u32>(PASSED, load<u32>(PASSED, PASSED_UNGROUPABLE) + 1, PASSED_UNGROUPABLE)
  }
  const digits: u32 = zeroFirst ? 0 : u32(whole)
  if (digits > load<u32>(PASSED, PASSED_DIGITS)) store<u32>(PASSED, digits, PASSED_DIGITS)
  const greatest = load<u32>(PASSED, PASSED_SCALE)
  if (u32(scale) > greatest) {
    store<u32>(PASSED, u32(scale), PASSED_SCALE)
    store<u32>(PASSED, 1, PASSED_AT_SCALE)
  } else if (u32(scale) === greatest) {
    store<u32>(PASSED, load<u32>(PASSED, PASSED_AT_SCALE) + 1, PASSED_AT_SCALE)
  }
  return true
}

/** Whether a number is just what is printed of the double nearest to it. */
function isPrinted(from: usize, end: usize): bool {
  // What stands after the cell is no part of it, but for a digit or an exponent it may be read.
  if (readDouble(from) !== end) return false
  const size = end - from
  return writeDouble(PRINTED, realValue()) === PRINTED + size && memory.compare(PRINTED, from, size) === 0
}

/** `YYYY-MM-DD HH:MM:SS`, in the years that 64 bits of nanoseconds reach. */
function isTimestamp(start: usize, end: usize): bool {
  if (end - start !== 19 || load<u8>(start, 10) !== 0x20 || readTimestamp(start, false) !== end) return false
  const year = twoDigits(start) * 100 + twoDigits(start + 2)
  return year >= 1678 && year <= 2261
}

function isBoolean(start: usize, end: usize): bool {
  const word = load<u32>(start)
  return word === TRUE ? end - start === 4 : word === FALSE && load<u8>(start, 4) === LETTER_E && end - start === 5
}
