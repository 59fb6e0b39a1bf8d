import type { Data } from 'apache-arrow'
import { FlatError } from './flat.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
const SLICE = 1 << 20

/**
 * Checks that each text of a column is UTF-8: the bytes as a whole, and that none begins within a character.
 * @throws {FlatError}
 */
export function checkUtf8(data: Data): void {
  const bytes = data.values as Uint8Array
  const offsets = data.valueOffsets as Int32Array
  const start = offsets[0]
  const end = offsets[data.length]
  if (isAscii(bytes, start, end)) return
  for (let i = 0; i <= data.length; i++) {
    if (offsets[i] < end && isContinuation(bytes[offsets[i]])) throw new FlatError('a text is not UTF-8')
  }
  try {
    for (let at = start; at < end;) {
      let to = Math.min(end, at + SLICE)
      while (to < end && isContinuation(bytes[to]) && to > at) to--
      if (to === at) throw new FlatError('a text is not UTF-8')
      decoder.decode(bytes.subarray(at, to))
      at = to
    }
  } catch {
    throw new FlatError('a text is not UTF-8')
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  const { buffer, byteOffset } = bytes
  while (at < end && (byteOffset + at) % 4 !== 0) if (bytes[at++] > 127) return false
  const words = new Uint32Array(buffer, byteOffset + at, (end - at) >> 2)
  for (let i = 0; i < words.length; i++) if ((words[i] & 0x80808080) !== 0) return false
  at += words.length * 4
  while (at < end) if (bytes[at++] > 127) return false
  return true
}
