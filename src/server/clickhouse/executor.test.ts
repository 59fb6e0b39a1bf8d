import { ClickHouseError } from '@clickhouse/client'
import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { SqlEngine } from '../../engine/sql/engine.ts'
import { openQueryEngine, planQuery } from '../../engine/sql/query.ts'
import { loadText, type Loaded } from '../../engine/testing/tables.ts'
import { physicalName } from '../../engine/storage/file-names.ts'
import { builtDuckDB } from '../testing/native.ts'
import { Unreachable, type ClickHouse } from './client.ts'
import { Executor } from './executor.ts'
import type { KnownTable } from './translate/context.ts'

/* Failures, with a ClickHouse that fails as told. */

const QUIET = new AbortController().signal
let engine: SqlEngine
let own: Loaded
let other: Loaded

beforeAll(async () => {
  engine = await openQueryEngine(builtDuckDB())
  own = await loadText('a\n1\n2\n3\n')
  other = await loadText('a\n1\n')
})

const select = vi.fn<ClickHouse['select']>()
const load = vi.fn<() => Promise<void>>()
const plan = vi.fn<typeof planQuery>()
let there: Map<string, KnownTable>
let executor: Executor

beforeEach(() => {
  select.mockReset().mockResolvedValue([['3']])
  load.mockReset().mockResolvedValue()
  plan.mockReset().mockImplementation(planQuery)
  there = new Map([own, other].map(({ stored }) => [physicalName(stored.fileId), { sql: 'x', columns: new Map() }]))
  const unused = (): never => {
    throw new Error('not in this test')
  }
  executor = new Executor({
    prefix: '',
    cluster: null,
    fromBytes: 0,
    client: { select, ping: unused, command: unused, rows: unused, insert: unused, close: unused },
    tables: {
      find: (names) => Promise.resolve(new Map([...there].filter(([name]) => names.includes(name)))),
      load: () => load(),
      forget: () => there.clear(),
    },
    plan: ({ sql, tables }, signal) => {
      const files = new Map([own, other].map(({ stored, file }) => [stored.fileId, file]))
      return plan(engine, { sql, tables, files }, signal)
    },
    log: () => undefined,
  })
})

/** The number of a table's rows, if ClickHouse answered. */
async function count(table: 'own' | 'other' = 'own'): Promise<unknown> {
  return (await answer(`SELECT count(*) FROM w.d.${table}`))?.[0]?.[0]
}

/** A statement's rows, if ClickHouse answered. */
async function answer(sql: string): Promise<readonly (readonly unknown[])[] | undefined> {
  const named = Object.entries({ own, other }).map(([name, { stored }]) => {
    return { workspace: 'w', dataset: 'd', table: name, fileId: stored.fileId }
  })
  // Only its size matters.
  const place = fileURLToPath(import.meta.url)
  const files = new Map(named.map(({ fileId }) => [fileId, place]))
  return (await executor.answer({ sql, tables: named, named, files, maxRows: 10, timeoutMs: 5000 }, QUIET))?.rows
}

it('isn’t asked for a while after it couldn’t be reached', async () => {
  select.mockRejectedValueOnce(new Unreachable('gone'))
  expect(await count()).toBeUndefined()
  expect(await count()).toBeUndefined()
  expect(select).toHaveBeenCalledOnce()
})

it('is asked again at once after a statement wasn’t bound in time', async () => {
  plan.mockRejectedValueOnce(new DOMException('too late', 'TimeoutError'))
  expect(await count()).toBeUndefined()
  expect(await count()).toBe(3)
})

it('answers about other tables after one couldn’t be exported, which isn’t tried again at once', async () => {
  there.delete(physicalName(own.stored.fileId))
  load.mockRejectedValueOnce(new Error('out of memory'))
  for (let time = 0; time < 2; time++) {
    expect(await count()).toBeUndefined()
    await executor.loaded()
    expect(await count('other')).toBe(3)
  }
  expect(load).toHaveBeenCalledOnce()
})

it('gets a table again that it has lost', async () => {
  there.delete(physicalName(own.stored.fileId))
  const before = new Map(there)
  load.mockImplementation(() => {
    there = new Map([...before, [physicalName(own.stored.fileId), { sql: 'x', columns: new Map() }]])
    return Promise.resolve()
  })
  expect(await count()).toBeUndefined()
  await executor.loaded()
  expect(await count()).toBe(3)
  select.mockRejectedValueOnce(new ClickHouseError({ message: 'gone', code: '60', type: 'UNKNOWN_TABLE' }))
  expect(await count()).toBeUndefined()
  expect(await count()).toBeUndefined()
  await executor.loaded()
  expect(await count()).toBe(3)
  expect(load).toHaveBeenCalledTimes(2)
})

it('leaves it to DuckDB which of two rows that tie are skipped', async () => {
  const columns = new Map([[0, { type: { name: 'INTEGER' } as const, nulls: true }]])
  there = new Map([...there.keys()].map((name) => [name, { sql: 'x', columns }]))
  const sql = 'SELECT a FROM w.d.own ORDER BY a % 2 LIMIT 1 OFFSET 1'
  // The last row that is skipped, and one more, each with what it's sorted by.
  select.mockResolvedValueOnce([
    ['2', '(0)'],
    ['1', '(1)'],
  ])
  expect(await answer(sql)).toEqual([[1]])
  expect(select.mock.lastCall?.[0]).toMatch(/ LIMIT 0, 2 WITH TIES$/)
  select.mockResolvedValueOnce([
    ['3', '(1)'],
    ['1', '(1)'],
  ])
  expect(await answer(sql)).toBeUndefined()
  select.mockResolvedValueOnce([['1', '(1)']])
  expect(await answer(sql)).toEqual([])
})

it('needs no ties of rows that are sorted by all their columns', async () => {
  const columns = new Map([[0, { type: { name: 'INTEGER' } as const, nulls: true }]])
  there = new Map([...there.keys()].map((name) => [name, { sql: 'x', columns }]))
  select.mockResolvedValueOnce([['2', '7']])
  expect(await answer('SELECT a, 7 AS b FROM w.d.own ORDER BY a LIMIT 1 OFFSET 1')).toEqual([[2, 7]])
  expect(select.mock.lastCall?.[0]).toMatch(/ LIMIT 1, 1$/)
})
