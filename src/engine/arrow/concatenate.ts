import { DataType, type Data, type RecordBatch } from 'apache-arrow'
import type { ColumnType } from '../../tables/types.ts'
import { BATCH_BYTES, BATCH_ROWS, batchFromColumns } from './batch.ts'
import type { ColumnBuffers } from './buffer-types.ts'
import { columnFromBuffers } from './buffers.ts'
import { MOST_BYTES, tooManyBytes } from './cast/take.ts'

/**
 * Concatenates parts of a column of one type. After `slice`, Arrow's values and offsets begin at the part's first row,
 * but its bits at bit `offset`.
 * @param transfer receives all buffers that are created
 * @throws {EngineError} `too-large`
 */
export function concatenate(parts: readonly Data[], transfer: ArrayBuffer[]): ColumnBuffers {
  const [{ type }] = parts
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const nullCount = parts.reduce((sum, part) => sum + part.nullCount, 0)
  const nulls =
    nullCount === 0 ? undefined : bitmap(parts, length, (part) => (part.nullCount === 0 ? null : part.nullBitmap))
  let offsets: Int32Array | undefined
  let values: ColumnBuffers['values']
  let children: ColumnBuffers[] = []
  if (DataType.isBool(type)) values = bitmap(parts, length, (part) => part.values as Uint8Array)
  else if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    offsets = offsetsOf(parts, length)
    values = joined(
      parts.map((part) => part.values.subarray(part.valueOffsets[0], part.valueOffsets[part.length]) as Uint8Array),
    )
  } else if (DataType.isList(type) || DataType.isMap(type)) {
    offsets = offsetsOf(parts, length)
    const items = parts.map((part) => {
      const from: number = part.valueOffsets[0]
      return part.children[0].slice(from, part.valueOffsets[part.length] - from)
    })
    children = [concatenate(items, transfer)]
  } else if (DataType.isStruct(type)) {
    children = type.children.map((_, i) =>
      concatenate(
        parts.map((part) => whole(part.children[i], part.length)),
        transfer,
      ),
    )
  } else {
    const width = DataType.isDecimal(type) ? 4 : 1
    values = joined(parts.map((part) => part.values.subarray(0, part.length * width) as Uint8Array))
  }
  for (const buffer of [nulls, offsets, values]) if (buffer) transfer.push(buffer.buffer as ArrayBuffer)
  return { length, offset: 0, nullCount, nulls, offsets, values, children }
}

/** Concatenates parts of a column to Arrow data. */
export const concatenateColumn = (parts: readonly Data[], type: ColumnType): Data =>
  columnFromBuffers(concatenate(parts, []), type)

/** Concatenates batches with the same columns. The result has buffers of its own, even if the batches are slices. */
export function concatenateBatches(batches: readonly RecordBatch[], types: readonly ColumnType[]): RecordBatch {
  const children = types.map((type, i) => {
    const parts = batches.map(({ data }) => data.children[i])
    return concatenateColumn(parts, type)
  })
  return batchFromColumns(
    children,
    batches.reduce((sum, { numRows }) => sum + numRows, 0),
  )
}

/**
 * Combines small batches, such as DuckDB's of 2,048 rows. A batch has fixed costs downstream, which more rows then
 * share.
 * @param types of the batches, in physical form
 */
export async function* combined(
  batches: AsyncIterable<RecordBatch>,
  types: readonly ColumnType[],
): AsyncGenerator<RecordBatch, void, undefined> {
  let held: RecordBatch[] = []
  let rows = 0
  let bytes = 0
  const all = (): RecordBatch => (held.length === 1 ? held[0] : concatenateBatches(held, types))
  for await (const batch of batches) {
    const { byteLength } = batch.data
    if (held.length > 0 && (rows + batch.numRows > BATCH_ROWS || bytes + byteLength > BATCH_BYTES)) {
      yield all()
      held = []
      rows = 0
      bytes = 0
    }
    held.push(batch)
    rows += batch.numRows
    bytes += byteLength
  }
  if (held.length > 0) yield all()
}

function whole(data: Data, length: number): Data {
  return data.length === length ? data : data.slice(0, length)
}

/** Undefined if it's empty. */
function joined<T extends Uint8Array>(parts: readonly T[]): T | undefined {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length === 0) return undefined
  const all = new (parts[0].constructor as new (length: number) => T)(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function offsetsOf(parts: readonly Data[], length: number): Int32Array {
  const offsets = new Int32Array(length + 1)
  let row = 0
  let base = 0
  for (const part of parts) {
    const own = part.valueOffsets as Int32Array
    const shift = base - own[0]
    if (own[part.length] + shift > MOST_BYTES) throw tooManyBytes()
    for (let i = 1; i <= part.length; i++) offsets[++row] = own[i] + shift
    base = offsets[row]
  }
  return offsets
}

/** @param bitsOf returns a part's bits, or null if all are set */
function bitmap(parts: readonly Data[], length: number, bitsOf: (part: Data) => Uint8Array | null): Uint8Array {
  const bits = new Uint8Array(Math.ceil(length / 8))
  let at = 0
  for (const part of parts) {
    const own = bitsOf(part)
    const bytes = at % 8 === 0 && part.offset % 8 === 0 ? part.length >> 3 : 0
    if (own) bits.set(own.subarray(part.offset >> 3, (part.offset >> 3) + bytes), at >> 3)
    else bits.fill(0xff, at >> 3, (at >> 3) + bytes)
    for (let i = bytes * 8; i < part.length; i++) {
      const from = part.offset + i
      if (!own || (own[from >> 3] & (1 << (from & 7))) !== 0) bits[(at + i) >> 3] |= 1 << ((at + i) & 7)
    }
    at += part.length
  }
  return bits
}
