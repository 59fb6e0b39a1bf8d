import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/errors.ts'
import { EngineError, type EngineClient, type ConvertResult } from '../../../engine/client.ts'
import type { Session } from '../../../session/session.ts'
import { applyEdits } from '../../../tables/edits.ts'
import { column, inspection, inspectResult, table } from '../../../tables/testing.ts'
import { draftProblem } from '../model/problems.ts'
import { fakeApi, fakeEngine } from '../testing.ts'
import { keepAddedFiles } from './added-files.ts'
import { CreationStore, type Created } from './creation.ts'

const found = inspection(table([column('id', 'BIGINT'), column('zip')]))
const file = (name: string): File => new File([`PAR1 ${name}`], name, { lastModified: 0 })

function setup(made: Partial<ConvertResult> = {}, size = 4) {
  const fake = fakeApi()
  const inspect = vi.fn<EngineClient['inspect']>(async () => inspectResult(found))
  const engine = { ...fakeEngine(made, size), inspect } as unknown as EngineClient
  const created: Created[] = []
  let id = 0
  const entries = new Map<string, string>()
  const storage = {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, text: string) => void entries.set(name, text),
    removeItem: (name: string) => void entries.delete(name),
  }
  const store = new CreationStore({
    engine,
    added: keepAddedFiles(() => storage),
    session: () => ({ api: fake.api }) as Session,
    takenNames: () => new Set(['orders']),
    onCreated: (dataset) => created.push(dataset),
    newId: () => `id${++id}`,
  })
  const read = (): Promise<void> =>
    vi.waitFor(() => expect(store.snapshot().draft.files.every(({ state }) => state.kind !== 'reading')).toBe(true))
  return { ...fake, store, inspect, created, read }
}

describe('files', () => {
  test('are read, and name the dataset until the person does', async () => {
    const { store, read } = setup()
    store.addFiles([file('orders.parquet')])
    expect(store.snapshot().draft.name).toBe('orders_2')
    await read()
    expect(store.snapshot().draft.tables.map(({ name }) => name)).toEqual(['orders'])
    store.setDetails({ name: 'Mine' })
    store.addFiles([file('more.parquet')])
    expect(store.snapshot().draft.name).toBe('Mine')
  })

  test('that can’t be read get a reason, and can be read again', async () => {
    const { store, inspect, read } = setup()
    inspect.mockRejectedValueOnce(new EngineError('corrupt-file', 'It is cut short.'))
    store.addFiles([file('a.parquet')])
    await read()
    const [bad] = store.snapshot().draft.files
    expect(bad?.state).toMatchObject({ kind: 'failed', problem: { message: 'It is cut short.' } })
    store.reread(bad?.id ?? '')
    await read()
    expect(store.snapshot().draft.tables).toHaveLength(1)
  })

  test('are read again with other settings, and their tables keep their names', async () => {
    const { store, inspect, read } = setup()
    store.addFiles([file('a.parquet')])
    await read()
    const [{ id } = { id: '' }] = store.snapshot().draft.files
    const [table1] = store.snapshot().draft.tables
    store.renameTable(table1?.id ?? '', 'mine')
    store.setSettings(id, { kind: 'csv', skipLines: 1 }, true)
    store.setSettings(id, { kind: 'csv', skipLines: 12 }, true)
    expect(store.snapshot().draft.files[0]).toMatchObject({
      state: { kind: 'reading' },
      found: { tables: [{ rows: 10 }] },
    })
    await read()
    expect(inspect.mock.calls.map(([, request]) => request)).toEqual([{}, { settings: { kind: 'csv', skipLines: 12 } }])
    expect(store.snapshot().draft.tables.map(({ name }) => name)).toEqual(['mine'])
  })

  test('that can’t be read with other settings aren’t silently left out', async () => {
    const { store, inspect, read } = setup()
    store.addFiles([file('a.parquet')])
    await read()
    const [{ id } = { id: '' }] = store.snapshot().draft.files
    inspect.mockRejectedValueOnce(new EngineError('corrupt-file', 'No JSON.'))
    store.setFormat(id, 'json')
    await read()
    expect(draftProblem(store.snapshot().draft)).toMatch(/can’t be read like this/)
    store.resetSettings(id)
    await read()
    expect(draftProblem(store.snapshot().draft)).toBeNull()
  })

  test('that are removed aren’t read any further', async () => {
    const { store, inspect } = setup()
    let signal: AbortSignal | undefined
    inspect.mockImplementationOnce((_file, _request, options) => {
      signal = options?.signal
      return new Promise(() => undefined)
    })
    store.addFiles([file('a.parquet')])
    store.remove(store.snapshot().draft.files[0]?.id ?? '')
    expect(signal?.aborted).toBe(true)
    expect(store.isDirty()).toBe(false)
  })

  test('that come with a plan keep its changes', async () => {
    const { store, inspect, read } = setup()
    const plan = applyEdits(found, [{ table: null, columns: [{ source: 'id', nth: 0, type: 'VARCHAR' }] }])
    store.add([{ file: file('a.parquet'), plan, inspection: found, changed: true }])
    await read()
    expect(inspect).not.toHaveBeenCalled()
    expect(store.snapshot().draft.files[0]?.state).toMatchObject({
      plan: { tables: [{ columns: [{ type: 'VARCHAR' }, {}] }] },
    })
  })
})

test('files can be added to another dataset, where their tables get new names', async () => {
  const { store, read } = setup()
  store.addFiles([file('orders.parquet')])
  await read()
  const schema = [{ name: 'id', type: 'BIGINT' }] as const
  store.moveTo({ id: 'd1', name: 'Shop', tables: [{ name: 'orders', rowCount: 1, schema }] })
  const [{ id } = { id: '' }] = store.snapshot().draft.tables
  store.setOnto(id, 'orders')
  expect(store.snapshot().draft).toMatchObject({
    into: { name: 'Shop' },
    tables: [{ name: 'orders_2', onto: 'orders' }],
  })
  store.moveTo(null)
  const { into, name, tables } = store.snapshot().draft
  expect([into, name, tables.map((each) => [each.name, each.onto])]).toEqual([
    null,
    'orders_2',
    [['orders', undefined]],
  ])
})

test('a file that was already added, or is chosen twice, isn’t added again without asking', async () => {
  const { store, created, read } = setup()
  store.addFiles([file('a.parquet')])
  await read()
  await store.publish()
  const [{ id, name } = { id: '', name: '' }] = created
  store.begin({
    id,
    name,
    tables: [
      {
        name,
        rowCount: 3,
        schema: [
          { name: 'id', type: 'BIGINT' },
          { name: 'zip', type: 'VARCHAR' },
        ],
      },
    ],
  })
  store.addFiles([file('b.parquet')])
  await read()
  expect(draftProblem(store.snapshot().draft)).toBeNull()
  store.addFiles([new File([file('a.parquet')], 'copy.parquet')])
  await read()
  store.setOnto(store.snapshot().draft.tables[1]?.id ?? '', null)
  expect(draftProblem(store.snapshot().draft)).toBe('Choose whether to add “copy.parquet” again.')
  store.takeAgain(store.snapshot().draft.files[1]?.id ?? '')
  expect(draftProblem(store.snapshot().draft)).toBeNull()
})

describe('creating', () => {
  test('ends with a dataset, and an empty form', async () => {
    const { store, datasets, created, read } = setup()
    store.addFiles([file('a.parquet')])
    await read()
    await store.publish()
    expect([...datasets.values()].map(({ name }) => name)).toEqual(['a'])
    expect(created).toMatchObject([{ name: 'a', tables: 1, rows: 3, problem: null }])
    expect(store.isDirty()).toBe(false)
  })

  test('reports a taken name at its field, and keeps the input', async () => {
    const { store, failNext, read } = setup()
    store.addFiles([file('a.parquet')])
    store.setDetails({ description: 'kept' })
    await read()
    failNext('createDataset', new ApiError('CONFLICT', 'taken', { status: 409, requestId: 'req_1' }))
    await store.publish()
    const { draft, problem, stage } = store.snapshot()
    expect([problem?.spot, draft.description, draft.tables.length, stage]).toEqual(['name', 'kept', 1, 'draft'])
    store.setDetails({ name: 'b' })
    expect(store.snapshot().problem).toBeNull()
  })

  test.each([
    ['tags', [{ path: 'tags[0]', message: 'is too long' }]],
    ['description', [{ path: 'description', message: 'is too long' }]],
    ['form', [{ path: 'workspace_id', message: 'must be a UUID' }]],
  ])('reports an error of %s at its field', async (spot, issues) => {
    const { store, failNext, read } = setup()
    store.addFiles([file('a.parquet')])
    await read()
    failNext(
      'createDataset',
      new ApiError('INVALID_REQUEST', 'no', { status: 400, requestId: null, details: { issues } }),
    )
    await store.publish()
    expect(store.snapshot().problem?.spot).toBe(spot)
  })

  test('says that the dataset may exist if the answer was lost, but not if nothing was requested', async () => {
    const { store, failNext, api, read } = setup()
    store.addFiles([file('a.parquet')])
    await read()
    const lost = new ApiError('unreachable', 'no', { status: 0, requestId: null, details: { reason: 'cut-off' } })
    failNext('createDataset', lost)
    await store.publish()
    expect(store.snapshot()).toMatchObject({
      stage: 'draft',
      problem: {
        spot: 'form',
        problem: {
          message: 'The connection broke off.',
          remedy: 'It may have created the dataset: look at the list before you try again.',
        },
      },
    })
    Object.assign(api, { signUploads: () => Promise.reject(lost) })
    store.addFiles([file('b.parquet')])
    await read()
    await store.publish()
    expect(store.snapshot().problem?.problem.message).toBe('The dataset wasn’t created: the connection broke off.')
  })

  test('asks before losing rows', async () => {
    const { store, datasets, read } = setup({ rejectedCount: 2 })
    store.addFiles([file('a.parquet')])
    await read()
    const [first] = store.snapshot().draft.tables
    if (!first) throw new Error('no table')
    store.setColumn(first, 0, { type: 'DATE' })
    await store.publish()
    expect(datasets.size).toBe(0)
    expect(draftProblem(store.snapshot().draft)).toMatch(/^Review /)
    store.agree(first.id, true)
    await store.publish()
    expect(datasets.size).toBe(1)
  })

  test('asks what to do with a partial dataset, and retries the failed part', async () => {
    const { store, datasets, created, failTables, read } = setup()
    store.addFiles([file('a.parquet'), file('b.parquet')])
    await read()
    failTables.add('b')
    await store.publish()
    expect(store.snapshot()).toMatchObject({ partial: { name: 'a' }, stage: 'draft' })
    expect(store.snapshot().runs.get('id2/0')).toMatchObject({ kind: 'failed' })
    failTables.clear()
    await store.publish()
    expect(created).toMatchObject([{ name: 'a', tables: 2 }])
    expect([...datasets.values()].map(({ name }) => name)).toEqual(['a'])
  })

  test('can be cancelled', async () => {
    const { store, api, datasets, read } = setup()
    store.addFiles([file('a.parquet')])
    await read()
    Object.assign(api, {
      upload: (_url: string, _body: Blob, { signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    })
    const publishing = store.publish()
    await vi.waitFor(() => expect(store.snapshot().stage).toBe('running'))
    store.cancel()
    await publishing
    expect(store.snapshot()).toMatchObject({ stage: 'draft', problem: null })
    expect(datasets.size).toBe(0)
    expect(store.snapshot().draft.tables).toHaveLength(1)
  })
})

test('a table’s size as Parquet is discarded after a change', async () => {
  const { store, read } = setup({}, 60_000_000)
  store.addFiles([file('a.parquet')])
  await read()
  const [first] = store.snapshot().draft.tables
  if (!first) throw new Error('no table')
  await store.measure(first.id)
  expect(store.snapshot().draft.tables[0]?.measure).toEqual({ kind: 'measured', bytes: 60_000_000 })
  expect(draftProblem(store.snapshot().draft)).toMatch(/^Review /)
  store.setColumn(first, 1, { include: false })
  expect(store.snapshot().draft.tables[0]?.measure).toEqual({ kind: 'none' })
})
