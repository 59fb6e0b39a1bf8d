import { Field, makeData, RecordBatch, RecordBatchReader, Schema, Struct, type Data } from 'apache-arrow'

/**
 * Has batches of a schema, and slices of them, take its fields by their place. Each batch makes its schema again from its
 * own fields, which apache-arrow looks up by name, each among all: half a second a batch at 10,000 columns.
 */
export function byPlace(schema: Schema): Schema {
  const assign = (fields: Field[]): Schema => byPlace(new Schema(fields, schema.metadata, schema.dictionaries))
  // Not enumerable, so that schemas with the same fields stay equal.
  return Object.defineProperty(schema, 'assign', { value: assign })
}

/**
 * A batch of columns `c0`, `c1`, ..., as readers hand them on.
 * @param rows of each column; a batch without columns has none
 */
export function batchFromColumns(columns: readonly Data[], rows: number): RecordBatch {
  const fields = columns.map((column, i) => new Field(`c${i}`, column.type, true))
  const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children: [...columns] })
  return new RecordBatch(byPlace(new Schema(fields)), data)
}

/** The batches of an Arrow IPC stream; at least one, which may be empty. */
export function readBatches(stream: Uint8Array | readonly Uint8Array[]): RecordBatch[] {
  const reader = RecordBatchReader.from(stream as Uint8Array)
  reader.open()
  byPlace(reader.schema)
  return [...reader]
}
