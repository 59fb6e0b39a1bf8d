import { gzipSync } from 'node:zlib'
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

it.each([
  ['a.csv', 'a.csv', null],
  ['a.csv', 'a.txt', null],
  ['a.csv', 'a.log', null],
  ['a.csv', 'a.xlsx', 'The file is a CSV file, despite its name, and is read as one.'],
  ['a.csv', 'a.csv.gz', 'The file isn’t compressed, despite its name.'],
  ['a.csv', 'a.tsv.gz', 'The file isn’t compressed, despite its name.'],
  ['a.csv.gz', 'a.csv.gz', null],
  ['a.csv.gz', 'a.CSV.GZ', null],
  ['a.csv.gz', 'a.csv', 'The file is compressed by gzip, though its name doesn’t say so.'],
  ['a.xlsx', 'a.csv', 'The file is an Excel workbook, despite its name, and is read as one.'],
  ['a.xlsx', 'a.xls', 'The file is an Excel workbook, despite its name, and is read as one.'],
  ['a.json', 'a.csv', 'The file is a JSON file, despite its name, and is read as one.'],
  ['a.html', 'a.xls', null],
  ['a.html', 'a.xlsx', null],
])('%s that is called %s is read by its content, and said to be misnamed if it is', async (content, name, message) => {
  const text = 'id,name\n1,Ann\n2,Bob\n'
  const bytes = {
    'a.csv': () => text,
    'a.csv.gz': () => gzipSync(text),
    'a.json': () => '[{"id":1,"name":"Ann"},{"id":2,"name":"Bob"}]',
    'a.html': () => '<html><body><table><tr><td>id<td>name<tr><td>1<td>Ann<tr><td>2<td>Bob</table></body></html>',
    'a.xlsx': async () => (await convert(new File([text], 'a.csv'), 'xlsx')).files[0].arrayBuffer(),
  }[content]
  const { inspection } = await inspect(new File([(await bytes?.()) ?? ''], name))
  expect(inspection.tables[0].columns.map((column) => column.name)).toEqual(['id', 'name'])
  expect(inspection.tables[0].rows).toBe(2)
  const told = inspection.notes.filter(({ code }) => code === 'misleading-name').map((note) => note.message)
  expect(told).toEqual(message === null ? [] : [message])
})
