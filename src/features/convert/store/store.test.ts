import { describe, expect, it, vi } from 'vitest'
import { EngineError, type ConvertRequest, type ConvertResult, type EngineClient } from '../../../engine/client.ts'
import { failed } from '../model/changes.ts'
import { toFailure } from '../model/failure.ts'
import { addedAgain, targetFor, type Job } from '../model/job.ts'
import { column, inspection, inspectResult, table } from '../../../tables/testing.ts'
import { testStore } from '../testing/test-store.ts'
import type { InspectRequest } from '../../../tables/inspect-request.ts'

interface Call<Request, Result> {
  readonly request: Request
  readonly signal: AbortSignal | undefined
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** A client whose calls the test answers. */
function setUp() {
  const inspects: Call<InspectRequest, void>[] = []
  const converts: Call<ConvertRequest, Partial<ConvertResult>>[] = []
  const previews: unknown[] = []
  const removed: string[] = []
  const found = inspection(table([column('id', 'BIGINT'), column('name')]))
  const call = <R, T, U>(
    list: Call<R, T>[],
    request: R,
    signal: AbortSignal | undefined,
    make: (result: T) => U,
  ): Promise<U> =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      list.push({ request, signal, resolve: (result) => resolve(make(result)), reject })
    })
  const client: EngineClient = {
    warm: () => undefined,
    inspect: (_, request, options) => call(inspects, request, options?.signal, () => inspectResult(found)),
    preview: (_, request) => {
      previews.push(request.plan.tables[0]?.columns)
      return Promise.resolve({ columns: [], rows: [], rejected: [] })
    },
    database: () => Promise.reject(new Error('not asked for')),
    source: () => Promise.resolve(null),
    convert: (_, request, options) =>
      call(converts, request, options?.signal, (result) => ({
        outputs: [{ id: `${request.jobId}/out`, name: 'out', mimeType: '', size: 1, receipts: [] }],
        rejectedCount: 0,
        rejected: [],
        rejectedFile: null,
        ...result,
      })),
    combine: () => Promise.reject(new Error('not asked for')),
    hash: () => Promise.reject(new Error('not asked for')),
    verify: () => Promise.reject(new Error('not asked for')),
    adopt: () => Promise.reject(new Error('not asked for')),
    check: () => Promise.resolve({ rows: 0, rejectedCount: 0, leftOut: 0, rejected: [] }),
    sample: () => Promise.reject(new Error('not asked for')),
    tryRows: () => Promise.resolve([]),
    outputs: {
      file: () => Promise.reject(new Error('none')),
      remove: (id) => Promise.resolve(void removed.push(id)),
      hold: () => undefined,
      sweep: () => Promise.resolve(),
    },
  }
  const kept: Job[] = []
  const chosen: (readonly [string, string])[] = []
  let id = 0
  const store = testStore(client, {
    keep: (...jobs) => Promise.resolve(void kept.push(...jobs)),
    targets: { of: targetFor, choose: (name, target) => void chosen.push([name, target]) },
    now: () => 1000,
    newId: () => `id${++id}`,
  })
  const add = (name: string): string => store.add({ file: new File(['x'], name) })[0]?.id ?? ''
  const stages = (): string[] => store.snapshot().map((job) => job.stage.kind)
  const waitFor = (stage: readonly string[]) => vi.waitFor(() => expect(stages()).toEqual(stage))
  return { store, add, stages, waitFor, inspects, converts, previews, removed, kept, chosen }
}

describe('ConvertStore', () => {
  it('reads a file when it’s added, and converts it on request', async () => {
    const { store, add, waitFor, inspects, converts, kept } = setUp()
    const id = add('a.csv')
    expect(store.snapshot()[0]?.stage.kind).toBe('reading')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.convert(id)
    await waitFor(['converting'])
    expect(converts[0]?.request.target).toBe('parquet')
    converts[0]?.resolve({})
    await waitFor(['done'])
    expect(kept.at(-1)?.result?.outputs).toHaveLength(1)
  })

  it('reads a file as was set on another screen', async () => {
    const { store, waitFor, inspects } = setUp()
    const request = { settings: { kind: 'csv', delimiter: ';' } } as const
    const edits = [{ table: null, columns: [{ source: 'name', nth: 0, type: 'DATE' }] }]
    store.add({ file: new File(['x'], 'a.csv'), reading: { request, edits } })
    expect(inspects[0]?.request).toEqual(request)
    inspects[0]?.resolve()
    await waitFor(['ready'])
    const [job] = store.snapshot()
    expect(job?.plan?.tables[0]?.columns.map(({ type }) => type)).toEqual(['BIGINT', 'DATE'])
    expect([job?.edits, job?.target]).toEqual([edits, 'parquet'])
  })

  it('shows a result once it’s recorded', async () => {
    const { store, add, stages, waitFor, inspects, converts, kept } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    const written: string[][] = []
    store.subscribe(() => written.push(kept.map((job) => job.stage.kind)))
    store.convert(id)
    await waitFor(['converting'])
    converts[0]?.resolve({})
    await waitFor(['done'])
    expect(stages()).toEqual(['done'])
    const shown = written.at(-1)
    expect(shown).toContain('done')
  })

  it('converts two at a time in order, including those still being read', async () => {
    const { store, add, waitFor, inspects, converts } = setUp()
    for (const name of ['a.csv', 'b.csv', 'c.csv']) add(name)
    inspects[0]?.resolve()
    inspects[1]?.resolve()
    await waitFor(['ready', 'ready', 'reading'])
    store.convertAll()
    expect(converts).toHaveLength(2)
    inspects[2]?.resolve()
    await waitFor(['converting', 'converting', 'queued'])
    converts[1]?.resolve({})
    await waitFor(['converting', 'done', 'converting'])
  })

  it('skips combined files when all are converted, since they become one table', async () => {
    const { store, add, stages, waitFor, inspects, converts } = setUp()
    const ids = ['a.csv', 'b.csv', 'c.csv'].map(add)
    for (const { resolve } of inspects) resolve()
    await waitFor(['ready', 'ready', 'ready'])
    store.combine(new Set(ids.slice(0, 2)))
    store.convertAll()
    await vi.waitFor(() => expect(stages()).toEqual(['failed', 'ready', 'ready', 'converting']))
    expect(converts).toHaveLength(1)
  })

  it('passes on how a table is split and shaped, and a recipe sets or resets that', async () => {
    const { store, add, waitFor, inspects, converts } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.setSplit(id, { by: 'column', column: 'name' })
    const shape = { sql: 'FROM a', tables: [{ table: null, name: 'a' }] }
    store.setShape(id, shape)
    store.convert(id)
    await waitFor(['converting'])
    expect(converts[0]?.request).toMatchObject({ split: { by: 'column', column: 'name' }, shape })
    converts[0]?.resolve({})
    await waitFor(['done'])
    store.applySettings(id, { request: {}, edits: [], target: 'csv', options: {} })
    expect(store.snapshot()[0]).not.toHaveProperty('split')
    expect(store.snapshot()[0]).not.toHaveProperty('shape')
  })

  it('keeps edits made while the file is read again', async () => {
    const { store, add, waitFor, inspects, kept } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.setSettings(id, { kind: 'csv', delimiter: ';' })
    await vi.waitFor(() => expect(inspects).toHaveLength(2))
    store.setColumn(id, 0, 0, { name: 'key' })
    store.includeTable(id, 0, true)
    expect(store.snapshot()[0]?.stage.kind).toBe('reading')
    expect(kept.at(-1)?.edits).toMatchObject([{ columns: [{ name: 'key' }] }])
    inspects[1]?.resolve()
    await waitFor(['ready'])
    expect(store.snapshot()[0]?.plan?.tables[0]?.columns[0]?.name).toBe('key')
  })

  it('reads the file with the latest settings, whatever is edited meanwhile', async () => {
    const { store, add, waitFor, inspects } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.setSettings(id, { kind: 'csv', skipLines: 3 }, true)
    store.setColumn(id, 0, 0, { type: 'VARCHAR' })
    await vi.waitFor(() => expect(inspects).toHaveLength(2))
    expect(inspects[1]?.request.settings).toMatchObject({ skipLines: 3 })
  })

  it('cancels a conversion for good: a result that arrives later is removed', async () => {
    const { store, add, waitFor, inspects, converts, removed } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.convert(id)
    const [call] = converts
    call?.resolve({})
    store.cancel(id)
    await vi.waitFor(() => expect(removed).toEqual([`${call?.request.jobId}/out`]))
    expect(call?.signal?.aborted).toBe(true)
    expect(store.snapshot()[0]).toMatchObject({ stage: { kind: 'ready', cancelled: true }, result: null })
  })

  it('continues with the queue after a failure, and retries', async () => {
    const { store, add, waitFor, inspects, converts } = setUp()
    for (const name of ['a.csv', 'b.csv', 'c.csv']) add(name)
    for (const call of inspects) call.resolve()
    await waitFor(['ready', 'ready', 'ready'])
    store.convertAll()
    converts[0]?.reject(new EngineError('out-of-space', 'Full.', { remedy: 'Free some.' }))
    await waitFor(['failed', 'converting', 'converting'])
    expect(store.snapshot()[0]?.stage).toMatchObject({ during: 'converting', failure: { remedy: 'Free some.' } })
    store.retry(store.snapshot()[0]!.id)
    await waitFor(['queued', 'converting', 'converting'])
  })

  it('reads the file again with the person’s settings, and cancels the previous reading', async () => {
    const { store, add, waitFor, inspects } = setUp()
    const id = add('a.csv')
    store.setSettings(id, { kind: 'csv', delimiter: ';' })
    await vi.waitFor(() => expect(inspects).toHaveLength(2))
    expect(inspects[0]?.signal?.aborted).toBe(true)
    expect(inspects[1]?.request).toEqual({ settings: { kind: 'csv', delimiter: ';' } })
    inspects[1]?.resolve()
    await waitFor(['ready'])
  })

  it('previews an edited column, and converts with the edit', async () => {
    const { store, add, waitFor, inspects, converts, previews } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.setColumn(id, 0, 0, { type: 'VARCHAR' })
    await vi.waitFor(() => expect(previews).toHaveLength(1))
    store.convert(id)
    expect(converts[0]?.request.plan.tables[0]?.columns[0]?.type).toBe('VARCHAR')
  })

  it('applies proposals as one change, and undoes it as one', async () => {
    const { store, add, waitFor, inspects, previews } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    const job = () => store.snapshot()[0]
    const proposal = { code: 'test', label: 'Apply', message: '' }
    store.applyProposals(id, [
      { table: 0, column: 0, proposal: { ...proposal, change: { kind: 'column', patch: { type: 'VARCHAR' } } } },
      { table: 0, column: 1, proposal: { ...proposal, change: { kind: 'column', patch: { name: 'who' } } } },
    ])
    expect(job()?.applied).toMatchObject([{ count: 2 }])
    await vi.waitFor(() => expect(previews).toHaveLength(1))
    expect(previews[0]).toMatchObject([{ type: 'VARCHAR' }, { name: 'who' }])
    store.undoProposals(id)
    expect([job()?.edits, job()?.applied]).toEqual([[], []])

    const settings = { kind: 'csv', skipLines: 2 } as const
    store.applyProposals(id, [
      { table: null, column: null, proposal: { ...proposal, change: { kind: 'reading', settings } } },
    ])
    await vi.waitFor(() => expect(inspects[1]?.request).toEqual({ settings }))
    inspects[1]?.resolve()
    await waitFor(['ready'])
    expect(job()?.applied).toMatchObject([{ count: 1 }])
    store.undoProposals(id)
    await vi.waitFor(() => expect(inspects[2]?.request).toEqual({}))
  })

  it('undoes proposals step by step, until something else is changed', async () => {
    const { store, add, waitFor, inspects } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    const job = () => store.snapshot()[0]
    const apply = (index: number, name: string): void => {
      const proposal = { code: 'test', label: name, message: '', change: { kind: 'column', patch: { name } } } as const
      store.applyProposals(id, [{ table: 0, column: index, proposal }])
    }
    apply(0, 'number')
    apply(1, 'who')
    expect(job()?.applied).toMatchObject([{ count: 1 }, { count: 1 }])
    store.undoProposals(id)
    expect(job()?.plan?.tables[0]?.columns).toMatchObject([{ name: 'number' }, { name: 'name' }])
    expect(job()?.applied).toMatchObject([{ count: 1 }])
    store.undoProposals(id)
    expect([job()?.edits, job()?.applied]).toEqual([[], []])
    apply(0, 'number')
    store.setColumn(id, 0, 1, { name: 'who' })
    expect(job()?.applied).toEqual([])
  })

  it('keeps the settings of a file that changed, once it’s added again', async () => {
    const { store, add, waitFor, inspects, converts } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.setColumn(id, 0, 1, { name: 'who' })
    const again = [new File(['changed'], 'a.csv'), new File(['another'], 'a.csv')]
    expect(addedAgain(again, store.snapshot()).size).toBe(0)
    store.convert(id)
    converts[0]?.reject(new EngineError('file-changed', 'The file can’t be read any more.'))
    await waitFor(['failed'])
    const found = addedAgain(again, store.snapshot())
    expect([...found]).toEqual([[again[0], id]])
    store.replaceFile(id, again[0] as File)
    await vi.waitFor(() => expect(inspects).toHaveLength(2))
    inspects[1]?.resolve()
    await waitFor(['ready'])
    const [job] = store.snapshot()
    expect(job?.file).toBe(again[0])
    expect(job?.plan?.tables[0]?.columns[1]?.name).toBe('who')
  })

  it('replaces a combination’s file that couldn’t be read, when it’s added again', async () => {
    const { store, add, waitFor, inspects } = setUp()
    const ids = [add('a.csv'), add('b.csv')]
    for (const inspect of inspects) inspect.resolve()
    await waitFor(['ready', 'ready'])
    store.combine(new Set(ids))
    const again = new File(['changed'], 'b.csv')
    expect(addedAgain([again], store.snapshot()).size).toBe(0)
    const failure = toFailure(new EngineError('file-changed', 'The file can’t be read any more.'))
    const [combined] = store.snapshot()
    store.update(combined?.id ?? '', (job) => failed(job, 'converting', failure))
    expect([...addedAgain([again, new File([], 'c.csv')], store.snapshot())]).toEqual([[again, ids[1]]])
  })

  it('starts reading many files little by little, except those removed, cancelled or changed meanwhile', async () => {
    const { store, inspects, kept } = setUp()
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 20))
    const size = vi.fn(() => 1)
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      Object.defineProperty(new File([], name), 'size', { get: size }),
    )
    const [, b, c, d] = store.add(...files.map((file) => ({ file })))
    expect([inspects.length, kept.length, size.mock.calls.length]).toEqual([0, 5, 0])
    store.take(new Set([b?.id ?? '']))
    store.cancel(c?.id ?? '')
    store.setSettings(d?.id ?? '', { kind: 'csv', delimiter: ';' })
    await vi.waitFor(() => expect(inspects).toHaveLength(3))
    vi.restoreAllMocks()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(inspects.filter(({ request }) => Object.keys(request).length > 0)).toHaveLength(1)
    expect(inspects).toHaveLength(3)
  })

  it('removes the files that a new conversion replaces', async () => {
    const { store, add, waitFor, inspects, converts, removed } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.convert(id)
    converts[0]?.resolve({})
    await waitFor(['done'])
    store.setTarget(id, 'json')
    store.convert(id)
    converts[1]?.resolve({})
    await waitFor(['done'])
    expect(removed).toEqual([`${converts[0]?.request.jobId}/out`])
  })

  it('removes jobs and puts them back in their places, without touching their files', async () => {
    const { store, add, stages, waitFor, inspects, converts, removed, kept } = setUp()
    const ids = ['a.csv', 'b.csv', 'c.csv', 'd.csv'].map(add)
    for (const call of inspects.slice(0, 3)) call.resolve()
    await waitFor(['ready', 'ready', 'ready', 'reading'])
    store.convert(ids[0] ?? '')
    store.convert(ids[2] ?? '')
    converts[0]?.resolve({})
    await waitFor(['done', 'ready', 'converting', 'reading'])
    const taken = store.take(new Set([ids[0] ?? '', ids[2] ?? '', ids[3] ?? '']))
    expect([stages(), converts[1]?.signal?.aborted, inspects[3]?.signal?.aborted]).toEqual([['ready'], true, true])
    store.putBack(taken)
    expect(store.snapshot().map((job) => job.id)).toEqual(ids)
    expect(stages()).toEqual(['done', 'ready', 'ready', 'reading'])
    inspects[4]?.resolve()
    await waitFor(['done', 'ready', 'ready', 'ready'])
    expect([removed, kept.at(-1)?.id]).toEqual([[], ids[3]])
  })

  it('records downloads once', async () => {
    const { store, add, waitFor, inspects, converts, kept } = setUp()
    const id = add('a.csv')
    inspects[0]?.resolve()
    await waitFor(['ready'])
    store.convert(id)
    converts[0]?.resolve({})
    await waitFor(['done'])
    const ids = new Set([`${converts[0]?.request.jobId}/out`])
    store.markSaved(ids)
    const count = kept.length
    expect(kept.at(-1)?.result?.saved).toEqual([...ids])
    store.markSaved(ids)
    expect(kept).toHaveLength(count)
  })

  it('cancels all without starting those that wait, and announces it once', async () => {
    const { store, add, stages, waitFor, inspects, converts } = setUp()
    for (let i = 0; i < 20; i++) add(`${i}.csv`)
    for (const inspect of inspects.slice(0, 19)) inspect.resolve()
    await waitFor([...Array<string>(19).fill('ready'), 'reading'])
    store.convertAll()
    await waitFor(['converting', 'converting', ...Array<string>(17).fill('queued'), 'reading'])
    let announced = 0
    const started: string[] = []
    store.subscribe(() => {
      announced++
      started.push(...store.snapshot().flatMap(({ id, stage }) => (stage.kind === 'converting' ? [id] : [])))
    })
    store.cancelAll()
    expect(stages()).toEqual([...Array<string>(19).fill('ready'), 'reading'])
    expect(store.snapshot().some(({ wanted }) => wanted)).toBe(false)
    expect([announced, started, converts.length]).toEqual([1, [], 2])
  })

  it('keeps its snapshot if nothing changed', () => {
    const { store, add } = setUp()
    add('a.csv')
    const before = store.snapshot()
    store.setTarget('nobody', 'json')
    expect(store.snapshot()).toBe(before)
  })
})
