/*
 * Decodes bzip2 blocks. The format has no official document; this follows "BZIP2: Format Specification" (J. Tsai,
 * 2016). Bits are read from the highest. Reads may go 7 bytes past the end of the input, which must be addressable.
 */

const MOST_TABLES: u32 = 6
const MOST_SYMBOLS: u32 = 258
const MOST_SELECTORS: u32 = 18002
const LONGEST_CODE: u32 = 20
const GROUP: u32 = 50

const selectors = memory.data(18002)
const ranks = memory.data(256)
const lengths = memory.data(258)
const byteCounts = memory.data(256 * 4)
/**
 * Of each Huffman table and code length: one more than its last code, and the offset from a code to its symbol's index.
 */
const limits = memory.data(6 * 24 * 4)
const bases = memory.data(6 * 24 * 4)
const symbols = memory.data(6 * 258 * 2)
const checks = memory.data(256 * 4)

/* The bit reader: start of the input, position and size in bits. */
let input: usize = 0
let bit: u64 = 0
let bits: u64 = 0

/* The output of a block: the inverse BWT's links, and how many have been followed. */
let table: usize = 0
let follow: u32 = 0
let left: u32 = 0
let previous: i32 = -1
let run: u32 = 0
let repeats: u32 = 0
let check: u32 = 0

export function bzip2Open(from: usize, end: usize, at: u32): void {
  input = from
  bits = u64(end - from) << 3
  bit = u64(at)
  for (let i: u32 = 0; i !== 256; i++) {
    let word = i << 24
    for (let turn = 0; turn !== 8; turn++) word = (word << 1) ^ ((word >> 31) * 0x04c11db7)
    store<u32>(checks + (usize(i) << 2), word)
  }
}

/** Bits read so far; more than there are if the input ends too soon. */
export function bzip2At(): u32 {
  return bit > bits ? u32.MAX_VALUE : u32(bit)
}

/** Reads up to 32 bits. */
export function bzip2Bits(count: u32): u32 {
  if (count === 0) return 0
  const word = bit < bits ? bswap<u64>(load<u64>(input + usize(bit >> 3))) << (bit & 7) : 0
  bit += u64(count)
  return u32(word >> (64 - u64(count)))
}

/**
 * Decodes the block after its magic number and checksum; `bzip2Write` then gives its output.
 * @param into table of four bytes for each of `most` output bytes
 * @returns false if the block is damaged or truncated
 */
export function bzip2Block(into: usize, most: u32): bool {
  table = into
  const randomized = bzip2Bits(1)
  const origin = bzip2Bits(24)
  // Deprecated since bzip2 0.9.5 (1999); no current program writes it.
  if (randomized !== 0) return false
  const used = readUsed()
  if (used === 0) return false
  const tables = bzip2Bits(3)
  const selected = bzip2Bits(15)
  if (tables < 2 || tables > MOST_TABLES || selected === 0) return false
  if (!readSelectors(tables, selected)) return false
  for (let i: u32 = 0; i !== tables; i++) if (!readCode(i, used + 2)) return false
  const size = readSymbols(used + 1, min<u32>(selected, MOST_SELECTORS), most)
  if (size === 0 || origin >= size || bit > bits) return false
  link(size)
  follow = load<u32>(table + (usize(origin) << 2)) >> 8
  left = size
  previous = -1
  run = repeats = 0
  check = u32.MAX_VALUE
  return true
}

/** Reads the set of used bytes into `ranks`. Returns their number. */
function readUsed(): u32 {
  const groups = bzip2Bits(16)
  let used: u32 = 0
  for (let group: u32 = 0; group !== 16; group++) {
    if ((groups & (u32(0x8000) >> group)) === 0) continue
    const members = bzip2Bits(16)
    for (let i: u32 = 0; i !== 16; i++) {
      if ((members & (u32(0x8000) >> i)) !== 0) store<u8>(ranks + usize(used++), u8((group << 4) + i))
    }
  }
  return used
}

/** Reads which Huffman table each group of 50 symbols uses. */
function readSelectors(tables: u32, selected: u32): bool {
  let order: u64 = 0x050403020100
  for (let i: u32 = 0; i !== selected; i++) {
    let rank: u32 = 0
    while (bzip2Bits(1) !== 0) if (++rank >= tables || bit > bits) return false
    const shift = u64(rank) << 3
    const chosen = (order >> shift) & 255
    const before = order & ((u64(1) << shift) - 1)
    const after = (order >> (shift + 8)) << (shift + 8)
    order = after | (before << 8) | chosen
    // Some encoders write more selectors than a block can use.
    if (i < MOST_SELECTORS) store<u8>(selectors + usize(i), u8(chosen))
  }
  return true
}

/** Reads a table's code lengths, and builds its decoding table. */
function readCode(index: u32, count: u32): bool {
  let length = bzip2Bits(5)
  for (let symbol: u32 = 0; symbol !== count; symbol++) {
    while (true) {
      if (length < 1 || length > LONGEST_CODE || bit > bits) return false
      if (bzip2Bits(1) === 0) break
      length += bzip2Bits(1) === 0 ? 1 : u32(-1)
    }
    store<u8>(lengths + usize(symbol), u8(length))
  }
  const own = usize(index) * 96
  let code: u32 = 0
  let place: u32 = 0
  for (let size: u32 = 1; size <= LONGEST_CODE; size++) {
    const first = place
    for (let symbol: u32 = 0; symbol !== count; symbol++) {
      if (u32(load<u8>(lengths + usize(symbol))) !== size) continue
      store<u16>(symbols + ((usize(index * MOST_SYMBOLS) + usize(place++)) << 1), u16(symbol))
    }
    store<u32>(bases + own + (usize(size) << 2), first - code)
    code += place - first
    store<u32>(limits + own + (usize(size) << 2), code)
    code <<= 1
  }
  return true
}

/** Decodes the block's Huffman and run-length codes. Returns the number of bytes; 0 if the block is damaged. */
function readSymbols(last: u32, selected: u32, most: u32): u32 {
  memory.fill(byteCounts, 0, 1024)
  let size: u32 = 0
  let repeat: u32 = 0
  let weight: u32 = 1
  for (let group: u32 = 0; group !== selected; group++) {
    const index = u32(load<u8>(selectors + usize(group)))
    for (let i: u32 = 0; i !== GROUP; i++) {
      const symbol = readSymbol(index)
      if (symbol < 0 || bit > bits) return 0
      if (symbol < 2) {
        // Run lengths are in bijective base 2, lowest digit first.
        if (weight > most) return 0
        repeat += weight << u32(symbol)
        weight <<= 1
        continue
      }
      if (repeat > 0) {
        if (repeat > most - size) return 0
        const byte = u32(load<u8>(ranks))
        addTimes(byte, repeat)
        for (const end = size + repeat; size !== end; size++) store<u32>(table + (usize(size) << 2), byte)
        repeat = 0
        weight = 1
      }
      if (u32(symbol) === last) return size
      if (size === most) return 0
      const rank = usize(symbol - 1)
      const byte = load<u8>(ranks + rank)
      memory.copy(ranks + 1, ranks, rank)
      store<u8>(ranks, byte)
      addTimes(u32(byte), 1)
      store<u32>(table + (usize(size++) << 2), u32(byte))
    }
  }
  return 0
}

function addTimes(byte: u32, times: u32): void {
  const slot = byteCounts + (usize(byte) << 2)
  store<u32>(slot, load<u32>(slot) + times)
}

/** Decodes the next symbol; -1 if no code matches. */
function readSymbol(index: u32): i32 {
  const own = usize(index) * 96
  const word = bit < bits ? u32((bswap<u64>(load<u64>(input + usize(bit >> 3))) << (bit & 7)) >> 44) : 0
  for (let size: u32 = 1; size <= LONGEST_CODE; size++) {
    const code = word >> (LONGEST_CODE - size)
    if (code >= load<u32>(limits + own + (usize(size) << 2))) continue
    bit += u64(size)
    const place = code + load<u32>(bases + own + (usize(size) << 2))
    return i32(load<u16>(symbols + ((usize(index * MOST_SYMBOLS) + usize(place)) << 1)))
  }
  return -1
}

/** Inverts the Burrows-Wheeler transform: each entry has a byte, and in its upper bits the index of the next entry. */
function link(size: u32): void {
  let sum: u32 = 0
  for (let slot = byteCounts; slot !== byteCounts + 1024; slot += 4) {
    const own = load<u32>(slot)
    store<u32>(slot, sum)
    sum += own
  }
  for (let i: u32 = 0; i !== size; i++) {
    const slot = byteCounts + (usize(load<u8>(table + (usize(i) << 2))) << 2)
    const place = load<u32>(slot)
    store<u32>(slot, place + 1)
    const entry = table + (usize(place) << 2)
    store<u32>(entry, load<u32>(entry) | (i << 8))
  }
}

/** Writes the block's next output, up to `limit`. Returns the end of what was written; `out` when the block is done. */
export function bzip2Write(out: usize, limit: usize): usize {
  let sum = check
  while (out !== limit) {
    if (repeats === 0) {
      if (left === 0) break
      const entry = load<u32>(table + (usize(follow) << 2))
      follow = entry >> 8
      left--
      const byte = i32(entry & 255)
      // Four equal bytes are followed by a count of further repeats.
      if (run === 4) {
        repeats = u32(byte)
        run = 0
        continue
      }
      run = byte === previous ? run + 1 : 1
      previous = byte
      repeats = 1
    }
    store<u8>(out++, u8(previous))
    sum = (sum << 8) ^ load<u32>(checks + (usize((sum >> 24) ^ u32(previous)) << 2))
    repeats--
  }
  check = sum
  return out
}

/** CRC of the block's output. */
export function bzip2Check(): u32 {
  return ~check
}
