import { beforeAll, describe, expect, it } from 'vitest'
import { isAbort } from '../../lib/abort.ts'
import { EngineError } from '../errors.ts'
import { Session } from '../testing/session.ts'
import { nativeText, nativeTypes } from '../testing/oracle.ts'
import { load, loadText } from '../testing/tables.ts'
import { processorTime } from '../../lib/testing.ts'
import { refusal } from '../testing/refusal.ts'

let session: Session
const T = 'ws.d.orders'
const QUIET = new AbortController().signal

beforeAll(async () => {
  session = await Session.open()
  session.add(['ws', 'd', 'orders'], await loadText('id,customer,amount\n1,Ann,10.50\n2,Bob,20.25\n3,Ann,0.25\n'))
}, 120_000)

describe('the session’s own tables', () => {
  it('are made, changed and dropped, and said to be temporary', async () => {
    const own = await Session.open()
    own.add(['ws', 'd', 'orders'], await loadText('id,customer\n1,Ann\n2,Bob\n'))
    const message = async (sql: string): Promise<string | null> => (await own.run(sql)).summary.message
    expect(await message(`CREATE TEMP TABLE temp.a AS FROM ${T}`)).toBe(
      'Created the temporary table a with 2 rows, which is gone when this tab closes.',
    )
    expect(await message('CREATE OR REPLACE TEMPORARY VIEW v AS FROM a WHERE id > 1')).toMatch(
      /^Created the temporary view v, /,
    )
    expect((await own.run('FROM v')).cells).toEqual([['2', 'Bob']])
    expect(await message("INSERT INTO a VALUES (3, 'Cid'), (4, NULL)")).toMatch(
      /^Added 2 rows to the temporary table a/,
    )
    expect(await message('UPDATE a SET customer = upper(customer) WHERE id < 3')).toMatch(/^Changed 2 rows of/)
    expect(await message('DELETE FROM main.a WHERE id = 4')).toBe('Removed 1 row of the temporary table a.')
    expect(await message('ALTER TABLE a ADD COLUMN n INTEGER')).toMatch(/^Changed the temporary table a/)
    expect((await own.run('FROM a ORDER BY id')).cells).toEqual([
      ['1', 'ANN', null],
      ['2', 'BOB', null],
      ['3', 'Cid', null],
    ])
    expect(own.engine.temporary()).toMatchObject([
      {
        name: 'a',
        kind: 'table',
        columns: [{ name: 'id', type: 'INTEGER' }, { name: 'customer', type: 'VARCHAR' }, { name: 'n' }],
      },
      { name: 'v', kind: 'view' },
    ])
    expect(
      await message('CREATE TABLE IF NOT EXISTS "odd ""name.é😀" (a INTEGER PRIMARY KEY, b VARCHAR DEFAULT \'x\')'),
    ).toContain('odd ""name.é😀')
    expect(await message('DROP VIEW v')).toBe('Removed the temporary view v.')
    expect(await message('DROP TABLE IF EXISTS a')).toBe('Removed the temporary table a.')
    expect(own.engine.temporary().map(({ name }) => name)).toEqual(['odd "name.é😀'])
  })
})

describe('what the session says', () => {
  const refused = async (sql: string): Promise<unknown> => {
    const { message: said, remedy } = await refusal(session.run(sql), sql)
    return [said, remedy]
  }
  const message = async (sql: string): Promise<string | null> => (await session.run(sql)).summary.message

  it('is true of names that are taken', async () => {
    await session.run('CREATE TABLE taken AS SELECT 1 AS a')
    await session.run('CREATE VIEW "seen it" AS FROM taken')
    const remedy = 'Choose another name, or drop that one first.'
    expect(await refused('CREATE TABLE Taken AS SELECT 2')).toEqual(['There is already a table or view Taken.', remedy])
    expect(await refused('CREATE VIEW taken AS SELECT 2')).toEqual(['There is already a table or view taken.', remedy])
    expect(await refused('CREATE TABLE "seen it" (a INT)')).toEqual([
      'There is already a table or view seen it.',
      remedy,
    ])
    expect(await message('CREATE TABLE IF NOT EXISTS taken AS SELECT 2')).toBe(
      'Nothing was changed: there is already a temporary table taken.',
    )
    expect(await message('DROP TABLE IF EXISTS missing')).toBe(
      'Nothing was changed: there is no temporary table missing.',
    )
    expect(await refused('INSERT INTO "seen it" VALUES (1)')).toEqual([
      'The rows of a view can’t be changed.',
      'Change the tables that it reads.',
    ])
    expect(await message('DROP VIEW IF EXISTS "seen it"')).toBe('Removed the temporary view "seen it".')
    expect(await message('DROP TABLE taken')).toBe('Removed the temporary table taken.')
  })

  it('is said once, and tells of nothing that can’t be done', async () => {
    expect(await refused(`SELECT custmer FROM ${T}`)).toEqual([
      'Referenced column "custmer" not found in FROM clause!',
      'Did you mean customer?',
    ])
    const [several] = (await refused('SELECT (SELECT i FROM range(3) AS t(i))')) as [string]
    expect(several).toMatch(/^More than one row returned by a subquery used as an expression[^"]*\.$/)
  })
})

describe('check', () => {
  const check = (sql: string) => session.engine.check(session.call(sql), QUIET)
  it.each<[string, string, RegExp, string[]]>([
    [`SELECT 'é😀', nope FROM ${T}`, 'nope', /nope/, []],
    [`SELECT custmer FROM ${T}`, 'custmer', /custmer/, ['customer']],
    ['SELECT 1 FROM ws.d.ordes', 'ws.d.ordes', /There is no table ws\.d\.ordes/, [T]],
    ['FROM orders', 'orders', /no table orders/, [T]],
    ["SELECT /* é */ sbstr('a', 1)", 'sbstr', /sbstr/, ['substr']],
    ['SELECT 1 +', '+', /syntax error/, []],
    ['SELEC 1', 'SELEC', /syntax error/, []],
    [`SELECT $a + $bb, nope FROM ${T}`, 'nope', /nope/, []],
    ["COPY x TO 'y'", "COPY x TO 'y'", /COPY/, []],
  ])('%s', async (sql, at, message, suggestions) => {
    const [problem] = await check(sql)
    expect(problem.message).toMatch(message)
    expect(sql.slice(problem.from, problem.to)).toBe(at)
    if (suggestions.length > 0) expect(problem.suggestions).toEqual(suggestions)
  })

  it.each([
    '',
    ' -- c',
    `FROM ${T} WHERE id = $id`,
    'CREATE TABLE x AS SELECT 1',
    `PIVOT ${T} ON customer USING sum(id)`,
    `SUMMARIZE ${T}`,
  ])('finds nothing wrong with “%s”', async (sql) => {
    expect(await check(sql)).toEqual([])
  })

  it('leaves nothing behind', async () => {
    await check('CREATE TABLE x AS SELECT 1')
    expect(session.engine.temporary()).toEqual([])
  })

  it('describes', async () => {
    const columnsOf = (sql: string) => session.engine.describe(session.call(sql), QUIET)
    expect(await columnsOf(`SELECT id, sum(amount) AS id FROM ${T} GROUP BY id`)).toEqual([
      { name: 'id', type: 'INTEGER' },
      { name: 'id', type: 'DECIMAL(38,2)' },
    ])
    expect(await columnsOf('SELECT nope')).toBeNull()
    expect(await columnsOf('CREATE TABLE x (a INT)')).toBeNull()
  })
})

describe('explain', () => {
  it('is a tree with the caller’s names, and what running took', async () => {
    const request = { ...session.call(`SELECT customer, sum(id) FROM ${T} GROUP BY customer`), analyze: true }
    const names = (plan: { name: string; children: readonly unknown[] }): string[] => [
      plan.name,
      ...plan.children.flatMap((child) => names(child as typeof plan)),
    ]
    const ran = await session.engine.explain(request, QUIET)
    expect(names(ran).join(' ')).toMatch(/GROUP_BY.*SCAN/)
    expect(JSON.stringify(ran)).toContain('["Table","ws.d.orders"]')
    expect(ran.milliseconds).toBeGreaterThanOrEqual(0)
    expect(ran.rows).toBe(2)
    const planned = await session.engine.explain({ ...request, analyze: false }, QUIET)
    expect(planned.rows).toBeNull()
    expect(JSON.stringify(planned)).toMatch(/"estimatedRows":\d/)
  })
})

describe('statements that aren’t as they look', () => {
  it.each([
    ['EXPLAIN ANALYZE SELECT count(*) FROM ws.d.orders', /analyzed_plan/],
    ['EXPLAIN (ANALYZE) SELECT count(*) FROM ws.d.orders', /analyzed_plan/],
    ['SHOW DATABASES', /ws/],
    ['CREATE TABLE keyed (id INTEGER PRIMARY KEY, v INTEGER)', /Created/],
    ['INSERT OR REPLACE INTO keyed VALUES (1, 2)', /Added 1 row/],
    ['INSERT INTO keyed VALUES (1, 3) ON CONFLICT DO UPDATE SET v = 9', /Added 1 row/],
    ['DROP TABLE keyed', /Removed/],
  ])('%s', async (sql, told) => {
    expect(await session.engine.check(session.call(sql), QUIET)).toEqual([])
    const { summary, cells } = await session.run(sql)
    expect(JSON.stringify([summary.message, cells])).toMatch(told)
  })
})

describe('while a statement runs', () => {
  const slow = 'SELECT count(*) FROM range(100000) a(x), range(100000) b(y) WHERE x * y % 7 = 3'

  it('others are checked, and it’s cancelled within a second', async () => {
    const controller = new AbortController()
    const running = session.run(slow, { signal: controller.signal })
    running.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await session.engine.check(session.call(`FROM ${T}`), QUIET)).toEqual([])
    expect((await session.engine.check(session.call('FROM nowhere'), QUIET)).length).toBe(1)
    expect((await session.engine.describe(session.call(`SELECT id FROM ${T}`), QUIET))?.length).toBe(1)
    const begun = processorTime()
    controller.abort()
    await expect(running).rejects.toSatisfy(isAbort)
    expect(processorTime() - begun).toBeLessThan(1000)
    expect((await session.run('SELECT 1')).cells).toEqual([['1']])
  })

  it('checks don’t disturb a stream', async () => {
    let looks = 0
    const taken = (): void => {
      if (looks++ % 4 === 0) void session.engine.check(session.call(`SELECT nope FROM ${T}`), QUIET)
    }
    const { result } = await session.run('SELECT i, hash(i) AS h FROM range(200000) t(i)', { taken })
    expect(result.rowCount).toBe(200_000)
    expect(result.text(199_999, 0)).toBe('199999')
  })

  it('is cancelled at any moment, and the session lives', async () => {
    const statement = `SELECT a.i, b.customer FROM range(300000) a(i) JOIN ${T} b ON a.i % 3 + 1 = b.id ORDER BY a.i`
    for (const after of [0, 1, 5, 20, 60, 150]) {
      const controller = new AbortController()
      setTimeout(() => controller.abort(), after)
      await session.run(statement, { signal: controller.signal }).catch((error: unknown) => {
        if (!isAbort(error)) throw error
      })
      expect((await session.run(`SELECT count(*) FROM ${T}`)).cells).toEqual([['3']])
    }
  })
})

describe('tables that change', () => {
  it('are what they are when a statement begins; those that are gone are told', async () => {
    const own = await Session.open()
    own.add(['ws', 'd', 't'], await loadText('a\n1\n'))
    own.add(['big'], await loadText(`a\n${Array.from({ length: 50_000 }, (_, i) => i).join('\n')}\n`))
    await own.run('CREATE VIEW v AS FROM ws.d.t')
    expect((await own.run('FROM v')).cells).toEqual([['1']])
    const other = await loadText('a\n2\n')
    own.use({ published: [], local: [] })
    expect((await own.run('FROM v').catch((error: unknown) => error)) as object).toMatchObject({
      code: 'unknown-table',
    })
    own.add(['ws', 'd', 't'], other)
    expect((await own.run('FROM ws.d.t')).cells).toEqual([['2']])
    expect((await own.run('FROM v')).cells).toEqual([['2']])
    // Its file can't be found.
    own.use({ published: [{ workspace: 'ws', dataset: 'd', table: 'lost', fileId: 'c/none' }], local: [] })
    expect(await own.run('FROM ws . "D".Lost').catch((error: unknown) => error)).toMatchObject({ code: 'file-changed' })
  })

  it('may go while rows are read of them', async () => {
    const own = await Session.open()
    own.add(['big'], await loadText(`a\n${Array.from({ length: 120_000 }, (_, i) => i).join('\n')}\n`))
    let first = true
    const taken = (): void => {
      if (first) own.use({ published: [], local: [] })
      first = false
    }
    expect((await own.run('FROM local.big', { taken })).result.rowCount).toBe(120_000)
    await expect(own.run('FROM local.big')).rejects.toMatchObject({ code: 'unknown-table' })
  })
})

describe('limits', () => {
  it('out of memory is an error of its own, and the session lives', async () => {
    const small = await Session.open({ memoryLimit: '30MB' })
    await small.run('CREATE TABLE kept AS SELECT 1 AS a')
    const error: unknown = await small
      .run("SELECT list(i || 'xxxxxxxxxxxxxxxxxxxx') FROM range(5000000) t(i)")
      .catch((e: unknown) => e)
    expect(error).toMatchObject({ code: 'out-of-memory', remedy: expect.any(String) as unknown })
    expect(error).toBeInstanceOf(EngineError)
    expect((await small.run('FROM kept')).cells).toEqual([['1']])
  })

  it('a result beyond its memory keeps the rows so far, and says so', async () => {
    const small = await Session.open({ resultLimit: 1_000_000 })
    const { summary, result } = await small.run('SELECT i FROM range(10000000) t(i)')
    expect(summary.leftOut).toBe(true)
    expect(summary.rows).toBe(result.rowCount)
    expect(summary.bytes).toBeGreaterThanOrEqual(1_000_000)
    expect(summary.bytes).toBeLessThan(2_000_000)
    expect((await small.run('SELECT 1')).summary.leftOut).toBe(false)
  })

  it('statements of 100,000 characters and results of thousands of columns', async () => {
    const long = `SELECT ${Array.from({ length: 9000 }, (_, i) => `${i}::BIGINT`).join(', ')} -- ${'é'.repeat(10_000)}`
    expect(long.length).toBeGreaterThan(100_000)
    const { result } = await session.run(long)
    expect(result.columns.length).toBe(9000)
    expect(result.text(0, 8999)).toBe('8999')
  }, 120_000)

  it('takes odd names, and files of many columns', async () => {
    const own = await Session.open()
    own.add(['w"s.x', 'dà ta', '<b>é😀.t'], await loadText('a,"b ""c""",<i>\n1,2,3\n'))
    expect((await own.run('FROM "w""s.x"."dà ta"."<b>é😀.t"')).result.columns.map(({ name }) => name)).toEqual([
      'a',
      'b "c"',
      '<i>',
    ])
    for (const name of [
      ['main', 'main', 'memory'],
      ['memory', 'main', 'temp'],
      ['temp', 'Étude', 'main'],
      ['Local', 'x', 'y'],
      ['local', 'main2', 'z'],
    ]) {
      own.add(name, await loadText(`who\n${name.join('.')}\n`))
    }
    for (const sql of ['main.main.memory', 'MEMORY.main."temp"', 'temp."ÉTUDE".main', 'local.x.y', 'local.main2.z']) {
      expect((await own.run(`FROM ${sql}`)).cells[0][0]?.toLowerCase(), sql).toBe(sql.toLowerCase().replaceAll('"', ''))
    }
    const wide = Array.from({ length: 300 }, (_, i) => `c${i}`).join(',')
    own.add(['wide'], await load(new File([`${wide}\n${wide}\n`], 'wide.csv')))
    expect((await own.run('FROM local.wide')).result.columns.length).toBe(300)
  })
})

describe('values and types', () => {
  it('are native DuckDB’s', async () => {
    const list = `1::TINYINT a, 18446744073709551615::UBIGINT b, 170141183460469231731687303715884105727 c, -1.50::DECIMAL(4,2) d,
      0.1::FLOAT e, 1e300 f, 'NaN'::DOUBLE g, 'é😀' h, DATE '2024-02-29' i, TIMESTAMP '1969-12-31 23:59:59.999999' j,
      INTERVAL '1 year 2 days' k, '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID l, 'b'::ENUM('a', 'b') m, '0101'::BIT n,
      [1, NULL] o, TIME '01:02:03.5' q, 340282366920938463463374607431768211455::UHUGEINT r, true s, NULL t, NULL::INTEGER u`
    const sql = `SELECT ${list}`
    const { cells, result } = await session.run(sql)
    expect(result.columns.map(({ name, type }) => [name, type])).toEqual(await nativeTypes(sql))
    const [native] = await nativeText(sql)
    const ours = cells[0].map((cell, i) =>
      result.columns[i].name === 'o' ? cell?.replace('null', 'NULL').replace(',', ', ') : cell === 'NaN' ? 'nan' : cell,
    )
    expect(ours).toEqual(native)
  })
})
