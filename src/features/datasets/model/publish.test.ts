import { NEVER } from '../../../lib/abort.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ApiClient, NewDataset } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { EngineError, type ConvertResult } from '../../../engine/client.ts'
import { applyEdits } from '../../../tables/edits.ts'
import { column, inspection, table } from '../../../tables/testing.ts'
import { fakeApi, fakeEngine } from '../testing.ts'
import { toParquet } from './parquet.ts'
import { Publisher, uploadName, type PublishTable, type TableRun } from './publish.ts'

const plan = applyEdits(inspection(table([column('id', 'BIGINT')])), [])
const shop = { name: 'Shop', description: 'all of it', visibility: 'private', tags: ['a'] } as const

function csv(id: string, more: Partial<PublishTable> = {}): PublishTable {
  const file = new File([`id\n${id}`], `${id}.csv`, { lastModified: 0 })
  const publication = { how: 'file', format: 'csv' } as const
  return { id, name: id, append: false, file, plan, publication, agreed: false, ...more }
}
const parquet = (id: string, more: Partial<PublishTable> = {}): PublishTable =>
  csv(id, { publication: { how: 'parquet', because: 'changed' }, ...more })

function setup(overrides: Partial<ApiClient> = {}, made: Partial<ConvertResult> = {}) {
  const fake = fakeApi(overrides)
  const runs = new Map<string, TableRun[]>()
  const engine = fakeEngine(made)
  let id = 0
  const publisher = new Publisher({
    api: fake.api,
    engine,
    newId: () => `id-${++id}`,
    report: (name, run) => runs.set(name, [...(runs.get(name) ?? []), run]),
  })
  const last = (name: string): TableRun | undefined => runs.get(name)?.at(-1)
  return { ...fake, publisher, runs, last, engine }
}

describe('creating', () => {
  test('sends files unchanged and planned tables as Parquet, and reports each step', async () => {
    const { publisher, datasets, puts, runs } = setup()
    const outcome = await publisher.create(shop, [csv('a'), parquet('b')], NEVER)
    expect(outcome.kind).toBe('created')
    expect(puts.map(({ contentType }) => contentType)).toEqual(['text/csv', 'application/vnd.apache.parquet'])
    expect([...datasets.values()].map(({ name, tables }) => [name, tables.map((made) => made.name)])).toEqual([
      ['Shop', ['a', 'b']],
    ])
    const steps = runs.get('b')?.map((run) => (run.kind === 'running' ? run.step : run.kind))
    expect(Array.from(new Set(steps))).toEqual(['waiting', 'prepare', 'sign', 'upload', 'load', 'done'])
  })

  test('sends nothing if rows don’t fit and nobody accepted that', async () => {
    const { publisher, puts, engine } = setup({}, { rejectedCount: 3 })
    const outcome = await publisher.create(shop, [csv('a'), parquet('b')], NEVER)
    expect(outcome).toMatchObject({ kind: 'held' })
    expect(puts).toEqual([])
    expect(engine.kept.size).toBe(0)
    const agreed = await publisher.create(shop, [csv('a'), parquet('b', { agreed: true })], NEVER)
    expect(agreed.kind).toBe('created')
  })

  test('sends nothing if a table can’t be written, and says why', async () => {
    const { publisher, puts, last, engine } = setup()
    engine.convert.mockRejectedValueOnce(new EngineError('corrupt-file', 'It is damaged.', { place: 'byte 9' }))
    expect(await publisher.create(shop, [parquet('a'), csv('b')], NEVER)).toEqual({ kind: 'unsent' })
    expect(last('a')).toMatchObject({
      kind: 'failed',
      step: 'prepare',
      problem: { message: 'It is damaged.', place: 'byte 9' },
    })
    expect(puts).toEqual([])
  })

  test('uploads only what failed in the next attempt', async () => {
    const { publisher, puts, last, failNext } = setup()
    failNext('upload', new ApiError('unreachable', 'no answer', { status: 0, requestId: null }))
    expect(await publisher.create(shop, [csv('a'), csv('b')], NEVER)).toEqual({ kind: 'unsent' })
    expect(last('a')).toMatchObject({ kind: 'failed', step: 'upload' })
    expect((await publisher.create(shop, [csv('a'), csv('b')], NEVER)).kind).toBe('created')
    expect(puts.map(({ name }) => name)).toEqual(['b.csv', 'a.csv'])
  })

  test('signs an expired URL again', async () => {
    const { publisher, signed, failNext } = setup()
    failNext('upload', new ApiError('FORBIDDEN', 'expired', { status: 403, requestId: null }))
    expect((await publisher.create(shop, [csv('a')], NEVER)).kind).toBe('created')
    expect(signed).toEqual([['a.csv'], ['a.csv']])
  })

  test('throws for a taken name, and uploads nothing again in the next attempt', async () => {
    const { publisher, puts, failNext } = setup()
    failNext('createDataset', new ApiError('CONFLICT', 'taken', { status: 409, requestId: 'req_1' }))
    await expect(publisher.create(shop, [csv('a')], NEVER)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await publisher.create({ ...shop, name: 'Shop 2' }, [csv('a')], NEVER)).kind).toBe('created')
    expect(puts).toHaveLength(1)
  })

  test.each([
    ['unreachable', 0],
    ['SERVICE_UNAVAILABLE', 504],
    ['unexpected', 200],
  ] as const)('doesn’t claim that nothing was created after %s (%i)', async (code, status) => {
    const { publisher, failNext } = setup()
    const error = new ApiError(code, 'x', { status, requestId: null })
    failNext('createDataset', error)
    expect(await publisher.create(shop, [csv('a')], NEVER)).toEqual({ kind: 'unheard', error })
    const { publisher: unsigned } = setup({ signUploads: () => Promise.reject(error) })
    await expect(unsigned.create(shop, [csv('a')], NEVER)).rejects.toBe(error)
  })

  test('reports the reason for each table if none is loaded', async () => {
    const details = { tables: [{ table_name: 'a', status: 'failed', error: { code: 'x', message: 'row 7 is odd' } }] }
    const { publisher, last, failNext } = setup()
    failNext('createDataset', new ApiError('INVALID_REQUEST', 'none', { status: 400, requestId: null, details }))
    expect(await publisher.create(shop, [csv('a')], NEVER)).toEqual({ kind: 'none-loaded' })
    expect(last('a')).toMatchObject({ kind: 'failed', step: 'load', problem: { message: 'row 7 is odd' } })
  })

  test('reports types that differ from the plan', async () => {
    const { publisher, last } = setup({
      createDataset: async ({ name, tables }) => ({
        id: 'd',
        name,
        tables: tables.map((sent) => ({
          name: sent.name,
          rows: 1,
          error: null,
          schema: [{ name: 'id', type: 'INTEGER' }],
        })),
      }),
    })
    await publisher.create(shop, [csv('a')], NEVER)
    expect(last('a')).toMatchObject({ kind: 'done', notes: [expect.stringMatching(/INTEGER.*not BIGINT/)] })
  })
})

describe('cancelling', () => {
  test('ends the upload', async () => {
    const seen: (AbortSignal | undefined)[] = []
    const { publisher } = setup({
      upload: (_url, _body, { signal }) => {
        seen.push(signal)
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))
      },
    })
    const abort = new AbortController()
    const creating = publisher.create(shop, [csv('a')], abort.signal)
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    abort.abort()
    await expect(creating).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('while the service loads removes what it created', async () => {
    const abort = new AbortController()
    const { publisher, datasets, api } = setup()
    const createDataset = api.createDataset.bind(api)
    const create = vi.fn(async (body: NewDataset) => {
      abort.abort()
      return createDataset(body)
    })
    Object.assign(api, { createDataset: create })
    await expect(publisher.create(shop, [csv('a')], abort.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(create).toHaveBeenCalled()
    expect(datasets.size).toBe(0)
  })

  test('while the service loads also ends without an answer, and says that the dataset may exist', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const abort = new AbortController()
    const { publisher } = setup({
      createDataset: (_, { signal } = {}) => {
        abort.abort()
        return new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
      },
    })
    const outcome = publisher.create(shop, [csv('a')], abort.signal)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await outcome).toMatchObject({ kind: 'unheard', error: { details: { reason: 'cancelled' } } })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('while the service loads says so if what it created can’t be removed', async () => {
    const abort = new AbortController()
    const { publisher, api, failNext } = setup()
    const createDataset = api.createDataset.bind(api)
    Object.assign(api, {
      createDataset: (body: NewDataset) => {
        abort.abort()
        return createDataset(body)
      },
    })
    failNext('deleteDataset', new ApiError('RATE_LIMITED', 'x', { status: 429, requestId: null }))
    const outcome = await publisher.create(shop, [csv('a')], abort.signal)
    expect(outcome).toMatchObject({ kind: 'unheard', error: { details: { reason: 'kept' } } })
  })

  test('ends the engine’s work, and keeps nothing of it', async () => {
    const { publisher, engine } = setup()
    const abort = new AbortController()
    engine.convert.mockImplementationOnce((_file, _request, options) => {
      abort.abort()
      return Promise.reject((options?.signal?.reason ?? new Error('not aborted')) as Error)
    })
    await expect(publisher.create(shop, [parquet('a')], abort.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(engine.kept.size).toBe(0)
  })
})

describe('retrying failed tables', () => {
  async function partial(overrides: Partial<ApiClient> = {}) {
    const all = setup(overrides)
    all.failTables.add('b')
    const outcome = await all.publisher.create(shop, [csv('a'), csv('b')], NEVER)
    if (outcome.kind !== 'created') throw new Error(outcome.kind)
    return { ...all, id: outcome.dataset.id }
  }
  const state = (datasets: ReadonlyMap<string, { name: string; tables: readonly { name: string }[] }>) =>
    [...datasets.values()].map(({ name, tables }) => [name, tables.map((made) => made.name)])

  test('uploads only those, and ends with one complete dataset with the name', async () => {
    const { publisher, datasets, failTables, puts, id } = await partial()
    expect(state(datasets)).toEqual([['Shop', ['a']]])
    failTables.clear()
    const outcome = await publisher.retry({ id }, shop, [csv('a'), parquet('b')], NEVER)
    expect(outcome).toMatchObject({ kind: 'created', dataset: { name: 'Shop' } })
    expect(state(datasets)).toEqual([['Shop', ['a', 'b']]])
    expect(puts.map(({ name }) => name)).toEqual(['a.csv', 'b.csv', 'b.csv.parquet'])
  })

  test('sends the others again if the service has lost them', async () => {
    const { publisher, datasets, failTables, failNext, puts, id } = await partial()
    failTables.clear()
    const details = { issues: [{ path: 'tables[0].signed_url', message: 'holds no upload' }] }
    failNext('createDataset', new ApiError('INVALID_REQUEST', 'no', { status: 400, requestId: null, details }))
    await publisher.retry({ id }, shop, [csv('a'), csv('b')], NEVER)
    expect(state(datasets)).toEqual([['Shop', ['a', 'b']]])
    expect(puts.map(({ name }) => name)).toEqual(['a.csv', 'b.csv', 'b.csv', 'a.csv'])
  })

  test('leaves the partial dataset unchanged if it fails again', async () => {
    const { publisher, datasets, last, id } = await partial()
    expect(await publisher.retry({ id }, shop, [csv('a'), csv('b')], NEVER)).toEqual({ kind: 'none-loaded' })
    expect(state(datasets)).toEqual([['Shop', ['a']]])
    expect(last('b')).toMatchObject({ kind: 'failed' })
  })

  test.each(['createDataset', 'deleteDataset', 'updateDataset'] as const)(
    'loses nothing when %s fails in between',
    async (call) => {
      const { publisher, datasets, failTables, failNext, id } = await partial()
      failTables.clear()
      failNext(call, new ApiError('INTERNAL_ERROR', 'oh', { status: 500, requestId: null }))
      const outcome = await publisher.retry({ id }, shop, [csv('a'), csv('b')], NEVER).catch(() => null)
      const found = state(datasets)
      expect(found.some(([, tables]) => tables?.includes('a'))).toBe(true)
      if (call === 'updateDataset') expect(outcome).toMatchObject({ kind: 'misnamed' })
      else expect(found).toEqual([['Shop', ['a']]])
    },
  )

  test('loses nothing if the answer about removing the partial dataset is lost', async () => {
    const { publisher, api, datasets, failTables, id } = await partial()
    failTables.clear()
    const deleteDataset = api.deleteDataset.bind(api)
    let isLost = true
    Object.assign(api, {
      deleteDataset: async (which: string) => {
        await deleteDataset(which)
        if (isLost) {
          isLost = false
          throw new ApiError('unreachable', 'x', { status: 0, requestId: null })
        }
      },
    })
    const outcome = await publisher.retry({ id }, shop, [csv('a'), csv('b')], NEVER)
    expect(state(datasets).map(([, tables]) => tables)).toEqual([['a', 'b']])
    expect(outcome).toMatchObject({
      kind: 'misnamed',
      problem: { message: '“Shop” may still be there, incomplete: the service doesn’t answer.' },
    })
  })
})

test('the size of a table above the limit is found out without sending it', async () => {
  const engine = fakeEngine({}, 52_428_801)
  const made = await toParquet({ engine, newId: () => 'x' }, csv('a'), NEVER, () => undefined, true)
  expect(made).toMatchObject({ body: null, bytes: 52_428_801 })
  await expect(toParquet({ engine, newId: () => 'x' }, csv('a'), NEVER, () => undefined)).rejects.toThrow(/50 MB/)
  expect(engine.kept.size).toBe(0)
})

test.each([
  ['a/b\\c.CSV', 'csv', 'a_b_c.CSV'],
  ['old.xls', 'parquet', 'old.xls.parquet'],
  ['', 'csv', 'table.csv'],
])('%j is uploaded with a name that the service accepts', (name, extension, expected) => {
  expect(uploadName(name, extension)).toBe(expected)
})

describe('adding to a dataset', () => {
  const into = { id: 'd', name: 'Shop', tables: [], added: [] }

  test('sends tables, which of them take rows, and returns the rows', async () => {
    const asked: unknown[] = []
    const { publisher, last } = setup({
      addTables: async (id, tables) => {
        asked.push([id, tables.map(({ name, append }) => [name, append])])
        return { id, name: '', tables: tables.map(({ name }) => ({ name, rows: 3, schema: [], error: null })) }
      },
    })
    const outcome = await publisher.add(into, [csv('a', { append: true }), csv('b')], NEVER)
    expect(outcome).toMatchObject({ kind: 'created', dataset: { id: 'd' } })
    expect(asked).toEqual([
      [
        'd',
        [
          ['a', true],
          ['b', false],
        ],
      ],
    ])
    expect(last('a')).toEqual({ kind: 'done', rows: 3, notes: [] })
  })

  test('reports for each table why nothing was added, and sends only what failed again', async () => {
    const details = {
      tables: [
        { table_name: 'a', status: 'success', rows_ingested: 3, schema: [] },
        { table_name: 'b', status: 'failed', error: { code: 'INVALID_REQUEST', message: 'row 3 doesn’t fit' } },
      ],
    }
    const refused = new ApiError('INVALID_REQUEST', 'Nothing was added.', { status: 400, requestId: 'r', details })
    const { publisher, last, signed } = setup({ addTables: () => Promise.reject(refused) })
    const tables = [csv('a'), csv('b', { append: true })]
    expect(await publisher.add(into, tables, NEVER)).toEqual({ kind: 'none-loaded' })
    expect(last('a')).toMatchObject({
      kind: 'failed',
      problem: { message: 'Nothing was added, as another table didn’t load.' },
    })
    expect(last('b')).toMatchObject({
      kind: 'failed',
      problem: { message: 'row 3 doesn’t fit', remedy: expect.stringContaining('“A new table”') as unknown },
    })
    await publisher.add(into, tables, NEVER)
    expect(signed).toEqual([['a.csv', 'b.csv'], ['b.csv']])
  })

  test('doesn’t upload again what may have been added', async () => {
    const conflict = new ApiError('CONFLICT', 'used already', { status: 409, requestId: null })
    const { publisher, signed } = setup({ addTables: () => Promise.reject(conflict) })
    await expect(publisher.add(into, [csv('a', { append: true })], NEVER)).rejects.toBe(conflict)
    expect(signed).toHaveLength(1)
  })
})
