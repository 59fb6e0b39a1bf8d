import { isUtf8, writeUtf8 } from './utf8'

/* Strings and numbers of JSON (RFC 8259), each read from its first byte. 0 stands for what is left to others. */

const QUOTE: u8 = 0x22
const BACKSLASH: u8 = 0x5c

let written: usize = 0

/** How many bytes the last `copyString` wrote. */
export function copied(): usize {
  return written
}

/**
 * Copies a string's text, by 16 bytes.
 * @param from behind the opening quote
 * @returns behind the closing one
 */
export function copyString(from: usize, out: usize): usize {
  const quote = i8x16.splat(QUOTE)
  const backslash = i8x16.splat(BACKSLASH)
  const space = i8x16.splat(0x20)
  let high: i32 = 0
  for (let at: usize = 0; ; at += 16) {
    const bytes = v128.load(from + at)
    v128.store(out + at, bytes)
    const ends = v128.or(v128.or(i8x16.eq(bytes, quote), i8x16.eq(bytes, backslash)), i8x16.lt_u(bytes, space))
    const mask = i8x16.bitmask(ends)
    const tops = i8x16.bitmask(bytes)
    if (mask === 0) {
      high |= tops
      continue
    }
    const found = ctz<i32>(mask)
    high |= tops & ((1 << found) - 1)
    const end = from + at + found
    const byte = load<u8>(end)
    if (byte === QUOTE) {
      written = end - from
      return high === 0 || isUtf8(from, end) ? end + 1 : 0
    }
    return byte === BACKSLASH ? copyEscaped(from, end, out) : 0
  }
}

/** Passes over a string without escapes; `from` and what is returned as for `copyString`. */
export function passString(from: usize): usize {
  let high: u8 = 0
  let at = from
  for (let byte = load<u8>(at); byte !== QUOTE; byte = load<u8>(++at)) {
    if (byte < 0x20 || byte === BACKSLASH) return 0
    high |= byte
  }
  return high < 0x80 || isUtf8(from, at) ? at + 1 : 0
}

/** @param at where the first backslash is */
function copyEscaped(from: usize, at: usize, out: usize): usize {
  let to = out + (at - from)
  let source = at
  for (;;) {
    const byte = load<u8>(source)
    if (byte === QUOTE) break
    if (byte < 0x20) return 0
    if (byte !== BACKSLASH) {
      store<u8>(to++, byte)
      source++
      continue
    }
    const escape = load<u8>(source, 1)
    if (escape === 0x75) {
      let char = unit(source + 2)
      if (char < 0) return 0
      source += 6
      if (char >= 0xd800 && char <= 0xdfff) {
        // Half of a surrogate pair is no character.
        const low = char < 0xdc00 && load<u16>(source) === 0x755c ? unit(source + 2) : -1
        if (low < 0xdc00 || low > 0xdfff) return 0
        char = 0x10000 + ((char - 0xd800) << 10) + (low - 0xdc00)
        source += 6
      }
      to = writeUtf8(to, u32(char))
      continue
    }
    const value = unescaped(escape)
    if (value === 0) return 0
    store<u8>(to++, value)
    source += 2
  }
  written = to - out
  return isUtf8(out, to) ? source + 1 : 0
}

function unescaped(escape: u8): u8 {
  switch (escape) {
    case 0x22:
    case 0x5c:
    case 0x2f:
      return escape
    case 0x62:
      return 0x08
    case 0x66:
      return 0x0c
    case 0x6e:
      return 0x0a
    case 0x72:
      return 0x0d
    case 0x74:
      return 0x09
    default:
      return 0
  }
}

/** The value of four hexadecimal digits; -1 where there aren't four. */
function unit(at: usize): i32 {
  let value: i32 = 0
  for (let i: usize = 0; i < 4; i++) {
    const byte = i32(load<u8>(at + i))
    const lower = byte | 0x20
    const digit = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
    if (digit < 0) return -1
    value = (value << 4) | digit
  }
  return value
}

/** Passes over a number; its end. */
export function passNumber(from: usize): usize {
  let at = from
  if (load<u8>(at) === 0x2d) at++
  const first = at
  at = digits(at)
  if (at === first || (load<u8>(first) === 0x30 && at > first + 1)) return 0
  if (load<u8>(at) === 0x2e) {
    const point = at + 1
    at = digits(point)
    if (at === point) return 0
  }
  if ((load<u8>(at) | 0x20) === 0x65) {
    at++
    const sign = load<u8>(at)
    if (sign === 0x2b || sign === 0x2d) at++
    const power = at
    at = digits(power)
    if (at === power) return 0
  }
  return at
}

/** Behind the digits that begin here. */
function digits(from: usize): usize {
  let at = from
  while (u32(load<u8>(at)) - 0x30 < 10) at++
  return at
}
