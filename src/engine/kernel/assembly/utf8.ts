/** Whether the bytes are valid UTF-8. */
export function isUtf8(start: usize, end: usize): bool {
  return findInvalidUtf8(start, end) === end
}

/**
 * Finds the first byte that isn't valid UTF-8 (RFC 3629): overlong forms, surrogates, above U+10FFFF, truncated.
 * Returns the end if all are valid.
 */
export function findInvalidUtf8(start: usize, end: usize): usize {
  let at = start
  while (at < end) {
    // Most text is ASCII.
    if (at + 16 <= end && i8x16.bitmask(v128.load(at)) === 0) {
      at += 16
      continue
    }
    const byte = u32(load<u8>(at))
    if (byte < 0x80) {
      at++
      continue
    }
    const length: usize = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0
    if (length === 0 || at + length > end) return at
    const second = u32(load<u8>(at, 1))
    const low: u32 = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
    const high: u32 = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
    if (second < low || second > high) return at
    for (let i: usize = 2; i < length; i++) if ((load<u8>(at + i) & 0xc0) !== 0x80) return at
    at += length
  }
  return end
}

/** Writes a character as UTF-8. Returns its end. */
export function writeUtf8(out: usize, char: u32): usize {
  if (char < 0x80) {
    store<u8>(out, char)
    return out + 1
  }
  if (char < 0x800) {
    store<u8>(out, 0xc0 | (char >> 6))
    store<u8>(out, 0x80 | (char & 0x3f), 1)
    return out + 2
  }
  if (char < 0x10000) {
    store<u8>(out, 0xe0 | (char >> 12))
    store<u8>(out, 0x80 | ((char >> 6) & 0x3f), 1)
    store<u8>(out, 0x80 | (char & 0x3f), 2)
    return out + 3
  }
  store<u8>(out, 0xf0 | (char >> 18))
  store<u8>(out, 0x80 | ((char >> 12) & 0x3f), 1)
  store<u8>(out, 0x80 | ((char >> 6) & 0x3f), 2)
  store<u8>(out, 0x80 | (char & 0x3f), 3)
  return out + 4
}
