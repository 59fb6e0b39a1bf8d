import { readdir, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Shell } from '../testing.ts'

/* Results of statements as files. */

let shell: Shell
beforeEach(async () => {
  shell = await Shell.open()
  await shell.write('orders.csv', 'id,name,day\n007,é,2024-01-02\n008,,2024-02-03\n')
})
afterEach(() => shell.close())

const query = (...args: readonly string[]) => shell.run(['query', ...args, 'orders.csv'])
const text = (name: string): Promise<string> => readFile(shell.path(name), 'utf8')

it('a result has the format of its file’s extension, and the statement’s order', async () => {
  const { code, out, err } = await query('SELECT name, id FROM orders ORDER BY id DESC -- so', '-o', 'made/by id.tsv')
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(/^made\/by id\.tsv: 2 rows, \d+ bytes; read back and compared, the same\n/)
  expect(await text('made/by id.tsv')).toBe('name\tid\n\t008\né\t007\n')
  expect(await readdir(shell.path('made'))).toEqual(['by id.tsv'])
})

it('a result without a file name goes to standard output', async () => {
  const ran = await query('FROM orders;', '--to', 'ndjson')
  expect(ran.out).toBe('{"id":"007","name":"é","day":"2024-01-02"}\n{"id":"008","name":null,"day":"2024-02-03"}\n')
  expect(await readdir(shell.folder)).toEqual(['orders.csv'])
})

it('a result in Parquet keeps its types and values', async () => {
  const sql = `SELECT 170141183460469231731687303715884105727 AS h, 1.50::DECIMAL(9,2) AS d, [1, NULL] AS l, 1 AS h,
    TIMESTAMP '2024-01-02 03:04:05.123456' AS t, '\\xFF'::BLOB AS b FROM orders LIMIT 1`
  const { code, out } = await query(sql, '--out', 'all.parquet', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({ output: { path: shell.path('all.parquet'), size: expect.any(Number), rows: 1 } })
  const read = await shell.run(['query', '--json', 'FROM "all"', 'all.parquet'])
  const { columns, rows } = JSON.parse(read.out) as { columns: { name: string; type: string }[]; rows: unknown[][] }
  expect(columns.map(({ name }) => name)).toEqual(['h', 'd', 'l', 'h_1', 't', 'b'])
  expect(columns.map(({ type }) => type).slice(1, 5)).toEqual(['DECIMAL(9,2)', 'INTEGER[]', 'INTEGER', 'TIMESTAMP'])
  expect(rows[0].slice(0, 3)).toEqual(['170141183460469231731687303715884105727', '1.50', [1, null]])
})

it('a result without rows has its columns', async () => {
  expect((await query('FROM orders WHERE false', '-o', 'none.csv')).code).toBe(0)
  expect(await text('none.csv')).toBe('id,name,day\n')
})

it('a result overwrites a file only with --replace, and never a source', async () => {
  await shell.write('there.csv', 'mine')
  expect(await query('FROM orders', '-o', 'there.csv')).toMatchObject({ code: 1, out: '' })
  expect(await text('there.csv')).toBe('mine')
  expect((await query('SELECT id FROM orders LIMIT 1', '-o', 'there.csv', '--replace')).code).toBe(0)
  expect(await text('there.csv')).toBe('id\n007\n')
  const own = await query('FROM orders LIMIT 1', '-o', 'orders.csv', '--replace')
  expect([own.code, own.err]).toEqual([1, expect.stringContaining('would overwrite itself')])
})

it.each([
  ['SELECT nothing FROM orders', /nothing/],
  ['SELECT 1; SELECT 2', /Write one statement\./],
  ['CREATE TABLE t AS FROM orders', /Only the rows of a SELECT can be written to a file\./],
  ['SELECT 1 / 0 AS a, error(name) FROM orders', /é/],
])('no file is left if %s fails', async (sql, message) => {
  const { code, out, err } = await query(sql, '-o', 'a.csv')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(message)
  expect(err).not.toContain('rowhouse_kept')
  expect(await readdir(shell.folder)).toEqual(['orders.csv'])
})

it.each([
  [['-o', 'result'], 'Say what to write, such as --to parquet.'],
  [['-o', 'a.pdf'], 'Files can’t be converted to “.pdf”.'],
  [['--to', 'csv', '--json'], '--json with --to needs a file: name it with --out.'],
  [['--replace'], '--replace needs a file: name it with --out.'],
])('%j is refused as wrong usage', async (args, message) => {
  const { code, err } = await query('FROM orders', ...args)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})
