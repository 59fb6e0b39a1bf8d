/* SHA-256 (FIPS 180-4) of whole 64-byte blocks. */

const K = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])
/** The message schedule, with the round constants added. */
const W = memory.data(256)

function round(e: u32, f: u32, g: u32): u32 {
  return (rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25)) + (g ^ (e & (f ^ g)))
}

function mixed(a: u32, b: u32, c: u32): u32 {
  return (rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)) + ((a & b) ^ (c & (a ^ b)))
}

/** Four big-endian words of a block. */
function wordsAt(at: usize): v128 {
  const bytes = v128.load(at)
  return i8x16.shuffle(bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
}

function rotated(words: v128, by: i32): v128 {
  return v128.or(i32x4.shr_u(words, by), i32x4.shl(words, 32 - by))
}

function late(words: v128): v128 {
  return v128.xor(v128.xor(rotated(words, 17), rotated(words, 19)), i32x4.shr_u(words, 10))
}

/** The next four words of the message schedule. */
function following(first: v128, second: v128, third: v128, fourth: v128): v128 {
  const early = i32x4.shuffle(first, second, 1, 2, 3, 4)
  const s0 = v128.xor(v128.xor(rotated(early, 7), rotated(early, 18)), i32x4.shr_u(early, 3))
  const sum = i32x4.add(i32x4.add(first, s0), i32x4.shuffle(third, fourth, 1, 2, 3, 4))
  // The last two words depend on the first two.
  const none = i32x4.splat(0)
  const half = i32x4.add(sum, i32x4.shuffle(late(fourth), none, 2, 3, 4, 5))
  return i32x4.add(half, i32x4.shuffle(none, late(half), 0, 1, 4, 5))
}

/** Updates the hash at `state` (eight words) with blocks. */
export function hashBlocks(state: usize, at: usize, blocks: usize): void {
  for (const end = at + (blocks << 6); at < end; at += 64) {
    let first = wordsAt(at)
    let second = wordsAt(at + 16)
    let third = wordsAt(at + 32)
    let fourth = wordsAt(at + 48)
    for (let i: usize = 0; ; i += 64) {
      v128.store(W + i, i32x4.add(first, v128.load(K + i)))
      v128.store(W + i, i32x4.add(second, v128.load(K + i, 16)), 16)
      v128.store(W + i, i32x4.add(third, v128.load(K + i, 32)), 32)
      v128.store(W + i, i32x4.add(fourth, v128.load(K + i, 48)), 48)
      if (i === 192) break
      first = following(first, second, third, fourth)
      second = following(second, third, fourth, first)
      third = following(third, fourth, first, second)
      fourth = following(fourth, first, second, third)
    }
    let a = load<u32>(state)
    let b = load<u32>(state, 4)
    let c = load<u32>(state, 8)
    let d = load<u32>(state, 12)
    let e = load<u32>(state, 16)
    let f = load<u32>(state, 20)
    let g = load<u32>(state, 24)
    let h = load<u32>(state, 28)
    // After eight rounds, each variable is back in its place.
    for (let i: usize = 0; i < 256; i += 32) {
      h += round(e, f, g) + load<u32>(W + i)
      d += h
      h += mixed(a, b, c)
      g += round(d, e, f) + load<u32>(W + i, 4)
      c += g
      g += mixed(h, a, b)
      f += round(c, d, e) + load<u32>(W + i, 8)
      b += f
      f += mixed(g, h, a)
      e += round(b, c, d) + load<u32>(W + i, 12)
      a += e
      e += mixed(f, g, h)
      d += round(a, b, c) + load<u32>(W + i, 16)
      h += d
      d += mixed(e, f, g)
      c += round(h, a, b) + load<u32>(W + i, 20)
      g += c
      c += mixed(d, e, f)
      b += round(g, h, a) + load<u32>(W + i, 24)
      f += b
      b += mixed(c, d, e)
      a += round(f, g, h) + load<u32>(W + i, 28)
      e += a
      a += mixed(b, c, d)
    }
    store<u32>(state, load<u32>(state) + a)
    store<u32>(state, load<u32>(state, 4) + b, 4)
    store<u32>(state, load<u32>(state, 8) + c, 8)
    store<u32>(state, load<u32>(state, 12) + d, 12)
    store<u32>(state, load<u32>(state, 16) + e, 16)
    store<u32>(state, load<u32>(state, 20) + f, 20)
    store<u32>(state, load<u32>(state, 24) + g, 24)
    store<u32>(state, load<u32>(state, 28) + h, 28)
  }
}
