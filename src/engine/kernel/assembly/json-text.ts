import { isUtf8, writeUtf8 } from './utf8'

/* Scans JSON strings and numbers (RFC 8259). A function returns the end, or 0 for what JavaScript must parse. */

const QUOTE: u8 = 0x22
const BACKSLASH: u8 = 0x5c

/** Whether the last skipped string has escapes. */
export let escaped: bool = false

/**
 * Skips a string, 16 bytes at a time.
 * @param from after the opening quote
 * @returns after the closing quote
 */
export function skipString(from: usize): usize {
  const quote = i8x16.splat(QUOTE)
  const backslash = i8x16.splat(BACKSLASH)
  const space = i8x16.splat(0x20)
  escaped = false
  let high: i32 = 0
  let at = from
  while (true) {
    const bytes = v128.load(at)
    const stops = v128.or(v128.or(i8x16.eq(bytes, quote), i8x16.eq(bytes, backslash)), i8x16.lt_u(bytes, space))
    const mask = i8x16.bitmask(stops)
    const tops = i8x16.bitmask(bytes)
    if (mask === 0) {
      high |= tops
      at += 16
      continue
    }
    const found = ctz<i32>(mask)
    high |= tops & ((1 << found) - 1)
    at += found
    const byte = load<u8>(at)
    if (byte === QUOTE) return high === 0 || isUtf8(from, at) ? at + 1 : 0
    if (byte !== BACKSLASH) return 0
    escaped = true
    at = skipEscape(at)
    if (at === 0) return 0
  }
}

function skipEscape(at: usize): usize {
  const escape = load<u8>(at, 1)
  if (escape !== 0x75) return unescaped(escape) === 0 ? 0 : at + 2
  const char = unit(at + 2)
  if (char < 0) return 0
  if (char < 0xd800 || char > 0xdfff) return at + 6
  // A lone surrogate isn't a character.
  const low = char < 0xdc00 && load<u16>(at, 6) === 0x755c ? unit(at + 8) : -1
  return low < 0xdc00 || low > 0xdfff ? 0 : at + 12
}

/** Copies a string, unescaped; its escapes must be valid. Returns the copy's end. */
export function unescapeJson(from: usize, end: usize, to: usize): usize {
  let out = to
  let at = from
  while (at < end) {
    const byte = load<u8>(at)
    if (byte !== BACKSLASH) {
      store<u8>(out++, byte)
      at++
      continue
    }
    const escape = load<u8>(at, 1)
    if (escape !== 0x75) {
      store<u8>(out++, unescaped(escape))
      at += 2
      continue
    }
    let char = unit(at + 2)
    at += 6
    if (char >= 0xd800 && char < 0xdc00) {
      char = 0x10000 + ((char - 0xd800) << 10) + (unit(at + 2) - 0xdc00)
      at += 6
    }
    out = writeUtf8(out, u32(char))
  }
  return out
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

/** The value of four hexadecimal digits; -1 if there aren't four. */
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

/** Skips a number. Returns its end. */
export function skipNumber(from: usize): usize {
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

/** Skips digits. Returns their end. */
function digits(from: usize): usize {
  let at = from
  while (u32(load<u8>(at)) - 0x30 < 10) at++
  return at
}
