/** Invalid LZ4 data. */
export class Lz4Error extends Error {
  constructor(message: string) {
    super(`LZ4: ${message}`)
    this.name = 'Lz4Error'
  }
}

const MAGIC = 0x184d2204

/**
 * Decompresses consecutive LZ4 frames into exactly `size` bytes. The frames' checksums aren't verified.
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 * @throws {Lz4Error}
 */
export function decompressLz4Frame(source: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(size)
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength)
  let at = 0
  let written = 0
  while (at < source.length) {
    const magic = uint32(view, at)
    at += 4
    if (magic >= 0x184d2a50 && magic <= 0x184d2a5f) {
      at += 4 + uint32(view, at)
      continue
    }
    if (magic !== MAGIC) throw new Lz4Error('not a frame')
    const frame = readFrame(source, view, at, output, written)
    at = frame.at
    written = frame.written
  }
  if (written !== size) throw new Lz4Error(`${written} bytes came out where ${size} were announced`)
  return output
}

function uint32(view: DataView, at: number): number {
  if (at + 4 > view.byteLength) throw new Lz4Error('cut short')
  return view.getUint32(at, true)
}

function readFrame(
  source: Uint8Array,
  view: DataView,
  start: number,
  output: Uint8Array,
  begin: number,
): { at: number; written: number } {
  if (start + 3 > source.length) throw new Lz4Error('cut short')
  const flags = source[start]
  if (flags >> 6 !== 1) throw new Lz4Error('an unknown version')
  const independent = (flags & 0x20) !== 0
  const blockChecksum = (flags & 0x10) !== 0 ? 4 : 0
  const contentChecksum = (flags & 0x04) !== 0 ? 4 : 0
  if ((flags & 0x01) !== 0) throw new Lz4Error('it needs a dictionary')
  let at = start + 3 + ((flags & 0x08) !== 0 ? 8 : 0)
  let written = begin
  for (;;) {
    const word = uint32(view, at)
    at += 4
    if (word === 0) break
    const length = word & 0x7fffffff
    if (at + length > source.length) throw new Lz4Error('cut short')
    if (word >>> 31 === 1) {
      if (written + length > output.length) throw new Lz4Error('more bytes than announced')
      output.set(source.subarray(at, at + length), written)
      written += length
    } else {
      written = decompressBlock(source, at, at + length, output, written, independent ? written : begin)
    }
    at += length + blockChecksum
  }
  return { at: at + contentChecksum, written }
}

/**
 * Decompresses one block into `output` at `written`.
 * @param window start of the bytes in `output` that matches may refer to
 * @returns the new end of the output
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */
function decompressBlock(
  source: Uint8Array,
  start: number,
  end: number,
  output: Uint8Array,
  written: number,
  window: number,
): number {
  let at = start
  let to = written
  while (at < end) {
    const token = source[at++]
    let literals = token >> 4
    if (literals === 15) {
      let more = 255
      while (more === 255) {
        if (at >= end) throw new Lz4Error('cut short')
        more = source[at++]
        literals += more
      }
    }
    if (at + literals > end) throw new Lz4Error('cut short')
    if (to + literals > output.length) throw new Lz4Error('more bytes than announced')
    if (literals > 16) output.set(source.subarray(at, at + literals), to)
    else for (let i = 0; i < literals; i++) output[to + i] = source[at + i]
    at += literals
    to += literals
    // The last sequence has no match.
    if (at === end) return to
    if (at + 2 > end) throw new Lz4Error('cut short')
    const distance = source[at] | (source[at + 1] << 8)
    at += 2
    let length = (token & 15) + 4
    if (length === 19) {
      let more = 255
      while (more === 255) {
        if (at >= end) throw new Lz4Error('cut short')
        more = source[at++]
        length += more
      }
    }
    const from = to - distance
    if (distance === 0 || from < window) throw new Lz4Error('a copy from before the beginning')
    if (to + length > output.length) throw new Lz4Error('more bytes than announced')
    if (distance >= length && length > 32) output.copyWithin(to, from, from + length)
    // Overlapping copies repeat the bytes just written.
    else for (let i = 0; i < length; i++) output[to + i] = output[from + i]
    to += length
  }
  if (end > start) throw new Lz4Error('cut short')
  return to
}
