import { beforeAll, describe, expect, it } from 'vitest'
import { nativeRows, nativeText } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'

/* Native DuckDB errs in the same way, but where these optimizers are off. */

let session: Session
beforeAll(async () => {
  session = await Session.open()
  await nativeRows("SET disabled_optimizers = 'deliminator,build_side_probe_side'")
  for (const sql of [
    `CREATE TABLE few AS SELECT i::INTEGER AS id, (i % 2)::INTEGER AS k, (hash(i) % 20)::INTEGER AS v, (i % 5)::INTEGER AS w
      FROM range(12) t(i)`,
    `CREATE TABLE many AS SELECT (i % 2)::INTEGER AS k, (hash(i, 1) % 12)::INTEGER AS v, (i % 4)::INTEGER AS w
      FROM range(3000) t(i)`,
    `CREATE TABLE posts AS SELECT * FROM (VALUES (1, 100, 10), (2, 150, 20), (3, NULL, 5), (4, 50, 2)) t(id, views, likes)`,
    `CREATE TABLE gone AS SELECT 1 AS k, 1 AS v`,
  ]) {
    await session.run(sql)
    await nativeRows(sql)
  }
}, 120_000)

describe('subqueries and joins by several comparisons', () => {
  it.each([
    `SELECT id FROM few a WHERE EXISTS (FROM many b WHERE a.k = b.k AND a.v < b.v AND a.w <> b.w) ORDER BY id`,
    `SELECT id FROM few a WHERE NOT EXISTS (FROM many b WHERE a.k = b.k AND a.v < b.v AND a.w <> b.w) ORDER BY id`,
    `SELECT id, EXISTS (FROM many b WHERE a.v < b.v AND a.w <> b.w) AS e FROM few a ORDER BY id`,
    `SELECT count(*) AS n FROM posts p
      WHERE EXISTS (FROM (SELECT q.views AS c FROM posts q WHERE p.likes > q.likes) s WHERE s.c <> p.likes)`,
    `SELECT a.id, EXISTS (FROM many x WHERE x.k = a.k AND g.v <> x.v) AS e
      FROM few a LEFT JOIN gone g ON g.k = a.k AND a.id > 3 ORDER BY id`,
    `SELECT id FROM few a SEMI JOIN many b ON a.k = b.k AND a.v = b.v ORDER BY id`,
    `SELECT id FROM few a ANTI JOIN many b ON a.v < b.v AND a.w > b.w ORDER BY id`,
    `SELECT id FROM few a WHERE v < ANY (SELECT v FROM many b WHERE w = 3) ORDER BY id`,
    `SELECT id FROM few a WHERE v = ANY (SELECT v FROM many b WHERE a.k = b.k) ORDER BY id`,
    `SELECT id FROM few a WHERE v >= ALL (SELECT v FROM many b WHERE a.k = b.k) ORDER BY id`,
  ])('%s', async (sql) => {
    expect((await session.run(sql)).cells).toEqual(await nativeText(sql))
  })

  it('is refused inside of a macro, in one that it calls, and under a view of it; = ANY in one isn’t', async () => {
    for (const sql of [
      `CREATE MACRO below(x, key) AS x < ANY (SELECT v FROM many b WHERE b.k = key)`,
      `CREATE MACRO lower(x, key) AS NOT below(x, key)`,
      `CREATE MACRO same(x, key) AS x = ANY (SELECT v FROM many b WHERE b.k = key)`,
      `CREATE MACRO chosen(n) AS TABLE SELECT id FROM few a WHERE v >= SOME (SELECT v FROM many b WHERE a.k = b.k) AND id > n`,
      `CREATE MACRO shown(x, key) AS x = key`,
      `CREATE VIEW judged AS SELECT id, shown(a.v, a.k) AS e FROM few a`,
      `CREATE OR REPLACE MACRO shown(x, key) AS x > ANY (SELECT v FROM many b WHERE b.k = key)`,
    ])
      await session.run(sql)
    for (const sql of [
      `SELECT id FROM few a WHERE below(a.v, a.k)`,
      `SELECT id FROM few a WHERE "Lower"(a.v, a.k)`,
      `FROM chosen(1)`,
      `FROM judged WHERE e`,
    ]) {
      const refusal = { code: 'sql-not-allowed', message: expect.stringContaining('with ANY') as string }
      await expect(session.run(sql), sql).rejects.toMatchObject(refusal)
    }
    const same = `SELECT id FROM few a WHERE same(a.v, a.k) ORDER BY id`
    await nativeRows(`CREATE MACRO same(x, key) AS x = ANY (SELECT v FROM many b WHERE b.k = key)`)
    expect((await session.run(same)).cells).toEqual(await nativeText(same))
  })

  it.each([
    [`SELECT id FROM few a SEMI JOIN many b ON a.k = b.k AND a.v < b.v`, 'SEMI JOIN by ='],
    [`SELECT id FROM few a ANTI JOIN many b ON a.k IS NOT DISTINCT FROM b.k AND a.v <> b.v`, 'ANTI JOIN by ='],
    [
      `WITH c AS (FROM few a SEMI JOIN many b ON a.k + 1 = b.k AND a.v <= b.v) SELECT count(*) FROM c`,
      'SEMI JOIN by =',
    ],
    [`SELECT id FROM few a WHERE v < ANY (SELECT v FROM many b WHERE a.k = b.k)`, 'with ANY'],
    [`SELECT id FROM few a WHERE v != some (SELECT v FROM many b WHERE a.k = b.k)`, 'with SOME'],
    [`CREATE TABLE kept AS FROM few a WHERE v >= ANY (SELECT v FROM many b WHERE a.k = b.k)`, 'with ANY'],
    [`CREATE VIEW seen AS FROM few a SEMI JOIN many b ON a.k = b.k AND a.v < b.v`, 'SEMI JOIN by ='],
    [
      `DELETE FROM few WHERE id IN (SELECT id FROM few a ANTI JOIN many b ON a.k = b.k AND a.v > b.v)`,
      'ANTI JOIN by =',
    ],
  ])('is refused: %s', async (sql, what) => {
    await expect(session.run(sql)).rejects.toMatchObject({
      code: 'sql-not-allowed',
      message: expect.stringContaining(what) as string,
      remedy: expect.stringContaining('EXISTS') as string,
    })
  })
})
