import { CELL_ESCAPED, CELL_PLAIN, CELL_QUOTED } from './layout'
import { ends, firstFields, kinds, problems, recordEnds, recordLines, recordStarts, starts, text } from './places'

const LF: u8 = 0x0a
const CR: u8 = 0x0d
const SPACE: u8 = 0x20

let delimiter: u8 = 0
/** No byte where there is no quoting. */
let quote: i32 = -1
/** The byte that comments begin with; no byte where there are none. */
let comment: i32 = -1

/** Sets how records are split: -1 for a quote or a comment that there is none of. */
export function setDialect(delimiterByte: i32, quoteByte: i32, commentByte: i32): void {
  delimiter = u8(delimiterByte)
  quote = quoteByte
  comment = commentByte
}

let position: usize = 0
let fields: i32 = 0
let lines: i32 = 0
let crlf: i32 = 0

/** Where the first record begins that the last `splitRecords` has left, as an offset in the text. */
export function splitEnd(): usize {
  return position - text
}

/** The field after the last one of the records that were split. */
export function splitFields(): i32 {
  return fields
}

/** How many lines the records had that the last `splitRecords` has split. */
export function splitLines(): i32 {
  return lines
}

/** How many of the records ended with CRLF; the others with LF. */
export function splitCrlf(): i32 {
  return crlf
}

/**
 * Splits records into cells, up to the first that is of another form than RFC 4180 has it, but for the line end: text or
 * blanks beside quotes, a carriage return alone, a comment, a record that isn't whole.
 * @param from where a record begins; offsets in the text, after which there must be a line feed
 * @param end no record is split that ends after it
 * @param stop no record is split that begins at or after it
 * @param field the first field's number
 * @param record the first record's number
 * @param line the first record's line
 * @param mostFields no record is split with a first field after it
 * @param capacity fields that there is room for
 * @returns the number after the last record's
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
        at = passQuoted(start, limit)
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

/** Where 64 bytes are of which is known which ones end a cell; those that were passed aren't marked. */
let block: usize = 0
let marks: u64 = 0

/** Delimiters, line feeds and carriage returns among 64 bytes. */
function marksOf(at: usize): u64 {
  return marksOf16(at) | (marksOf16(at + 16) << 16) | (marksOf16(at + 32) << 32) | (marksOf16(at + 48) << 48)
}

function marksOf16(at: usize): u64 {
  const bytes = v128.load(at)
  const lineEnds = v128.or(i8x16.eq(bytes, i8x16.splat(LF)), i8x16.eq(bytes, i8x16.splat(CR)))
  return u64(u32(i8x16.bitmask(v128.or(lineEnds, i8x16.eq(bytes, i8x16.splat(delimiter))))))
}

/** Forgets what is before a place. */
function seek(at: usize): void {
  if (at < block + 64) {
    marks &= u64.MAX_VALUE << u64(at - block)
  } else {
    block = at
    marks = marksOf(at)
  }
}

/** Line ends within the record that is split. */
let inner: i32 = 0
/** Whether the last quoted cell has quotes in it. */
let escaped: bool = false

/** Where the quote is that closes a cell; 0 where there's none, or where what comes after leaves that open. */
function passQuoted(from: usize, limit: usize): usize {
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
    // CRLF is one line end, counted at its carriage return.
    if (byte === CR || load<u8>(at - 1) !== CR) inner++
    at++
  }
}

function afterBlanks(from: usize): usize {
  let at = from
  while (load<u8>(at) === SPACE) at++
  return at
}
