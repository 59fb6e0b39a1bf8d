/* Decodes blocks of Zstandard (RFC 8878, 3.1.1.2), and computes the checksum of a frame's content (XXH64). */

import {
  bitsLeft,
  decodeHuffman,
  keepLog,
  makeTable,
  nextState,
  openStream,
  readBits,
  readHuffman,
  readTable,
  symbolOf,
  tableEnd,
  tableLog,
} from './zstd-tables'
import { MOST_LITERALS } from './layout'

const LITERAL_CODES: u32 = 36
const MATCH_CODES: u32 = 53
const OFFSET_CODES: u32 = 29

const LITERAL_COUNTS = memory.data<i16>([
  4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
])
const MATCH_COUNTS = memory.data<i16>([
  1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
])
const OFFSET_COUNTS = memory.data<i16>([
  1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
])
/** Additional bits by length code. The base values follow from the codes before. */
const LITERAL_BITS = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
])
const MATCH_BITS = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3,
  3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
])
const literalBases = memory.data(36 * 4)
const matchBases = memory.data(53 * 4)

/** A table with a single symbol. */
const oneCount = memory.data(2)
const literalTable = memory.data(512 * 4)
const offsetTable = memory.data(256 * 4)
const matchTable = memory.data(512 * 4)
const huffmanTable = memory.data(2048 * 2)
/** Log of a table that hasn't been read yet. */
const NONE: i32 = -1
let literalLog: i32 = NONE
let offsetLog: i32 = NONE
let matchLog: i32 = NONE
let huffmanLog: i32 = NONE

let offset1: u32 = 1
let offset2: u32 = 4
let offset3: u32 = 8

/** Address and number of the block's literals. */
let literals: usize = 0
let literalCount: u32 = 0

/** Resets the state for a new frame. */
export function zstdBegin(): void {
  basesOf(LITERAL_BITS, LITERAL_CODES, 0, literalBases)
  basesOf(MATCH_BITS, MATCH_CODES, 3, matchBases)
  literalLog = offsetLog = matchLog = huffmanLog = NONE
  offset1 = 1
  offset2 = 4
  offset3 = 8
}

function basesOf(bits: usize, codes: u32, first: u32, bases: usize): void {
  let sum = first
  for (let code: usize = 0; code !== usize(codes); code++) {
    store<u32>(bases + (code << 2), sum)
    const size = u32(load<u8>(bits + code))
    sum += u32(1) << size
  }
}

/**
 * Decompresses a compressed block.
 * @param low start of the window: the earliest output that a match may refer to
 * @param space room for `MOST_LITERALS` + 32 bytes
 * @returns the end of the output, at most `limit`; 0 if the block is damaged
 */
export function zstdBlock(from: usize, end: usize, out: usize, low: usize, limit: usize, space: usize): usize {
  let at = readLiterals(from, end, space)
  if (at === 0 || at >= end) return 0
  let count = u32(load<u8>(at++))
  if (count >= 128) {
    if (count === 255) {
      count = u32(load<u16>(at)) + 0x7f00
      at += 2
    } else count = ((count - 128) << 8) + u32(load<u8>(at++))
  }
  if (count > 0) {
    if (at >= end) return 0
    const modes = u32(load<u8>(at++))
    if ((modes & 3) !== 0) return 0
    at = chooseTable(modes >> 6, at, end, literalTable, 9, LITERAL_CODES, literalLog)
    if (at === 0) return 0
    literalLog = tableLog()
    at = chooseTable((modes >> 4) & 3, at, end, offsetTable, 8, OFFSET_CODES, offsetLog)
    if (at === 0) return 0
    offsetLog = tableLog()
    at = chooseTable((modes >> 2) & 3, at, end, matchTable, 9, MATCH_CODES, matchLog)
    if (at === 0) return 0
    matchLog = tableLog()
    if (!openStream(at, end)) return 0
    out = runSequences(count, out, low, limit)
    if (out === 0) return 0
  } else if (at !== end) return 0
  if (out + usize(literalCount) > limit) return 0
  memory.copy(out, literals, usize(literalCount))
  return out + usize(literalCount)
}

/** Reads the literals section. Returns its end; 0 if it's damaged. */
function readLiterals(from: usize, end: usize, space: usize): usize {
  if (from >= end) return 0
  const head = load<u64>(from)
  const form = u32(head) & 3
  const format = (u32(head) >> 2) & 3
  if (form < 2) {
    const width: u32 = format === 1 ? 2 : format === 3 ? 3 : 1
    literalCount = (u32(head) & ((u32(1) << (width << 3)) - 1)) >> (width === 1 ? 3 : 4)
    let at = from + usize(width)
    if (literalCount > u32(MOST_LITERALS) || at > end) return 0
    if (form === 0) {
      literals = at
      at += usize(literalCount)
      return at > end ? 0 : at
    }
    if (at >= end) return 0
    literals = space
    memory.fill(space, load<u8>(at), usize(literalCount))
    return at + 1
  }
  const width: u32 = format < 2 ? 3 : format === 2 ? 4 : 5
  const bits: u32 = format < 2 ? 10 : format === 2 ? 14 : 18
  const mask = (u64(1) << bits) - 1
  literalCount = u32((head >> 4) & mask)
  const at = from + usize(width)
  const stop = at + usize((head >> (4 + bits)) & mask)
  if (literalCount > u32(MOST_LITERALS) || stop > end) return 0
  literals = space
  return decodeLiterals(form, format !== 0, at, stop) ? stop : 0
}

function decodeLiterals(form: u32, four: bool, from: usize, end: usize): bool {
  let at = from
  if (form === 2) {
    if (!readHuffman(at, end, huffmanTable)) return false
    huffmanLog = tableLog()
    at = tableEnd()
  }
  if (huffmanLog === NONE) return false
  const log = u32(huffmanLog)
  const out = literals
  const outEnd = out + usize(literalCount)
  if (!four) return decodeHuffman(at, end, out, outEnd, huffmanTable, log)
  const quarter = (usize(literalCount) + 3) >> 2
  if (at + 6 > end || quarter * 3 > usize(literalCount)) return false
  const one = at + 6
  const two = one + usize(load<u16>(at))
  const three = two + usize(load<u16>(at, 2))
  const fourth = three + usize(load<u16>(at, 4))
  if (fourth > end) return false
  return (
    decodeHuffman(one, two, out, out + quarter, huffmanTable, log) &&
    decodeHuffman(two, three, out + quarter, out + quarter * 2, huffmanTable, log) &&
    decodeHuffman(three, fourth, out + quarter * 2, out + quarter * 3, huffmanTable, log) &&
    decodeHuffman(fourth, end, out + quarter * 3, outEnd, huffmanTable, log)
  )
}

/** Sets up an FSE table by its mode. Returns the end of its description; 0 if it's damaged. */
function chooseTable(mode: u32, at: usize, end: usize, table: usize, mostLog: u32, codes: u32, before: i32): usize {
  if (mode === 0) {
    if (table === literalTable) makeTable(LITERAL_COUNTS, LITERAL_CODES, 6, table)
    else if (table === matchTable) makeTable(MATCH_COUNTS, MATCH_CODES, 6, table)
    else makeTable(OFFSET_COUNTS, OFFSET_CODES, 5, table)
    return at
  }
  // Offsets have more codes than their predefined table.
  const most: u32 = codes === OFFSET_CODES ? 31 : codes - 1
  if (mode === 1) {
    const symbol = u32(load<u8>(at))
    if (at >= end || symbol > most) return 0
    store<i16>(oneCount, 1)
    makeTable(oneCount, 1, 0, table)
    store<u8>(table, u8(symbol))
    return at + 1
  }
  if (mode === 2) return readTable(at, end, table, mostLog, most) ? tableEnd() : 0
  if (before === NONE) return 0
  keepLog(u32(before))
  return at
}

function runSequences(count: u32, out: usize, low: usize, limit: usize): usize {
  let literal = readBits(u32(literalLog))
  let offset = readBits(u32(offsetLog))
  let match = readBits(u32(matchLog))
  for (; count > 0; count--) {
    const offsetCode = symbolOf(offsetTable, offset)
    const value = (u32(1) << offsetCode) + readBits(offsetCode)
    const matchCode = usize(symbolOf(matchTable, match))
    const length = load<u32>(matchBases + (matchCode << 2)) + readBits(u32(load<u8>(MATCH_BITS + matchCode)))
    const literalCode = usize(symbolOf(literalTable, literal))
    const before = load<u32>(literalBases + (literalCode << 2)) + readBits(u32(load<u8>(LITERAL_BITS + literalCode)))
    if (count > 1) {
      literal = nextState(literalTable, literal)
      match = nextState(matchTable, match)
      offset = nextState(offsetTable, offset)
    }
    if (bitsLeft() < 0 || before > literalCount || out + usize(before) + usize(length) > limit) return 0
    memory.copy(out, literals, usize(before))
    out += usize(before)
    literals += usize(before)
    literalCount -= before
    const distance = usize(distanceOf(value, before))
    if (distance === 0 || distance > out - low) return 0
    copyMatch(out, distance, usize(length))
    out += usize(length)
  }
  return bitsLeft() === 0 ? out : 0
}

/** Resolves an offset value: 1 to 3 are repeated offsets. */
function distanceOf(value: u32, literalLength: u32): u32 {
  if (value > 3) {
    offset3 = offset2
    offset2 = offset1
    offset1 = value - 3
    return offset1
  }
  const which = literalLength === 0 ? value : value - 1
  if (which === 0) return offset1
  const distance = which === 1 ? offset2 : which === 2 ? offset3 : offset1 - 1
  if (which > 1) offset3 = offset2
  offset2 = offset1
  offset1 = distance
  return distance
}

/** Copies a match, which may overlap the output. */
function copyMatch(out: usize, distance: usize, length: usize): void {
  if (distance >= length) {
    memory.copy(out, out - distance, length)
    return
  }
  for (const end = out + length; out < end; out++) store<u8>(out, load<u8>(out - distance))
}

const P1: u64 = (u64(0x9e3779b1) << 32) | 0x85ebca87
const P2: u64 = (u64(0xc2b2ae3d) << 32) | 0x27d4eb4f
const P3: u64 = (u64(0x165667b1) << 32) | 0x9e3779f9
const P4: u64 = (u64(0x85ebca77) << 32) | 0xc2b2ae63
const P5: u64 = (u64(0x27d4eb2f) << 32) | 0x165667c5

let hash1: u64 = 0
let hash2: u64 = 0
let hash3: u64 = 0
let hash4: u64 = 0
let hashed: u64 = 0

export function xxhBegin(): void {
  hash1 = P1 + P2
  hash2 = P2
  hash3 = 0
  hash4 = 0 - P1
  hashed = 0
}

/** Hashes whole 32-byte stripes. Returns where it stopped. */
export function xxhAdd(from: usize, end: usize): usize {
  for (; from + 32 <= end; from += 32, hashed += 32) {
    hash1 = round(hash1, load<u64>(from))
    hash2 = round(hash2, load<u64>(from, 8))
    hash3 = round(hash3, load<u64>(from, 16))
    hash4 = round(hash4, load<u64>(from, 24))
  }
  return from
}

/** The hash's lower half, including a remainder of up to 31 bytes. */
export function xxhEnd(from: usize, end: usize): u32 {
  let hash = hash3 + P5
  if (hashed > 0) {
    hash = rotl<u64>(hash1, 1) + rotl<u64>(hash2, 7) + rotl<u64>(hash3, 12) + rotl<u64>(hash4, 18)
    hash = merged(merged(merged(merged(hash, hash1), hash2), hash3), hash4)
  }
  hash += hashed + u64(end - from)
  for (; from + 8 <= end; from += 8) hash = rotl<u64>(hash ^ round(0, load<u64>(from)), 27) * P1 + P4
  if (from + 4 <= end) {
    hash = rotl<u64>(hash ^ (u64(load<u32>(from)) * P1), 23) * P2 + P3
    from += 4
  }
  for (; from < end; from++) hash = rotl<u64>(hash ^ (u64(load<u8>(from)) * P5), 11) * P1
  hash = (hash ^ (hash >> 33)) * P2
  hash = (hash ^ (hash >> 29)) * P3
  return u32(hash ^ (hash >> 32))
}

function round(hash: u64, word: u64): u64 {
  return rotl<u64>(hash + word * P2, 31) * P1
}

function merged(hash: u64, lane: u64): u64 {
  return (hash ^ round(0, lane)) * P1 + P4
}
