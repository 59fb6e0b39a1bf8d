import { BACKSLASH, QUOTE } from '../../../lib/ascii.ts'
import type { ByteWriter } from '../../../lib/bytes.ts'

const HEX = new TextEncoder().encode('0123456789abcdef')
/** 1 for bytes that must be escaped in a JSON string, and for DEL, which doesn't belong in a text file. */
const ESCAPED = new Uint8Array(256)
ESCAPED.fill(1, 0, 0x20)
ESCAPED[QUOTE] = 1
ESCAPED[BACKSLASH] = 1
ESCAPED[0x7f] = 1

/** The letters of JSON's short escapes, by byte. */
const SHORT = new Uint8Array(256)
SHORT[QUOTE] = QUOTE
SHORT[BACKSLASH] = BACKSLASH
SHORT[0x08] = 0x62
SHORT[0x09] = 0x74
SHORT[0x0a] = 0x6e
SHORT[0x0c] = 0x66
SHORT[0x0d] = 0x72

/** Writes UTF-8 bytes as a quoted JSON string, with all control characters escaped. */
export function writeJsonString(out: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
  out.byte(QUOTE)
  let from = start
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (ESCAPED[byte] === 0) continue
    if (at > from) out.append(bytes, from, at)
    from = at + 1
    out.reserve(6)
    const target = out.bytes
    target[out.length++] = BACKSLASH
    if (SHORT[byte] !== 0) {
      target[out.length++] = SHORT[byte]
      continue
    }
    target[out.length++] = 0x75
    target[out.length++] = 0x30
    target[out.length++] = 0x30
    target[out.length++] = HEX[byte >> 4]
    target[out.length++] = HEX[byte & 15]
  }
  if (end > from) out.append(bytes, from, end)
  out.byte(QUOTE)
}
