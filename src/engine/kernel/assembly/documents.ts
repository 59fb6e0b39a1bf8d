import { DOCUMENT_JSON, DOCUMENT_VALID, PATH_INDEX, SCRATCH_SIZE, SLACK } from './document-layout'
import { isSet } from './hash'
import { escaped, skipNumber, skipString, unescapeJson } from './json-text'
import { setClosers, skipAny, skipColon, skipWhitespace } from './json-values'
import { NULL, TRUE } from './words'

/*
 * JSON documents that are texts in DuckDB's memory, which is this module's memory, too. It has no data of its own: a
 * module's data has fixed addresses, and those are DuckDB's.
 */

const QUOTE: u8 = 0x22
const COMMA: u8 = 0x2c
const DASH: u8 = 0x2d
const POINT: u8 = 0x2e
const ZERO: u8 = 0x30
const OPEN_LIST: u8 = 0x5b
const CLOSE_LIST: u8 = 0x5d
const OPEN_OBJECT: u8 = 0x7b
const CLOSE_OBJECT: u8 = 0x7d

/** DuckDB has a text of up to 12 bytes in its 16 bytes; of a longer one, its address there. */
const TEXT_SIZE: usize = 16
const LONGEST_INLINE: u32 = 12

/** Any decimal with so many digits is the shortest for its DOUBLE. */
const EXACT_DIGITS: usize = 15

/** What a document gives: it's left to JavaScript, a text, or NULL. */
const LEFT = 0
const GIVEN = 1
const IS_NULL = 2

/** Copies a text into a row of a vector: DuckDB's own function. */
declare function orig$duckdb_vector_assign_string_element_len(vector: usize, row: i64, text: usize, size: i64): void

let path: usize = 0
let scratch: usize = 0

/* What the last document gave. */
let given: usize = 0
let givenSize: usize = 0

/**
 * @param closersAt `CLOSERS_SIZE` zeros
 * @param pathAt the path, as `document-layout.ts` says
 * @param scratchAt room for `SCRATCH_SIZE` and `SLACK` bytes
 */
export function setMemory(closersAt: usize, pathAt: usize, scratchAt: usize): void {
  setClosers(closersAt)
  path = pathAt
  scratch = scratchAt
}

/**
 * Fills rows of a vector of texts with what documents give, until one needs JavaScript.
 * @param wanted `DOCUMENT_TEXT`, `DOCUMENT_JSON` or `DOCUMENT_VALID`
 * @param texts the documents, as DuckDB has texts
 * @param valid bits of the documents that aren't NULL; 0 if none is
 * @param paths the path for each document: only that of the first row is known here; 0 if there are none
 * @param result the vector
 * @param resultValid its bits, all of which are set
 * @returns the first row that isn't filled
 */
export function readDocuments(
  wanted: i32,
  texts: usize,
  valid: usize,
  paths: usize,
  first: i32,
  rows: i32,
  result: usize,
  resultValid: usize,
): i32 {
  const known = paths === 0 ? i64x2.splat(0) : v128.load(paths + usize(first) * TEXT_SIZE)
  const top = usize(memory.size()) << 16
  for (let row = first; row < rows; row++) {
    const cell = usize(row) * TEXT_SIZE
    if (paths !== 0 && v128.any_true(v128.xor(known, v128.load(paths + cell)))) return row
    let status = IS_NULL
    if (valid === 0 || isSet(valid, row)) {
      const size = load<u32>(texts + cell)
      const start = size <= LONGEST_INLINE ? texts + cell + 4 : usize(load<u32>(texts + cell, 8))
      const end = start + size
      if (end + usize(SLACK) > top) return row
      // A zero ends every loop without a comparison for each byte.
      const after = load<u8>(end)
      store<u8>(end, 0)
      status = wanted === DOCUMENT_VALID ? validate(start, end) : extract(start, end, wanted === DOCUMENT_JSON)
      store<u8>(end, after)
    }
    if (status === LEFT) return row
    if (status === GIVEN) orig$duckdb_vector_assign_string_element_len(result, row, given, givenSize)
    else clearBit(resultValid, row)
  }
  return rows
}

function clearBit(bits: usize, row: i32): void {
  const at = bits + usize(row >> 3)
  store<u8>(at, load<u8>(at) & ~(u8(1) << u8(row & 7)))
}

function isDocument(from: usize, end: usize): bool {
  const after = skipAny(from)
  return after !== 0 && skipWhitespace(after) === end
}

function validate(start: usize, end: usize): i32 {
  if (!isDocument(skipWhitespace(start), end)) return LEFT
  store<u32>(scratch, TRUE)
  return give(scratch, scratch + 4)
}

function give(start: usize, end: usize): i32 {
  given = start
  givenSize = end - start
  return GIVEN
}

/** @param asJson whether a string keeps its quotes, and null is a value */
function extract(start: usize, end: usize, asJson: bool): i32 {
  const root = skipWhitespace(start)
  if (!isDocument(root, end)) return LEFT
  const status = find(root)
  if (status !== GIVEN) return status
  const at = given
  const byte = load<u8>(at)
  if (byte === OPEN_OBJECT || byte === OPEN_LIST) return print(at, skipAny(at))
  if (byte === QUOTE) {
    const after = skipString(at + 1)
    if (!escaped) return asJson ? give(at, after) : give(at + 1, after - 1)
    if (asJson || after - at > usize(SCRATCH_SIZE)) return LEFT
    return give(scratch, unescapeJson(at + 1, after - 1, scratch))
  }
  if (byte <= 0x39) return printNumber(at)
  if (!asJson && load<u32>(at) === NULL) return IS_NULL
  return give(at, skipAny(at))
}

/** Finds where the path leads, in a value that is valid. */
function find(root: usize): i32 {
  given = root
  const count = load<i32>(path)
  let step = path + 4
  for (let i = 0; i < count; i++) {
    const size = load<i32>(step)
    const status =
      size === PATH_INDEX ? findItem(given, load<i32>(step, 4)) : findMember(given, load<u32>(step, 4), size)
    if (status !== GIVEN) return status
    step += 8
  }
  return GIVEN
}

function findMember(object: usize, key: usize, size: usize): i32 {
  if (load<u8>(object) !== OPEN_OBJECT) return IS_NULL
  let at = skipWhitespace(object + 1)
  while (load<u8>(at) !== CLOSE_OBJECT) {
    const name = at + 1
    const after = skipString(name)
    if (escaped) return LEFT
    at = skipColon(after)
    if (after - 1 - name === size && memory.compare(name, key, size) === 0) {
      given = at
      return GIVEN
    }
    at = next(at)
  }
  return IS_NULL
}

function findItem(list: usize, index: i32): i32 {
  if (load<u8>(list) !== OPEN_LIST) return IS_NULL
  let at = skipWhitespace(list + 1)
  for (let i = 0; load<u8>(at) !== CLOSE_LIST; i++) {
    if (i === index) {
      given = at
      return GIVEN
    }
    at = next(at)
  }
  return IS_NULL
}

/** Skips a value and the comma after it. */
function next(value: usize): usize {
  const at = skipWhitespace(skipAny(value))
  return load<u8>(at) === COMMA ? skipWhitespace(at + 1) : at
}

function printNumber(at: usize): i32 {
  const end = shortestEnd(at, skipNumber(at))
  return end === 0 ? LEFT : give(at, end)
}

/**
 * The end of a number without zeros that DuckDB doesn't print: an integer as it is, the shortest decimal that reads as the
 * same DOUBLE. 0 if DuckDB prints it in another form.
 */
function shortestEnd(start: usize, end: usize): usize {
  const first = load<u8>(start) === DASH ? start + 1 : start
  let at = first
  while (at < end && load<u8>(at) >= ZERO && load<u8>(at) <= 0x39) at++
  // -0 is printed without its sign.
  if (at === end) return first === start || load<u8>(first) !== ZERO ? end : 0
  const fraction = at + 1
  if (load<u8>(at) !== POINT || end - first > EXACT_DIGITS + 1) return 0
  let zeros: usize = 0
  for (at = fraction; at < end; at++) {
    const byte = load<u8>(at)
    if (byte > 0x39) return 0
    if (byte === ZERO && at === fraction + zeros) zeros++
  }
  if (fraction + zeros === end) return fraction + 1
  // One below 1e-6 is printed with an exponent.
  if (zeros >= 6 && load<u8>(first) === ZERO) return 0
  at = end
  while (load<u8>(at - 1) === ZERO) at--
  return at
}

/** Prints an array or object without white space. */
function print(start: usize, end: usize): i32 {
  if (end - start > usize(SCRATCH_SIZE)) return LEFT
  let out = scratch
  let at = start
  while (at < end) {
    const byte = load<u8>(at)
    if (byte <= 0x20) {
      at++
      continue
    }
    let after = at + 1
    let printed = after
    if (byte === QUOTE) {
      after = skipString(after)
      if (escaped) return LEFT
      printed = after
    } else if (byte === DASH || (byte >= ZERO && byte <= 0x39)) {
      after = skipNumber(at)
      printed = shortestEnd(at, after)
      if (printed === 0) return LEFT
    }
    const size = printed - at
    // What is copied after a token, the next one takes the place of.
    for (let i: usize = 0; i < size; i += 16) v128.store(out + i, v128.load(at + i))
    out += size
    at = after
  }
  return give(scratch, out)
}
