import { describe, expect, it } from 'vitest'
import { arrowWriter } from '../../formats/arrow/writer.ts'
import { parquetReader } from '../../formats/parquet/reader.ts'
import { MIXED } from '../../formats/parquet/testing/mixed.ts'
import { duckParquet, readAll, writeAll } from '../../formats/parquet/testing/oracle.ts'
import { nativeSession } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'
import type { SqlEngineOptions } from '../engine.ts'

const ORDERS = `SELECT i::INTEGER AS id, 'customer ' || (i % 7) AS "Customer name", (i * 1.5)::DECIMAL(12,2) AS amount,
  DATE '2024-01-01' + (i % 366)::INTEGER AS day, CASE WHEN i % 5 = 0 THEN NULL ELSE i % 11 END AS grade, [i, i + 1] AS l
  FROM range(20000) r(i)`

/** A session with a Parquet file in place, and native DuckDB over the same one. */
async function both(query: string, options = '', own: SqlEngineOptions = {}) {
  const { path, file } = await duckParquet(query, options)
  const session = await Session.open(own)
  session.add(['orders'], { stored: { fileId: 'c/orders', rowCount: 0, byteSize: 0, schema: [] }, file })
  const native = await nativeSession()
  await native(`SET TimeZone='UTC'`)
  // With several, rows that nothing orders come in another order now and then.
  await native('SET threads=1')
  await native(`ATTACH ':memory:' AS local`)
  await native(`CREATE VIEW local.main.orders AS FROM '${path}'`)
  return { session, native, file }
}

const STATEMENTS = [
  'SELECT count(*) FROM local.orders',
  'SELECT count(*) AS n, sum(amount) FROM local.orders WHERE id > 15000',
  'SELECT id, "Customer name" FROM local.orders LIMIT 7',
  'SELECT id, amount FROM local.orders WHERE grade = 4 LIMIT 100',
  'SELECT id FROM local.orders WHERE grade IS NULL',
  'SELECT * REPLACE (l::VARCHAR AS l) FROM local.orders ORDER BY id DESC LIMIT 3',
  'SELECT * EXCLUDE (l) FROM local.orders LIMIT 0',
  'SELECT id FROM local.orders LIMIT 5 OFFSET 12000',
  'SELECT grade, count(*), min(day) FROM local.orders GROUP BY ALL ORDER BY ALL',
  'SELECT a.id, b.amount FROM local.orders a JOIN local.orders b ON a.id = b.id + 1 WHERE a.grade = 3 ORDER BY 1 LIMIT 20',
  'WITH q AS MATERIALIZED (FROM local.orders WHERE id < 10) SELECT q1.id, q2.id FROM q q1, q q2 ORDER BY ALL',
  'SELECT id, unnest(l) FROM local.orders WHERE id < 5',
  'SELECT unnest(l) AS each FROM local.orders LIMIT 5',
  'SELECT * EXCLUDE (l, day) FROM local.orders WHERE id BETWEEN 9998 AND 10001',
  'SELECT id, row_number() OVER (ORDER BY id DESC) FROM local.orders WHERE id < 4 ORDER BY 1',
  'SELECT (SELECT max(id) FROM local.orders i WHERE i.id < o.id) FROM local.orders o WHERE id < 4 ORDER BY o.id',
  'SELECT id FROM local.orders WHERE id IN (SELECT id + 1 FROM local.orders WHERE grade = 10) ORDER BY 1 LIMIT 5',
  'SELECT DISTINCT "Customer name" FROM local.orders ORDER BY 1',
  'SELECT id FROM local.orders WHERE false',
  'SELECT id FROM local.orders WHERE id < 0',
  '(SELECT id FROM local.orders WHERE id < 3) UNION ALL (SELECT id FROM local.orders WHERE id > 19997)',
  'SELECT id FROM (SELECT id FROM local.orders LIMIT 5) LIMIT 3',
  'PIVOT (SELECT "Customer name", grade, id FROM local.orders WHERE grade < 3) ON grade USING count(id) ORDER BY 1',
  'SELECT avg(len(l) + id % 2)::VARCHAR FROM local.orders',
  'SELECT TRY(id // (id % 2)) AS t FROM local.orders LIMIT 3',
]

describe('a Parquet file in place', () => {
  it.each([
    ['many row groups', 'ROW_GROUP_SIZE 2048'],
    ['one row group', ''],
  ])('gives what native DuckDB gives: %s', async (_, options) => {
    const { session, native } = await both(ORDERS, options)
    for (const sql of STATEMENTS) expect([sql, (await session.run(sql)).cells]).toEqual([sql, await native(sql)])
  })

  it('numbers its rows where read_parquet is asked to', async () => {
    const { path, file } = await duckParquet(ORDERS, 'ROW_GROUP_SIZE 2048')
    const session = await Session.open()
    const columns = [{ name: 'id', type: 'INTEGER' }]
    const dropped = { path: 'orders.parquet', table: null, columns, read: { kind: 'parquet', text: null } } as const
    session.add(['orders'], { stored: { fileId: 'c/orders' }, file }, dropped)
    const native = await nativeSession()
    await native('SET threads=1')
    const read = "read_parquet('orders.parquet', file_row_number = true)"
    for (const sql of [
      `SELECT id, file_row_number FROM ${read} WHERE id > 15000 AND grade = 4 LIMIT 20`,
      `SELECT file_row_number FROM ${read} LIMIT 3 OFFSET 9000`,
      `SELECT typeof(max(file_row_number)), max(file_row_number), count(*) FROM ${read} WHERE id <> file_row_number + 1`,
      `SELECT id FROM ${read} WHERE file_row_number IN (3, 12000)`,
    ])
      expect([sql, (await session.run(sql)).cells]).toEqual([sql, await native(sql.replace('orders.parquet', path))])
  })

  it('carries every type', async () => {
    const { session, native } = await both(MIXED)
    const text = 'SELECT COLUMNS(*)::VARCHAR FROM local.orders'
    expect((await session.run(text)).cells).toEqual(await native(text))
    // Where the file says milliseconds, so do we.
    const columns = 'SELECT column_name, column_type FROM (DESCRIBE SELECT * EXCLUDE (tsm) FROM local.orders)'
    expect((await session.run(columns)).cells).toEqual(await native(columns))
  })

  it('runs statements in transactions, and what they make', async () => {
    const { session, native } = await both(ORDERS)
    const script = [
      'BEGIN',
      'SELECT count(*) FROM local.orders',
      'CREATE TABLE mine AS SELECT id FROM local.orders WHERE id < 5',
      'SELECT sum(amount) FROM local.orders',
      'INSERT INTO mine SELECT grade FROM local.orders WHERE id = 4',
      'PIVOT (FROM local.orders WHERE id < 9) ON grade USING count(*) GROUP BY "Customer name" ORDER BY 1',
      'ROLLBACK',
      'SELECT sum(amount), max(id) FROM local.orders',
      'BEGIN',
      'CREATE VIEW v AS SELECT id, day FROM local.orders',
      'SELECT max(day) FROM v',
      'COMMIT',
      'CREATE TABLE kept (id INTEGER PRIMARY KEY, n DECIMAL(12,2))',
      'INSERT INTO kept SELECT id, amount FROM local.orders WHERE id < 5 ON CONFLICT DO NOTHING RETURNING n',
      'MERGE INTO kept USING (SELECT id, amount FROM local.orders WHERE id BETWEEN 3 AND 6) AS o ON kept.id = o.id WHEN MATCHED THEN UPDATE SET n = -amount WHEN NOT MATCHED THEN INSERT VALUES (o.id, o.amount) RETURNING kept.id',
      'UPDATE kept SET n = (SELECT max(amount) FROM local.orders) WHERE id = 1',
      'DELETE FROM kept WHERE id IN (SELECT grade FROM local.orders WHERE id = 2)',
      'SELECT * FROM kept ORDER BY id',
      'PREPARE p AS SELECT "Customer name", count(*) FROM local.orders WHERE id < $1 GROUP BY ALL ORDER BY ALL',
      'EXECUTE p(100)',
      'SELECT min(v.day), max(l[1]) FROM v, local.orders o WHERE o.id = v.id',
      'CREATE MACRO of_grade(g) AS TABLE SELECT id FROM local.orders WHERE grade = g',
      'SELECT count(*) FROM of_grade(3)',
    ]
    for (const sql of script) {
      const cells = await native(sql)
      const own = await session.run(sql)
      if (/^(?:select|pivot|execute)/i.test(sql)) expect([sql, own.cells]).toEqual([sql, cells])
    }
  })

  it.each([
    ['no rows', `SELECT 1::INTEGER AS id, 'x' AS s WHERE false`],
    ['one row', `SELECT 1::INTEGER AS id, NULL::VARCHAR AS s`],
    ['names that differ in their case alone', `SELECT 1 AS id, 2 AS s`],
  ])('reads files of %s', async (_, query) => {
    const { session, native } = await both(query)
    for (const sql of [
      'SELECT count(*) FROM local.orders',
      'FROM local.orders',
      'SELECT max(s) FROM local.orders LIMIT 1',
    ])
      expect((await session.run(sql)).cells).toEqual(await native(sql))
  })

  it('reads Arrow files too', async () => {
    const { path, file } = await duckParquet(MIXED)
    const { columns, batches } = await readAll(parquetReader, file)
    const { file: arrow } = await writeAll(arrowWriter, columns, batches, { kind: 'arrow' })
    const session = await Session.open()
    session.add(['orders'], { stored: { fileId: 'c/orders', rowCount: 0, byteSize: 0, schema: [] }, file: arrow })
    const native = await nativeSession()
    for (const of of ['count(*)', 'sum(i32), max(d38)', 'COLUMNS(* EXCLUDE tz)::VARCHAR'])
      expect((await session.run(`SELECT ${of} FROM local.orders`)).cells).toEqual(
        await native(`SELECT ${of} FROM '${path}'`),
      )
  })

  it('reads no more than a statement needs', async () => {
    const { session, file } = await both(ORDERS, 'ROW_GROUP_SIZE 2048')
    let bytes = 0
    const slice = file.slice.bind(file)
    file.slice = (from = 0, to = file.size, type) => {
      bytes += to - from
      return slice(from, to, type)
    }
    const read = async (sql: string): Promise<number> => {
      bytes = 0
      await session.run(sql)
      return bytes
    }
    await session.run('SELECT count(*) FROM local.orders')
    expect(await read('SELECT count(*) FROM local.orders')).toBe(0)
    expect(await read('FROM local.orders LIMIT 5')).toBeLessThan(file.size / 2)
  })

  it('gives up columns for others, and says when they’re too large', async () => {
    const { session, native } = await both(ORDERS, '', { placedBudget: 500_000 })
    for (const sql of [
      'SELECT sum(id) FROM local.orders',
      'SELECT sum(amount) FROM local.orders',
      'SELECT max(day) FROM local.orders',
      'SELECT sum(id) FROM local.orders',
      'SELECT COLUMNS(*)::VARCHAR FROM local.orders',
    ])
      expect((await session.run(sql)).cells).toEqual(await native(sql))
    await expect(session.run('FROM local.orders ORDER BY amount')).rejects.toMatchObject({ code: 'out-of-memory' })
    expect((await session.run('SELECT max(id) FROM local.orders')).cells).toEqual([['19999']])
  })

  it('is explained by the names that the person gave', async () => {
    const { session } = await both(ORDERS)
    const before = await session.run('EXPLAIN SELECT id FROM local.orders WHERE grade > 3')
    expect(JSON.stringify(before.cells)).not.toMatch(/~[0-9a-f]{32}/)
    await session.run('SELECT id FROM local.orders WHERE grade > 3')
    const after = await session.run('EXPLAIN ANALYZE SELECT id FROM local.orders WHERE grade > 3')
    expect(JSON.stringify(after.cells)).toContain('local.orders')
    const lists = await session.run('SELECT * FROM duckdb_views() WHERE NOT internal')
    expect(JSON.stringify(lists.cells)).not.toMatch(/f_[0-9a-f]{32}\b(?!:)/)
  })
})
