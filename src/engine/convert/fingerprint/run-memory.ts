import { SLACK } from '../../kernel/assembly/layout.ts'
import { align, Kernel } from '../../kernel/kernel.ts'

/** A larger memory isn't kept for the next run. Bytes. */
const LARGE = 1 << 25

/** A run of rows in the kernel's memory, and what is made of them; the next run takes its place. */
class RunMemory {
  kernel = new Kernel()
  private free = 0

  /** Begins a run. */
  begin(): void {
    if (this.kernel.bytes.length > LARGE) this.kernel = new Kernel()
    this.free = this.kernel.base
  }

  /** Does some work, and forgets what was placed for it. */
  within<T>(work: () => T): T {
    const { free } = this
    const result = work()
    this.free = free
    return result
  }

  /** Makes room for so many bytes. */
  place(size: number): number {
    const at = this.free
    this.free = align(at + size + SLACK)
    this.kernel.reserve(this.free)
    return at
  }

  /** Places integers of up to 32 bits as words, or others as they are. */
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

  /** Places some of the bits. */
  putBits(bits: Uint8Array, from: number, count: number): Bits {
    return { bits: this.putBytes(bits.subarray(from >> 3, (from + count + 7) >> 3)), bit: from & 7 }
  }
}

/** Where bits are: in the byte at `bits`, and those after it, from `bit` on. */
export interface Bits {
  readonly bits: number
  readonly bit: number
}

let memory: RunMemory | undefined

/** This thread's: whoever begins a run is done with it before anybody else begins one. */
export function runMemory(): RunMemory {
  memory ??= new RunMemory()
  return memory
}
export type { RunMemory }
