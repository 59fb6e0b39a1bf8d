import { Data, DataType, type RecordBatch } from 'apache-arrow'
import type { ColumnType } from '../../tables/types.ts'
import { childType, toArrowType } from './types.ts'
import { batchFromColumns } from './batch.ts'
import type { TypedArray, BatchBuffers, ColumnBuffers } from './buffer-types.ts'

/**
 * A batch in the form sent between threads, with the buffers to transfer. They are copies, since a reader's batches may
 * share buffers.
 */
export function toBuffers(batch: RecordBatch): { readonly buffers: BatchBuffers; readonly transfer: Transferable[] } {
  const transfer: Transferable[] = []
  const copy = <T extends TypedArray>(view: T | undefined): T | undefined => {
    if (!view || view.length === 0) return undefined
    const copied = view.slice() as T
    transfer.push(copied.buffer as ArrayBuffer)
    return copied
  }
  const column = (data: Data): ColumnBuffers => ({
    length: data.length,
    offset: data.offset,
    nullCount: data.nullCount,
    nulls: copy(data.nullBitmap),
    offsets: copy(data.valueOffsets as Int32Array | undefined),
    values: copy(data.values as TypedArray | undefined),
    children: data.children.map(column),
  })
  return { buffers: { rows: batch.numRows, columns: batch.data.children.map(column) }, transfer }
}

/** Recreates the batch; `columns` are those from which it was created. */
export function fromBuffers(buffers: BatchBuffers, columns: readonly { readonly type: ColumnType }[]): RecordBatch {
  return batchFromColumns(
    buffers.columns.map((column, i) => columnFromBuffers(column, columns[i].type)),
    buffers.rows,
  )
}

/** Recreates one column of a batch. */
export function columnFromBuffers(buffers: ColumnBuffers, type: ColumnType): Data {
  const arrow = toArrowType(type)
  const { length, offset, nullCount, nulls = new Uint8Array(0) } = buffers
  const offsets = buffers.offsets ?? (hasOffsets(arrow) ? new Int32Array(1) : undefined)
  const children = buffers.children.map((child, i) => columnFromBuffers(child, childType(type, i)))
  return new Data(arrow, offset, length, nullCount, [offsets, buffers.values ?? emptyValues(arrow), nulls], children)
}

function hasOffsets(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isBinary(type) || DataType.isList(type) || DataType.isMap(type)
}

/** Nested types have no values array, but the library would create one. */
function emptyValues(type: DataType): TypedArray | undefined {
  if (type.children && type.children.length > 0) return undefined
  const { ArrayType = Uint8Array } = type as { ArrayType?: new (length: number) => TypedArray }
  return new ArrayType(0)
}
