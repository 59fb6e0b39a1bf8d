import { RecordBatchStreamWriter, Schema, type RecordBatch } from 'apache-arrow'
import { afterEach, expect, it, vi } from 'vitest'
import { scalar } from '../../tables/types.ts'
import { batchFromColumns, readBatches } from './batch.ts'
import { nullColumn } from './cast/take.ts'

const COLUMNS = 20

function batchOf(rows: number): RecordBatch {
  const columns = Array.from({ length: COLUMNS }, () => nullColumn(scalar('INTEGER'), rows))
  return batchFromColumns(columns, rows)
}

const streamOf = (batch: RecordBatch): Uint8Array => RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true)

afterEach(() => vi.restoreAllMocks())

/* apache-arrow looks up each of a batch's fields by name, which takes quadratic time. */
it('makes, slices and reads batches without looking up their fields by name', () => {
  const assign = vi.spyOn(Schema.prototype, 'assign')
  const [read] = readBatches(streamOf(batchOf(3).slice(0, 2)))
  const slice = read.slice(1, 2)
  expect(assign).not.toHaveBeenCalled()
  expect(slice.schema.fields.map(({ name }) => name)).toEqual(Array.from({ length: COLUMNS }, (_, i) => `c${i}`))
  expect(slice.numRows).toBe(1)
})

it('reads a stream without rows as an empty batch with its columns', () => {
  const batches = readBatches(streamOf(batchOf(0)))
  expect(batches.map(({ numRows, numCols }) => [numRows, numCols])).toEqual([[0, COLUMNS]])
})
