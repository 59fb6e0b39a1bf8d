import type { Data } from 'apache-arrow'
import { isAscii } from '../../io/transcode.ts'
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
