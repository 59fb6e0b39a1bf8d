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
  const named = Object.entries({ own, other }).map(([name, { stored }]) => {
    return { workspace: 'w', dataset: 'd', table: name, fileId: stored.fileId }
  })
  // Only its size matters.
  const place = fileURLToPath(import.meta.url)
  const files = new Map(named.map(({ fileId }) => [fileId, place]))
  const sql = `SELECT count(*) FROM w.d.${table}`
  return (await executor.answer({ sql, tables: named, named, files, maxRows: 10, timeoutMs: 5000 }, QUIET))
    ?.rows[0]?.[0]
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
