import { BufferType, Data, type DataType } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { toArrowType } from '../../arrow/types.ts'
import { Validity } from './validity.ts'

const FIRST_CAPACITY = 1024
/** Rows that a builder makes room for at once when it begins anew: what its last batch had, up to this. */
const LARGEST_CAPACITY = 131_072

/**
 * Columns of fixed-width values, kept as one, two or four 32-bit words a value. All integers, decimals and times use
 * the one kind of array, so that the hot stores stay monomorphic; narrower integers are narrowed on finishing.
 */
export abstract class WordsBuilder implements ColumnBuilder {
  readonly type: ColumnType
  length = 0
  protected words: Int32Array
  protected capacity = FIRST_CAPACITY
  protected readonly validity = new Validity()
  private readonly stride: number
  private readonly arrowType: DataType

  /** @param stride words a value: 1, 2 or 4 */
  constructor(type: ColumnType, stride: number) {
    this.type = type
    this.stride = stride
    this.arrowType = toArrowType(type)
    this.words = new Int32Array(this.capacity * stride)
  }

  abstract appendText(bytes: Uint8Array, start: number, end: number): boolean

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

  truncate(length: number): void {
    if (length >= this.length) return
    this.validity.truncate(this.length, length)
    this.length = length
  }

  finish(): Data {
    const { length, words } = this
    const nulls = this.validity.nulls
    const bitmap = this.validity.take(length)
    const values = this.valuesOf(words.subarray(0, length * this.stride))
    this.capacity = Math.max(FIRST_CAPACITY, Math.min(length, LARGEST_CAPACITY))
    this.words = new Int32Array(this.capacity * this.stride)
    this.length = 0
    return new Data(this.arrowType, 0, length, nulls, {
      [BufferType.DATA]: values,
      ...(bitmap === undefined ? {} : { [BufferType.VALIDITY]: bitmap }),
    })
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
