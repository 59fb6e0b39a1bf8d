import { expect, it } from 'vitest'
import { parseType } from '../../tables/types.ts'
import { previewTable } from './inspect.ts'
import { readTable } from './read-table.ts'
import { convert, inspect } from '../testing/run.ts'
import { planFrom } from '../../tables/edits.ts'

const { signal } = new AbortController()
const ROWS = 30_000
const csv = new File([`id,text\n${Array.from({ length: ROWS }, (_, i) => `${i},row ${i}\n`).join('')}`], 'a.csv')

it('doesn’t read on for ever for rows that fit, nor keep all that don’t', async () => {
  const plan = planFrom((await inspect(csv)).inspection)
  const forced = plan.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, type: 'INTEGER' })),
  }))
  const preview = await previewTable(csv, { ...plan, tables: forced }, 0, signal)
  expect(preview.rows).toEqual([])
  expect(preview.rejected).toHaveLength(100)
})

it('gives rejected rows of a workbook in batches', async () => {
  const workbook = (await convert(csv, 'xlsx')).files[0]
  const { settings, tables } = (await inspect(workbook)).inspection
  const columns = [{ index: 1, source: 'text', type: parseType('INTEGER') }]
  const request = { format: 'xlsx' as const, settings, table: tables[0].name, columns }
  const counts: number[] = []
  for await (const { rejected } of readTable(workbook, request, { signal, progress: () => undefined })) {
    counts.push(rejected.length)
  }
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(ROWS)
  expect(Math.max(...counts)).toBeLessThan(10_000)
})
