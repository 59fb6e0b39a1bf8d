import { isSet } from './hash'
import { FOUND_GREATEST, FOUND_LEAST, FOUND_SIZE, FOUND_SUMS } from './layout'

/*
 * Minimum, maximum and sums of values. `bits` is the validity bitmap, starting at `bit`; 0 if there are no nulls. Ties
 * go to the first row.
 */

const FOUND = memory.data(FOUND_SIZE)

/** Address of the last result. */
export function foundAt(): usize {
  return FOUND
}

function isNull(bits: usize, bit: u32): bool {
  return bits !== 0 && !isSet(bits, bit)
}

function begin(): void {
  memory.fill(FOUND, 0, FOUND_SIZE)
  setFound(-1, -1)
}

function setFound(least: i32, greatest: i32): void {
  store<i32>(FOUND, least, FOUND_LEAST)
  store<i32>(FOUND, greatest, FOUND_GREATEST)
}

function setSum(index: usize, sum: i64): void {
  store<i64>(FOUND + (index << 3), sum, FOUND_SUMS)
}

function addToSum(index: usize, by: i64): void {
  setSum(index, load<i64>(FOUND + (index << 3), FOUND_SUMS) + by)
}

/** 32-bit integers. */
export function findWords(values: usize, count: i32, bits: usize, bit: u32, unsigned: bool): void {
  begin()
  let least = i64.MAX_VALUE
  let greatest = i64.MIN_VALUE
  let leastRow: i32 = -1
  let greatestRow: i32 = -1
  let sum: i64 = 0
  for (let row: i32 = 0; row < count; row++) {
    if (isNull(bits, bit + u32(row))) continue
    const at = values + (usize(row) << 2)
    const value = unsigned ? i64(load<u32>(at)) : i64(load<i32>(at))
    sum += value
    if (value < least) {
      least = value
      leastRow = row
    }
    if (value > greatest) {
      greatest = value
      greatestRow = row
    }
  }
  setFound(leastRow, greatestRow)
  setSum(0, sum)
}

/** 64-bit integers. Lower and upper words have separate sums. */
export function findPairs(values: usize, count: i32, bits: usize, bit: u32, unsigned: bool): void {
  begin()
  // Flips the sign bit of unsigned values, so that signed comparison orders them.
  const flip = unsigned ? i64.MIN_VALUE : 0
  let least = i64.MAX_VALUE
  let greatest = i64.MIN_VALUE
  let leastRow: i32 = -1
  let greatestRow: i32 = -1
  let low: i64 = 0
  let high: i64 = 0
  for (let row: i32 = 0; row < count; row++) {
    if (isNull(bits, bit + u32(row))) continue
    const value = load<i64>(values + (usize(row) << 3))
    const order = value ^ flip
    low += i64(u32(value))
    high += unsigned ? i64(u64(value) >> 32) : value >> 32
    if (leastRow < 0 || order < least) {
      least = order
      leastRow = row
    }
    if (greatestRow < 0 || order > greatest) {
      greatest = order
      greatestRow = row
    }
  }
  setFound(leastRow, greatestRow)
  setSum(0, low)
  setSum(1, high)
}

/** 128-bit integers. Each word has its own sum, the lowest first. */
export function findQuads(values: usize, count: i32, bits: usize, bit: u32): void {
  begin()
  let least: usize = 0
  let greatest: usize = 0
  for (let row: i32 = 0; row < count; row++) {
    if (isNull(bits, bit + u32(row))) continue
    const at = values + (usize(row) << 4)
    addToSum(0, i64(load<u32>(at)))
    addToSum(1, i64(load<u32>(at, 4)))
    addToSum(2, i64(load<u32>(at, 8)))
    addToSum(3, i64(load<i32>(at, 12)))
    if (least === 0 || isLess(at, least)) least = at
    if (greatest === 0 || isLess(greatest, at)) greatest = at
  }
  if (least !== 0) setFound(i32((least - values) >> 4), i32((greatest - values) >> 4))
}

function isLess(one: usize, other: usize): bool {
  const high = load<i64>(one, 8)
  const otherHigh = load<i64>(other, 8)
  return high === otherHigh ? load<u64>(one) < load<u64>(other) : high < otherHigh
}

const EXPONENTS: i32 = 0x7ff

/**
 * Doubles, in the order -0, 0, and all NaNs last as equals. For exact sums, mantissas are added to one bin per
 * exponent: a 64-bit sum of their lower 32 bits and one of their upper bits. Instead of sums, the result has the lowest
 * and the highest exponent, and the numbers of Infinity, -Infinity and NaN.
 */
export function findDoubles(values: usize, count: i32, bits: usize, bit: u32, bins: usize): void {
  begin()
  let least = i64.MAX_VALUE
  let greatest = i64.MIN_VALUE
  let leastRow: i32 = -1
  let greatestRow: i32 = -1
  let low = EXPONENTS
  let high: i32 = -1
  for (let row: i32 = 0; row < count; row++) {
    if (isNull(bits, bit + u32(row))) continue
    const value = load<i64>(values + (usize(row) << 3))
    const order = value ^ ((value >> 63) & i64.MAX_VALUE)
    if (leastRow < 0 || order < least) {
      least = order
      leastRow = row
    }
    if (greatestRow < 0 || order > greatest) {
      greatest = order
      greatestRow = row
    }
    const exponent = i32(value >> 52) & EXPONENTS
    const fraction = value & 0xfffffffffffff
    if (exponent === EXPONENTS) {
      addToSum(fraction !== 0 ? 4 : value < 0 ? 3 : 2, 1)
      continue
    }
    low = min(low, exponent)
    high = max(high, exponent)
    // Subnormal numbers have no implicit leading bit.
    const mantissa = exponent === 0 ? fraction : fraction | 0x10000000000000
    const sign = value >> 63
    const bin = bins + (usize(exponent) << 4)
    store<i64>(bin, load<i64>(bin) + ((i64(u32(mantissa)) ^ sign) - sign))
    store<i64>(bin, load<i64>(bin, 8) + (((mantissa >> 32) ^ sign) - sign), 8)
  }
  setFound(leastRow, greatestRow)
  setSum(0, low)
  setSum(1, high)
}

/**
 * Texts and binary values, in byte order.
 * @param most bytes of each value to compare
 */
export function findTexts(offsets: usize, bytes: usize, count: i32, bits: usize, bit: u32, most: u32): void {
  begin()
  let least: i32 = -1
  let greatest: i32 = -1
  for (let row: i32 = 0; row < count; row++) {
    if (isNull(bits, bit + u32(row))) continue
    const order = least < 0 ? -1 : compareTexts(offsets, bytes, row, least, most)
    if (order < 0) least = row
    // One that isn't greater than the least can only be the greatest if it's the first.
    if (greatest < 0 || (order > 0 && compareTexts(offsets, bytes, row, greatest, most) > 0)) greatest = row
  }
  setFound(least, greatest)
}

function compareTexts(offsets: usize, bytes: usize, one: i32, other: i32, most: u32): i32 {
  const from = load<u32>(offsets + (usize(one) << 2))
  const otherFrom = load<u32>(offsets + (usize(other) << 2))
  const size = min(load<u32>(offsets + (usize(one) << 2), 4) - from, most)
  const otherSize = min(load<u32>(offsets + (usize(other) << 2), 4) - otherFrom, most)
  const common = min(size, otherSize)
  const whole = common & ~7
  for (let at: u32 = 0; at < whole; at += 8) {
    const word = load<u64>(bytes + usize(from + at))
    const otherWord = load<u64>(bytes + usize(otherFrom + at))
    if (word !== otherWord) return bswap<u64>(word) < bswap<u64>(otherWord) ? -1 : 1
  }
  if (common > whole) {
    // Without the bytes after the end of the shorter text.
    const after = u64(whole + 8 - common) << 3
    const word = bswap<u64>(load<u64>(bytes + usize(from + whole))) >> after
    const otherWord = bswap<u64>(load<u64>(bytes + usize(otherFrom + whole))) >> after
    if (word !== otherWord) return word < otherWord ? -1 : 1
  }
  return i32(size) - i32(otherSize)
}
