import type { RecordBatch } from 'apache-arrow'
import type { ColumnType } from '../../tables/types.ts'
import type { BatchBuffers, TypedArray } from './buffer-types.ts'
import { fromBuffers, toBuffers } from './buffers.ts'

/*
 * Serializes batches for storage; the reader must know their types. Format: the length of a header, the header in JSON
 * with the positions of the buffers, then these, each aligned to eight bytes.
 */

const ARRAYS = {
  Int8Array,
  Int16Array,
  Int32Array,
  Uint8Array,
  Uint16Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
}

interface Placed {
  readonly array: keyof typeof ARRAYS
  /** Offset from the end of the header. */
  readonly at: number
  readonly length: number
}

const padded = (bytes: number): number => (bytes + 7) & ~7

export function packBatch(batch: RecordBatch): Uint8Array<ArrayBuffer> {
  const placed: { readonly at: number; readonly view: TypedArray }[] = []
  let size = 0
  const header = JSON.stringify(toBuffers(batch).buffers, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value
    const view = value as TypedArray
    placed.push({ at: size, view })
    const place = { array: view.constructor.name, at: size, length: view.length }
    size += padded(view.byteLength)
    return place
  })
  const text = new TextEncoder().encode(header)
  const start = padded(4 + text.length)
  const packed = new Uint8Array(start + size)
  new DataView(packed.buffer).setUint32(0, text.length)
  packed.set(text, 4)
  for (const { at, view } of placed) {
    packed.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), start + at)
  }
  return packed
}

/** @param columns of the batch that was packed */
export function unpackBatch(packed: ArrayBuffer, columns: readonly { readonly type: ColumnType }[]): RecordBatch {
  const length = new DataView(packed).getUint32(0)
  const start = padded(4 + length)
  const header = new TextDecoder().decode(new Uint8Array(packed, 4, length))
  const buffers = JSON.parse(header, (_, value: unknown) =>
    isPlaced(value) ? new ARRAYS[value.array](packed, start + value.at, value.length) : value,
  ) as BatchBuffers
  return fromBuffers(buffers, columns)
}

const isPlaced = (value: unknown): value is Placed => typeof value === 'object' && value !== null && 'array' in value
