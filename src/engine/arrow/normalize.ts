import { Field, RecordBatch, Schema, Struct, type Data, makeData } from 'apache-arrow'

/**
 * A batch of columns `c0`, `c1`, ..., as readers hand them on.
 * @param rows of each column; a batch without columns has none
 */
export function batchFromColumns(columns: readonly Data[], rows: number): RecordBatch {
  const fields = columns.map((column, i) => new Field(`c${i}`, column.type, true))
  const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children: [...columns] })
  return new RecordBatch(new Schema(fields), data)
}
