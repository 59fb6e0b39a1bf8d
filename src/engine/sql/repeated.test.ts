import { expect, it } from 'vitest'
import { Session } from '../testing/session.ts'
import { loadText } from '../testing/tables.ts'

/* A statement that ran before isn't taken apart and bound again; whatever may have given it another meaning is heeded. */

interface Counted {
  readonly db: { readonly bindings: Record<string, (...request: unknown[]) => unknown> }
}

/** Calls of the engine while something is done: taking a text apart, and statements beside the one that runs. */
async function callsWhile(session: Session, work: () => Promise<unknown>): Promise<number> {
  const { bindings } = (session.engine as unknown as Counted).db
  let calls = 0
  const names = ['tokenize', 'runQuery']
  const before = names.map((name) => bindings[name])
  for (const [i, name] of names.entries())
    bindings[name] = (...request) => {
      calls++
      return before[i]?.apply(bindings, request)
    }
  try {
    await work()
    return calls
  } finally {
    for (const [i, name] of names.entries()) if (before[i]) bindings[name] = before[i]
  }
}

const loaded = (text: string, fileId: string) => loadText(text).then(({ file }) => ({ stored: { fileId }, file }))

it('asks the engine nothing but the statement itself', async () => {
  const session = await Session.open()
  session.add(['ws', 'sales', 'orders'], await loaded('id,amount\n1,2\n3,4\n', 'c/1'))
  session.add(['clients'], await loaded('id\n1\n', 'c/2'))
  const sql = 'SELECT sum(amount) FROM ws.sales.orders JOIN clients USING (id)'
  const first = await callsWhile(session, () => session.run(sql))
  expect(first).toBeGreaterThan(2)
  expect(await callsWhile(session, () => session.run(sql))).toBe(0)
  expect((await session.run(sql)).cells).toEqual([['2']])
})

it('asks for macros and views once, where one of them may matter, and only after a statement that may have made one', async () => {
  const session = await Session.open()
  session.add(['t'], await loaded('a\n1\n2\n', 'c/1'))
  const { db } = session.engine as unknown as Counted
  const asked: unknown[] = []
  const query = db.bindings['runQuery']
  db.bindings['runQuery'] = (...request) => {
    if (String(request[1]).includes('macro_definition')) asked.push(request[1])
    return query?.apply(db.bindings, request)
  }
  const correlated = (value: number) =>
    `SELECT a FROM t WHERE EXISTS (FROM t AS other WHERE other.a < t.a) AND a <> ${value}`
  expect((await session.run(correlated(0))).cells).toEqual([['2']])
  expect(asked).toEqual([])
  await session.change('CREATE MACRO twice(x) AS x * 2')
  expect((await session.run(correlated(1))).cells).toEqual([['2']])
  expect((await session.run(correlated(2))).cells).toEqual([])
  expect(asked).toHaveLength(1)
})

it('heeds a table of the session’s own, and that it’s gone', async () => {
  const session = await Session.open()
  session.add(['t'], await loaded('a\n1\n', 'c/1'))
  const of = async () => {
    const { cells, summary } = await session.run('SELECT a FROM t')
    return [cells, summary.notes]
  }
  const local = [[['1']], ['t is the local table local.t.']]
  expect(await of()).toEqual(local)
  expect(await of()).toEqual(local)
  await session.change('BEGIN')
  await session.change('CREATE TABLE t AS SELECT 5 AS a')
  expect(await of()).toEqual([[['5']], []])
  await session.change('ROLLBACK')
  expect(await of()).toEqual(local)
})

it('heeds a file that comes, and one in the place of another', async () => {
  const session = await Session.open()
  const sql = "SELECT a FROM 'orders.csv'"
  await expect(session.run(sql)).rejects.toMatchObject({ code: 'sql-not-allowed' })
  const dropped = { path: 'orders.csv', table: null, columns: [], read: null }
  const add = async (text: string, fileId: string) => session.add(['orders'], await loaded(text, fileId), dropped)
  await add('a\n1\n', 'c/1')
  expect((await session.run(sql)).cells).toEqual([['1']])
  expect((await session.run(sql)).cells).toEqual([['1']])
  session.use({ published: [], local: [] })
  await expect(session.run(sql)).rejects.toMatchObject({ code: 'sql-not-allowed' })
  await add('a\n2\n', 'c/2')
  expect((await session.run(sql)).cells).toEqual([['2']])
})

it('heeds the time zone, and what is prepared', async () => {
  const session = await Session.open()
  const sql = "SELECT strftime(TIMESTAMPTZ '2024-07-01 12:00:00+00', '%H') AS h"
  const hour = async () => (await session.run(sql)).cells[0]?.[0]
  expect([await hour(), await hour()]).toEqual(['12', '12'])
  await session.change("SET TimeZone = 'Asia/Tokyo'")
  expect([await hour(), await hour()]).toEqual(['21', '21'])
  await session.change('PREPARE p AS SELECT 1 AS a')
  expect((await session.run('EXECUTE p')).cells).toEqual([['1']])
  await session.change('PREPARE p AS SELECT 2 AS a')
  expect((await session.run('EXECUTE p')).cells).toEqual([['2']])
})
