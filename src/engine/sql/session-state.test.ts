import { expect, it } from 'vitest'
import { openDatabase } from '../storage/open-database.ts'
import { Session } from '../testing/session.ts'
import { SessionState } from './session-state.ts'

it('a COMMIT that fails ends the transaction, as the engine does', async () => {
  const db = await openDatabase({ checker: true })
  const state = new SessionState(db)
  db.guest.query('CREATE TABLE t (a INTEGER PRIMARY KEY)')
  state.transact('begin', 'BEGIN')
  db.guest.query('INSERT INTO t VALUES (1)')
  state.hasMade({ kind: 'table', sql: 'INSERT INTO t VALUES (1)', parameters: {} })
  db.checker?.query('INSERT INTO t VALUES (1)')
  expect(() => state.transact('commit', 'COMMIT')).toThrow('duplicate key')
  expect(state.transaction).toBeNull()
  expect(state.takeMade()).toEqual([])
  expect(state.transact('begin', 'BEGIN')).toContain('has begun')
  expect(() => state.transact('begin', 'BEGIN')).toThrow('within a transaction')
  expect(state.transaction).toBe('open')
  state.transact('rollback', 'ROLLBACK')
}, 60_000)

it('a collation by default doesn’t mix up names of the session’s objects', async () => {
  const session = await Session.open()
  await session.change('SET VARIABLE x = 1')
  await session.change("SET default_collation = 'NOACCENT'")
  await session.change('CREATE SCHEMA "mý"')
  await session.change('CREATE TABLE "mý".t AS SELECT 1 AS a')
  expect(session.engine.temporary().map(({ name }) => name)).toEqual(['mý.t'])
  expect((await session.run("SELECT getvariable('x'), 'á' = 'a'")).cells).toEqual([['1', 'true']])
  await expect(session.change("SET default_collation = 'nowhere'")).rejects.toMatchObject({ code: 'sql-error' })
  expect((await session.run("SELECT 'á' = 'a'")).cells).toEqual([['true']])
}, 60_000)

it('a plan that fails within a transaction ends it, and says so', async () => {
  const session = await Session.open()
  const { signal } = new AbortController()
  const explain = (sql: string) => session.engine.explain({ ...session.call(sql), analyze: true }, signal)
  await session.run('CREATE TABLE t AS SELECT 1 AS a')
  await session.run('BEGIN')
  await explain('FROM t')
  expect(session.engine.transaction).toBe('open')
  await expect(explain(`SELECT 'x' || (a::VARCHAR || 'y')::INTEGER FROM t`)).rejects.toThrow()
  expect(session.engine.transaction).toBe('failed')
  await expect(session.run('FROM t')).rejects.toMatchObject({ code: 'sql-not-allowed' })
  await session.run('ROLLBACK')
  expect((await session.run('FROM t')).cells).toEqual([['1']])
}, 60_000)

it.each([
  ["INSERT INTO t VALUES ('x')", /^Could not convert string 'x' to INTEGER/],
  ["SELECT 'x'::INTEGER FROM t", /^Could not convert string 'x' to INTEGER/],
  ["SELECT 'x' || (a::VARCHAR || 'y')::INTEGER FROM t", /^Could not convert string '1y' to INTEGER/],
  ['UPDATE t SET a = 99999 * 99999 * a', /^Overflow in multiplication of INTEGER/],
  ['BEGIN', /^cannot start a transaction within a transaction/],
  ['SELECT b FROM t', /^Referenced column "b" not found/],
])(
  'says what is wrong with a statement of a transaction: %s',
  async (sql, message) => {
    const session = await Session.open()
    await session.run('CREATE TABLE t AS SELECT 1 AS a')
    await session.run('BEGIN')
    await expect(session.run(sql)).rejects.toMatchObject({ code: 'sql-error', message: expect.stringMatching(message) })
    await session.run('ROLLBACK')
  },
  60_000,
)

it('hides where temporary things are, in the search path and in columns’ names', async () => {
  const session = await Session.open()
  const path = async () => (await session.run("SELECT current_setting('search_path')")).cells
  expect(await path()).toEqual([['']])
  for (const sql of ['CREATE SCHEMA s', 'CREATE SCHEMA "my s"', 'USE s']) await session.change(sql)
  expect(await path()).toEqual([['s']])
  await session.change(`SET search_path = '"my s",s'`)
  expect(await path()).toEqual([['my s,s']])
  const listed = await session.run("SELECT value FROM duckdb_settings() WHERE name = 'search_path'")
  expect(listed.cells).toEqual(await path())
  await session.change('CREATE MACRO g(x) AS x')
  await session.change('CREATE TEMP MACRO g(x) AS x + 1')
  const { result, cells } = await session.run("SELECT g(1), current_setting('search_path')")
  expect(cells).toEqual([['2', 'my s,s']])
  expect(result.columns.map(({ name }) => name)).toEqual(['g(1)', "current_setting('search_path')"])
}, 60_000)

it('refuses lists of a type that is temporary and hides another, which DuckDB can’t name', async () => {
  const session = await Session.open()
  await session.change("CREATE TYPE t AS ENUM ('a')")
  await session.change('CREATE TEMP TYPE t AS VARCHAR')
  await expect(session.run("SELECT ['b']::t[]")).rejects.toMatchObject({ code: 'sql-not-allowed' })
  await session.change('DROP TYPE temp.t')
  expect((await session.run("SELECT ['a']::t[]")).cells).toEqual([['["a"]']])
}, 60_000)
