const encoder = new TextEncoder()

/** A growable byte buffer, to write values without an allocation for each. */
export class ByteWriter {
  /** The bytes so far are `bytes.subarray(0, length)`; the array changes as it grows. */
  bytes: Uint8Array<ArrayBuffer>
  length = 0

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity)
  }

  /** Makes room for `count` more bytes, which may then be written directly to `bytes` at `length`. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    this.bytes = grown(this.bytes, Math.max(needed, this.bytes.length * 2))
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  append(source: Uint8Array, start = 0, end = source.length): void {
    const count = end - start
    this.reserve(count)
    // For runs as short as most cells, a loop is faster than set(subarray()).
    if (count < 40) {
      const { bytes } = this
      let at = this.length
      for (let i = start; i < end; i++) bytes[at++] = source[i] as number
    } else {
      this.bytes.set(source.subarray(start, end), this.length)
    }
    this.length += count
  }

  /** Appends text as UTF-8. */
  text(value: string): void {
    this.reserve(value.length * 3)
    const { written } = encoder.encodeInto(value, this.bytes.subarray(this.length))
    this.length += written
  }

  /** The bytes so far, without copying: valid until the next write. */
  view(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length)
  }

  /** Returns a copy of the bytes so far, and starts again. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.bytes.slice(0, this.length)
    this.length = 0
    return taken
  }

  clear(): void {
    this.length = 0
  }
}

/** A copy with room for `length` numbers; the new ones are 0. */
export function grown<T extends Uint8Array | Int32Array | Uint32Array | Float64Array>(from: T, length: number): T {
  const larger = new (from.constructor as new (length: number) => T)(length)
  larger.set(from)
  return larger
}

/** The parts joined in a new array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** The bytes from `start` up to `end`, or to the file's end. */
export async function sliceBytes(file: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(start, end).arrayBuffer())
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A size for people, in decimal units: `1.2 MB`, `532 bytes`. */
export function formatBytes(size: number): string {
  if (size === 1) return '1 byte'
  let unit = 0
  let value = size
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`
}

/** A sum modulo 2^64 as 16 hexadecimal digits. */
export const printSum = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
