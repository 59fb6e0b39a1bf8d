import { beforeAll, describe, expect, it } from 'vitest'
import { Session } from '../testing/session.ts'

/* Native DuckDB 1.4 loses rows of some of these, so that what is right is written down. */

let session: Session
beforeAll(async () => {
  session = await Session.open()
  await session.run(`CREATE TABLE a AS FROM (VALUES (1, 10), (1, 20), (NULL, 30)) t(k, w)`)
  await session.run(`CREATE TABLE b AS FROM (VALUES (1, 5, 'x'), (1, 15, 'y'), (NULL, 1, 'z')) t(k, w, v)`)
}, 120_000)

describe('ASOF joins', () => {
  it.each([
    ['LEFT', 'true', ['1 10 x', '1 20 y', 'null 30 null']],
    ['LEFT', 'false', ['1 10 null', '1 20 null', 'null 30 null']],
    ['LEFT', 'w BETWEEN 2 AND 1', ['1 10 null', '1 20 null', 'null 30 null']],
    ['LEFT', 'k > 1', ['1 10 null', '1 20 null', 'null 30 null']],
    ['', 'true', ['1 10 x', '1 20 y']],
    ['', 'false', []],
    ['RIGHT', "v > 'x'", ['1 20 y', 'null null z']],
    ['FULL', 'false', ['1 10 null', '1 20 null', 'null 30 null']],
  ])('%s, of rows where %s', async (kind, where, rows) => {
    const { cells } = await session.run(`SELECT a.k, a.w, b.v FROM a ASOF ${kind} JOIN (FROM b WHERE ${where}) b
      ON a.k = b.k AND a.w >= b.w ORDER BY ALL`)
    expect(cells.map((row) => row.map(String).join(' '))).toEqual(rows)
  })
})
