import { escapingByte, hasBareEscapes, hasJsonEscapes, unitSize } from './cells'
import { writeDouble } from './doubles'
import {
  BOOLEAN,
  CELL_ESCAPED,
  DATE,
  DECIMAL,
  INT64,
  SKIPPED_AT_SCALE,
  SKIPPED_BITS,
  SKIPPED_DIGITS,
  SKIPPED_LENGTHS,
  SKIPPED_NEGATIVE,
  SKIPPED_SCALE,
  SKIPPED_SIZE,
  SKIPPED_UNGROUPABLE,
  SKIPPED_ZEROS,
  TEXT,
  TIMESTAMP,
} from './layout'
import { ends, first, kinds, starts, text } from './places'
import { digit, readDate, readDouble, readTimestamp, realValue, setDecimalMark, twoDigits } from './values'
import { FALSE, TRUE } from './words'

/* Skips cells that type inference (`columns/infer`) only needs to count; it looks at all others itself. */

const POINT: u8 = 0x2e
const MINUS: u8 = 0x2d
const ZERO: u8 = 0x30
const LETTER_E: u8 = 0x65
const QUOTE: u8 = 0x22
const SLASH: u8 = 0x2f
const BACKSLASH: u8 = 0x5c

const SKIPPED = memory.data(SKIPPED_SIZE)

/** Address of the statistics that `skipCells` writes. */
export function skippedAt(): usize {
  return SKIPPED
}

/**
 * Skips cells that are plainly of a type and in its canonical form: texts, integers, decimals, dates, timestamps
 * without fractions, `true` and `false`. Except for texts, either all are quoted or none is.
 * @param index index of the field
 * @param leastScale minimum number of digits after the point of decimals
 * @param zeros whether decimals may have a trailing zero
 * @returns the row after the last skipped one
 */
export function skipCells(type: u32, index: i32, from: i32, to: i32, leastScale: i32, zeros: bool): i32 {
  memory.fill(SKIPPED, 0, SKIPPED_SIZE)
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

/** Length of `infinity`, the longest word that isn't text, in bytes. */
const LONGEST_WORD: usize = 8
/** Size of an escaped character: two bytes, or `\uXXXX`. */
const ESCAPED_SIZE: usize = 2
const JSON_ESCAPED_SIZE: usize = 6

/** Whether a cell begins with a letter, doesn't end with a space and can't be one of the words that inference knows. */
function isText(kind: i32, start: usize, end: usize): bool {
  const byte = load<u8>(start)
  const escaped = kind === CELL_ESCAPED
  if (u32(byte | 0x20) - 0x61 < 26) {
    if (beginsAsWord(start) && end - start <= longestWord(escaped)) return false
  } else if (byte < 0xc3 || byte === 0xe2 || (byte === 0xe1 && load<u8>(start, 1) === 0xb4)) {
    // First bytes of U+00A0, of the spaces from U+2000 on, and of ᴺᵁᴸᴸ.
    return false
  }
  if (escaped && !endsPlainly(start, end)) return false
  const last = load<u8>(end - 1)
  return last > 0x20 && last !== 0xa0 && last !== 0xaf && last !== 0x89
}

/**
 * Whether a text may be one of `true`, `false`, `nan`, `inf`, `n/a`, `n.a.`, `k.a.`, `none`, `nil` and `null`, by its
 * first two letters, the second of which may be escaped.
 */
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

/** Most bytes that one of the words takes. */
function longestWord(escaped: bool): usize {
  if (!escaped) return LONGEST_WORD
  return LONGEST_WORD * (hasJsonEscapes() ? JSON_ESCAPED_SIZE : ESCAPED_SIZE)
}

/** Whether the last byte of an escaped text is a character of its own. The text doesn't begin with an escape. */
function endsPlainly(start: usize, end: usize): bool {
  if (!hasJsonEscapes()) return !hasBareEscapes() && unitSize(start, end) === 1
  const last = load<u8>(end - 1)
  if (last === QUOTE || last === BACKSLASH || last === SLASH) return true
  for (let at = max(start, end - JSON_ESCAPED_SIZE); at < end; at++) if (load<u8>(at) === BACKSLASH) return false
  return true
}

/** Integers of up to this many digits fit in 32 bits. */
const SAFE_DIGITS: u32 = 9

/** Whether a negative number begins with 99: it may be a sentinel such as -999. */
function mayBeMissing(digits: usize, count: u32): bool {
  return count > 2 && load<u16>(digits) === 0x3939
}

/** Whether it's an integer of few digits that can be neither a date (20240331) nor a sentinel. */
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
  store<u32>(SKIPPED, load<u32>(SKIPPED, SKIPPED_BITS) | bits, SKIPPED_BITS)
  if (negative) store<u32>(SKIPPED, 1, SKIPPED_NEGATIVE)
  if (digits > load<u32>(SKIPPED, SKIPPED_DIGITS)) store<u32>(SKIPPED, digits, SKIPPED_DIGITS)
  return true
}

/** Doubles distinguish all decimals of up to this many digits. */
const SURE_DIGITS: i32 = 15
const LONGEST_DECIMAL: usize = 26
const PRINTED = memory.data(96)

/**
 * Whether it's a decimal that equals its double's shortest text, apart from a trailing zero, and can't be a sentinel.
 */
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
    store<u32>(SKIPPED, load<u32>(SKIPPED, SKIPPED_ZEROS) + 1, SKIPPED_ZEROS)
  } else if (!isSure && !isPrinted(from, end)) {
    return false
  }
  if (negative) store<u32>(SKIPPED, 1, SKIPPED_NEGATIVE)
  if (scale !== 3 || whole > 3 || zeroFirst) {
    store<u32>(SKIPPED, load<u32>(SKIPPED, SKIPPED_UNGROUPABLE) + 1, SKIPPED_UNGROUPABLE)
  }
  const digits: u32 = zeroFirst ? 0 : u32(whole)
  if (digits > load<u32>(SKIPPED, SKIPPED_DIGITS)) store<u32>(SKIPPED, digits, SKIPPED_DIGITS)
  store<u32>(SKIPPED, load<u32>(SKIPPED, SKIPPED_LENGTHS) | (1 << digits), SKIPPED_LENGTHS)
  const greatest = load<u32>(SKIPPED, SKIPPED_SCALE)
  if (u32(scale) > greatest) {
    store<u32>(SKIPPED, u32(scale), SKIPPED_SCALE)
    store<u32>(SKIPPED, 1, SKIPPED_AT_SCALE)
  } else if (u32(scale) === greatest) {
    store<u32>(SKIPPED, load<u32>(SKIPPED, SKIPPED_AT_SCALE) + 1, SKIPPED_AT_SCALE)
  }
  return true
}

/** Whether the number equals its double's shortest text. */
function isPrinted(from: usize, end: usize): bool {
  // `readDouble` doesn't know the cell's end, so it may read digits or an exponent after it.
  if (readDouble(from) !== end) return false
  const size = end - from
  return writeDouble(PRINTED, realValue()) === PRINTED + size && memory.compare(PRINTED, from, size) === 0
}

/** Whether it's `YYYY-MM-DD HH:MM:SS`, in the range of 64-bit nanoseconds. */
function isTimestamp(start: usize, end: usize): bool {
  if (end - start !== 19 || load<u8>(start, 10) !== 0x20 || readTimestamp(start, false) !== end) return false
  const year = twoDigits(start) * 100 + twoDigits(start + 2)
  return year >= 1678 && year <= 2261
}

function isBoolean(start: usize, end: usize): bool {
  const word = load<u32>(start)
  return word === TRUE ? end - start === 4 : word === FALSE && load<u8>(start, 4) === LETTER_E && end - start === 5
}
