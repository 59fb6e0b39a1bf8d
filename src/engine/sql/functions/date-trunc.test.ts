import { beforeAll, describe, expect, it } from 'vitest'
import { nativeRows, nativeText } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'

/* Native DuckDB errs in the same way, but where it's kept from using what it believes. */

let session: Session
beforeAll(async () => {
  session = await Session.open()
  await nativeRows("SET disabled_optimizers = 'statistics_propagation'")
}, 120_000)

const TABLE = `(SELECT i, CASE WHEN i % 7 > 0 THEN TIMESTAMP '1960-01-01' + to_seconds(i * 30000) END AS t,
  CASE WHEN i % 5 > 0 THEN DATE '1960-01-01' + (i // 3)::INTEGER END AS d, 'month' AS p FROM range(30000) r(i))`

describe('date_trunc of what may be NULL', () => {
  beforeAll(async () => {
    await session.run(`CREATE TABLE times AS FROM ${TABLE}`)
    await session.run(`CREATE VIEW months AS SELECT i, date_trunc('month', t) AS m FROM times`)
    await session.run(`CREATE MACRO quarter_of(x) AS datetrunc('quarter', x)`)
    await nativeRows(`CREATE TABLE times AS FROM ${TABLE}`)
    await nativeRows(`CREATE VIEW months AS SELECT i, date_trunc('month', t) AS m FROM times`)
    await nativeRows(`CREATE MACRO quarter_of(x) AS datetrunc('quarter', x)`)
  })

  it.each([
    `SELECT date_trunc('year', t) AS y, count(*) AS n FROM times GROUP BY y ORDER BY y NULLS FIRST`,
    `SELECT date_trunc('year', t), count(*) FROM times GROUP BY date_trunc('year', t) ORDER BY date_trunc('year', t)`,
    `SELECT count(date_trunc('month', d)), count(datetrunc('day', t)), typeof(any_value(date_trunc('month', t))) FROM times`,
    `SELECT count(*) FROM times WHERE date_trunc('month', t) IS NULL`,
    `SELECT count(*) FROM times WHERE system.main.date_trunc('month', t) IS NULL`,
    `SELECT count(*) FROM times WHERE p.date_trunc(t) IS NULL`,
    `SELECT count(*) FROM times WHERE date_trunc(p, date_trunc('day', t)) IS NULL`,
    `SELECT m, count(*) FROM months GROUP BY ALL ORDER BY ALL`,
    `SELECT quarter_of(t) AS q, count(*) FROM times GROUP BY q ORDER BY q`,
    `SELECT count(b.d), count(date_trunc('week', b.d)) FROM times a LEFT JOIN times b ON a.i = b.i + 20000`,
    `SELECT count(DISTINCT "date_trunc"('decade', t)), count(DISTINCT Date_Trunc('decade', d)) FROM times`,
    `SELECT sum(i) OVER (PARTITION BY date_trunc('century', t) ORDER BY i) AS s FROM times ORDER BY i LIMIT 3`,
    `SELECT date_trunc('hour', INTERVAL 100 MINUTE)::VARCHAR AS v`,
  ])('%s', async (sql) => {
    expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
  })

  it('is called as it’s written', async () => {
    const sql = `SELECT date_trunc('month', t), datetrunc('day', d) + INTERVAL 1 DAY, 1 FROM times LIMIT 1`
    const names = (await session.run(sql)).result.columns.map(({ name }) => name)
    const [plain] = await nativeRows(`DESCRIBE ${sql}`).then((rows) => [rows.map((row) => row[0])])
    expect(names).toEqual(plain)
  })

  it('is called as it’s written in tables and views that are made of it', async () => {
    await session.run(`CREATE TABLE cut AS SELECT date_trunc('month', t), datetrunc('day', d) IS NULL FROM times`)
    await session.run(`CREATE VIEW cut_view AS SELECT date_trunc('month', t) FROM times`)
    const sql = `SELECT "date_trunc('month', t)" AS a FROM cut JOIN cut_view USING ("date_trunc('month', t)") LIMIT 1`
    expect((await session.run(sql)).cells).toHaveLength(1)
    const described = await session.run(
      `DESCRIBE SELECT date_trunc('month', t), system.main.date_trunc('day', d) FROM times`,
    )
    expect(described.cells.map(([name]) => name)).toEqual(["date_trunc('month', t)", "date_trunc('day', d)"])
  })

  it('tells an error where it is', async () => {
    await expect(session.run(`SELECT 1 AS a, date_trunc('month', nowhere) FROM times`)).rejects.toMatchObject({
      message: expect.stringContaining('nowhere') as string,
      details: { line: 1, column: 36 },
    })
  })
})
