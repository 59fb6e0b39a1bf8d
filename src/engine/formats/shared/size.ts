import { Data, RecordBatch, Struct, type DataType, type Schema } from 'apache-arrow'
import { emptyColumn } from '../../arrow/cast/take.ts'

/** Bytes of a batch's values, roughly. */
export function batchBytes(batch: RecordBatch): number {
  return batch.data.children.reduce((sum, child) => sum + dataBytes(child), 0)
}

function dataBytes(data: Data): number {
  let bytes = data.length / 8
  if (data.valueOffsets) {
    bytes += data.length * 4
    // A slice shares its parent's values: the offsets tell its part.
    if (data.children.length === 0) bytes += data.valueOffsets[data.length] - data.valueOffsets[0]
  } else if (data.values) {
    bytes += (data.values as unknown as Uint8Array).byteLength
  }
  return data.children.reduce((sum, child) => sum + dataBytes(child), bytes)
}

/** A batch of no rows, whose buffers are all there. */
export function emptyBatch(schema: Schema): RecordBatch {
  const type = new Struct(schema.fields)
  return new RecordBatch(
    schema,
    new Data(
      type,
      0,
      0,
      0,
      {},
      schema.fields.map(({ type: own }) => emptyColumn(own as DataType)),
    ),
  )
}
