/*
 * Hashes as defined in `convert/fingerprint/README.md`, four values at a time. A hash is two 32-bit words, in two
 * arrays, the lanes a and b. There must be room for three more elements after lanes and values.
 */

const SEED_A: u32 = 0x2545f491
const SEED_B: u32 = 0x6c078965
const NULL_A: u32 = 0x5bd1e995
const NULL_B: u32 = 0x1b873593
const A1: u32 = 0x85ebca6b
const A2: u32 = 0xc2b2ae35
const B1: u32 = 0x9e3779b1
const B2: u32 = 0x27d4eb2f
const A3: u32 = 0x561ccd1b
const B3: u32 = 0x0bcaa747
/** The bits that all NaNs are hashed as. */
const NAN_BITS: u64 = u64(0x7ff80000) << 32

function quickA(hash: u32, word: u32): u32 {
  return rotl<u32>((hash ^ word) * A1, 13)
}

function quickB(hash: u32, word: u32): u32 {
  return rotl<u32>((hash ^ word) * B1, 17)
}

function stepA(hash: u32, word: u32): u32 {
  return quickA(hash, word) * A2 + A3
}

function stepB(hash: u32, word: u32): u32 {
  return quickB(hash, word) * B2 + B3
}

function finishA(hash: u32): u32 {
  let a = (hash ^ (hash >> 16)) * A1
  a = (a ^ (a >> 13)) * A2
  return a ^ (a >> 16)
}

function finishB(hash: u32): u32 {
  let b = (hash ^ (hash >> 15)) * B1
  b = (b ^ (b >> 14)) * B2
  return b ^ (b >> 15)
}

function quickA4(hash: v128, words: v128): v128 {
  const a = i32x4.mul(v128.xor(hash, words), i32x4.splat(A1))
  return v128.or(i32x4.shl(a, 13), i32x4.shr_u(a, 19))
}

function quickB4(hash: v128, words: v128): v128 {
  const b = i32x4.mul(v128.xor(hash, words), i32x4.splat(B1))
  return v128.or(i32x4.shl(b, 17), i32x4.shr_u(b, 15))
}

function finishA4(hash: v128): v128 {
  let a = i32x4.mul(v128.xor(hash, i32x4.shr_u(hash, 16)), i32x4.splat(A1))
  a = i32x4.mul(v128.xor(a, i32x4.shr_u(a, 13)), i32x4.splat(A2))
  return v128.xor(a, i32x4.shr_u(a, 16))
}

function finishB4(hash: v128): v128 {
  let b = i32x4.mul(v128.xor(hash, i32x4.shr_u(hash, 15)), i32x4.splat(B1))
  b = i32x4.mul(v128.xor(b, i32x4.shr_u(b, 14)), i32x4.splat(B2))
  return v128.xor(b, i32x4.shr_u(b, 15))
}

/** 32-bit values. */
export function hashWords(values: usize, count: i32, a: usize, b: usize): void {
  for (let at: usize = 0, end = usize(count) << 2; at < end; at += 16) {
    const words = v128.load(values + at)
    v128.store(a + at, finishA4(quickA4(i32x4.splat(SEED_A), words)))
    v128.store(b + at, finishB4(quickB4(i32x4.splat(SEED_B), words)))
  }
}

/** 64-bit values. */
export function hashPairs(values: usize, count: i32, a: usize, b: usize): void {
  for (let at: usize = 0, end = usize(count) << 2; at < end; at += 16) {
    const first = v128.load(values + (at << 1))
    const second = v128.load(values + (at << 1), 16)
    const low = i32x4.shuffle(first, second, 0, 2, 4, 6)
    const high = i32x4.shuffle(first, second, 1, 3, 5, 7)
    v128.store(a + at, finishA4(quickA4(quickA4(i32x4.splat(SEED_A), low), high)))
    v128.store(b + at, finishB4(quickB4(quickB4(i32x4.splat(SEED_B), low), high)))
  }
}

/** 128-bit values. */
export function hashQuads(values: usize, count: i32, a: usize, b: usize): void {
  for (let row: usize = 0; row < usize(count); row++) {
    let x = SEED_A
    let y = SEED_B
    for (let at = values + (row << 4), end = at + 16; at < end; at += 4) {
      x = quickA(x, load<u32>(at))
      y = quickB(y, load<u32>(at))
    }
    store<u32>(a + (row << 2), finishA(x))
    store<u32>(b + (row << 2), finishB(y))
  }
}

/** Replaces all NaNs by one. */
export function canonicalizeNans(values: usize, count: i32): void {
  for (let at = values, end = values + (usize(count) << 3); at < end; at += 16) {
    const doubles = v128.load(at)
    v128.store(at, v128.bitselect(i64x2.splat(NAN_BITS), doubles, f64x2.ne(doubles, doubles)))
  }
}

/** Expands a bitmap to 32-bit words of 0 or 1. */
export function expandBits(bits: usize, bit: u32, count: i32, words: usize): void {
  for (let row: u32 = 0; row < u32(count); row++) store<u32>(words + (usize(row) << 2), isSet(bits, bit + row) ? 1 : 0)
}

export function isSet(bits: usize, bit: u32): bool {
  return ((load<u8>(bits + usize(bit >> 3)) >> u8(bit & 7)) & 1) !== 0
}

/**
 * Texts and binary values.
 * @param offsets offsets from `bytes`, with one more for the end of the last value
 */
export function hashTexts(offsets: usize, bytes: usize, count: i32, a: usize, b: usize): void {
  for (let row: usize = 0; row < usize(count); row++) {
    let at = bytes + usize(load<u32>(offsets + (row << 2)))
    const end = bytes + usize(load<u32>(offsets + (row << 2), 4))
    const size = u32(end - at)
    let x = SEED_A
    let y = SEED_B
    for (; at + 4 <= end; at += 4) {
      x = quickA(x, load<u32>(at))
      y = quickB(y, load<u32>(at))
    }
    const tail = load<u32>(at) & ((u32(1) << (u32(end - at) << 3)) - 1)
    store<u32>(a + (row << 2), finishA(stepA(stepA(x, tail), size)))
    store<u32>(b + (row << 2), finishB(stepB(stepB(y, tail), size)))
  }
}

/** Lists. `itemsA` and `itemsB` begin with the first item of the first list. */
export function hashLists(offsets: usize, count: i32, itemsA: usize, itemsB: usize, a: usize, b: usize): void {
  const base = load<u32>(offsets)
  for (let row: usize = 0; row < usize(count); row++) {
    const from = load<u32>(offsets + (row << 2))
    const to = load<u32>(offsets + (row << 2), 4)
    let x = SEED_A
    let y = SEED_B
    for (let item = usize(from - base) << 2, end = usize(to - base) << 2; item < end; item += 4) {
      x = stepA(x, load<u32>(itemsA + item))
      y = stepB(y, load<u32>(itemsB + item))
    }
    store<u32>(a + (row << 2), finishA(stepA(x, to - from)))
    store<u32>(b + (row << 2), finishB(stepB(y, to - from)))
  }
}

/** Sets the hashes of nulls. Returns their number. */
export function hashNulls(bits: usize, bit: u32, count: i32, a: usize, b: usize): i32 {
  let nulls: i32 = 0
  for (let row: u32 = 0; row < u32(count); row++) {
    if (isSet(bits, bit + row)) continue
    store<u32>(a + (usize(row) << 2), NULL_A)
    store<u32>(b + (usize(row) << 2), NULL_B)
    nulls++
  }
  return nulls
}

/** Initializes the hashes of rows or structs. */
export function beginRows(count: i32, a: usize, b: usize): void {
  for (let at: usize = 0, end = usize(count) << 2; at < end; at += 16) {
    v128.store(a + at, i32x4.splat(SEED_A))
    v128.store(b + at, i32x4.splat(SEED_B))
  }
}

/** Combines a column's hashes into those of the rows. */
export function addToRows(columnA: usize, columnB: usize, count: i32, a: usize, b: usize): void {
  for (let at: usize = 0, end = usize(count) << 2; at < end; at += 16) {
    const x = quickA4(v128.load(a + at), v128.load(columnA + at))
    const y = quickB4(v128.load(b + at), v128.load(columnB + at))
    v128.store(a + at, i32x4.add(i32x4.mul(x, i32x4.splat(A2)), i32x4.splat(A3)))
    v128.store(b + at, i32x4.add(i32x4.mul(y, i32x4.splat(B2)), i32x4.splat(B3)))
  }
}

export function finishRows(count: i32, a: usize, b: usize): void {
  for (let at: usize = 0, end = usize(count) << 2; at < end; at += 16) {
    v128.store(a + at, finishA4(v128.load(a + at)))
    v128.store(b + at, finishB4(v128.load(b + at)))
  }
}

/** Sum of the hashes modulo 2^64, without the hashes of the `nulls` nulls. */
export function sumHashes(a: usize, b: usize, count: i32, nulls: i32): u64 {
  let low: u64 = 0
  let high: u64 = 0
  for (let at: usize = 0, end = usize(count) << 2; at < end; at += 4) {
    low += u64(load<u32>(a + at))
    high += u64(load<u32>(b + at))
  }
  low -= u64(nulls) * u64(NULL_A)
  high -= u64(nulls) * u64(NULL_B)
  return low + (high << 32)
}
