import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Connection } from '../storage/database.ts'
import { Session } from '../testing/session.ts'
import { loadText, type Loaded } from '../testing/tables.ts'
import { RecentMap } from './recent-map.ts'

const QUIET = new AbortController().signal
const T = 'ws.d.t'
let session: Session
let table: Loaded
let bindings: () => number

beforeAll(async () => {
  session = await Session.open()
  table = await loadText('a,b\n1,x\n')
}, 120_000)

beforeEach(async () => {
  for (const { kind, name } of session.engine.temporary()) await session.run(`DROP ${kind} ${name}`)
  session.use({ published: [], local: [] })
  session.add(['ws', 'd', 't'], table)
  const asked = vi.spyOn(Connection.prototype, 'query')
  bindings = () => {
    const count = asked.mock.calls.filter(([sql]) => /^(?:EXPLAIN|DESCRIBE)/.test(sql)).length
    asked.mockClear()
    return count
  }
})
afterEach(() => {
  vi.restoreAllMocks()
})

const columnsOf = async (sql: string): Promise<string[]> =>
  (await session.run(sql)).result.columns.map(({ name, type }) => `${name} ${type}`)

describe('a statement that was bound', () => {
  it('isn’t bound again, whoever asks', async () => {
    expect(await session.engine.check(session.call(`FROM ${T}`), QUIET)).toEqual([])
    expect(bindings()).toBe(2)
    expect(await columnsOf(`FROM ${T}`)).toEqual(['a INTEGER', 'b VARCHAR'])
    expect((await session.engine.describe(session.call(`FROM ${T}`), QUIET))?.length).toBe(2)
    expect((await session.run(`FROM ${T}`)).cells).toEqual([['1', 'x']])
    expect(bindings()).toBe(0)
    session.use({ published: [{ ...session.call('').tables[0] }], local: [] })
    await session.run(`FROM ${T}`)
    expect(bindings()).toBe(0)
  })

  it('is by its values another', async () => {
    for (const a of ['1', '2', '1']) {
      const { cells } = await session.run('SELECT $a AS a', { parameters: { a: { type: 'BIGINT', text: a } } })
      expect(cells).toEqual([[a]])
    }
    expect(bindings()).toBe(4)
  })

  it('is refused when its table can no longer be read', async () => {
    await session.run(`SELECT count(*) FROM ${T}`)
    session.use({ published: [], local: [] })
    await expect(session.run(`SELECT count(*) FROM ${T}`)).rejects.toMatchObject({ code: 'unknown-table' })
    expect((await session.engine.check(session.call(`SELECT count(*) FROM ${T}`), QUIET)).length).toBe(1)
    expect(await session.engine.describe(session.call(`SELECT count(*) FROM ${T}`), QUIET)).toBeNull()
  })

  it('is bound to the table that now has the name', async () => {
    expect(await columnsOf(`FROM ${T}`)).toEqual(['a INTEGER', 'b VARCHAR'])
    session.use({ published: [], local: [] })
    session.add(['ws', 'd', 't'], await loadText('c\n2024-01-01\n'))
    expect(await columnsOf(`FROM ${T}`)).toEqual(['c DATE'])
  })

  it.each<[string, string[], string[] | null]>([
    ['a table made again with other columns', ['DROP TABLE own', "CREATE TABLE own AS SELECT 'x' AS s"], ['s VARCHAR']],
    ['a replaced table', ['CREATE OR REPLACE TABLE own (d DATE, e INTEGER)'], ['d DATE', 'e INTEGER']],
    ['an altered table', ['ALTER TABLE own ADD COLUMN n DOUBLE'], ['i INTEGER', 'n DOUBLE']],
    ['a view in its place', ['DROP TABLE own', `CREATE VIEW own AS SELECT b FROM ${T}`], ['b VARCHAR']],
    ['a dropped table', ['DROP TABLE own'], null],
    [
      'a table that couldn’t be made',
      ["CREATE OR REPLACE TABLE own AS SELECT 'x'::INTEGER AS s FROM range(3)"],
      ['i INTEGER'],
    ],
  ])('knows of %s', async (_, changes, columns) => {
    await session.run('CREATE TABLE own AS SELECT 1 AS i')
    expect(await columnsOf('FROM own')).toEqual(['i INTEGER'])
    for (const change of changes) await session.run(change).catch(() => undefined)
    if (columns) expect(await columnsOf('FROM own')).toEqual(columns)
    else await expect(session.run('FROM own')).rejects.toMatchObject({ code: 'unknown-table' })
  })

  it('knows of what a view of the session’s reads', async () => {
    await session.run(`CREATE VIEW v AS FROM ${T}`)
    await session.run('FROM v')
    session.use({ published: [], local: [] })
    await expect(session.run('FROM v')).rejects.toMatchObject({ code: 'unknown-table' })
  })

  it('isn’t kept where rows make columns', async () => {
    await session.run("CREATE TABLE own AS FROM (VALUES ('x', 1)) t(k, n)")
    const pivot = 'PIVOT own ON k USING sum(n)'
    expect(await columnsOf(pivot)).toEqual(['x HUGEINT'])
    await session.run("INSERT INTO own VALUES ('y', 2)")
    expect(await columnsOf(pivot)).toEqual(['x HUGEINT', 'y HUGEINT'])
    bindings()
    await session.run(pivot)
    expect(bindings()).toBeGreaterThan(0)
  })

  it('that is refused is refused again', async () => {
    for (let i = 0; i < 2; i++) {
      await expect(session.run("SELECT * FROM read_csv('x.csv')")).rejects.toMatchObject({ code: 'sql-not-allowed' })
    }
  })
})

describe('RecentMap', () => {
  it('keeps those used last, and no long ones', () => {
    const bound = new RecentMap<string[]>()
    bound.set('first', [])
    bound.set('x'.repeat(30_000), [])
    expect(bound.get('x'.repeat(30_000))).toBeUndefined()
    for (let i = 0; i < 63; i++) bound.set(`${i}`, [])
    expect(bound.get('first')).toEqual([])
    bound.set('more', [])
    expect([bound.get('first'), bound.get('0'), bound.get('1')]).toEqual([[], undefined, []])
    bound.clear()
    expect(bound.get('first')).toBeUndefined()
  })
})
