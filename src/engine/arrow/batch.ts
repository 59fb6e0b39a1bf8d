import {
  Field,
  makeData,
  RecordBatch,
  RecordBatchReader,
  Schema,
  Struct,
  Data,
  BufferType,
  type DataType,
} from 'apache-arrow'

/** Target size of a batch. A reader ends a batch at whichever comes first. */
export const BATCH_ROWS = 32_768
export const BATCH_BYTES = 16 * 1024 * 1024

/**
 * Makes batches of a schema, and their slices, assign fields by position. Each batch creates its schema from its own
 * fields, which apache-arrow looks up by name: with 10,000 columns, that takes half a second per batch.
 */
export function byPlace(schema: Schema): Schema {
  const assign = (fields: Field[]): Schema => byPlace(new Schema(fields, schema.metadata, schema.dictionaries))
  // Not enumerable, so that schemas with the same fields are equal.
  return Object.defineProperty(schema, 'assign', { value: assign })
}

/**
 * Creates a batch with columns `c0`, `c1`, ..., the names that readers use.
 * @param rows number of rows, which isn't known from the data if there are no columns
 */
export function batchFromColumns(columns: readonly Data[], rows: number): RecordBatch {
  const fields = columns.map((column, i) => new Field(`c${i}`, column.type, true))
  const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children: [...columns] })
  return new RecordBatch(byPlace(new Schema(fields)), data)
}

/** The batches of an Arrow IPC stream: at least one, which may be empty. */
export function readBatches(stream: Uint8Array | readonly Uint8Array[]): RecordBatch[] {
  const reader = RecordBatchReader.from(stream as Uint8Array)
  reader.open()
  byPlace(reader.schema)
  return [...reader]
}

/** An empty column with all buffers present. */
export function emptyColumn(type: DataType): Data {
  const children = ((type.children ?? []) as { type: DataType }[]).map((child) => emptyColumn(child.type))
  const buffers = { [BufferType.OFFSET]: new Int32Array(1) }
  if (children.length > 0) return new Data(type, 0, 0, 0, buffers, children)
  const values = new (type.ArrayType as new (length: number) => ArrayBufferView)(0)
  return new Data(type, 0, 0, 0, { ...buffers, [BufferType.DATA]: values })
}
