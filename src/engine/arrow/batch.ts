import { Field, makeData, RecordBatch, Schema, Struct, type Data } from 'apache-arrow'

/**
 * A batch makes its schema again from its own fields, and apache-arrow matches them by name, each with each: half a
 * second a batch at 10,000 columns.
 */
class OwnSchema extends Schema {
  override assign(...args: unknown[]): Schema {
    const [fields] = args
    return Array.isArray(fields) ? new Schema(fields as Field[]) : super.assign(...(args as Field[]))
  }
}

/**
 * A batch of columns `c0`, `c1`, ..., as readers hand them on.
 * @param rows of each column; a batch without columns has none
 */
export function batchFromColumns(columns: readonly Data[], rows: number): RecordBatch {
  const fields = columns.map((column, i) => new Field(`c${i}`, column.type, true))
  const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children: [...columns] })
  return new RecordBatch(new OwnSchema(fields), data)
}
