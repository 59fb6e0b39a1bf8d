import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ImportPlan } from '../../../tables/plan.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import { MemoryOutputs } from '../../storage/output.ts'
import { nativeText, nativeTypes } from '../../testing/oracle.ts'
import { combine, shape, type Converted } from '../../testing/run.ts'
import { refusal } from '../../testing/refusal.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-shape-'))
afterAll(() => rmSync(folder, { recursive: true }))

let next = 0

async function kept({ files }: Converted, ending: string): Promise<string> {
  const file = path.join(folder, `made-${next++}.${ending}`)
  writeFileSync(file, new Uint8Array(await files[0].arrayBuffer()))
  return `'${file}'`
}

function csv(name: string, text: string): File {
  writeFileSync(path.join(folder, name), text)
  return new File([text], name)
}

const receiptOf = ({ result }: Converted): Receipt => result.outputs[0].receipts[0]

const ROWS = 500
const REGIONS = ['north', 'south', '']
const ORDERS = csv(
  'orders.csv',
  `id,region,amount,day\n${Array.from({ length: ROWS }, (_, i) => `${i},${REGIONS[i % 3]},${i % 7}.25,2024-01-${10 + (i % 20)}`).join('\n')}\n`,
)
const TYPES = `{id: 'INTEGER', region: 'VARCHAR', amount: 'DECIMAL(10,2)', day: 'DATE'}`
/** The statement over the same table, as native DuckDB reads it. */
const native = (sql: string): string =>
  sql.replaceAll(/\borders\b/g, `read_csv('${path.join(folder, 'orders.csv')}', columns=${TYPES})`)

const SUMS = 'SELECT region, sum(amount) AS total, count(*) AS n FROM orders GROUP BY region ORDER BY region'

const STATEMENTS = {
  'sums by group': SUMS,
  'rows that are left by a condition': 'FROM orders WHERE amount > 3 AND region IS NOT NULL ORDER BY id DESC',
  'duplicates that are taken out': 'SELECT DISTINCT region, amount FROM orders ORDER BY ALL',
  'duplicates that stay': 'SELECT region FROM orders UNION ALL SELECT region FROM orders ORDER BY ALL',
  'a join with itself':
    'FROM orders a JOIN orders b ON a.id = b.id - 1 SELECT a.id, b.amount - a.amount AS diff ORDER BY a.id',
  'a pivot': 'PIVOT orders ON region USING sum(amount) GROUP BY day ORDER BY day',
  'the file by its name': "SELECT id FROM 'orders.csv' ORDER BY id DESC LIMIT 3",
}

/** The values that `read` finds in the file, cast to native DuckDB's types of the statement's columns. */
async function readBack(read: string, sql: string): Promise<(string | null)[][]> {
  const types = await nativeTypes(native(sql))
  const list = types.map(([name, type]) => `"${name}"::${type}`)
  return nativeText(`SELECT ${list.join(', ')} FROM ${read}`)
}

describe('what a statement gives', () => {
  it.each(Object.entries(STATEMENTS))('is what native DuckDB gives: %s', async (_, sql) => {
    const made = await shape(ORDERS, 'parquet', sql)
    const { found, shape: told, verdict, source, textCompared } = receiptOf(made)
    const expected = await nativeText(native(sql.replace("'orders.csv'", 'orders')))
    expect(await readBack(await kept(made, 'parquet'), sql.replace("'orders.csv'", 'orders'))).toEqual(expected)
    expect([verdict, textCompared, source.name, found.rows]).toEqual(['match', true, 'orders.csv', expected.length])
    expect(told).toMatchObject({ sql, tables: [{ name: 'orders', read: { rows: ROWS } }] })
  })

  it.each([
    ['csv', 'read_csv'],
    ['json', 'read_json'],
    ['xlsx', 'read_xlsx'],
    ['arrow', ''],
  ] as const)('is written as %s', async (target, reader) => {
    const made = await shape(ORDERS, target, SUMS)
    const { verdict, found, changes, expected } = receiptOf(made)
    expect([verdict, found.rows, found.columns.map(({ name }) => name)]).toEqual(['match', 3, ['region', 'total', 'n']])
    expect(found).toEqual(expected)
    expect(changes[0]).toEqual({
      code: 'shaped',
      message: 'A statement shaped what was read: of 500 rows it made 3 rows.',
    })
    // Native DuckDB needs extensions for Arrow and Excel.
    if (target === 'csv' || target === 'json') {
      expect(await readBack(`${reader}(${await kept(made, target)})`, SUMS)).toEqual(await nativeText(native(SUMS)))
    }
  })

  it('may be no rows', async () => {
    const made = await shape(ORDERS, 'parquet', 'FROM orders WHERE id < 0')
    expect(receiptOf(made)).toMatchObject({
      verdict: 'match',
      found: { rows: 0 },
      shape: { tables: [{ read: { rows: ROWS } }] },
    })
    expect(await nativeTypes(`FROM ${await kept(made, 'parquet')}`)).toEqual([
      ['id', 'INTEGER'],
      ['region', 'VARCHAR'],
      ['amount', 'DECIMAL(3,2)'],
      ['day', 'DATE'],
    ])
  })

  it('keeps types that are hard to carry', async () => {
    const sql = `SELECT 1.50::DECIMAL(38,10) AS d, '2024-03-31 02:30:00+01'::TIMESTAMPTZ AS z, [1, NULL, 3] AS l,
      {'a': 1, 'b': ['x']} AS s, sum(id) AS h, max(day) AS day, INTERVAL 3 DAY AS i, 'x'::BLOB AS b, NULL AS n,
      MAP {'k': 2} AS m, sum(id) AS h, TIME '10:00:00.5' AS t, (2::HUGEINT ** 64)::HUGEINT AS big FROM orders`
    const made = await shape(ORDERS, 'parquet', sql)
    const { found, changes } = receiptOf(made)
    expect(found.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'd DECIMAL(38,10)',
      'z TIMESTAMP WITH TIME ZONE',
      'l INTEGER[]',
      's STRUCT(a INTEGER, b VARCHAR[])',
      'h DECIMAL(38,0)',
      'day DATE',
      'i VARCHAR',
      'b BLOB',
      'n INTEGER',
      'm MAP(VARCHAR, INTEGER)',
      'h_1 DECIMAL(38,0)',
      't TIME',
      'big DECIMAL(38,0)',
    ])
    expect(changes.map(({ code, column = '' }) => `${code} ${column}`)).toEqual([
      'shaped ',
      'renamed ',
      'type-changed h',
      'type-changed i',
      'type-changed h_1',
      'type-changed big',
    ])
    expect(
      await nativeText(`SELECT d, z, l, s, h, day, b, n, m, h_1, t, big FROM ${await kept(made, 'parquet')}`),
    ).toEqual(
      await nativeText(
        `SELECT d, z, l, s, h, day, b, n, m, h AS h_1, t, big FROM (${native(sql.replace('sum(id) AS h, TIME', 'sum(id) AS h_1, TIME'))})`,
      ),
    )
  })

  it('has a column for every row of names that SQL can’t tell apart', async () => {
    const made = await shape(csv('case.csv', 'a,A\n1,2\n'), 'csv', 'SELECT a + "A_1" AS sum FROM "case"')
    expect(await made.files[0].text()).toBe('sum\n3\n')
    expect(receiptOf(made).changes.map(({ message }) => message)).toContain(
      'In the statement, “A” of case is called “A_1”: SQL doesn’t tell names apart by their case.',
    )
  })

  it('can be split', async () => {
    const made = await shape(ORDERS, 'csv', SUMS, { split: { by: 'column', column: 'region' } })
    expect(made.files.map(({ name }) => name)).toHaveLength(3)
    expect(receiptOf(made)).toMatchObject({ verdict: 'match', shape: { sql: SUMS }, found: { rows: 3 } })
  })

  it('is of several files that are combined', async () => {
    const files = [csv('jan.csv', 'city,n\nBonn,1\nKiel,2\n'), csv('feb.csv', 'city,n\nBonn,5\n')]
    const sql = 'SELECT city, sum(n) AS n FROM "all" GROUP BY city ORDER BY city'
    const made = await combine(files, 'csv', undefined, undefined, { shape: { sql, tables: [] } })
    expect(await made.files[0].text()).toBe('city,n\nBonn,6\nKiel,2\n')
    const { sources, shape: told } = receiptOf(made)
    expect(sources?.map(({ name, rows }) => [name, rows])).toEqual([
      ['jan.csv', 2],
      ['feb.csv', 1],
    ])
    const sum = (sources ?? []).reduce((total, { rowChecksum }) => total + BigInt(`0x${rowChecksum}`), 0n) % 2n ** 64n
    expect(told?.tables[0].read.rowChecksum).toBe(sum.toString(16).padStart(16, '0'))
  })

  it('leaves rows that don’t fit to the person', async () => {
    const made = await shape(csv('bad.csv', 'id,n\n1,2\n2,3,4\n5,6\n'), 'csv', 'SELECT count(*) AS n FROM bad')
    expect(await made.files[0].text()).toBe('n\n2\n')
    expect(made.result.rejectedCount).toBe(1)
    expect(receiptOf(made)).toMatchObject({ rejectedRows: 1, shape: { tables: [{ read: { rows: 2 } }] } })
  })
})

describe('a statement that can’t be run', () => {
  const CHANGE = 'Change the statement.'
  const BEGIN = 'gives no rows to write: begin with SELECT, FROM, WITH, VALUES, PIVOT, UNPIVOT or SUMMARIZE.'
  const TABLES = 'It can read “orders”.'

  it.each([
    ['SELECT amuont FROM orders', 'Referenced column "amuont" not found in FROM clause!', 8, 'Did you mean amount?'],
    ['SELECT * FROM customers', 'There is no table customers.', 15, TABLES],
    ['SELECT (FROM orders', 'syntax error at end of input.', 14, CHANGE],
    ['SELECT 1; SELECT 2', 'There can be only one statement.', null, CHANGE],
    ['-- nothing', 'Write a statement.', null, CHANGE],
    ['CREATE TABLE x AS FROM orders', `A statement that begins with CREATE ${BEGIN}`, null, CHANGE],
    ["SET memory_limit = '1GB'", `A statement that begins with SET ${BEGIN}`, null, CHANGE],
    ["SELECT * FROM '/etc/passwd'", 'The statement can’t read the file /etc/passwd, only tables.', 15, TABLES],
    ["FROM read_csv('/etc/passwd')", 'The statement can’t read the file /etc/passwd, only tables.', 6, TABLES],
    [
      'WITH x AS (SELECT 1 AS a) INSERT INTO orders FROM x',
      'orders is the local table local.orders, which statements don’t change.',
      null,
      'Write one that gives rows: SELECT or FROM.',
    ],
    ['SELECT $1 FROM orders', 'The parameter $1 has no value.', 8, CHANGE],
  ])('%s', async (sql, message, column, remedy) => {
    const storage = new MemoryOutputs()
    const error = await refusal(shape(ORDERS, 'csv', sql, { storage }))
    const place = column === null ? undefined : `the statement, line 1, column ${column}`
    expect([error.message, error.place, error.remedy]).toEqual([message, place, remedy])
    expect(storage.files.size).toBe(0)
  })

  it('says so before anything is read', async () => {
    const change = (plan: ImportPlan): ImportPlan => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.filter(({ name }) => name !== 'amount'),
      })),
    })
    const error = await refusal(shape(ORDERS, 'csv', SUMS, { change }))
    expect([error.code, error.place]).toEqual(['sql-error', 'the statement, line 1, column 20'])
    expect(error.message).toContain('amount')
  })

  it('fails while it runs, and leaves nothing', async () => {
    const storage = new MemoryOutputs()
    const error = await refusal(shape(ORDERS, 'csv', 'SELECT CAST(region || id AS INTEGER) FROM orders', { storage }))
    expect(error.code).toBe('sql-error')
    expect(storage.files.size).toBe(0)
  })

  it('is told when it needs more memory than there is', async () => {
    const sql = "SELECT list(repeat('x', 1000000) || a.id || b.id) FROM orders a, orders b"
    const error = await refusal(shape(ORDERS, 'csv', sql))
    expect(error.code).toBe('out-of-memory')
    expect(error.remedy).toMatch(/^Leave out columns or rows/)
  })

  it('stops when it’s cancelled, and leaves nothing', async () => {
    const storage = new MemoryOutputs()
    const cancelling = new AbortController()
    const sql = 'SELECT a.id FROM orders a, orders b, orders c'
    const made = shape(ORDERS, 'csv', sql, { storage, signal: cancelling.signal })
    setTimeout(() => cancelling.abort(), 1500)
    await expect(made).rejects.toThrow(/abort/i)
    expect(storage.files.size).toBe(0)
  })
})

it('has the names that recipes keep, whatever the next file is called', async () => {
  const february = csv('orders-2024-02.csv', 'id,n\n1,2\n')
  const tables = [{ table: null, name: 'sales', file: 'orders-2024-01.csv' }]
  const made = await shape(february, 'csv', "FROM sales JOIN 'orders-2024-01.csv' USING (id)", { tables })
  expect(await made.files[0].text()).toBe('id,n,n_1\n1,2,2\n')
})
