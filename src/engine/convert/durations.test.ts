import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { TARGET_FORMATS } from '../../contract/formats.ts'
import { nativeText } from '../testing/oracle.ts'
import { convert } from '../testing/run.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-durations-'))
const file = new File(['id,length\n1,30:15:00\n2,08:00:00.50\n3,\n4,100:00:01.25\n'], 'lengths.csv')

it.each(TARGET_FORMATS)('durations of a CSV are the same when $displayName is read back', async ({ id }) => {
  const { result, files } = await convert(file, id)
  expect([result.rejectedCount, files.length]).toEqual([0, 1])
})

it('durations are values that native DuckDB adds up, from Parquet', async () => {
  const { files } = await convert(file, 'parquet')
  const at = path.join(folder, 'lengths.parquet')
  writeFileSync(at, new Uint8Array(await files[0].arrayBuffer()))
  expect(await nativeText(`SELECT id, CAST(length AS INTERVAL) + INTERVAL 1 HOUR FROM '${at}'`)).toEqual([
    ['1', '31:15:00'],
    ['2', '09:00:00.5'],
    ['3', null],
    ['4', '101:00:01.25'],
  ])
})
