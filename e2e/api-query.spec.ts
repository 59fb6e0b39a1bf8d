import { expect, test } from './test.ts'
import { account, CSV, dataset, open, put, send, sql, upload, type Json } from './api.ts'

/* Queries, and requests and pages that end halfway: over HTTP from the page. */

test.beforeEach(({ page }) => open(page))

test('values keep what JSON’s numbers can’t hold', async ({ page }) => {
  const by = await account(page)
  const reply = await sql(
    by,
    `SELECT 9007199254740991 AS safe, 9007199254740993 AS big, 170141183460469231731687303715884105727 AS huge,
      1.50::DECIMAL(9, 2) AS decimal, DATE '2026-01-31' AS day, TIMESTAMP '2026-01-31 12:00:00.5' AS moment,
      TIMESTAMPTZ '2026-01-31 12:00:00+02:00' AS zoned, TIME '01:02:03' AS clock, 'NaN'::DOUBLE AS nan,
      '-inf'::DOUBLE AS inf, 'ab'::BLOB AS blob, [1, NULL] AS list, {'a': 1, 'b': {'c': 'x'}} AS struct,
      MAP {'k': 1} AS map, NULL AS nothing, true AS yes, 1 AS a, 2 AS a`,
  )
  expect(reply.status, reply.text).toBe(200)
  expect(reply.data['rows']).toEqual([
    {
      safe: 9_007_199_254_740_991,
      big: '9007199254740993',
      huge: '170141183460469231731687303715884105727',
      decimal: '1.50',
      day: '2026-01-31',
      moment: '2026-01-31T12:00:00.500000',
      zoned: '2026-01-31T10:00:00.000000Z',
      clock: '01:02:03.000000',
      nan: 'NaN',
      inf: '-Infinity',
      blob: 'YWI=',
      list: [1, null],
      struct: { a: 1, b: { c: 'x' } },
      map: [{ key: 'k', value: 1 }],
      nothing: null,
      yes: true,
      a: 1,
      a_1: 2,
    },
  ])
})

test('answers have at most 10,000 rows, and say when there were more', async ({ page }) => {
  const by = await account(page)
  const exact = await sql(by, 'SELECT * FROM range(10000)')
  expect([exact.data['count'], exact.data['truncated'] ?? false]).toEqual([10_000, false])
  const more = await sql(by, 'SELECT * FROM range(10001)')
  expect([more.data['count'], more.data['truncated']]).toEqual([10_000, true])
})

test('what asks for more than the engine holds is refused, and the next statement runs', async ({ page }) => {
  test.slow()
  const by = await account(page)
  const name = 'x'.repeat(200_000)
  for (const statement of [
    'SELECT range(1000000000)',
    `SELECT repeat('x', 1000000000)`,
    `SELECT list_sum(range(2000000000))`,
    `SELECT * FROM a.b."${name}"`,
    `SELECT "${name}"`,
  ]) {
    // The longest timeout: the engine concatenates a billion pieces to a gigabyte of text.
    const reply = await sql(by, statement, { timeout_seconds: 300 })
    const shown = `${statement.slice(0, 60)}: ${reply.text.slice(0, 300)}`
    expect([400, 404], shown).toContain(reply.status)
    expect(reply.text.length, shown).toBeLessThan(5000)
    expect(reply.text, shown).not.toMatch(/yyjson|out of bounds|\bSET\b/)
    expect((await sql(by, 'SELECT 1 AS one')).data['rows'], shown).toEqual([{ one: 1 }])
  }
})

test('statements read, one at a time, and nothing but tables', async ({ page }) => {
  test.slow()
  const by = await account(page)
  await dataset(by, 'd')
  const t = `${by.workspace.slug}.d.t`
  for (const statement of [
    `SELECT * FROM ${t}`,
    `FROM ${t}`,
    `WITH x AS (SELECT * FROM ${t}) SELECT count(*) FROM x`,
    'VALUES (1), (2)',
    `DESCRIBE ${t}`,
    `SUMMARIZE ${t}`,
    `EXPLAIN SELECT * FROM ${t}`,
    `PIVOT ${t} ON name USING count(*)`,
    `UNPIVOT (SELECT id, amount FROM ${t}) ON id, amount`,
    `SELECT 1;`,
    `SELECT ';' -- ; comment`,
  ]) {
    const reply = await sql(by, statement)
    expect(reply.status, `${statement}: ${reply.text}`).toBe(200)
  }
  for (const statement of [
    'SELECT 1; SELECT 2',
    'CREATE TABLE x (a INTEGER)',
    `INSERT INTO ${t} VALUES (1)`,
    `DELETE FROM ${t}`,
    `DROP TABLE ${t}`,
    `DROP VIEW ${t}`,
    "ATTACH 'x.db'",
    'DETACH memory',
    "COPY (SELECT 1) TO 'x.csv'",
    'SET threads = 1',
    'PRAGMA version',
    'INSTALL json',
    'LOAD json',
    "SELECT * FROM read_csv('x.csv')",
    "SELECT * FROM read_text('x')",
    "SELECT * FROM glob('*')",
    "FROM 'x.csv'",
    "FROM 'https://example.org/x.csv'",
    '',
    '-- nothing',
    'SELEC 1',
  ]) {
    const reply = await sql(by, statement)
    expect([reply.status, reply.error?.code], `${statement}: ${reply.text}`).toEqual([400, 'INVALID_REQUEST'])
  }
  const wrong = await sql(by, 'SELECT 1\nFROM range(3) WHERE nope = 1')
  expect(wrong.error?.details).toMatchObject({ kind: 'sql', line: 2 })
})

test('tables that are not there, or not readable, are a 404 that names them as they were written', async ({ page }) => {
  test.slow()
  const by = await account(page)
  const other = await account(page)
  await dataset(by, 'mine')
  await dataset(other, 'secret_ledger')
  const mine = `${by.workspace.slug}.mine.t`
  for (const name of [
    `${other.workspace.slug}.secret_ledger.t`,
    `${by.workspace.slug}.Mine.tt`,
    'Nobody."is here".t',
  ]) {
    for (const statement of [
      `SELECT * FROM ${name}`,
      `SELECT * FROM ${mine} WHERE id IN (SELECT id FROM ${name})`,
      `WITH x AS (SELECT * FROM ${name}) SELECT 1 FROM x`,
      `DESCRIBE ${name}`,
      `SUMMARIZE ${name}`,
    ]) {
      const { status, error, text } = await sql(by, statement)
      expect([status, error?.code], `${statement}: ${text}`).toEqual([404, 'NOT_FOUND'])
      expect(error?.message).toContain(name)
      expect(text.replaceAll(name, '')).not.toContain('secret_ledger')
    }
  }
})

test('a query stops when its time is over, and another can follow', async ({ page }) => {
  const by = await account(page)
  // The first statement starts the engine.
  expect((await sql(by, 'SELECT 1')).status).toBe(200)
  const started = Date.now()
  const late = await sql(by, 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b', {
    timeout_seconds: 1,
  })
  expect([late.status, late.error?.code], late.text).toEqual([408, 'QUERY_TIMEOUT'])
  expect(Date.now() - started).toBeLessThan(10_000)
  expect((await sql(by, 'SELECT 1')).status).toBe(200)
})

test('a query stops when its caller leaves', async ({ page }) => {
  const by = await account(page)
  expect((await sql(by, 'SELECT 1')).status).toBe(200)
  const body = { sql: 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b', timeout_seconds: 300 }
  const left = await send(page, 'POST', '/public/v1/query', { key: by.key, body, abortAfter: 500 })
  expect(left.status).toBe(0)
  expect((await sql(by, 'SELECT 1', { timeout_seconds: 20 })).status).toBe(200)
})

test('names may be anything', async ({ page }) => {
  test.slow()
  const by = await account(page)
  for (const name of ['__proto__', `a "b".c`, "x'; DROP TABLE t; --", '../../etc', '日本語 🦆', 'select']) {
    const { status: made, text } = await by.call('POST', '/public/v1/datasets', {
      workspace_id: by.workspace.id,
      dataset_name: name,
      tables: [{ table_name: name, signed_url: await upload(by, '"a ""b""",__proto__\n1,2\n') }],
    })
    expect(made, text).toBe(201)
    const quoted = `"${name.replaceAll('"', '""')}"`
    const reply = await sql(by, `SELECT * FROM ${by.workspace.slug}.${quoted}.${quoted}`)
    expect(reply.data['columns'], reply.text).toEqual(['a "b"', '__proto__'])
    expect(reply.text).toContain('"__proto__":2')
  }
})

test('a caller who leaves while a dataset is made leaves nothing', async ({ page }) => {
  test.slow()
  const by = await account(page)
  const rows = Array.from({ length: 200_000 }, (_, i) => `${i},name ${i},${i / 100}`).join('\n')
  const url = await upload(by, `id,name,amount\n${rows}\n`)
  const tables = Array.from({ length: 20 }, (_, i) => ({ table_name: `t${i}`, signed_url: url }))
  const body = { workspace_id: by.workspace.id, dataset_name: 'Big', tables }
  const left = await send(page, 'POST', '/public/v1/datasets', { key: by.key, body, abortAfter: 700 })
  expect(left.status).toBe(0)
  const list = `/public/v1/workspaces/${by.workspace.id}/datasets`
  expect((await by.call('GET', list)).data['count']).toBe(0)
  const again = await by.call('POST', '/public/v1/datasets', { ...body, tables: tables.slice(0, 1) })
  expect(again.status, again.text).toBe(201)
  await page.waitForTimeout(2000)
  expect((await by.call('GET', list)).data['count']).toBe(1)
  expect(await put(page, url, CSV)).toMatchObject({ status: 409 })
})

test('what was made is there after a reload, in another tab, and when the first one is closed', async ({
  page,
  context,
}) => {
  const by = await account(page)
  const id = await dataset(by, 'Kept')
  await page.reload()
  await open(page)
  expect((await by.call('GET', `/public/v1/datasets/${id}`)).status).toBe(200)
  const second = await context.newPage()
  await open(second)
  await page.close()
  const ask = { sql: `SELECT sum(id)::INTEGER AS n FROM ${by.workspace.slug}.kept.t` }
  const reply = await send(second, 'POST', '/public/v1/query', { key: by.key, body: ask })
  expect(reply.data['rows'], reply.text).toEqual([{ n: 6 }])
})

test('the interface describes itself to anybody, on both prefixes', async ({ page }) => {
  for (const prefix of ['/public/v1', '/api/public/v1']) {
    const { status, data } = await send(page, 'GET', `${prefix}/openapi.json`)
    expect([status, data['openapi']]).toEqual([200, expect.stringMatching(/^3\.1/)])
    expect(JSON.stringify(Object.keys(data['paths'] as Json))).toContain('/convert/upload-urls')
  }
})

test('the console: workspaces, usage', async ({ page }) => {
  const by = await account(page)
  await dataset(by, 'd')
  const path = `/console/v1/workspaces/${by.workspace.id}`
  const { data } = await send(page, 'GET', `${path}/usage`)
  expect(data['storage']).toMatchObject({ dataset_count: 1, table_count: 1 })
  const renamed = await send(page, 'PATCH', path, { body: { name: 'Renamed', plan: 'free' } })
  expect(renamed.data['workspace']).toMatchObject({ name: 'Renamed', plan: 'free', slug: by.workspace.slug })
  const list = await by.call('GET', `/public/v1/workspaces/${by.workspace.id}/datasets`)
  expect(list.headers['x-ratelimit-limit']).toBe('100')
  expect((await send(page, 'DELETE', path)).data).toEqual({ id: by.workspace.id, deleted: true })
  expect((await by.call('GET', `/public/v1/workspaces/${by.workspace.id}/datasets`)).status).toBe(401)
})
