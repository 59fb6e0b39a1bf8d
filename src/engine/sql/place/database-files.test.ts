import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, it } from 'vitest'
import { listTables } from '../../formats/duckdb/reader.ts'
import { refusal } from '../../testing/refusal.ts'
import { Session } from '../../testing/session.ts'

/* DuckDB files that are queried where they lie; native DuckDB writes them, and answers the same statements. */

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-databases-'))
let next = 0
const QUIET = new AbortController().signal

afterAll(() => rmSync(folder, { recursive: true }))

/** A database that native DuckDB writes, and what native DuckDB answers of it. */
async function made(name: string, ...statements: string[]) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const target = path.join(folder, name)
  await connection.run(`ATTACH '${target}'; USE ${path.parse(name).name}`)
  for (const statement of statements) await connection.run(statement)
  await connection.run('CHECKPOINT; USE memory')
  const file = new File([readFileSync(target)], name)
  const text = async (sql: string): Promise<(string | null)[][]> => {
    const rows = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)
    return rows.getRows() as (string | null)[][]
  }
  return { file, text }
}

/** The file's tables as a session has them that the file was dropped into. */
async function drop(session: Session, file: File, fileId = file.name): Promise<string[]> {
  const { tables } = await listTables(file, QUIET)
  for (const { name, schema, table, columns } of tables) {
    const dropped = { path: file.name, table: name, columns, read: { kind: 'duckdb' as const, text: null } }
    const local = name.replaceAll(/\W/g, '_')
    session.add([local], { stored: { fileId }, file }, dropped, { schema, table })
  }
  return tables.map(({ name, rows }) => `${name} ${rows}`)
}

const SHOP = [
  `CREATE TYPE kind AS ENUM ('low', 'high')`,
  `CREATE TABLE orders AS SELECT i AS id, i % 7 AS customer, (i / 4)::DECIMAL(9,2) AS amount,
    (CASE WHEN i % 2 = 0 THEN 'low' ELSE 'high' END)::kind AS kind FROM range(5000) t(i)`,
  `CREATE TABLE customers (id INTEGER PRIMARY KEY, "full name" VARCHAR DEFAULT 'nobody', tags VARCHAR[])`,
  `INSERT INTO customers SELECT i, 'n' || i, ['a', NULL, i::VARCHAR] FROM range(7) t(i)`,
  'DELETE FROM customers WHERE id = 3',
  'CREATE SCHEMA "old years"',
  'CREATE TABLE "old years".orders AS SELECT 1 AS id, 99::HUGEINT AS amount',
  'CREATE VIEW large AS SELECT * FROM orders JOIN customers USING (id) WHERE amount > 1',
  'CREATE MACRO doubled(x) AS x * 2',
  'CREATE VIEW doubles AS SELECT id, doubled(amount) AS d FROM "old years".orders',
]

describe('DuckDB files in place', () => {
  it('compares texts by the collations of the file’s columns', async () => {
    const { file, text } = await made(
      'names.duckdb',
      'CREATE TABLE names (name VARCHAR COLLATE sv)',
      "INSERT INTO names VALUES ('ö'), ('z'), ('a')",
    )
    const session = await Session.open()
    await drop(session, file)
    const sql = "SELECT * FROM names.names WHERE name > 'b' ORDER BY name"
    expect((await session.run(sql)).cells).toEqual(await text(sql))
  })

  it('answers as native DuckDB does, by the file’s names and the tables’ own', async () => {
    const { file, text } = await made('shop.duckdb', ...SHOP)
    const session = await Session.open()
    expect(await drop(session, file)).toEqual([
      'customers 6',
      'orders 5000',
      'doubles null',
      'large null',
      'old years.orders 1',
    ])
    for (const sql of [
      'SELECT count(*), sum(amount), min(kind), max(id) FROM shop.orders',
      'FROM shop.main.customers ORDER BY id',
      'SELECT o.id, customers."full name" FROM shop.orders o JOIN shop.customers ON o.customer = customers.id ORDER BY 1 LIMIT 50',
      'SELECT orders.amount FROM "SHOP"."old years".orders',
      'FROM shop.large ORDER BY id',
      'FROM shop.doubles',
      'SELECT kind, count(*) AS n FROM (FROM shop.orders WHERE id BETWEEN 100 AND 999) GROUP BY ALL ORDER BY 1',
    ]) {
      expect(
        (await session.run(sql)).cells.map((row) => row.map(nativeCell)),
        sql,
      ).toEqual((await text(sql)).map((row) => row.map(nativeCell)))
    }
    expect((await session.run('SELECT sum(id) FROM local.orders')).cells).toEqual([['12497500']])
    const { summary } = await session.run('SELECT id FROM shop."old years".orders')
    expect(summary.notes).toEqual(['shop."old years".orders is the local table local.old_years_orders.'])
  })

  it('knows columns by the names of their file and schema', async () => {
    const { file, text } = await made('shop2.duckdb', ...SHOP)
    const session = await Session.open()
    await drop(session, file)
    for (const sql of [
      'SELECT shop2.orders.id, amount FROM shop2.orders WHERE shop2.orders.id < 3 ORDER BY shop2.orders.id',
      'SELECT shop2.main.orders.id FROM shop2.main.orders WHERE main.orders.id < 3 GROUP BY main.orders.id ORDER BY 1',
      'SELECT "SHOP2"."old years".orders.amount FROM shop2."old years".orders',
      'SELECT "old years".orders.id FROM shop2."old years".orders',
      'SELECT shop2.customers.tags[1] AS t FROM shop2.customers JOIN shop2.orders ON shop2.orders.customer = shop2.customers.id WHERE shop2.orders.id = 9',
      'SELECT id FROM shop2.customers WHERE EXISTS (SELECT 1 FROM shop2.orders WHERE shop2.orders.customer = shop2.customers.id) ORDER BY 1',
    ])
      expect(
        (await session.run(sql)).cells.map((row) => row.map(nativeCell)),
        sql,
      ).toEqual((await text(sql)).map((row) => row.map(nativeCell)))
    // As in DuckDB, an alias takes the name's place; and of two tables of one name, none is guessed.
    for (const sql of [
      'SELECT shop2.orders.id FROM shop2.orders o',
      'SELECT shop2.main.orders.id FROM shop2.main.orders, shop2."old years".orders',
    ])
      await expect(session.run(sql), sql).rejects.toMatchObject({ code: 'sql-error' })
  })

  it('doesn’t tell the wrong one of equally named tables in a plan', async () => {
    const session = await Session.open()
    for (const [name, rows] of [
      ['north', 3],
      ['south', 5],
    ] as const) {
      const { file } = await made(`${name}.duckdb`, `CREATE TABLE orders AS SELECT i AS id FROM range(${rows}) r(i)`)
      session.add(
        [`${name}_orders`],
        { stored: { fileId: name }, file },
        { path: file.name, table: 'orders', columns: [], read: null },
        { schema: 'main', table: 'orders' },
      )
    }
    for (const analyze of [false, true])
      for (const name of ['north', 'south']) {
        const sql = `SELECT max(id) FROM ${name}.orders WHERE id > 0`
        const plan = JSON.stringify(await session.engine.explain({ ...session.call(sql), analyze }, QUIET))
        expect(plan).toContain('["Table","orders"]')
      }
    const { cells } = await session.run('EXPLAIN FROM north.orders')
    expect(JSON.stringify(cells)).not.toContain('south')
  })

  it('changes nothing of the file, and lets statements do no more than before', async () => {
    const { file } = await made('kept.duckdb', 'CREATE TABLE t AS SELECT 1 AS a')
    const session = await Session.open()
    await drop(session, file)
    for (const sql of [
      'INSERT INTO kept.t VALUES (2)',
      'UPDATE kept.t SET a = 2',
      'DROP TABLE kept.t',
      'CREATE TABLE kept.u AS SELECT 1 AS a',
      "ATTACH 'kept.duckdb' AS k",
      'DETACH kept',
      "FROM read_blob('kept.duckdb')",
    ])
      await expect(session.run(sql), sql).rejects.toMatchObject({ tag: 'EngineError' })
    expect((await session.run('FROM kept.t')).cells).toEqual([['1']])
    // What the session has made goes before.
    await session.change('CREATE SCHEMA kept')
    await session.change('CREATE TABLE kept.t AS SELECT 5 AS a')
    expect((await session.run('FROM kept.t')).cells).toEqual([['5']])
  })

  it('lists the tables by the names that people know, not those of the engine', async () => {
    const { file } = await made('listed.duckdb', ...SHOP.slice(0, 2))
    const session = await Session.open()
    await drop(session, file)
    await session.run('FROM listed.orders LIMIT 1')
    const { cells } = await session.run('SELECT table_schema, table_name FROM information_schema.tables')
    expect(cells).toEqual([['main', 'orders']])
    const plan = await session.engine.explain({ ...session.call('FROM listed.orders'), analyze: false }, QUIET)
    expect(JSON.stringify(plan)).toContain('local.orders')
    expect(JSON.stringify(plan)).not.toMatch(/f_[0-9a-f]{32}/)
  })

  it.each([
    'CREATE VIEW v AS FROM duckdb_settings()',
    'CREATE VIEW v AS FROM information_schema.tables',
    "CREATE VIEW v AS SELECT current_setting('allowed_directories')",
    'CREATE MACRO told() AS (SELECT count(*) FROM duckdb_databases()); CREATE VIEW v AS SELECT told() AS n FROM t',
    "CREATE VIEW v AS FROM query('FROM duckdb_settings()')",
  ])('refuses a view that tells of the engine: %s', async (view) => {
    const { file } = await made(
      `view-${crypto.randomUUID()}.duckdb`.replaceAll('-', '_'),
      'CREATE TABLE t AS SELECT 1 AS a',
      view,
    )
    const session = await Session.open()
    session.add(['v'], { stored: { fileId: 'x' }, file }, undefined, { schema: 'main', table: 'v' })
    session.add(['t'], { stored: { fileId: 'x' }, file }, undefined, { schema: 'main', table: 't' })
    for (const sql of ['FROM local.v', 'SELECT count(*) FROM local.v'])
      await expect(session.run(sql)).rejects.toThrow('A view or macro of the file')
    expect((await session.run('FROM local.t')).cells).toEqual([['1']])
  })

  it('suggests the names that its tables have', async () => {
    const { file } = await made(
      'shop.db',
      'CREATE TABLE orders AS SELECT 1 AS id',
      'CREATE SCHEMA y; CREATE TABLE y.sums AS SELECT 1 AS a',
    )
    const session = await Session.open()
    await drop(session, file)
    for (const [sql, name] of [
      ['FROM ordres', 'shop.orders'],
      ['FROM sums', 'shop.y.sums'],
    ]) {
      const { remedy } = await refusal(session.run(sql), sql)
      expect(remedy).toContain(name)
      expect((await session.run(`FROM ${name}`)).cells).toEqual([['1']])
    }
  })

  it('says of a damaged block what is damaged, and goes on', async () => {
    const { file } = await made(
      'damaged.duckdb',
      'CREATE TABLE t AS SELECT i, md5(i::VARCHAR) AS h FROM range(200000) r(i)',
    )
    const bytes = new Uint8Array(await file.arrayBuffer())
    const session = await Session.open()
    const broken = new File([bytes.map((byte, i) => (i === 700_000 ? byte ^ 255 : byte))], 'damaged.duckdb')
    session.add(['t'], { stored: { fileId: 'x' }, file: broken }, undefined, { schema: 'main', table: 't' })
    await expect(session.run('SELECT max(h) FROM local.t')).rejects.toMatchObject({ code: 'corrupt-file' })
    expect((await session.run('SELECT count(*) FROM local.t')).cells).toEqual([['200000']])
    // Words that a statement itself brings along are no damage.
    const said = session.run("SELECT 'could not read'::INTEGER")
    await expect(said).rejects.toMatchObject({ code: 'sql-error' })
  })

  it.each<[string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>, string]>([
    ['cut short', (bytes) => bytes.slice(0, 300_000), 'corrupt-file'],
    ['of a later version', (bytes) => bytes.map((byte, i) => (i === 12 ? 200 : byte)), 'unsupported-format'],
    ['encrypted', (bytes) => bytes.map((byte, i) => (i === 20 ? 1 : byte)), 'password-protected'],
  ])('refuses a file that is %s, when it’s added and when it’s queried', async (_, damage, code) => {
    const { file } = await made(
      `${code.replaceAll('-', '_')}_${next++}.db`,
      'CREATE TABLE t AS SELECT i FROM range(100000) r(i)',
    )
    const broken = new File([damage(new Uint8Array(await file.arrayBuffer()))], 'broken.db')
    await expect(listTables(broken, QUIET)).rejects.toMatchObject({ code })
    const session = await Session.open()
    session.add(['t'], { stored: { fileId: 'x' }, file: broken }, undefined, { schema: 'main', table: 't' })
    await expect(session.run('FROM local.t')).rejects.toMatchObject({ code })
  })
})

/** Lists and enums are written differently where they're text already. */
const nativeCell = (cell: string | null): string | null =>
  cell?.replaceAll(/["\s]/g, '').replaceAll('NULL', 'null') ?? null
