import type { ByteWriter } from '../../../lib/bytes.ts'

const BASE64 = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')

/** Writes bytes as padded base64 (RFC 4648, section 4). */
export function writeBase64(out: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
  out.reserve(Math.ceil((end - start) / 3) * 4)
  const target = out.bytes
  let to = out.length
  let at = start
  for (; at + 2 < end; at += 3, to += 4) {
    const triple = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2]
    target[to] = BASE64[triple >> 18]
    target[to + 1] = BASE64[(triple >> 12) & 63]
    target[to + 2] = BASE64[(triple >> 6) & 63]
    target[to + 3] = BASE64[triple & 63]
  }
  if (at < end) {
    const two = at + 1 < end
    const triple = (bytes[at] << 16) | (two ? bytes[at + 1] << 8 : 0)
    target[to] = BASE64[triple >> 18]
    target[to + 1] = BASE64[(triple >> 12) & 63]
    target[to + 2] = two ? BASE64[(triple >> 6) & 63] : 0x3d
    target[to + 3] = 0x3d
    to += 4
  }
  out.length = to
}
