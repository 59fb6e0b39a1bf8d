import { formatBytes } from '../../lib/bytes.ts'
import { EngineError } from '../errors.ts'
import { MOST_LITERALS as LARGEST_BLOCK, SLACK } from '../kernel/assembly/layout.ts'
import { align, Kernel } from '../kernel/kernel.ts'
import { Lookahead } from './lookahead.ts'
import { packedFault } from './packed-fault.ts'

/** The magic number, the frame descriptor and the longest fields after them. */
const LONGEST_HEADER = 18
const MAGIC = 0xfd2fb528
/** Frames for other programs' own data: any of sixteen magic numbers. */
const SKIPPABLE = 0x184d2a50
/** The limit of the zstd program without further options. */
const LARGEST_WINDOW = 128 * 1024 * 1024
/** Output is passed on in pieces of this many bytes. */
const PIECE = 1024 * 1024

interface FrameHeader {
  /** Size of the header itself in bytes. */
  readonly size: number
  readonly window: number
  /** Size of the output if the header has it. */
  readonly contentSize: number | null
  readonly hasChecksum: boolean
}

/**
 * Decompresses Zstandard (RFC 8878) as a stream, including concatenated frames as written by pzstd. Skippable frames
 * are skipped, and checksums verified.
 * @throws {EngineError} `corrupt-file`; `unsupported-format` if it needs a dictionary; `too-large` if its window is
 */
export async function* unzstd(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const input = new Lookahead(source)
  const frame = new Frame()
  try {
    for (let frames = 0; await input.has(1); frames++) {
      if (!(await input.has(8))) throw frames > 0 ? packedFault('followed', 'zstd', null) : cut()
      const [magic, size] = [word(input.bytes, input.at), word(input.bytes, input.at + 4)]
      if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
        if (!(await input.skip(8 + size))) throw cut()
      } else if (magic === MAGIC) {
        yield* frame.decompress(input, signal)
      } else {
        throw packedFault(frames > 0 ? 'followed' : 'damaged', 'zstd', input.taken)
      }
    }
  } finally {
    await input.close()
  }
}

/** The output of a frame, of which the kernel's memory keeps as much as later blocks may refer to. */
class Frame {
  private readonly kernel = new Kernel()
  private readonly space = align(this.kernel.base + SLACK)
  private readonly block = align(this.space + LARGEST_BLOCK + SLACK)
  private readonly low = align(this.block + LARGEST_BLOCK + SLACK)
  /** End of the output, of what has been passed on, and of what is in the checksum. */
  private out = this.low
  private given = this.low
  private summed = this.low

  async *decompress(input: Lookahead, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
    await input.has(LONGEST_HEADER)
    const header = readHeader(input)
    input.at += header.size
    const { exports } = this.kernel
    this.out = this.given = this.summed = this.low
    exports.zstdBegin()
    exports.xxhBegin()
    let total = 0
    for (let last = false; !last;) {
      signal.throwIfAborted()
      if (!(await input.has(3))) throw cut()
      const head = littleEndian(input.bytes, input.at, 3)
      const at = input.taken
      last = (head & 1) === 1
      const before = this.out
      const moved = this.makeRoom(header.window)
      const size = head >> 3
      const kind = (head >> 1) & 3
      const packed = kind === 1 ? 1 : size
      if (kind === 3 || size > LARGEST_BLOCK) throw packedFault('damaged', 'zstd', at)
      if (!(await input.has(3 + packed))) throw cut()
      this.kernel.bytes.set(input.bytes.subarray(input.at + 3, input.at + 3 + packed), this.block)
      this.decode(kind, size, at)
      input.at += 3 + packed
      total += this.out - (before - moved)
      if (header.contentSize !== null && total > header.contentSize) throw packedFault('damaged', 'zstd', at)
      if (header.hasChecksum) this.summed = exports.xxhAdd(this.summed, this.out)
      if (last || this.out - this.given >= PIECE) yield this.take()
    }
    if (header.contentSize !== null && total !== header.contentSize) throw packedFault('damaged', 'zstd', input.taken)
    if (!header.hasChecksum) return
    if (!(await input.has(4))) throw cut()
    if (exports.xxhEnd(this.summed, this.out) >>> 0 !== word(input.bytes, input.at)) {
      throw packedFault('damaged', 'zstd', input.taken)
    }
    input.at += 4
  }

  /** Decodes a block: raw (0), one repeated byte (1), or compressed (2). */
  private decode(kind: number, size: number, at: number): void {
    const { kernel, block, out, low, space } = this
    if (kind === 2) {
      const end = kernel.exports.zstdBlock(block, block + size, out, low, out + LARGEST_BLOCK, space)
      if (end === 0) throw packedFault('damaged', 'zstd', at)
      this.out = end
      return
    }
    if (kind === 0) kernel.bytes.copyWithin(out, block, block + size)
    else kernel.bytes.fill(kernel.bytes[block], out, out + size)
    this.out = out + size
  }

  /**
   * Makes room for another block. If there's much more than the window, drops what is before it.
   * @returns how far the rest was moved
   */
  private makeRoom(window: number): number {
    const { kernel, low } = this
    const keep = Math.max(window, this.out - this.given, this.out - this.summed)
    const spare = Math.max(PIECE, Math.min(window, 16 * PIECE))
    let moved = 0
    if (this.out - low > keep + spare) {
      moved = this.out - keep - low
      kernel.bytes.copyWithin(low, low + moved, this.out)
      this.out -= moved
      this.given -= moved
      this.summed -= moved
    }
    const needed = this.out + LARGEST_BLOCK + SLACK
    // Doubling the memory avoids growing it for each block.
    if (needed > kernel.bytes.length) kernel.reserve(low + Math.min((needed - low) * 2, window + spare + 2 * PIECE))
    return moved
  }

  private take(): Uint8Array {
    const piece = this.kernel.bytes.slice(this.given, this.out)
    this.given = this.out
    return piece
  }
}

/** @throws {EngineError} if it's damaged or can't be decompressed */
function readHeader(input: Lookahead): FrameHeader {
  const { bytes, at, left } = input
  const flags = bytes[at + 4]
  const single = (flags & 0x20) !== 0
  const idSize = [0, 1, 2, 4][flags & 3]
  const countSize = [single ? 1 : 0, 2, 4, 8][flags >> 6]
  const idAt = at + (single ? 5 : 6)
  const countAt = idAt + idSize
  const size = countAt + countSize - at
  if (left < size) throw cut()
  if ((flags & 0x08) !== 0) throw packedFault('damaged', 'zstd', input.taken)
  const dictionary = littleEndian(bytes, idAt, idSize)
  if (dictionary !== 0) {
    throw new EngineError('unsupported-format', `The zstd data needs the dictionary number ${dictionary}.`, {
      remedy: 'Decompress it where the dictionary is, with “zstd -d -D”, then add the file that comes out.',
    })
  }
  const contentSize = countSize === 0 ? null : littleEndian(bytes, countAt, countSize) + (countSize === 2 ? 256 : 0)
  const exponent = 2 ** (10 + (bytes[at + 5] >> 3))
  const window = single ? (contentSize ?? 0) : exponent + (exponent / 8) * (bytes[at + 5] & 7)
  if (window > LARGEST_WINDOW) {
    const most = formatBytes(LARGEST_WINDOW)
    throw new EngineError('too-large', `The zstd data was compressed with a window of ${formatBytes(window)}.`, {
      remedy: `At most ${most} can be read here: decompress it with “zstd -d --long=31”, or compress it with a smaller --long.`,
    })
  }
  return { size, window, contentSize, hasChecksum: (flags & 4) !== 0 }
}

const cut = (): EngineError => packedFault('cut', 'zstd', null)

function littleEndian(bytes: Uint8Array, at: number, size: number): number {
  let value = 0
  for (let i = size - 1; i >= 0; i--) value = value * 256 + bytes[at + i]
  return value
}

const word = (bytes: Uint8Array, at: number): number => littleEndian(bytes, at, 4)
