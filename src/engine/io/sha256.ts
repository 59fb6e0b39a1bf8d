import { chunksOf } from '../../lib/streams.ts'
import { align, Kernel } from '../kernel/kernel.ts'
import { fileChanged } from '../errors.ts'
import { checkpoint } from '../../lib/yielding.ts'

const BLOCK = 64
const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
/** Bytes to process at once. */
const ROOM = 1 << 16

/** Incremental SHA-256 (FIPS 180-4); the browser's needs all bytes at once. */
export class Sha256 {
  private readonly kernel = new Kernel()
  private readonly state = this.kernel.base
  private readonly buffer = align(this.state + INITIAL.length * 4)
  private filled = 0
  private size = 0

  constructor() {
    this.kernel.reserve(this.buffer + ROOM)
    this.kernel.words.set(INITIAL, this.state / 4)
  }

  update(bytes: Uint8Array): void {
    this.size += bytes.length
    for (let from = 0; from < bytes.length;) {
      const part = bytes.subarray(from, from + ROOM - this.filled)
      this.kernel.bytes.set(part, this.buffer + this.filled)
      this.filled += part.length
      from += part.length
      this.takeBlocks()
    }
  }

  private takeBlocks(): void {
    const blocks = Math.floor(this.filled / BLOCK)
    this.kernel.exports.hashBlocks(this.state, this.buffer, blocks)
    const rest = this.buffer + blocks * BLOCK
    this.kernel.bytes.copyWithin(this.buffer, rest, this.buffer + this.filled)
    this.filled -= blocks * BLOCK
  }

  /** Returns the hash in lower-case hexadecimal. Call once, after all bytes. */
  finish(): string {
    const { size } = this
    const end = new Uint8Array((this.filled < BLOCK - 8 ? BLOCK : 2 * BLOCK) - this.filled)
    end[0] = 0x80
    new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(size) * 8n)
    this.update(end)
    const words = this.kernel.words.subarray(this.state / 4, this.state / 4 + INITIAL.length)
    return Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('')
  }
}

/**
 * A file's SHA-256 in hexadecimal. The file is streamed.
 * @throws {EngineError} `file-changed` if it can't be read
 */
export async function sha256Of(
  file: Blob,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: (bytes: number) => void },
): Promise<string> {
  const hash = new Sha256()
  let bytes = 0
  try {
    for await (const chunk of chunksOf(file.stream())) {
      hash.update(chunk)
      progress((bytes += chunk.length))
      await checkpoint(signal)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw fileChanged(error)
  }
  return hash.finish()
}
