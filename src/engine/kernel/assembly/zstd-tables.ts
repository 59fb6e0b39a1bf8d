/*
 * Entropy coding of Zstandard (RFC 8878, 4): tables of finite state entropy (FSE) and Huffman codes, and bit streams,
 * which are read from their ends. Reads may go 7 bytes beyond a stream, which must be addressable.
 */

/** Longest Huffman code, in bits. */
const HUFFMAN_BITS: u32 = 11

/*
 * An FSE table has four bytes per state: the symbol, the number of bits to read, and the base to add them to for the
 * next state.
 */
const norm = memory.data(256 * 2)
const next = memory.data(256 * 2)
const weights = memory.data(256)
const weightTable = memory.data(64 * 4)
const starts = memory.data(16 * 4)

/** End of what was read last, and log2 of its table's size. */
let readEnd: usize = 0
let readLog: u32 = 0

export function tableEnd(): usize {
  return readEnd
}

export function tableLog(): u32 {
  return readLog
}

/** Restores the size of the previous table, which is used again. */
export function keepLog(log: u32): void {
  readLog = log
}

/* A bit stream that is read from its end. */
let base: usize = 0
let position: i64 = 0

/** Opens a stream. Its highest set bit marks its end. */
export function openStream(from: usize, end: usize): bool {
  if (end <= from) return false
  const last = load<u8>(end - 1)
  if (last === 0) return false
  base = from
  position = (i64(end - from) << 3) - i64(clz<u32>(last) - 23)
  return true
}

/** Unread bits; negative after reading beyond the beginning. */
export function bitsLeft(): i64 {
  return position
}

/** Reads up to 32 bits; zeros beyond the beginning. */
export function readBits(count: u32): u32 {
  position -= i64(count)
  const mask = (u64(1) << count) - 1
  if (position >= 0) return u32((load<u64>(base + usize(position >> 3)) >> u64(position & 7)) & mask)
  const missing = u64(-position)
  return missing > 31 ? 0 : u32((load<u64>(base) << missing) & mask)
}

/** Reads an FSE table description, and builds the table; false if it's damaged. */
export function readTable(from: usize, end: usize, table: usize, mostLog: u32, mostSymbol: u32): bool {
  if (from >= end) return false
  const log = (u32(load<u8>(from)) & 15) + 5
  if (log > mostLog) return false
  let at: u64 = 4
  const size = u64(end - from) << 3
  let remaining = i32(1) << log
  let symbol: u32 = 0
  while (remaining > 0) {
    if (symbol > mostSymbol || at > size) return false
    const bits = 32 - clz<u32>(remaining + 1)
    const value = u32(load<u64>(from + usize(at >> 3)) >> (at & 7)) & ((1 << bits) - 1)
    const low = value & ((1 << (bits - 1)) - 1)
    const spare = (u32(1) << bits) - 1 - u32(remaining + 1)
    let count = i32(low)
    if (low < spare) at += bits - 1
    else {
      at += bits
      count = i32(value >= u32(1) << (bits - 1) ? value - spare : value)
    }
    count--
    remaining -= count < 0 ? 1 : count
    store<i16>(norm + (usize(symbol++) << 1), i16(count))
    if (count !== 0) continue
    let repeat: u32 = 3
    while (repeat === 3) {
      if (at > size) return false
      repeat = (u32(load<u16>(from + usize(at >> 3))) >> u32(at & 7)) & 3
      at += 2
      if (symbol + repeat > mostSymbol + 1) return false
      for (let i: u32 = 0; i < repeat; i++) store<i16>(norm + (usize(symbol++) << 1), 0)
    }
  }
  if (remaining < 0 || at > size) return false
  readEnd = from + usize((at + 7) >> 3)
  makeTable(norm, symbol, log, table)
  return true
}

/** Builds an FSE table from normalized counts; -1 means “less than 1” probability. */
export function makeTable(counts: usize, symbols: u32, log: u32, table: usize): void {
  readLog = log
  const size = u32(1) << log
  let high = size - 1
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = i32(load<i16>(counts + (usize(symbol) << 1)))
    store<u16>(next + (usize(symbol) << 1), count < 0 ? 1 : u16(count))
    if (count < 0) store<u32>(table + (usize(high--) << 2), symbol)
  }
  const step = (size >> 1) + (size >> 3) + 3
  let state: u32 = 0
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    for (let left = i32(load<i16>(counts + (usize(symbol) << 1))); left > 0; left--) {
      store<u32>(table + (usize(state) << 2), symbol)
      do state = (state + step) & (size - 1)
      while (state > high)
    }
  }
  for (let at: usize = table, end = table + (usize(size) << 2); at < end; at += 4) {
    const symbol = load<u32>(at)
    const count = u32(load<u16>(next + (usize(symbol) << 1)))
    store<u16>(next + (usize(symbol) << 1), u16(count + 1))
    const bits = log - (31 - clz<u32>(count))
    store<u32>(at, symbol | (bits << 8) | (((count << bits) - size) << 16))
  }
}

export function nextState(table: usize, state: u32): u32 {
  const entry = load<u32>(table + (usize(state) << 2))
  return (entry >> 16) + readBits((entry >> 8) & 255)
}

export function symbolOf(table: usize, state: u32): u32 {
  return load<u8>(table + (usize(state) << 2))
}

/**
 * Reads a Huffman tree description, and builds its table: for each code of `tableLog` bits the symbol and its number of
 * bits.
 */
export function readHuffman(from: usize, end: usize, table: usize): bool {
  if (from >= end) return false
  const head = u32(load<u8>(from))
  const first = from + 1
  let count: u32 = 0
  if (head >= 128) {
    count = head - 127
    readEnd = first + usize((count + 1) >> 1)
    if (readEnd > end) return false
    for (let i: u32 = 0; i < count; i++) {
      const pair = u32(load<u8>(first + usize(i >> 1)))
      store<u8>(weights + usize(i), u8((i & 1) === 0 ? pair >> 4 : pair & 15))
    }
  } else {
    const after = first + usize(head)
    if (after > end || !readTable(first, after, weightTable, 6, 255)) return false
    count = readWeights(readEnd, after)
    if (count === 0) return false
    readEnd = after
  }
  return makeHuffman(count, table)
}

/**
 * Decodes the weights of a Huffman tree with two alternating FSE states. Returns their number; 0 if they're damaged.
 */
function readWeights(from: usize, end: usize): u32 {
  if (!openStream(from, end)) return 0
  const log = readLog
  let one = readBits(log)
  let other = readBits(log)
  if (position < 0) return 0
  let count: u32 = 0
  while (count < 254) {
    store<u8>(weights + usize(count++), u8(symbolOf(weightTable, one)))
    const after = nextState(weightTable, one)
    if (position < 0) {
      store<u8>(weights + usize(count++), u8(symbolOf(weightTable, other)))
      return count
    }
    one = other
    other = after
  }
  return 0
}

function makeHuffman(count: u32, table: usize): bool {
  memory.fill(starts, 0, 64)
  let total: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const weight = u32(load<u8>(weights + usize(i)))
    if (weight > HUFFMAN_BITS) return false
    if (weight > 0) total += u32(1) << (weight - 1)
  }
  if (total === 0) return false
  const log: u32 = 32 - clz<u32>(total)
  const rest = (u32(1) << log) - total
  // The last weight isn't stored: it completes the sum to a power of two.
  if (log > HUFFMAN_BITS || popcnt<u32>(rest) !== 1) return false
  store<u8>(weights + usize(count), u8(ctz<u32>(rest) + 1))
  for (let i: u32 = 0; i <= count; i++) {
    const weight = u32(load<u8>(weights + usize(i)))
    const slot = starts + (usize(weight + 1) << 2)
    if (weight > 0) store<u32>(slot, load<u32>(slot) + (u32(1) << (weight - 1)))
  }
  for (let weight: usize = 2; weight < 16; weight++) {
    const slot = starts + (weight << 2)
    store<u32>(slot, load<u32>(slot) + load<u32>(slot - 4))
  }
  for (let symbol: u32 = 0; symbol <= count; symbol++) {
    const weight = u32(load<u8>(weights + usize(symbol)))
    if (weight === 0) continue
    const slot = starts + (usize(weight) << 2)
    const start = load<u32>(slot)
    const codes = u32(1) << (weight - 1)
    store<u32>(slot, start + codes)
    const entry = u16(symbol | ((log + 1 - weight) << 8))
    for (let code = start; code < start + codes; code++) store<u16>(table + (usize(code) << 1), entry)
  }
  readLog = log
  return true
}

/** Decodes one Huffman stream into `[out, outEnd)`; false unless it fills that exactly. */
export function decodeHuffman(from: usize, end: usize, out: usize, outEnd: usize, table: usize, log: u32): bool {
  if (!openStream(from, end)) return false
  const mask = (u64(1) << log) - 1
  for (; out < outEnd && position >= i64(log); out++) {
    const at = position - i64(log)
    const code = (load<u64>(base + usize(at >> 3)) >> u64(at & 7)) & mask
    const entry = u32(load<u16>(table + (usize(code) << 1)))
    store<u8>(out, u8(entry))
    position -= i64(entry >> 8)
  }
  for (; out < outEnd; out++) {
    const before = position
    const entry = u32(load<u16>(table + (usize(readBits(log)) << 1)))
    store<u8>(out, u8(entry))
    position = before - i64(entry >> 8)
    if (position < 0) return false
  }
  return position === 0
}
