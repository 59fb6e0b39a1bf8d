import { mkdir, readdir, readFile } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { toRecipeFile } from '../../tables/files/recipe-file.ts'
import type { CombinedRecipe } from '../../tables/recipes/recipe.ts'
import { driftingMonths, MONTHS } from '../../../e2e/fixtures/months.ts'
import { Shell } from './testing.ts'

/* Combining files into one table, and splitting a table into several files. */

let shell: Shell
beforeEach(async () => {
  shell = await Shell.open()
})
afterEach(() => shell.close())

const JANUARY = 'id,Customer,amount\n007,é,1.50\n008,,2\n'
const FEBRUARY = 'ID,amount,city\n9,3.25,Łódź\n'

async function natively(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(sql)
  const rows = reader.getRowsJson()
  connection.closeSync()
  instance.closeSync()
  return rows
}

describe('convert --combine', () => {
  it('combines twelve months whose columns change over time, with the same result as native DuckDB', async () => {
    for (const [name, text] of driftingMonths()) await shell.write(name, text)
    const args = ['convert', 'orders-*.csv', '--combine', '--accept-proposals', '--to', 'parquet', '--receipt']
    const { code, out, err } = await shell.run([...args, '-o', 'out'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^12 files → out\/orders-2024\.parquet: 600 rows, .*; read back and compared, the same\n/)
    expect(out).toContain('“Customer Name” of “orders-2024-04.csv” and “orders-2024-09.csv” is “Customer”.')
    expect(out).toContain('city: Null in the rows of “orders-2024-02.csv”, which has no such column.')
    const made = `'${shell.path('out/orders-2024.parquet')}'`
    const sources = MONTHS.map((month, m) => {
      const renamed = m === 3 || m === 8 ? ' RENAME ("Customer Name" AS "Customer")' : ''
      const id = m === 5 ? ' RENAME ("Order ID" AS order_id)' : ''
      const name = `orders-2024-${month}.csv`
      return `SELECT *${renamed}${id}, '${name}' AS file FROM read_csv('${shell.path(name)}', header = true)`
    })
    const all = `SELECT order_id, Customer, amount::DECIMAL(12,2) AS amount, day::TIMESTAMP AS day, city, channel, file
      FROM (${sources.join(' UNION ALL BY NAME ')})`
    expect(await natively(`SELECT count(*)::INTEGER FROM ${made}`)).toEqual([[600]])
    expect(await natively(`(${all}) EXCEPT ALL (FROM ${made})`)).toEqual([])
    expect(await natively(`(FROM ${made}) EXCEPT ALL (${all})`)).toEqual([])
  })

  it('proposes to join columns with similar names, and joins them if that’s accepted', async () => {
    await shell.write('a.csv', 'id,quantity\n1,2\n')
    await shell.write('b.csv', 'id,quantty\n3,4\n')
    const args = ['convert', 'a.csv', 'b.csv', '--combine', '--to', 'csv', '--name', 'all']
    const told = await shell.run(args)
    expect(told).toMatchObject({ code: 0, err: '' })
    expect(told.out).toContain('  “quantty” may be “quantity”: their names are alike, ')
    expect(await readFile(shell.path('all.csv'), 'utf8')).toBe('id,quantity,quantty,file\n1,2,,a.csv\n3,,4,b.csv\n')
    const { out } = await shell.run([...args, '--accept-proposals', '--replace', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      table: { files: ['a.csv', 'b.csv'], status: 'done', proposals: [], outputs: [{ path: shell.path('all.csv') }] },
    })
    expect(await readFile(shell.path('all.csv'), 'utf8')).toBe('id,quantity,file\n1,2,a.csv\n3,4,b.csv\n')
  })

  it('adds columns for file and row as the options say, and distinguishes files by their folders', async () => {
    for (const year of ['2023', '2024']) {
      await mkdir(shell.path(year))
      await shell.write(`${year}/sales.csv`, `n\n${year}\n`)
    }
    const args = ['convert', '20*/sales.csv', '--combine', '--to', 'csv', '-o', 'out']
    expect((await shell.run([...args, '--row-column'])).code).toBe(0)
    expect(await readFile(shell.path('out/sales.csv'), 'utf8')).toBe(
      'n,file,row\n2023,2023/sales.csv,1\n2024,2024/sales.csv,1\n',
    )
    expect((await shell.run([...args, '--no-file-column', '--replace'])).code).toBe(0)
    expect(await readFile(shell.path('out/sales.csv'), 'utf8')).toBe('n\n2023\n2024\n')
  })

  it('combines a workbook’s sheets', async () => {
    await shell.write('quarters.xlsx', await readFile('e2e/fixtures/two-sheets.xlsx'))
    const { code, out } = await shell.run(['convert', 'quarters.xlsx', '--combine', '--to', 'csv', '--json'])
    expect(code).toBe(0)
    const { table } = JSON.parse(out) as { table: { outputs: { receipts: { sources: { table: string }[] }[] }[] } }
    expect(table.outputs[0].receipts[0].sources.map((source) => source.table)).toEqual(['Orders', 'Customers'])
  })

  it('names every file that can’t be read, and writes nothing', async () => {
    await shell.write('a.csv', JANUARY)
    await shell.write('empty.csv', '')
    const args = ['convert', 'a.csv', 'empty.csv', 'none.csv', '--combine', '--to', 'csv', '-o', 'out']
    const { code, out, err } = await shell.run(args)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('3 files: 2 files can’t be combined:\n  empty.csv: “empty.csv” is empty')
    expect(err).toContain('  none.csv: There is no such file')
    expect(await readdir(shell.folder)).toEqual(['a.csv', 'empty.csv'])
    const told = await shell.run([...args, '--json'])
    expect(JSON.parse(told.out)).toMatchObject({ table: { status: 'failed', error: { code: 'not-combined' } } })
    expect((await shell.run(['convert', 'a.csv', '--combine', '--to', 'csv'])).err).toBe(
      '1 file: There is only one table. Name two files or more.\n',
    )
  })

  it('writes nothing if any file has rejected rows until they’re accepted', async () => {
    await shell.write('a.csv', 'id,name\n1,a\n')
    await shell.write('b.csv', 'id,name\n2,b,c\n3,d\n')
    const args = ['convert', 'a.csv', 'b.csv', '--combine', '--to', 'csv', '--name', 'all']
    const held = await shell.run(args)
    expect(held.code).toBe(1)
    expect(held.err).toContain('2 files: held. 1 row doesn’t fit. Nothing was made.')
    expect(held.err).toContain('  b.csv, line 2: The row has 3 fields')
    expect((await shell.run([...args, '--accept-rejected'])).code).toBe(0)
    expect((await readdir(shell.folder)).sort()).toEqual(['a.csv', 'all.csv', 'all.rejected.csv', 'b.csv'])
  })

  it('never overwrites a source', async () => {
    await shell.write('a-1.csv', JANUARY)
    await shell.write('a-2.csv', JANUARY)
    const args = ['convert', 'a-1.csv', 'a-2.csv', '--combine', '--to', 'csv', '--replace', '--name', 'a-2']
    const { code, err } = await shell.run(args)
    expect([code, err]).toEqual([1, '2 files: “a-2.csv” would overwrite itself. Choose another place with --out.\n'])
    expect(await readFile(shell.path('a-2.csv'), 'utf8')).toBe(JANUARY)
  })

  it.each([
    [['--name', 'x'], '--name needs --combine.'],
    [['--combine', '--name', ' '], '--name needs a name.'],
    [['--split-rows', '0'], '--split-rows needs a whole number, 1 or more.'],
    [['--split-rows', '9', '--split-by', 'id'], 'Split by a column or by rows, not by both.'],
  ])('%j is refused as wrong usage', async (args, message) => {
    await shell.write('a.csv', JANUARY)
    const wrong = await shell.run(['convert', 'a.csv', '--to', 'csv', ...args])
    expect(wrong).toEqual({ code: 2, out: '', err: `${message} Try: rowhouse convert --help\n` })
  })
})

describe('convert with a recipe that combines', () => {
  const column = (source: string, into = source) => ({ source, nth: 0, into })
  const member = (...columns: ReturnType<typeof column>[]) => ({
    matches: [{ format: 'csv' as const, tables: [{ name: null, sources: columns.map(({ source }) => source) }] }],
    request: {},
    edits: [],
    tables: [{ table: null, columns }],
  })
  const recipe: CombinedRecipe = {
    id: 'r',
    version: 1,
    name: 'months',
    createdAt: 0,
    target: 'csv',
    options: { csv: { ...defaultOptions('csv'), kind: 'csv', delimiter: ';' } as never },
    split: { by: 'column', column: 'file' },
    combine: {
      name: '../months',
      members: [
        member(column('id'), column('Customer'), column('amount')),
        member(column('ID', 'id'), column('amount'), column('city', 'Customer')),
      ],
      columns: [
        { name: 'id', type: 'VARCHAR', include: true, inAll: true },
        { name: 'Customer', type: 'VARCHAR', include: true, inAll: true },
        { name: 'amount', type: 'DECIMAL(12,2)', include: false, inAll: true },
      ],
      fileColumn: true,
      rowColumn: false,
    },
  }
  const convert = ['convert', 'jan.csv', 'feb.csv', '--recipe', 'months.recipe.json', '-o', 'out', '--receipt']
  beforeEach(async () => {
    await shell.write('months.recipe.json', JSON.stringify(toRecipeFile(recipe, 'https://app.example')))
    await shell.write('jan.csv', JANUARY)
    await shell.write('feb.csv', FEBRUARY)
  })

  it('applies it, and stays in the output folder even if its name contains ../', async () => {
    expect(await shell.run(convert)).toMatchObject({ code: 0, err: '' })
    expect((await readdir(shell.path('out'))).sort()).toEqual([
      '.._months - feb.csv.csv',
      '.._months - jan.csv.csv',
      '.._months.receipt.json',
    ])
    expect(await readFile(shell.path('out/.._months - feb.csv.csv'), 'utf8')).toBe('id;Customer;file\n9;Łódź;feb.csv\n')
  })

  it('writes nothing if files differ from it until that’s accepted', async () => {
    await shell.write('feb.csv', 'ID,amount,city,note\n9,3.25,Łódź,new\n')
    const held = await shell.run(convert)
    expect(held.code).toBe(1)
    expect(held.err).toContain('2 files: held. These files differ from the recipe. Nothing was made.')
    expect(held.err).toContain('  “note” of “feb.csv” isn’t in the recipe “months”.')
    expect((await shell.run([...convert, '--accept-other-columns'])).code).toBe(0)
    expect(await readFile(shell.path('out/.._months - feb.csv.csv'), 'utf8')).toBe(
      'id;Customer;note;file\n9;Łódź;new;feb.csv\n',
    )
  })

  it('refuses files that it doesn’t match', async () => {
    await shell.write('feb.csv', 'one,two\n1,2\n')
    const { code, err } = await shell.run(convert)
    expect(code).toBe(1)
    expect(err).toContain('  feb.csv: Its columns differ from those of the files that the recipe was made for.')
  })
})

describe('convert into several files', () => {
  beforeEach(() => shell.write('orders.csv', 'id,region\n1,north\n2,a/b\n3,north\n4,\n'))

  it('writes one per value of a column, and a receipt for all', async () => {
    const args = ['convert', 'orders.csv', '--split-by', 'region', '--to', 'csv', '-o', 'out', '--receipt']
    const { code, out, err } = await shell.run(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('orders.csv → out/orders - north.csv: 2 rows, 26 bytes; read back and compared, the same\n')
    expect(out).toContain('Rows without a value are in “orders - no value.csv”.')
    const made = ['orders - a_b.csv', 'orders - no value.csv', 'orders - north.csv']
    expect((await readdir(shell.path('out'))).sort()).toEqual([...made, 'orders.receipt.json'].sort())
    expect(await readFile(shell.path('out/orders - north.csv'), 'utf8')).toBe('id,region\n1,north\n3,north\n')
    for (const name of made) {
      expect((await shell.run(['verify', `out/${name}`, 'out/orders.receipt.json'])).code).toBe(0)
    }
  })

  it('starts a new one after a given number of rows', async () => {
    expect((await shell.run(['convert', 'orders.csv', '--split-rows', '3', '--to', 'ndjson'])).code).toBe(0)
    expect(await readFile(shell.path('orders - 2.ndjson'), 'utf8')).toBe('{"id":4,"region":null}\n')
  })

  it('refuses to split by a column that doesn’t exist', async () => {
    const { code, err } = await shell.run(['convert', 'orders.csv', '--split-by', 'none', '--to', 'csv', '-o', 'out'])
    expect(code).toBe(1)
    expect(err).toContain('orders.csv: The table has no column “none” to split by.')
  })
})
