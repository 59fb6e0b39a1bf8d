import { CELL_ESCAPED, CELL_PLAIN, CELL_QUOTED } from './layout'
import { ends, firstFields, kinds, problems, recordEnds, recordLines, recordStarts, starts, text } from './places'

const LF: u8 = 0x0a
const CR: u8 = 0x0d
const SPACE: u8 = 0x20

let delimiter: u8 = 0
/** -1 for no quoting. */
let quote: i32 = -1
/** First byte of comments; -1 for none. */
let comment: i32 = -1

/** Sets the dialect. A quote or comment of -1 means that there is none. */
export function setDialect(delimiterByte: i32, quoteByte: i32, commentByte: i32): void {
  delimiter = u8(delimiterByte)
  quote = quoteByte
  comment = commentByte
}

let position: usize = 0
let fields: i32 = 0
let lines: i32 = 0
let crlf: i32 = 0

/** Offset of the first record that the last `splitRecords` didn't split. */
export function splitEnd(): usize {
  return position - text
}

/** Index after the last split field. */
export function splitFields(): i32 {
  return fields
}

/** Number of lines in the records of the last `splitRecords`. */
export function splitLines(): i32 {
  return lines
}

/** Number of records that ended with CRLF; the others ended with LF. */
export function splitCrlf(): i32 {
  return crlf
}

/**
 * Splits records into cells until one isn't as RFC 4180 has it, apart from the line end: text or blanks beside quotes,
 * a lone carriage return, a comment, an incomplete record.
 * @param from offset of the first record; a line feed must follow the text
 * @param end offset at which all records must end
 * @param stop offset from which no further record begins
 * @param field index of the first field
 * @param record index of the first record
 * @param line number of the first record's line
 * @param mostFields no record is split whose first field has a higher index
 * @param capacity fields that fit in memory
 * @returns the index after the last record
 */
export function splitRecords(
  from: i32,
  end: i32,
  stop: i32,
  field: i32,
  record: i32,
  line: f64,
  mostFields: i32,
  mostRecords: i32,
  capacity: i32,
): i32 {
  const limit = text + usize(end)
  const last = text + usize(stop)
  let begin = text + usize(from)
  fields = field
  lines = 0
  crlf = 0
  block = begin
  marks = marksOf(block)
  while (record < mostRecords && begin < last && begin < limit && fields < mostFields) {
    if (i32(load<u8>(begin)) === comment) break
    let at = begin
    let count = fields
    let after: usize = 0
    inner = 0
    while (count < capacity) {
      const first = load<u8>(at)
      let start = at
      let kind: i32 = CELL_PLAIN
      if (i32(first) === quote) {
        start = at + 1
        at = skipQuoted(start, limit)
        if (at === 0) break
        kind = escaped ? CELL_ESCAPED : CELL_QUOTED
        seek(at + 1)
      } else if (first === SPACE && quote >= 0 && delimiter !== SPACE && i32(load<u8>(afterBlanks(at))) === quote) {
        break
      }
      while (marks === 0) {
        block += 64
        marks = marksOf(block)
      }
      const mark = block + usize(ctz<u64>(marks))
      marks &= marks - 1
      if (mark >= limit) break
      if (kind === CELL_PLAIN) at = mark
      else if (mark !== at + 1) break
      store<u32>(starts + (usize(count) << 2), u32(start - text))
      store<u32>(ends + (usize(count) << 2), u32(at - text))
      store<u8>(kinds + usize(count), u8(kind))
      count++
      at = mark
      const byte = load<u8>(at)
      if (byte === delimiter) {
        at++
        continue
      }
      if (byte === LF) {
        after = at + 1
      } else if (at + 1 < limit && load<u8>(at, 1) === LF) {
        after = at + 2
        crlf++
        seek(after)
      }
      break
    }
    if (after === 0) break
    const index = usize(record) << 2
    store<u32>(firstFields + index, u32(fields))
    store<u32>(firstFields + index, u32(count), 4)
    store<u32>(recordStarts + index, u32(begin - text))
    store<u32>(recordEnds + index, u32(at - text))
    store<f64>(recordLines + (usize(record) << 3), line + f64(lines))
    store<u8>(problems + usize(record), 0)
    lines += inner + 1
    fields = count
    begin = after
    record++
  }
  position = begin
  return record
}

/** A 64-byte block, and a bit mask of the bytes in it that may end a cell and are still to come. */
let block: usize = 0
let marks: u64 = 0

/** Bit mask of delimiters, line feeds and carriage returns among 64 bytes. */
function marksOf(at: usize): u64 {
  return marksOf16(at) | (marksOf16(at + 16) << 16) | (marksOf16(at + 32) << 32) | (marksOf16(at + 48) << 48)
}

function marksOf16(at: usize): u64 {
  const bytes = v128.load(at)
  const lineEnds = v128.or(i8x16.eq(bytes, i8x16.splat(LF)), i8x16.eq(bytes, i8x16.splat(CR)))
  return u64(u32(i8x16.bitmask(v128.or(lineEnds, i8x16.eq(bytes, i8x16.splat(delimiter))))))
}

/** Moves to `at`, and clears the bits before it. */
function seek(at: usize): void {
  if (at < block + 64) {
    marks &= u64.MAX_VALUE << u64(at - block)
  } else {
    block = at
    marks = marksOf(at)
  }
}

/** Line ends within the current record. */
let inner: i32 = 0
/** Whether the last quoted cell contains quotes. */
let escaped: bool = false

/** Finds the closing quote of a cell; 0 if there is none, or if the byte after it makes that ambiguous. */
function skipQuoted(from: usize, limit: usize): usize {
  escaped = false
  let at = from
  while (true) {
    const bytes = v128.load(at)
    const lineEnds = v128.or(i8x16.eq(bytes, i8x16.splat(LF)), i8x16.eq(bytes, i8x16.splat(CR)))
    const mask = i8x16.bitmask(v128.or(lineEnds, i8x16.eq(bytes, i8x16.splat(u8(quote)))))
    if (mask === 0) {
      at += 16
      continue
    }
    at += usize(ctz<i32>(mask))
    if (at + 1 >= limit) return 0
    const byte = load<u8>(at)
    if (i32(byte) === quote) {
      if (i32(load<u8>(at, 1)) !== quote) return at
      escaped = true
      at += 2
      continue
    }
    // CRLF is one line end, counted at the carriage return.
    if (byte === CR || load<u8>(at - 1) !== CR) inner++
    at++
  }
}

function afterBlanks(from: usize): usize {
  let at = from
  while (load<u8>(at) === SPACE) at++
  return at
}
