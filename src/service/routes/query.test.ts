import { describe, expect, test } from 'vitest'
import { TablesError, type Tables, type TablesErrorCode } from '../ports.ts'
import { bench, benchOf, requestOf, type Answer, type Bench } from '../testing/service.ts'
import { createTestTables } from '../testing/tables.ts'
import { processorTime } from '../../lib/testing.ts'

const ask = (b: Bench, sql: string, more: object = {}): Promise<Answer> => b.call('query', { body: { sql, ...more } })

describe('a query', () => {
  test('returns columns in order, rows by column name, their number and the duration', async () => {
    const b = await bench()
    await b.dataset('Sales', { tables: { Orders: 'id,who,since\n2,Bob,2026-01-31\n1,Ann,\n' } })
    const { status, data } = await ask(b, 'SELECT who, id, since FROM work.sales.orders ORDER BY id')
    expect(status).toBe(200)
    expect(data).toEqual({
      columns: ['who', 'id', 'since'],
      rows: [
        { who: 'Ann', id: 1, since: null },
        { who: 'Bob', id: 2, since: '2026-01-31' },
      ],
      count: 2,
      execution_time: expect.stringMatching(/^\d+(\.\d)?ms$/),
    })
  })

  test('ignores case in names, quotes them as in SQL, and requires all three parts', async () => {
    const b = await bench()
    await b.dataset('My "big" Sales', { tables: { 'Order Lines': 'a\n1\n' } })
    expect((await ask(b, 'FROM WORK."MY ""BIG"" SALES"."order lines"')).status).toBe(200)
    await b.dataset('d')
    for (const name of ['d.t', 't', 'other.d.t', 'work.d.u']) {
      expect((await ask(b, `FROM ${name}`)).status, name).toBeGreaterThanOrEqual(400)
    }
  })

  test('can read public datasets of other workspaces by their slugs', async () => {
    const b = await bench()
    const other = await benchOf(b, 'Other One')
    await other.dataset('open', { visibility: 'public' })
    await other.dataset('closed')
    await b.dataset('own')
    const both = await ask(b, 'SELECT count(*) AS n FROM other_one.open.t JOIN work.own.t USING (id)')
    expect(both.data['rows']).toEqual([{ n: 2 }])
    const closed = await ask(b, 'SELECT (SELECT count(*) FROM Other_One."closed".t) FROM work.own.t')
    expect(closed.status).toBe(404)
    expect(closed.error?.message).toMatch(/Other_One\."closed"\.t .*SHOW ALL TABLES/)
    expect(closed.error?.details).toEqual({ table: 'Other_One."closed".t' })
  })

  test('returns at most 10,000 rows, and says if there are more', async () => {
    const b = await bench()
    const all = await ask(b, 'SELECT * FROM range(10000)')
    expect([all.data['count'], all.data['truncated']]).toEqual([10_000, undefined])
    const more = await ask(b, 'SELECT * FROM range(10001)')
    expect([more.data['count'], more.data['truncated']]).toEqual([10_000, true])
    expect(more.data['rows']).toHaveLength(10_000)
  })

  test('returns values exactly that JSON’s numbers can’t hold', async () => {
    const b = await bench()
    const { data } = await ask(
      b,
      `SELECT 9007199254740991 AS safe, 9007199254740993 AS big, 1::HUGEINT AS huge, 1.50::DECIMAL(9, 2) AS decimal,
        DATE '2026-01-31' AS day, TIMESTAMP '2026-01-31 12:00:00.5' AS moment, 'NaN'::DOUBLE AS nan, [1, 2] AS list`,
    )
    expect(data['rows']).toEqual([
      {
        safe: 9_007_199_254_740_991,
        big: '9007199254740993',
        huge: '1',
        decimal: '1.50',
        day: '2026-01-31',
        moment: '2026-01-31T12:00:00.500000',
        nan: 'NaN',
        list: [1, 2],
      },
    ])
  })

  test('returns -0 with its sign', async () => {
    const b = await bench()
    const sql = `SELECT '-0.0'::DOUBLE AS a, 0.0::DOUBLE AS b, ['-0.0'::DOUBLE, 1] AS c, '-0.0' AS d`
    const text = await (await b.fetch(requestOf('query', b.key, { body: { sql } }))).text()
    expect(text).toContain('"rows":[{"a":-0.0,"b":0,"c":[-0.0,1],"d":"-0.0"}]')
  })

  test('returns each column under its own name, whatever that is', async () => {
    const b = await bench()
    const { columns } = (await ask(b, 'SELECT 1 AS a, 2 AS a, 3 AS "A"')).data
    expect(columns).toEqual(['a', 'a_1', 'A'])
    // Checks the text, since parsing with the answer's schema would lose such a name.
    const body = { sql: 'SELECT 1 AS "__proto__", 2 AS "constructor", 3 AS "1"' }
    const text = await (await b.fetch(requestOf('query', b.key, { body }))).text()
    expect(text).toContain('"columns":["__proto__","constructor","1"]')
    expect(text).toContain('"rows":[{"1":3,"__proto__":1,"constructor":2}]')
  })

  test('must be one statement that only reads', async () => {
    const b = await bench()
    await b.dataset('d')
    for (const sql of [
      'SELECT 1; SELECT 2',
      'CREATE TABLE x (a INT)',
      'DROP TABLE work.d.t',
      "ATTACH 'x.db'",
      "COPY (SELECT 1) TO 'x'",
      'SET threads = 1',
      'INSTALL json',
      "SELECT * FROM read_csv('/etc/passwd')",
    ]) {
      const { status, error } = await ask(b, sql)
      expect([status, error?.code], sql).toEqual([400, 'INVALID_REQUEST'])
    }
    expect((await ask(b, "FROM '/etc/passwd'")).error?.code).toMatch(/^(?:INVALID_REQUEST|NOT_FOUND)$/)
    for (const sql of [
      'FROM work.d.t',
      'SHOW ALL TABLES',
      'VALUES (1)',
      'WITH x AS (FROM work.d.t) FROM x',
      'SUMMARIZE work.d.t',
    ]) {
      expect((await ask(b, sql)).status, sql).toBe(200)
    }
  })

  test('with an error in the SQL says where it is', async () => {
    const b = await bench()
    const { status, error } = await ask(b, 'SELECT 1\nFROM range(3) WHERE nope = 1')
    expect([status, error?.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(error?.details).toEqual({ kind: 'sql', line: 2, column: 21 })
  })

  test('stops when its time is over', async () => {
    const b = await bench()
    const endless = 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b'
    const started = processorTime()
    const { status, error } = await ask(b, endless, { timeout_seconds: 1 })
    expect([status, error?.code]).toEqual([408, 'QUERY_TIMEOUT'])
    expect(processorTime() - started).toBeLessThan(3000)
    expect((await ask(b, 'SELECT 1')).status).toBe(200)
  })

  test('stops when the client disconnects', async () => {
    const b = await bench()
    const caller = new AbortController()
    const body = { sql: 'SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b' }
    const answering = b.fetch(requestOf('query', b.key, { body, signal: caller.signal }))
    setTimeout(() => caller.abort(), 50)
    const started = processorTime()
    expect((await answering).ok).toBe(false)
    expect(processorTime() - started).toBeLessThan(3000)
    expect((await ask(b, 'SELECT 1')).status).toBe(200)
  })
})

describe('the engine', () => {
  const failing = (code: TablesErrorCode, message: string, fields: TablesError['fields'] = {}) =>
    bench({
      tables: {
        ...createTestTables(),
        query: () => Promise.reject(new TablesError(code, message, fields)),
      },
    })

  test('gets only the tables that the key may read', async () => {
    const seen: string[][] = []
    const tables = createTestTables()
    const query: Tables['query'] = (request, signal) => {
      seen.push(request.readable.map(({ workspace, dataset, table }) => `${workspace}.${dataset}.${table}`))
      return tables.query(request, signal)
    }
    const b = await bench({ tables: { ...tables, query } })
    const other = await benchOf(b, 'Other')
    const { dataset } = await b.dataset('named')
    await b.dataset('unnamed')
    await other.dataset('closed')
    await other.dataset('open', { visibility: 'public' })
    const key = await b.addKey(b.workspace, [`datasets:${dataset.id}:read`, 'datasets:*:write'])
    const body = { body: { sql: 'SELECT 1' } }
    await b.caller(key)('query', body)
    await b.call('query', body)
    await b.caller(await b.addKey(other.workspace, [`datasets:${dataset.id}:read`]))('query', body)
    expect(seen.map((names) => names.toSorted())).toEqual([
      ['other.open.t', 'work.named.t'],
      ['other.open.t', 'work.named.t', 'work.unnamed.t'],
      ['other.open.t'],
    ])
  })

  test('gets the query’s limits of time and rows', async () => {
    const seen: unknown[] = []
    // A fake that answers at once, since on a busy machine any statement may take longer than a second.
    const query: Tables['query'] = async ({ sql, timeoutMs, maxRows }) => {
      seen.push({ sql, timeoutMs, maxRows })
      return { columns: ['1'], rows: [[1]], truncated: false }
    }
    const b = await bench({ tables: { ...createTestTables(), query } })
    for (const times of [{}, { timeout_seconds: 1 }, { timeout_seconds: 300 }]) {
      const { status, data } = await ask(b, 'SELECT 1', times)
      expect([status, data['rows']]).toEqual([200, [{ 1: 1 }]])
    }
    expect(seen).toEqual([
      { sql: 'SELECT 1', timeoutMs: 30_000, maxRows: 10_000 },
      { sql: 'SELECT 1', timeoutMs: 1_000, maxRows: 10_000 },
      { sql: 'SELECT 1', timeoutMs: 300_000, maxRows: 10_000 },
    ])
  })

  test.each([
    ['sql', 400, 'INVALID_REQUEST', { kind: 'sql', line: 3, column: 4 }, { line: 3, column: 4 }],
    ['sql', 400, 'INVALID_REQUEST', { kind: 'sql' }, {}],
    ['not-allowed', 400, 'INVALID_REQUEST', { kind: 'not_allowed' }, {}],
    ['out-of-memory', 400, 'INVALID_REQUEST', { kind: 'memory' }, {}],
    ['unknown-table', 404, 'NOT_FOUND', { table: 'a.b.c' }, { table: 'a.b.c' }],
    ['timeout', 408, 'QUERY_TIMEOUT', undefined, {}],
    ['unavailable', 503, 'SERVICE_UNAVAILABLE', undefined, {}],
    ['out-of-space', 503, 'SERVICE_UNAVAILABLE', { reason: 'out_of_space' }, {}],
  ] as const)('failing with %s is a %i', async (code, status, expected, details, fields) => {
    const b = await failing(code, 'What happened.', fields)
    const answer = await ask(b, 'SELECT 1')
    expect([answer.status, answer.error?.code]).toEqual([status, expected])
    expect(answer.error?.details).toEqual(details)
  })

  test('failing unexpectedly is a 500 without details', async () => {
    const tables = { ...createTestTables(), query: () => Promise.reject(new Error('/home/secret: SELECT password')) }
    const b = await bench({ tables })
    const { status, error } = await ask(b, 'SELECT 1')
    expect([status, error?.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(JSON.stringify(error)).not.toMatch(/secret|password|\.ts|at /)
    expect(b.ports.lines.join('\n')).toMatch(/req_[0-9A-Z]{26}/)
  })
})
