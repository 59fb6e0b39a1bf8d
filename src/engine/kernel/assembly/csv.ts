import { writeDecimal, writeDouble, writeSigned, writeUnsigned } from './doubles'
import {
  BOOLEAN,
  CELLS_BIT,
  CELLS_DIGITS,
  CELLS_OFFSETS,
  CELLS_QUOTED,
  CELLS_SIZE,
  CELLS_TYPE,
  CELLS_VALIDITY,
  CELLS_VALUES,
  DATE,
  DECIMAL,
  DOUBLE,
  INT16,
  INT32,
  INT64,
  INT8,
  SLACK,
  TEXT,
  TIME,
  TIMESTAMP,
  UINT16,
  UINT32,
  UINT64,
  UINT8,
  WIDEST,
  ZONED,
} from './layout'
import { isInfinite, writeDate, writeTime, writeTimestamp } from './moments'
import { FALSE, TRUE } from './words'

const QUOTE: u8 = 0x22
/** `+00` */
const UTC: u32 = 0x30302b

let delimiter: usize = 0
let delimiterLength: usize = 0
let nullText: usize = 0
let nullLength: usize = 0
let lineEnd: usize = 0
let lineEndLength: usize = 0
let quoteAll: bool = false

/** Sets the dialect. The three texts are stored one after another. */
export function setCsv(texts: usize, delimiterSize: i32, nullSize: i32, lineEndSize: i32, quotesAll: i32): void {
  delimiter = texts
  delimiterLength = delimiterSize
  nullText = texts + delimiterSize
  nullLength = nullSize
  lineEnd = nullText + nullSize
  lineEndLength = lineEndSize
  quoteAll = quotesAll !== 0
}

let end: usize = 0

/** End of what `writeCsv` wrote. */
export function csvEnd(): usize {
  return end
}

/**
 * Writes rows until the next one may not fit.
 * @returns the first row that wasn't written
 */
export function writeCsv(cells: usize, count: i32, from: i32, to: i32, out: usize, limit: usize): i32 {
  const after = cells + usize(count) * CELLS_SIZE
  const room = usize(count) * (usize(WIDEST) + delimiterLength + nullLength) + lineEndLength + SLACK
  let at = out
  let row = from
  for (; row < to; row++) {
    const begun = at
    for (let cell = cells; cell < after; cell += CELLS_SIZE) {
      if (cell !== cells) at = append(at, delimiter, delimiterLength)
      const validity = usize(load<u32>(cell, CELLS_VALIDITY))
      if (validity !== 0 && !bit(validity, load<u32>(cell, CELLS_BIT) + row)) {
        at = append(at, nullText, nullLength)
      } else if (load<u32>(cell, CELLS_TYPE) === TEXT) {
        const offsets = usize(load<u32>(cell, CELLS_OFFSETS)) + (usize(row) << 2)
        const start = load<u32>(offsets)
        const length = usize(load<u32>(offsets, 4) - start)
        if (at + length * 2 + room > limit) {
          end = begun
          return row
        }
        const text = usize(load<u32>(cell, CELLS_VALUES)) + start
        if (load<u32>(cell, CELLS_QUOTED) === 0) at = append(at, text, length)
        else at = writeText(at, text, length)
      } else {
        at = writeValue(at, cell, row)
      }
    }
    if (at + room > limit) {
      end = begun
      return row
    }
    at = append(at, lineEnd, lineEndLength)
  }
  end = at
  return row
}

function bit(bits: usize, at: u32): bool {
  return ((load<u8>(bits + (at >> 3)) >> (at & 7)) & 1) !== 0
}

/** Copies in blocks of 16 bytes: up to 15 bytes after both ranges are read and overwritten. */
function append(out: usize, from: usize, length: usize): usize {
  for (let i: usize = 0; i < length; i += 16) v128.store(out + i, v128.load(from + i))
  return out + length
}

function writeValue(out: usize, cell: usize, row: i32): usize {
  const values = usize(load<u32>(cell, CELLS_VALUES))
  const at = usize(row)
  switch (load<u32>(cell, CELLS_TYPE)) {
    case BOOLEAN: {
      const value = bit(values, load<u32>(cell, CELLS_BIT) + row)
      store<u32>(out, value ? TRUE : FALSE)
      store<u8>(out, 0x65, 4)
      return out + (value ? 4 : 5)
    }
    case INT8:
      return writeSigned(out, load<i8>(values + at))
    case INT16:
      return writeSigned(out, load<i16>(values + (at << 1)))
    case INT32:
      return writeSigned(out, load<i32>(values + (at << 2)))
    case INT64:
      return writeSigned(out, load<i64>(values + (at << 3)))
    case UINT8:
      return writeUnsigned(out, load<u8>(values + at), 1)
    case UINT16:
      return writeUnsigned(out, load<u16>(values + (at << 1)), 1)
    case UINT32:
      return writeUnsigned(out, load<u32>(values + (at << 2)), 1)
    case UINT64:
      return writeUnsigned(out, load<u64>(values + (at << 3)), 1)
    case DOUBLE:
      return writeDouble(out, load<f64>(values + (at << 3)))
    case DATE:
      return writeDate(out, load<i32>(values + (at << 2)))
    case DECIMAL:
      return writeDecimal(out, load<i64>(values + (at << 4)), load<u32>(cell, CELLS_DIGITS))
    case TIME:
      return writeTime(out, load<i64>(values + (at << 3)), load<u32>(cell, CELLS_DIGITS))
    case TIMESTAMP:
      return writeTimestamp(out, load<i64>(values + (at << 3)), load<u32>(cell, CELLS_DIGITS))
    case ZONED: {
      const value = load<i64>(values + (at << 3))
      const zone = writeTimestamp(out, value, load<u32>(cell, CELLS_DIGITS))
      if (isInfinite(value)) return zone
      store<u32>(zone, UTC)
      return zone + 3
    }
    default:
      return unreachable()
  }
}

/** Writes a text, quoted if it would otherwise read back as something else. */
function writeText(out: usize, text: usize, length: usize): usize {
  if (quoteAll || length === 0 || isNullText(text, length) || beginsWithMark(text, length)) {
    return writeQuoted(out, text, length)
  }
  const comma = i8x16.splat(load<u8>(delimiter))
  const quote = i8x16.splat(QUOTE)
  const feed = i8x16.splat(0x0a)
  const carriage = i8x16.splat(0x0d)
  for (let i: usize = 0; i < length; i += 16) {
    const bytes = v128.load(text + i)
    v128.store(out + i, bytes)
    const special = v128.or(
      v128.or(i8x16.eq(bytes, comma), i8x16.eq(bytes, quote)),
      v128.or(i8x16.eq(bytes, feed), i8x16.eq(bytes, carriage)),
    )
    const left = length - i
    const mask = left < 16 ? (1 << i32(left)) - 1 : 0xffff
    if ((i8x16.bitmask(special) & mask) !== 0) return writeQuoted(out, text, length)
  }
  return out + length
}

function isNullText(text: usize, length: usize): bool {
  return length === nullLength && memory.compare(text, nullText, length) === 0
}

/** Whether the text begins with a byte order mark, which readers drop at the start of a file. */
function beginsWithMark(text: usize, length: usize): bool {
  return length >= 3 && (load<u32>(text) & 0xffffff) === 0xbfbbef
}

function writeQuoted(out: usize, text: usize, length: usize): usize {
  const after = text + length
  let at = out
  store<u8>(at++, QUOTE)
  for (let from = text; from < after; from++) {
    const byte = load<u8>(from)
    store<u8>(at++, byte)
    if (byte === QUOTE) store<u8>(at++, QUOTE)
  }
  store<u8>(at++, QUOTE)
  return at
}
