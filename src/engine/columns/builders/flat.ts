import { BufferType, Data, type DataType } from 'apache-arrow'
import { grown } from '../../../lib/bytes.ts'
import type { ColumnType } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { toArrowType } from '../../arrow/types.ts'

/** Validity bitmap of a column being built. Free until the first null. */
export class Validity {
  /** Null while all values are valid. As in Arrow, 1 means valid. */
  private bits: Uint8Array | null = null
  nulls = 0

  get byteLength(): number {
    return this.bits === null ? 0 : this.bits.length
  }

  setValid(row: number): void {
    if (this.bits !== null) this.mark(row)
  }

  private mark(row: number): void {
    const at = row >> 3
    let bits = this.bits
    if (bits === null) return
    if (at >= bits.length) bits = this.grow(bits, at)
    bits[at] |= 1 << (row & 7)
  }

  setNull(row: number): void {
    const at = row >> 3
    if (this.bits === null) {
      this.bits = new Uint8Array(Math.max(1024, at * 2))
      this.bits.fill(255, 0, at)
      this.bits[at] = (1 << (row & 7)) - 1
    } else if (at >= this.bits.length) {
      this.grow(this.bits, at)
    }
    this.nulls++
  }

  private grow(bits: Uint8Array, at: number): Uint8Array {
    return (this.bits = grown(bits, Math.max(at + 1, bits.length * 2)))
  }

  /** Clears rows `length` to `from - 1`. */
  truncate(from: number, length: number): void {
    if (this.bits === null) return
    for (let row = length; row < from; row++) {
      const at = row >> 3
      const bit = 1 << (row & 7)
      if ((this.bits[at] & bit) === 0) this.nulls--
      else this.bits[at] &= ~bit
    }
  }

  /** Returns the bitmap of `length` rows, undefined if none is null, and starts over. */
  take(length: number): Uint8Array | undefined {
    const bits = this.nulls > 0 ? this.bits : null
    this.bits = null
    this.nulls = 0
    return bits === null ? undefined : bits.subarray(0, (length + 7) >> 3)
  }
}

export const FIRST_ROWS = 1024
/** Upper limit of the initial capacity, which is the size of the last batch. Rows. */
const LARGEST_ROWS = 131_072

/** Initial capacity after a batch of this many rows. */
export function rowsAfter(length: number): number {
  return Math.max(FIRST_ROWS, Math.min(length, LARGEST_ROWS))
}

/** A column's buffers except for the validity bitmap. */
export type ValueBuffers = Partial<Record<BufferType.OFFSET | BufferType.DATA, ArrayBufferView>>

/** Base of builders without nested values. Handles truncation and the end of a batch. */
export abstract class FlatBuilder<Type extends ColumnType = ColumnType> implements ColumnBuilder {
  readonly type: Type
  length = 0
  protected readonly validity = new Validity()
  protected readonly arrowType: DataType

  constructor(type: Type) {
    this.type = type
    this.arrowType = toArrowType(type)
  }

  abstract get byteLength(): number
  abstract appendText(bytes: Uint8Array, start: number, end: number): boolean
  abstract appendNull(): void
  /** Returns the buffers of the first `length` rows, and starts over. */
  protected abstract takeValues(length: number): ValueBuffers

  truncate(length: number): void {
    if (length >= this.length) return
    this.validity.truncate(this.length, length)
    this.length = length
  }

  finish(): Data {
    const { length } = this
    const { nulls } = this.validity
    const bitmap = this.validity.take(length)
    const values = this.takeValues(length)
    this.length = 0
    return new Data(this.arrowType, 0, length, nulls, {
      ...values,
      ...(bitmap === undefined ? {} : { [BufferType.VALIDITY]: bitmap }),
    })
  }
}

/**
 * Fixed-width values of one, two or four 32-bit words. All integers, decimals and times use the same kind of array, so
 * that hot stores stay monomorphic; narrower integers are converted at the end.
 */
export abstract class WordsBuilder extends FlatBuilder {
  protected words: Int32Array
  protected capacity = FIRST_ROWS
  private readonly stride: number

  /** @param stride words per value: 1, 2 or 4 */
  constructor(type: ColumnType, stride: number) {
    super(type)
    this.stride = stride
    this.words = new Int32Array(this.capacity * stride)
  }

  get byteLength(): number {
    return this.length * this.stride * 4 + this.validity.byteLength
  }

  appendNull(): void {
    const row = this.length
    if (row === this.capacity) this.grow()
    // Clear the words of a truncated row.
    for (let i = row * this.stride; i < (row + 1) * this.stride; i++) this.words[i] = 0
    this.validity.setNull(row)
    this.length = row + 1
  }

  protected takeValues(length: number): ValueBuffers {
    const values = this.valuesOf(this.words.subarray(0, length * this.stride))
    this.capacity = rowsAfter(length)
    this.words = new Int32Array(this.capacity * this.stride)
    return { [BufferType.DATA]: values }
  }

  protected grow(): void {
    this.capacity *= 2
    this.words = grown(this.words, this.capacity * this.stride)
  }

  /** The typed array that Arrow needs for these words. */
  private valuesOf(words: Int32Array): ArrayBufferView {
    const Wanted: unknown = this.arrowType.ArrayType
    switch (Wanted) {
      case Int8Array:
        return new Int8Array(words)
      case Int16Array:
        return new Int16Array(words)
      case Uint8Array:
        return new Uint8Array(words)
      case Uint16Array:
        return new Uint16Array(words)
      case Uint32Array:
        return new Uint32Array(words.buffer, 0, words.length)
      case BigInt64Array:
        return new BigInt64Array(words.buffer, 0, words.length / 2)
      case BigUint64Array:
        return new BigUint64Array(words.buffer, 0, words.length / 2)
      default:
        return words
    }
  }
}
