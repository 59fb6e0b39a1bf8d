import { EQUALS } from '../../../lib/ascii.ts'
import { BufferType } from 'apache-arrow'
import { formatBytes, grown } from '../../../lib/bytes.ts'
import type { ScalarType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import { FIRST_ROWS, FlatBuilder, rowsAfter, type ValueBuffers } from './flat.ts'

const FIRST_BYTES = 8192
/** Upper limit of the initial capacity, which is the size of the last batch. Bytes. */
const LARGEST_BYTES = 16 * 1024 * 1024
/** Arrow's offsets are signed 32-bit integers. */
const MOST_BYTES = 0x7fffffff

/** VARCHAR: the text itself. The caller must ensure that it's UTF-8. */
export class BytesBuilder extends FlatBuilder<ScalarType> {
  protected bytes = new Uint8Array(FIRST_BYTES)
  protected used = 0
  private offsets = new Int32Array(FIRST_ROWS + 1)
  private capacity = FIRST_ROWS

  get byteLength(): number {
    return this.used + this.length * 4 + this.validity.byteLength
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const count = end - start
    const from = this.used
    const to = from + count
    if (to > this.bytes.length) this.reserve(count)
    const target = this.bytes
    // For short runs, a loop is faster than set(subarray()).
    if (count < 40) {
      for (let source = start, at = from; at < to; at++, source++) target[at] = bytes[source]
    } else {
      target.set(bytes.subarray(start, end), from)
    }
    this.push(to)
    return true
  }

  /** Completes a value whose bytes have been written up to `end`. */
  protected push(end: number): void {
    const row = this.length
    if (row === this.capacity) this.growOffsets()
    this.used = end
    this.offsets[row + 1] = end
    this.validity.setValid(row)
    this.length = row + 1
  }

  appendNull(): void {
    const row = this.length
    if (row === this.capacity) this.growOffsets()
    this.offsets[row + 1] = this.used
    this.validity.setNull(row)
    this.length = row + 1
  }

  override truncate(length: number): void {
    if (length >= this.length) return
    super.truncate(length)
    this.used = this.offsets[length]
  }

  protected takeValues(length: number): ValueBuffers {
    const { used } = this
    // Don't keep twice the memory of one giant value.
    const values = this.bytes.length > 2 * used + FIRST_BYTES ? this.bytes.slice(0, used) : this.bytes.subarray(0, used)
    const offsets = this.offsets.subarray(0, length + 1)
    this.capacity = rowsAfter(length)
    this.offsets = new Int32Array(this.capacity + 1)
    this.bytes = new Uint8Array(Math.max(FIRST_BYTES, Math.min(used + (used >> 3), LARGEST_BYTES)))
    this.used = 0
    return { [BufferType.OFFSET]: offsets, [BufferType.DATA]: values }
  }

  /** Makes room for `count` more bytes. */
  protected reserve(count: number): void {
    const needed = this.used + count
    if (needed > MOST_BYTES) {
      throw new EngineError('too-large', 'One batch of a text column has more than 2 GB of text.', {
        remedy:
          'Check the delimiter and the quote: a quote that is never closed makes one value of the rest of the file.',
      })
    }
    if (needed <= this.bytes.length) return
    const larger = allocate(Math.min(MOST_BYTES, Math.max(needed, this.bytes.length * 2)))
    larger.set(this.bytes.subarray(0, this.used))
    this.bytes = larger
  }

  private growOffsets(): void {
    this.capacity *= 2
    this.offsets = grown(this.offsets, this.capacity + 1)
  }
}

function allocate(size: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(size)
  } catch (cause) {
    throw new EngineError('out-of-memory', `There is no memory left for ${formatBytes(size)} of text.`, { cause })
  }
}

/** UUID: 8-4-4-4-12 hexadecimal digits, normalized to lower case. */
export class UuidBuilder extends BytesBuilder {
  override appendText(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start !== 36) return false
    const from = this.used
    if (from + 36 > this.bytes.length) this.reserve(36)
    const target = this.bytes
    for (let i = 0; i < 36; i++) {
      const byte = bytes[start + i]
      if (i === 8 || i === 13 || i === 18 || i === 23) {
        if (byte !== 0x2d) return false
        target[from + i] = byte
      } else if ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)) {
        target[from + i] = byte
      } else if (byte >= 0x41 && byte <= 0x46) {
        target[from + i] = byte + 32
      } else {
        return false
      }
    }
    this.push(from + 36)
    return true
  }
}

const BASE64_VALUES = new Uint8Array(256).fill(255)
for (let i = 0; i < 64; i++) {
  BASE64_VALUES['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(i)] = i
}

/** BLOB: padded base64 in the standard alphabet (RFC 4648, section 4). Unused bits must be zero. */
export class BlobBuilder extends BytesBuilder {
  override appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const count = end - start
    if (count % 4 !== 0) return false
    const padding = count === 0 || bytes[end - 1] !== EQUALS ? 0 : bytes[end - 2] === EQUALS ? 2 : 1
    const size = (count / 4) * 3 - padding
    const from = this.used
    if (from + size > this.bytes.length) this.reserve(size)
    const target = this.bytes
    let at = from
    const whole = padding === 0 ? end : end - 4
    for (let i = start; i < whole; i += 4) {
      const a = BASE64_VALUES[bytes[i]]
      const b = BASE64_VALUES[bytes[i + 1]]
      const c = BASE64_VALUES[bytes[i + 2]]
      const d = BASE64_VALUES[bytes[i + 3]]
      if ((a | b | c | d) > 63) return false
      target[at] = (a << 2) | (b >> 4)
      target[at + 1] = (b << 4) | (c >> 2)
      target[at + 2] = (c << 6) | d
      at += 3
    }
    if (padding > 0) {
      const a = BASE64_VALUES[bytes[whole]]
      const b = BASE64_VALUES[bytes[whole + 1]]
      const c = padding === 1 ? BASE64_VALUES[bytes[whole + 2]] : 0
      if ((a | b | c) > 63 || (padding === 2 ? (b & 15) !== 0 : (c & 3) !== 0)) return false
      target[at] = (a << 2) | (b >> 4)
      if (padding === 1) target[at + 1] = (b << 4) | (c >> 2)
    }
    this.push(from + size)
    return true
  }
}
