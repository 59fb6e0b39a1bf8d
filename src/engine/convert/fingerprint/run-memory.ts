import { SLACK } from '../../kernel/assembly/layout.ts'
import { align, Kernel } from '../../kernel/kernel.ts'

/** Larger memory isn't kept for the next run. Bytes. */
const LARGE = 1 << 25

/** Kernel memory for a run of rows and the results. The next run overwrites it. */
class RunMemory {
  kernel = new Kernel()
  private free = 0

  /** Begins a run. */
  begin(): void {
    if (this.kernel.bytes.length > LARGE) this.kernel = new Kernel()
    this.free = this.kernel.base
  }

  /** Does some work, then frees what was placed for it. */
  within<T>(work: () => T): T {
    const { free } = this
    const result = work()
    this.free = free
    return result
  }

  /** Allocates bytes. */
  place(size: number): number {
    const at = this.free
    this.free = align(at + size + SLACK)
    this.kernel.reserve(this.free)
    return at
  }

  /** Copies integers of up to 32 bits as words, and others unchanged. */
  putWords(values: Int32Array | Uint32Array): number {
    const at = this.place(values.length * 4)
    new Int32Array(this.kernel.bytes.buffer, at, values.length).set(values)
    return at
  }

  putDoubles(values: Float32Array | Float64Array): number {
    const at = this.place(values.length * 8)
    new Float64Array(this.kernel.bytes.buffer, at, values.length).set(values)
    return at
  }

  putBytes({ buffer, byteOffset, byteLength }: ArrayBufferView): number {
    const at = this.place(byteLength)
    this.kernel.bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    return at
  }

  /** Copies a range of bits. */
  putBits(bits: Uint8Array, from: number, count: number): Bits {
    return { bits: this.putBytes(bits.subarray(from >> 3, (from + count + 7) >> 3)), bit: from & 7 }
  }
}

/** Where bits begin: at bit `bit` of the byte at `bits`. */
export interface Bits {
  readonly bits: number
  readonly bit: number
}

let memory: RunMemory | undefined

/** The memory of this thread. A run ends before another one begins. */
export function runMemory(): RunMemory {
  memory ??= new RunMemory()
  return memory
}
export type { RunMemory }
