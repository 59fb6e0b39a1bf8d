import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineError } from '../../errors.ts'
import { nativeRows } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'
import { loadText } from '../../testing/tables.ts'
import type { DroppedFile, TextReading } from '../session-types.ts'

/* What statements say of files, asked of native DuckDB with the same files in a folder. */

const FILES = {
  'orders.csv': 'id,customer,total\n1,Ann,2.5\n2,Bob,3.5\n',
  'customers.csv': 'id,name\n1,Ann\n2,Cid\n',
  'sales/2024.csv': 'day,sold\n2024-01-01,5\n',
  'sales/2025.csv': 'day,sold\n2025-01-01,7\n2025-01-02,8\n',
  'more/a.csv': 'x,y\n1,2\n',
  'more/b.csv': 'x,z\n3,4\n',
}
const READ: TextReading = {
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  header: true,
  skipLines: 0,
  comment: null,
  nullStrings: [''],
}
const QUIET = new AbortController().signal

let folder: string
let session: Session

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-files-'))
  session = await Session.open()
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
    await drop(session, file, text)
  }
  session.add(['ws', 'd', 'plans'], await loadText('id\n9\n'))
})

afterAll(() => rmSync(folder, { recursive: true }))

async function drop(to: Session, file: string, text: string, more: Partial<DroppedFile> = {}): Promise<void> {
  const loaded = await loadText(text)
  const name = file.replaceAll(/\.csv$/g, '').replaceAll(/\W/g, '_')
  const read = { kind: 'csv' as const, text: READ }
  to.add([name], loaded, { path: file, table: null, columns: loaded.stored.schema, read, ...more })
}

const nativeCell = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const native = async (sql: string): Promise<unknown[][]> => {
  // Its paths begin in the process's own folder.
  const rows = await nativeRows(`SELECT * FROM (${sql})`.replaceAll("'@", `'${folder}/`))
  return rows.map((row) => row.map((value) => (value === null ? null : nativeCell(value).replaceAll(`${folder}/`, ''))))
}

describe('files by their paths', () => {
  it.each([
    "FROM '@orders.csv' ORDER BY id",
    "SELECT orders.id, o2.total FROM '@orders.csv' JOIN '@orders.csv' o2 ON orders.id = o2.id ORDER BY 1",
    "SELECT o.id, c.name FROM '@orders.csv' AS o, '@customers.csv' AS c WHERE o.id = c.id ORDER BY 1",
    "SELECT count(*) FROM ('@orders.csv' AS a CROSS JOIN '@customers.csv' AS b)",
    "WITH x AS (FROM '@orders.csv') SELECT id FROM x WHERE id IN (SELECT id FROM '@customers.csv') ORDER BY id",
    "SELECT (SELECT max(total) FROM '@orders.csv') AS m, extract(year FROM DATE '2024-01-01') AS y, trim('@o' FROM '@orders.csv') IS NULL AS t",
    "SELECT id IS DISTINCT FROM 1 AS d FROM '@orders.csv' ORDER BY id",
    "FROM '@sales/*.csv' ORDER BY day",
    "FROM read_csv('@orders.csv') ORDER BY id",
    "SELECT r.id FROM read_csv('@orders.csv', delim = ',', header := true, quote => '\"', skip = 0, auto_detect = true) r ORDER BY id",
    "FROM read_csv_auto(['@sales/2024.csv', '@sales/2025.csv'], filename = true) ORDER BY day",
    "FROM read_csv('@sales/*.csv', filename = 'from', union_by_name = true) ORDER BY day",
    "SELECT x, y, z FROM read_csv('@more/*.csv', union_by_name = true) ORDER BY x",
    "FROM read_csv('@orders.csv', names = ['nr', 'who']) ORDER BY nr",
    "SELECT typeof(id), id FROM read_csv('@orders.csv', types = {'id': 'BIGINT'}) ORDER BY id",
    "SELECT typeof(id), typeof(customer), id FROM read_csv('@orders.csv', columns = {'id': 'VARCHAR', 'customer': 'VARCHAR', 'total': 'DOUBLE'}) ORDER BY id",
    "SELECT typeof(id), typeof(name), id FROM read_csv('@customers.csv', all_varchar = true) ORDER BY id",
    "SELECT file FROM glob('@sales/*.csv') ORDER BY 1",
    "SELECT * FROM glob('@*.csv') g(f) ORDER BY 1",
  ])(
    '%s',
    async (sql) => {
      const { cells } = await session.run(sql.replaceAll("'@", "'"))
      expect(cells).toEqual(await native(sql))
    },
    60_000,
  )

  it('are what is dropped wherever a statement names tables', async () => {
    expect((await session.run('FROM orders.csv ORDER BY id LIMIT 1')).cells).toEqual([['1', 'Ann', '2.5']])
    expect((await session.run('FROM "orders.csv" ORDER BY id LIMIT 1')).cells).toEqual([['1', 'Ann', '2.5']])
    expect((await session.run("FROM '/home/ann/orders.csv' ORDER BY id LIMIT 1")).cells).toEqual([['1', 'Ann', '2.5']])
    expect((await session.run('TABLE "orders.csv"')).cells.length).toBe(2)
    expect((await session.run('SELECT count(*) FROM (TABLE "orders.csv")')).cells).toEqual([['2']])
    expect((await session.run("SUMMARIZE 'orders.csv'")).cells.length).toBe(3)
    expect((await session.run("SUMMARIZE 'sales/*.csv'")).cells.length).toBe(2)
    expect((await session.run("DESCRIBE 'sales/*.csv'")).cells.map(([name]) => name)).toEqual(['day', 'sold'])
    expect((await session.run("DESCRIBE SELECT * FROM read_csv('orders.csv')")).cells.length).toBe(3)
    expect((await session.run("PIVOT 'orders.csv' ON customer USING sum(total)")).cells.length).toBe(2)
    expect((await session.run("CALL glob('sales/*')")).cells).toEqual([['sales/2024.csv'], ['sales/2025.csv']])
    const file = { type: 'VARCHAR', text: 'orders.csv' } as const
    expect((await session.run('SELECT count(*) FROM read_csv($f)', { parameters: { f: file } })).cells).toEqual([['2']])
    expect(await session.engine.check(session.call('SELECT nr FROM read_csv($f)'), QUIET)).toEqual([])
    const plan = await session.run("EXPLAIN FROM 'orders.csv'")
    expect(plan.cells[0][1]).toContain('orders')
    const own = await Session.open()
    await drop(own, 'a.csv', 'x\n1\n')
    await own.run("CREATE TABLE kept AS FROM 'a.csv'")
    await own.run("CREATE VIEW seen AS FROM read_csv('a.csv')")
    await own.run("CREATE MACRO rows_of() AS TABLE FROM 'a.csv'")
    await own.run("PREPARE p AS SELECT x + ? AS y FROM 'a.csv'")
    for (const sql of ['FROM kept', 'FROM seen', 'FROM rows_of()', 'EXECUTE p(0)'])
      expect([sql, (await own.run(sql)).cells]).toEqual([sql, [['1']]])
    await drop(own, 'n.csv', 'x,y\n1,5\n2,6\n')
    await own.run(
      "MERGE INTO kept USING 'n.csv' ON kept.x = n.x WHEN MATCHED THEN UPDATE SET x = y WHEN NOT MATCHED THEN INSERT VALUES (n.x)",
    )
    expect((await own.run('FROM kept ORDER BY x')).cells).toEqual([['2'], ['5']])
    await own.run("DELETE FROM kept USING 'n.csv' AS n JOIN 'a.csv' USING (x) WHERE kept.x = n.y")
    expect((await own.run('FROM kept')).cells).toEqual([['2']])
  })
})

describe('names by themselves', () => {
  it('are the session’s own tables first, then local ones; datasets’ tables need all their names', async () => {
    const own = await Session.open()
    await drop(own, 'orders.csv', 'id\n1\n')
    own.add(['ws', 'd', 'plans'], await loadText('id\n9\n'))
    expect((await own.run('FROM orders')).cells).toEqual([['1']])
    expect((await own.run('FROM ORDERS')).cells).toEqual([['1']])
    await own.run('CREATE TABLE orders AS SELECT 2 AS id')
    expect((await own.run('FROM orders')).cells).toEqual([['2']])
    expect((await own.run('FROM local.orders')).cells).toEqual([['1']])
    await own.run('DROP TABLE orders')
    expect((await own.run('FROM orders')).cells).toEqual([['1']])
    expect((await own.run('WITH orders AS (SELECT 3 AS id) FROM orders')).cells).toEqual([['3']])
    await expect(own.run('FROM plans')).rejects.toMatchObject({
      code: 'unknown-table',
      remedy: 'Did you mean ws.d.plans?',
    })
    own.use({ published: [], local: [] })
    await expect(own.run('FROM orders')).rejects.toMatchObject({ code: 'unknown-table' })
  })

  it('never lead a statement to change a local table', async () => {
    for (const sql of [
      'DROP VIEW orders',
      'DROP VIEW IF EXISTS orders',
      'DROP TABLE "ORDERS"',
      'ALTER VIEW orders RENAME TO x',
      'INSERT INTO orders VALUES (1)',
      'UPDATE orders SET id = 1',
      'DELETE FROM orders',
      'TRUNCATE orders',
      'MERGE INTO orders USING range(3) ON true WHEN MATCHED THEN DELETE',
      "COMMENT ON VIEW orders IS 'x'",
      'VACUUM orders',
      "DELETE FROM 'orders.csv'",
      'CREATE INDEX i ON orders (id)',
    ])
      expect([sql, await session.run(sql).catch((error: unknown) => (error as EngineError).tag)]).toEqual([
        sql,
        'EngineError',
      ])
    await expect(session.run('DROP VIEW orders')).rejects.toMatchObject({
      message: 'orders is the local table local.orders, which statements don’t change.',
    })
    expect((await session.run('SELECT count(*) FROM orders')).cells).toEqual([['2']])
    expect((await session.run('SELECT count(*) FROM local.orders')).cells).toEqual([['2']])
  })
})

describe('what is said', () => {
  it.each<[string, string[]]>([
    ["FROM 'orders.csv'", ['orders.csv is the local table local.orders.']],
    ["FROM 'sales/*.csv'", ['sales/*.csv is 2 local tables: local.sales_2024, local.sales_2025.']],
    ["FROM read_csv(['orders.csv'])", ['orders.csv is the local table local.orders.']],
    ['FROM orders JOIN orders o ON true', ['orders is the local table local.orders.']],
    ['FROM local.orders', []],
    ['WITH orders AS (SELECT 1) FROM orders', []],
    ['SELECT orders FROM (SELECT 1 AS orders)', []],
  ])('of names: %s', async (sql, notes) => {
    expect((await session.run(sql)).summary.notes).toEqual(notes)
  })

  it.each<[string, RegExp, RegExp]>([
    ["FROM 'ordrs.csv'", /^No file ordrs.csv is here: drop it on this screen\.$/, /^Did you mean 'orders.csv'\?$/],
    ["FROM read_csv('nothing.csv')", /^No file nothing.csv is here/, /Files stay/],
    ["FROM glob('nothing*')", /^No file that nothing\* fits is here/, /Files stay/],
    ["FROM '*.parquet'", /^No file that \*.parquet fits is here/, /Files stay/],
    ["FROM 'https://example.com/x.csv'", /can’t read files or addresses/, /Download the file/],
    ["FROM 'more/*.csv'", /^more\/a.csv and more\/b.csv have different columns\.$/, /union_by_name = true/],
    [
      "FROM read_csv('orders.csv', delim = ';')",
      /^orders.csv was read with “,” as its delimiter/,
      /open the file in Convert/,
    ],
    ["FROM read_csv('orders.csv', header = false)", /^orders.csv was read with a header/, /Leave header out/],
    ["FROM read_csv('orders.csv', nullstr = 'NA')", /without taking “NA” for null/, /Leave nullstr out/],
    ["FROM read_csv('orders.csv', dateformat = '%d')", /^read_csv can’t apply dateformat/, /Leave the option out/],
    [
      "FROM read_csv('orders.csv', all_varchar = true)",
      /with total as \S+, and its text isn’t kept/,
      /choose VARCHAR there/,
    ],
    [
      "FROM read_csv('orders.csv', types = {'total': 'VARCHAR'})",
      /with total as \S+, and its text isn’t kept/,
      /choose VARCHAR there/,
    ],
    ["FROM read_csv('orders.csv', types = {'nope': 'VARCHAR'})", /has no column nope/, /It has id, customer, total/],
    ["FROM read_csv('orders.csv', types = {'id': 'INT) FROM x --'})", /types isn’t given/, /types = /],
    ["FROM sniff_csv('orders.csv')", /^sniff_csv\(\) isn’t there: of a file/, /DESCRIBE and SUMMARIZE/],
    ["FROM read_text('orders' || '.csv')", /^read_text\(\) isn’t there/, /Read it as a table/],
    ["FROM read_parquet('orders.csv')", /^read_parquet doesn’t read orders.csv/, /Write read_csv/],
    ["FROM read_csv('orders.csv', skip = 1 + 1)", /^skip of read_csv isn’t written as a value/, /Write texts/],
  ])('of what can’t be: %s', async (sql, message, remedy) => {
    const error: unknown = await session.run(sql).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'sql-not-allowed', message: expect.stringMatching(message) as unknown })
    expect((error as EngineError).remedy).toMatch(remedy)
    const [problem] = await session.engine.check(session.call(sql), QUIET)
    expect(sql.slice(problem.from, problem.to)).toBe(sql.slice('FROM '.length))
  })

  it('where several tables are meant', async () => {
    const own = await Session.open()
    await drop(own, 'orders.csv', 'id\n1\n')
    own.add(['again'], await loadText('id\n2\n'), { path: 'orders.csv', table: null, columns: [], read: null })
    for (const [table, name] of [
      ['Q1', 'first'],
      ['Q2', 'second'],
    ])
      own.add([name], await loadText(`id\n${name.length}\n`), {
        path: 'b.xlsx',
        table,
        columns: [{ name: 'id', type: 'INTEGER' }],
        read: { kind: 'xlsx', text: null },
      })
    await expect(own.run("FROM 'orders.csv'")).rejects.toMatchObject({
      message: 'orders.csv was dropped more than once: local.orders, local.again.',
    })
    await expect(own.run("FROM 'b.xlsx'")).rejects.toMatchObject({
      message: 'b.xlsx is several tables: local.first, local.second.',
    })
    expect((await own.run("FROM read_xlsx('b.xlsx', sheet = 'Q2')")).cells).toEqual([['6']])
    await expect(own.run("FROM read_xlsx('b.xlsx', sheet = 'Q9')")).rejects.toMatchObject({ code: 'sql-not-allowed' })
  })
})

describe('a name by itself', () => {
  it('is the session’s own table as long as there is one, in transactions too', async () => {
    const own = await Session.open()
    await drop(own, 'things.csv', 'a\n1\n')
    const found = async (): Promise<string | null | undefined> => {
      const { cells, summary } = await own.run('SELECT a FROM things')
      // It's said of the local table alone.
      expect(summary.notes?.length).toBe(cells[0]?.[0] === '1' ? 1 : 0)
      return cells[0]?.[0]
    }
    expect(await found()).toBe('1')
    await own.change('CREATE TABLE things AS SELECT 2 AS a')
    expect(await found()).toBe('2')
    await own.change('DROP TABLE things')
    expect(await found()).toBe('1')
    await own.change('BEGIN')
    await own.change('CREATE VIEW things AS SELECT 3 AS a')
    expect(await found()).toBe('3')
    await own.change('ROLLBACK')
    expect(await found()).toBe('1')
    await expect(own.change('CREATE TABLE things AS SELECT error(a) FROM things')).rejects.toThrow()
    expect(await found()).toBe('1')
  })
})
