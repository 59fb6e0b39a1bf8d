import { align, Kernel } from '../kernel/kernel.ts'
import { SLACK } from '../kernel/assembly/layout.ts'
import { Lookahead } from './lookahead.ts'
import { packedFault } from './packed-fault.ts'

/** No compressed block is larger: 900,000 symbols of 20 bits, and its tables. Bytes. */
const LARGEST_BLOCK = 2_500_000
/** Bytes of uncompressed block size per level. */
const LEVEL = 100_000
const PIECE = 1024 * 1024
/** A block begins with the digits of pi, and a stream ends with those of its square root. Two times 24 bits. */
const BLOCK = [0x314159, 0x265359]
const END = [0x177245, 0x385090]

/**
 * Decompresses bzip2 as a stream, including concatenated streams as written by pbzip2. Checksums are verified.
 * @throws {EngineError} `corrupt-file`
 */
export async function* bunzip2(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const input = new Lookahead(source)
  const decoder = new Decoder()
  try {
    for (let streams = 0; await input.has(1); streams++) {
      const isWhole = await input.has(4)
      const { bytes, at } = input
      const level = bytes[at + 3] - 0x30
      if (bytes[at] !== 0x42 || bytes[at + 1] !== 0x5a || bytes[at + 2] !== 0x68 || !(level >= 1 && level <= 9)) {
        throw packedFault(streams > 0 ? 'followed' : isWhole ? 'damaged' : 'cut', 'bzip2', input.taken)
      }
      input.at += 4
      yield* decoder.stream(input, level * LEVEL, signal)
    }
  } finally {
    await input.close()
  }
}

class Decoder {
  private readonly kernel = new Kernel()
  private readonly packed = align(this.kernel.base)
  private readonly table = align(this.packed + LARGEST_BLOCK + SLACK)
  private readonly out = align(this.table + 9 * LEVEL * 4 + SLACK)

  constructor() {
    this.kernel.reserve(this.out + PIECE + SLACK)
  }

  /** Decompresses a stream after its header: blocks that begin at any bit, and a checksum of theirs at the end. */
  async *stream(input: Lookahead, most: number, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
    const { kernel, packed, table, out } = this
    const { exports } = kernel
    let sum = 0
    /** Number of bits already read from the first remaining byte. */
    let bit = 0
    while (true) {
      signal.throwIfAborted()
      await input.has(LARGEST_BLOCK)
      const { bytes, at } = input
      const size = Math.min(input.left, LARGEST_BLOCK)
      kernel.bytes.set(bytes.subarray(at, at + size), packed)
      exports.bzip2Open(packed, packed + size, bit)
      const magic = [exports.bzip2Bits(24), exports.bzip2Bits(24)]
      const check = exports.bzip2Bits(32) >>> 0
      const isEnd = magic[0] === END[0] && magic[1] === END[1]
      if (!isEnd && (magic[0] !== BLOCK[0] || magic[1] !== BLOCK[1] || !exports.bzip2Block(table, most))) {
        throw this.fault(input, size)
      }
      const read = exports.bzip2At() >>> 0
      if (read > size * 8) throw packedFault('cut', 'bzip2', null)
      if (isEnd) {
        if (check !== sum) throw packedFault('damaged', 'bzip2', input.taken)
        input.at += Math.ceil(read / 8)
        return
      }
      for (let end = PIECE; end === PIECE;) {
        end = (exports.bzip2Write(out, out + PIECE) >>> 0) - out
        if (end > 0) yield kernel.bytes.slice(out, out + end)
        signal.throwIfAborted()
      }
      if (exports.bzip2Check() >>> 0 !== check) throw packedFault('damaged', 'bzip2', input.taken)
      sum = (((sum << 1) | (sum >>> 31)) ^ check) >>> 0
      input.at += Math.floor(read / 8)
      bit = read % 8
    }
  }

  /** If decoding failed after all bits were read, the file is truncated; otherwise it's damaged. */
  private fault(input: Lookahead, size: number): Error {
    const isCut = this.kernel.exports.bzip2At() >>> 0 > size * 8 && size < LARGEST_BLOCK
    return isCut ? packedFault('cut', 'bzip2', null) : packedFault('damaged', 'bzip2', input.taken)
  }
}
