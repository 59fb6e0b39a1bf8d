import { BufferType, Data, type DataType } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { toArrowType } from '../../arrow/types.ts'
import { Validity } from './validity.ts'

export const FIRST_ROWS = 1024
/** Rows that a builder makes room for at once when it begins anew: what its last batch had, up to this. */
const LARGEST_ROWS = 131_072

/** Room for the batch behind one of so many rows. */
export function rowsAfter(length: number): number {
  return Math.max(FIRST_ROWS, Math.min(length, LARGEST_ROWS))
}

/** The buffers of a column's values, beside the one of which are null. */
export type ValueBuffers = Partial<Record<BufferType.OFFSET | BufferType.DATA, ArrayBufferView>>

/** A column of values that hold no others: what's the same of all is how rows are taken back, and how a batch ends. */
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
  /** Hands over the buffers of the first `length` rows, and begins anew. */
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
