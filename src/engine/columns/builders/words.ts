import { BufferType } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'
import { FIRST_ROWS, FlatBuilder, rowsAfter, type ValueBuffers } from './flat.ts'

/**
 * Columns of fixed-width values, kept as one, two or four 32-bit words a value. All integers, decimals and times use
 * the one kind of array, so that the hot stores stay monomorphic; narrower integers are narrowed on finishing.
 */
export abstract class WordsBuilder extends FlatBuilder {
  protected words: Int32Array
  protected capacity = FIRST_ROWS
  private readonly stride: number

  /** @param stride words a value: 1, 2 or 4 */
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
    // A row that was taken back may have left its words here.
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
    const grown = new Int32Array(this.capacity * this.stride)
    grown.set(this.words)
    this.words = grown
  }

  /** The array that Arrow wants for these words. */
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
