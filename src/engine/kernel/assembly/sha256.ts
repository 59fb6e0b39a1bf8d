/* SHA-256 (FIPS 180-4) of whole blocks of 64 bytes. */

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
/** The words of a block, extended. */
const W = memory.data(256)

function round(e: u32, f: u32, g: u32): u32 {
  return (rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25)) + (g ^ (e & (f ^ g)))
}

function mixed(a: u32, b: u32, c: u32): u32 {
  return (rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)) + ((a & b) ^ (c & (a ^ b)))
}

/** Takes blocks into a hash of eight words, which is at `state`. */
export function hashBlocks(state: usize, at: usize, blocks: usize): void {
  for (const end = at + (blocks << 6); at < end; at += 64) {
    for (let i: usize = 0; i < 64; i += 4) store<u32>(W + i, bswap<u32>(load<u32>(at + i)))
    for (let i: usize = 64; i < 256; i += 4) {
      const early = load<u32>(W + i - 60)
      const late = load<u32>(W + i - 8)
      const s0 = rotr<u32>(early, 7) ^ rotr<u32>(early, 18) ^ (early >> 3)
      const s1 = rotr<u32>(late, 17) ^ rotr<u32>(late, 19) ^ (late >> 10)
      store<u32>(W + i, load<u32>(W + i - 64) + s0 + load<u32>(W + i - 28) + s1)
    }
    let a = load<u32>(state)
    let b = load<u32>(state, 4)
    let c = load<u32>(state, 8)
    let d = load<u32>(state, 12)
    let e = load<u32>(state, 16)
    let f = load<u32>(state, 20)
    let g = load<u32>(state, 24)
    let h = load<u32>(state, 28)
    // Eight rounds, after which every variable is in its own place again.
    for (let i: usize = 0; i < 256; i += 32) {
      h += round(e, f, g) + load<u32>(K + i) + load<u32>(W + i)
      d += h
      h += mixed(a, b, c)
      g += round(d, e, f) + load<u32>(K + i, 4) + load<u32>(W + i, 4)
      c += g
      g += mixed(h, a, b)
      f += round(c, d, e) + load<u32>(K + i, 8) + load<u32>(W + i, 8)
      b += f
      f += mixed(g, h, a)
      e += round(b, c, d) + load<u32>(K + i, 12) + load<u32>(W + i, 12)
      a += e
      e += mixed(f, g, h)
      d += round(a, b, c) + load<u32>(K + i, 16) + load<u32>(W + i, 16)
      h += d
      d += mixed(e, f, g)
      c += round(h, a, b) + load<u32>(K + i, 20) + load<u32>(W + i, 20)
      g += c
      c += mixed(d, e, f)
      b += round(g, h, a) + load<u32>(K + i, 24) + load<u32>(W + i, 24)
      f += b
      b += mixed(c, d, e)
      a += round(f, g, h) + load<u32>(K + i, 28) + load<u32>(W + i, 28)
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
