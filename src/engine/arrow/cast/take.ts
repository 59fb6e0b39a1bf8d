import { BufferType, Data, DataType } from 'apache-arrow'
import { EngineError } from '../../errors.ts'
import { isNull } from '../scalars.ts'
import { emptyColumn } from '../batch.ts'
import type { ColumnType } from '../../../tables/types.ts'
import { toArrowType } from '../types.ts'

/** Arrow's offsets are signed 32-bit integers. */
export const MOST_BYTES = 0x7fffffff

/** The error for more text than fits in one column of a batch. */
export function tooManyBytes(): EngineError {
  return new EngineError('too-large', 'One batch of a column has more than 2 GB of text or bytes.', {
    remedy: 'Write the file again with smaller batches or row groups.',
  })
}

/**
 * Gathers rows.
 * @param data in one of the physical types of `toArrowType`
 * @param indices rows of `data`; -1 for null
 */
export function take(data: Data, indices: Int32Array): Data {
  const { length } = indices
  const bits = new Uint8Array((length + 7) >> 3)
  let nulls = 0
  for (let i = 0; i < length; i++) {
    if (indices[i] < 0 || isNull(data, indices[i])) nulls++
    else bits[i >> 3] |= 1 << (i & 7)
  }
  const validity = nulls === 0 ? {} : { [BufferType.VALIDITY]: bits }
  const { type } = data
  const made = (buffers: object, children: Data[] = []): Data =>
    new Data(type, 0, length, nulls, { ...buffers, ...validity }, children)
  if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    const { offsets, bytes } = takeBytes(data, indices)
    return made({ [BufferType.OFFSET]: offsets, [BufferType.DATA]: bytes })
  }
  if (DataType.isList(type) || DataType.isMap(type)) {
    const { offsets, items } = takeRuns(data.valueOffsets, indices)
    return made({ [BufferType.OFFSET]: offsets }, [take(data.children[0], items)])
  }
  if (DataType.isStruct(type)) {
    return made(
      {},
      data.children.map((child: Data) => take(child, indices)),
    )
  }
  return made({ [BufferType.DATA]: DataType.isBool(type) ? takeBits(data, indices) : takeFixed(data, indices) })
}

function takeBits(data: Data, indices: Int32Array): Uint8Array {
  const values: Uint8Array = data.values
  const taken = new Uint8Array((indices.length + 7) >> 3)
  for (const [i, index] of indices.entries()) {
    const at = data.offset + index
    if (index >= 0 && (values[at >> 3] & (1 << (at & 7))) !== 0) taken[i >> 3] |= 1 << (i & 7)
  }
  return taken
}

type FixedArray = Uint8Array | Int32Array | BigInt64Array

function takeFixed(data: Data, indices: Int32Array): FixedArray {
  const values: FixedArray = data.values
  const Same = values.constructor as new (buffer: ArrayBuffer) => FixedArray
  const width = values.BYTES_PER_ELEMENT * data.stride
  const source = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const taken = new Uint8Array(indices.length * width)
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] < 0) continue
    const from = indices[i] * width
    for (let j = 0; j < width; j++) taken[i * width + j] = source[from + j]
  }
  return new Same(taken.buffer)
}

function takeBytes(data: Data, indices: Int32Array): { offsets: Int32Array; bytes: Uint8Array } {
  const from: Int32Array = data.valueOffsets
  const source: Uint8Array = data.values
  const offsets = new Int32Array(indices.length + 1)
  let total = 0
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]
    if (index >= 0) total += from[index + 1] - from[index]
    if (total > MOST_BYTES) throw tooManyBytes()
    offsets[i + 1] = total
  }
  const bytes = new Uint8Array(total)
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]
    if (index < 0) continue
    let at = offsets[i]
    for (let j = from[index]; j < from[index + 1]; j++) bytes[at++] = source[j]
  }
  return { offsets, bytes }
}

function takeRuns(from: Int32Array, indices: Int32Array): { offsets: Int32Array; items: Int32Array } {
  const offsets = new Int32Array(indices.length + 1)
  let total = 0
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= 0) total += from[indices[i] + 1] - from[indices[i]]
    if (total > MOST_BYTES) throw tooManyBytes()
    offsets[i + 1] = total
  }
  const items = new Int32Array(total)
  let at = 0
  for (const index of indices) {
    if (index < 0) continue
    for (let item = from[index]; item < from[index + 1]; item++) items[at++] = item
  }
  return { offsets, items }
}

/** A column of nulls, in the physical type of `toArrowType(type)`. */
export function nullColumn(type: ColumnType, length: number): Data {
  return nullData(toArrowType(type), length)
}

function nullData(type: DataType, length: number): Data {
  const { children, stride, values } = emptyColumn(type)
  const bits = new Uint8Array((length + 7) >> 3)
  const made = (buffers: object, parts = children): Data =>
    new Data(type, 0, length, length, { ...buffers, [BufferType.VALIDITY]: bits }, parts)
  const fields = DataType.isStruct(type) ? type.children.map((field) => nullData(field.type as DataType, length)) : null
  if (fields) return made({}, fields)
  if (DataType.isUtf8(type) || DataType.isBinary(type) || DataType.isList(type) || DataType.isMap(type)) {
    return made({ [BufferType.OFFSET]: new Int32Array(length + 1), [BufferType.DATA]: values as unknown })
  }
  const Same = (values as FixedArray).constructor as new (length: number) => FixedArray
  return made({ [BufferType.DATA]: new Same(DataType.isBool(type) ? bits.length : length * stride) })
}
