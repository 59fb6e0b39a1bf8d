import { RecordBatchStreamWriter, type Data } from 'apache-arrow'
import { expect, it } from 'vitest'
import { parseType } from '../../../tables/types.ts'
import { batchFromColumns, emptyColumn } from '../batch.ts'
import { toArrowType } from '../types.ts'
import { nullColumn, take } from './take.ts'

const stored = (column: Data): Uint8Array =>
  RecordBatchStreamWriter.writeAll([batchFromColumns([column], column.length)]).toUint8Array(true)

it.each([
  ['BOOLEAN', 9],
  ['INTEGER', 9],
  ['BIGINT', 9],
  ['DECIMAL(20,2)', 9],
  ['DOUBLE', 1],
  ['VARCHAR', 9],
  ['VARCHAR', 0],
  ['TIMESTAMP', 9],
  ['INTEGER[]', 9],
  ['MAP(VARCHAR, INTEGER)', 9],
  ['STRUCT(a INTEGER, b STRUCT(c VARCHAR[], d BOOLEAN))', 9],
])('a column of nulls of the type %s is stored like one from which no value was taken', (name, rows) => {
  const type = parseType(name)
  const taken = take(emptyColumn(toArrowType(type)), new Int32Array(rows).fill(-1))
  const made = nullColumn(type, rows)
  expect(made.nullCount).toBe(rows)
  expect(stored(made)).toEqual(stored(taken))
})
