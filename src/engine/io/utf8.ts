import { concatBytes } from '../../lib/bytes.ts'

/** Converts a text file's bytes to UTF-8, a slice at a time. */
export interface Transcoder {
  /** May return `bytes` itself. */
  push(bytes: Uint8Array): Uint8Array
  end(): Uint8Array
}

const NOTHING = new Uint8Array(0)

/** UTF-8, without its byte order mark. */
export class Utf8 implements Transcoder {
  private head: Uint8Array | null = NOTHING

  push(bytes: Uint8Array): Uint8Array {
    if (!this.head) return bytes
    this.head = this.head.length === 0 ? bytes : concatBytes([this.head, bytes])
    return this.head.length < 3 ? NOTHING : this.end()
  }

  end(): Uint8Array {
    const head = this.head ?? NOTHING
    this.head = null
    return hasMark(head) ? head.subarray(3) : head
  }
}

/** Decodes a whole text. */
export const textOf = (bytes: Uint8Array, transcoder: Transcoder): string =>
  new TextDecoder().decode(concatBytes([transcoder.push(bytes), transcoder.end()]))

/** Whether the bytes begin with UTF-8's byte order mark. */
export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** Length of the UTF-8 sequence beyond ASCII at `at` (RFC 3629); 0 if there's no valid one before `end`. */
export function utf8Length(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at]
  const length = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0
  if (length === 0 || at + length > end) return 0
  const second = bytes[at + 1]
  const low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
  const high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high) return 0
  for (let i = 2; i < length; i++) if ((bytes[at + i] & 0xc0) !== 0x80) return 0
  return length
}

/**
 * Position of the first invalid UTF-8 in `bytes[start, end)` (RFC 3629: no overlong forms, no surrogates, up to
 * U+10FFFF); -1 if there's none. A sequence truncated by `end` is invalid, too.
 */
export function findInvalidUtf8(bytes: Uint8Array, start: number, end: number): number {
  const { byteOffset } = bytes
  const words = new Int32Array(bytes.buffer, byteOffset & ~3, ((byteOffset & 3) + end) >> 2)
  let at = start
  while (at < end) {
    const byte = bytes[at]
    if (byte < 0x80) {
      at++
      if (((byteOffset + at) & 3) !== 0) continue
      // Most text is ASCII, so check four bytes at a time.
      let word = ((byteOffset & 3) + at) >> 2
      while (word < words.length && (words[word] & 0x80808080) === 0) word++
      at = (word << 2) - (byteOffset & 3)
      continue
    }
    const length = utf8Length(bytes, at, end)
    if (length === 0) return at
    at += length
  }
  return -1
}
