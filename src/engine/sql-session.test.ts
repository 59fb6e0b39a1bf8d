import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Disk } from '../lib/testing/disk.ts'
import { Channel } from './channel/channel.ts'
import { serializeError } from './channel/errors.ts'
import { FakeWorker as AnyFakeWorker } from './channel/testing.ts'
import type { FromWorker, ToWorker } from './channel/messages.ts'
import { EngineError } from './errors.ts'
import type { GrowingResult, ResultTools } from './sql/result/types.ts'
import type { RunItem, StatementCall, TemporaryTable } from './sql/protocol.ts'
import type { KeptChange, KeptTable, MadeBy, ResultSet, RunSummary, TransactionState } from './sql/session-types.ts'
import type { KeptStore } from './client/types.ts'
import { WorkerSqlSession } from './client/sql-session.ts'

type Call = ToWorker & { type: 'call' }

class FakeWorker extends AnyFakeWorker {
  temporary: TemporaryTable[] = []
  transaction: TransactionState = null
  override postMessage(message: ToWorker): void {
    super.postMessage(message)
    // Calls that the tests aren't about are answered at once.
    if (message.type !== 'call') return
    const { id, name } = message
    if (name === 'use') this.say({ type: 'result', id, result: null })
    if (name === 'temporary') this.say({ type: 'result', id, result: { tables: this.temporary, macros: [] } })
    if (name === 'transaction') this.say({ type: 'result', id, result: this.transaction })
  }
  override say(message: FromWorker): void {
    queueMicrotask(() => super.say(message))
  }
  called(name: string): Call {
    const call = this.calls.findLast((each) => each.name === name)
    if (!call) throw new Error(`${name} was not called`)
    return call
  }
}

const SUMMARY: RunSummary = { rows: 1, bytes: 8, firstMs: 1, totalMs: 2, message: null, leftOut: false }
const MACRO: MadeBy = { kind: 'macro', sql: 'CREATE MACRO twice(n) AS n * 2', parameters: {} }
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
}

type Outcome = Partial<RunSummary> | EngineError
const OUT_OF_MEMORY = new EngineError('out-of-memory', 'It needs more memory.')
const KEPT = { name: 'kept', reference: 'kept', kind: 'table', columns: [] } as const
const answered = new Set<Call>()

/** Runs a statement to its end. @returns the worker that ran it */
async function ran(
  session: WorkerSqlSession,
  workers: readonly FakeWorker[],
  sql: string,
  outcome: Outcome = {},
  has?: (worker: FakeWorker) => void,
): Promise<FakeWorker> {
  const started = session.run(sql)
  const isNext = (call: Call): boolean => call.name === 'run' && !answered.has(call)
  await until(() => workers.some(({ calls }) => calls.some(isNext)))
  const worker = workers.find(({ calls }) => calls.some(isNext))
  const call = worker?.calls.find(isNext)
  if (!worker || !call) throw new Error('it was not run')
  answered.add(call)
  const { id } = call
  has?.(worker)
  if (outcome instanceof EngineError) {
    worker.say({ type: 'error', id, error: serializeError(outcome) })
    await expect(started).rejects.toMatchObject({ code: outcome.code })
    return worker
  }
  worker.say({ type: 'item', id, item: [{ columns: [] }], weight: 0 })
  worker.say({ type: 'result', id, result: { ...SUMMARY, ...outcome } })
  const { done } = await started
  await done
  return worker
}

function open(kept?: KeptStore): { session: WorkerSqlSession; workers: FakeWorker[]; asked: string[]; ends: string[] } {
  const workers: FakeWorker[] = []
  const asked: string[] = []
  const ends: string[] = []
  const growing = (): GrowingResult => ({
    set: { rowCount: 1 } as ResultSet,
    add: () => undefined,
    end: (status) => ends.push(status),
  })
  const session = new WorkerSqlSession({
    open: () => {
      const start = (): Worker => {
        const worker = new FakeWorker()
        workers.push(worker)
        return worker as unknown as Worker
      }
      return new Channel(start, 'session', { silence: Number.POSITIVE_INFINITY })
    },
    find: (fileId, place) => {
      asked.push(`${place} ${fileId}`)
      return Promise.resolve(new File(['x'], fileId))
    },
    openTools: () => Promise.resolve({ createResultSet: growing } as unknown as ResultTools),
    stopGrace: 20,
  })
  if (kept) session.keepIn(kept)
  return { session, workers, asked, ends }
}

describe('WorkerSqlSession', () => {
  it('checks nothing about a file on the disk that it may not read yet, and rejects when it’s run', async () => {
    const { session, workers } = open()
    const file = new File(['x'], 'orders.parquet', { lastModified: 7 })
    let state: PermissionState = 'prompt'
    const handle = {
      name: file.name,
      queryPermission: () => Promise.resolve(state),
      requestPermission: () => Promise.reject(new Error('no gesture')),
      getFile: () => Promise.resolve(file),
    } as unknown as FileSystemFileHandle
    const onDisk = { handle, size: file.size, lastModified: file.lastModified }
    session.use({ published: [], local: [{ name: 'orders', fileId: 'f/1', onDisk }] })
    expect(await session.check('FROM local.orders')).toEqual([])
    expect(await session.describe('FROM local.orders')).toBeNull()
    await expect(session.run('FROM local.orders')).rejects.toMatchObject({ code: 'file-changed' })
    state = 'granted'
    const checked = session.check('FROM local.orders')
    const isCheck = (each: ToWorker): boolean => each.type === 'call' && each.name === 'check'
    await until(() => workers[0]?.received.some(isCheck) ?? false)
    const { id, request } = workers[0].called('check')
    expect([...(request as StatementCall).files]).toEqual([['f/1', file]])
    workers[0].say({ type: 'result', id, result: [] })
    await checked
  })

  it('starts its worker before the code that holds the rows is loaded', async () => {
    const { session, workers } = open()
    await expect(session.run('SELECT 1', { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(workers).toEqual([])
    const running = session.run('SELECT 1')
    expect(workers).toHaveLength(1)
    session.close()
    await expect(running).rejects.toThrow()
  })

  it('starts no worker until the first call, and sends a file once', async () => {
    const { session, workers, asked } = open()
    const published = [{ workspace: 'w', dataset: 'd', table: 'orders', fileId: 'f/1' }]
    session.use({
      published,
      local: [
        { name: 'people', fileId: 'f/2' },
        { name: 'other', fileId: 'f/3' },
      ],
    })
    expect(workers).toEqual([])
    for (const expected of [['published f/1', 'local f/2'], []]) {
      const checked = session.check('FROM w.d.orders, LOCAL.People')
      await until(() => workers[0]?.received.some((each) => each.type === 'call' && each.name === 'check'))
      const { id, request } = workers[0].called('check')
      expect([...(request as StatementCall).files.keys()]).toEqual(expected.map((each) => each.split(' ')[1]))
      workers[0].say({ type: 'result', id, result: [] })
      expect(await checked).toEqual([])
      expect(asked.splice(0)).toEqual(expected)
      workers[0].received.length = 0
    }
  })

  it('sends files that a statement names by path or by table name', async () => {
    const { session, workers, asked } = open()
    const file = (path: string) => ({ path, table: null, columns: [], read: null })
    session.use({
      published: [],
      local: [
        { name: 'a', fileId: 'f/1', file: file('sales/2024.csv') },
        { name: 'b', fileId: 'f/2', file: file('sales/2025.csv') },
        { name: 'people', fileId: 'f/3', file: file('staff.csv') },
      ],
    })
    for (const [sql, expected] of [
      ["FROM 'sales/2024.csv'", ['local f/1']],
      ["FROM read_csv('sales/*.csv')", ['local f/2']],
      ['FROM peoples, my_people', []],
      ['FROM People', ['local f/3']],
    ] as const) {
      const checked = session.check(sql)
      await until(() => workers[0]?.received.some((each) => each.type === 'call' && each.name === 'check'))
      workers[0].say({ type: 'result', id: workers[0].called('check').id, result: [] })
      await checked
      expect(asked.splice(0)).toEqual(expected)
      workers[0].received.length = 0
    }
  })

  it('records changed kept tables before a statement is done; if that fails, resets the worker’s tables', async () => {
    const held: string[] = []
    const locks = {
      request: (name: string, _: LockOptions, work: () => Promise<void>) => {
        held.push(name)
        return work().finally(() => held.splice(held.indexOf(name), 1))
      },
    }
    vi.stubGlobal('navigator', { locks })
    const kept: KeptTable[] = [{ name: 't', fileId: 'c/1' }]
    const making: string[] = []
    let keep: (changes: readonly KeptChange[]) => Promise<readonly KeptTable[]> = () =>
      Promise.resolve([{ name: 't', fileId: 'c/2' }])
    const store: KeptStore = {
      whileCreating: (id, work) => {
        making.push(id)
        return work()
      },
      tables: () => Promise.resolve(kept),
      keep: (changes) => keep(changes),
    }
    const { session, workers, asked } = open(store)
    session.use({ published: [], local: [], kept })
    const change = { name: 't', before: 'c/1', after: null }
    const run = async (made: readonly MadeBy[] = []): Promise<RunSummary> => {
      const before = workers[0]?.received.length ?? 0
      const started = session.run('DELETE FROM my.t')
      const isRun = (each: ToWorker): boolean => each.type === 'call' && each.name === 'run'
      await until(() => workers[0]?.received.slice(before).some(isRun) ?? false)
      const [worker] = workers
      const { id, request } = worker.called('run')
      expect((request as StatementCall).creationId).toBe(making.at(-1))
      worker.say({ type: 'item', id, item: [{ columns: [] }], weight: 0 })
      worker.say({ type: 'result', id, result: { ...SUMMARY, message: 'Removed …', kept: [change], made } })
      return (await started).done
    }
    const used = (): unknown => workers[0]?.called('use').request
    expect(await run()).toEqual({ ...SUMMARY, message: 'Removed …' })
    expect(asked).toEqual(['local c/1'])
    expect(used()).toMatchObject({ kept: [{ fileId: 'c/2' }] })
    expect(held.every((name) => name.endsWith('c/1'))).toBe(true)
    keep = () => Promise.reject(new EngineError('file-changed', 'changed elsewhere'))
    await expect(run([MACRO])).rejects.toMatchObject({ code: 'file-changed' })
    expect(used()).toMatchObject({ kept })
    // What else the transaction created exists all the same.
    workers[0].die()
    expect(session.lost()?.statements).toEqual([MACRO])
    session.close()
    await until(() => held.length === 0)
    vi.unstubAllGlobals()
  })

  it('resolves when a result’s columns are known, and then adds rows', async () => {
    const { session, workers, ends } = open()
    const progress: number[] = []
    const started = session.run('SELECT 1', { onProgress: ({ rows }) => progress.push(rows) })
    await until(() => workers[0]?.received.some((each) => each.type === 'call' && each.name === 'run'))
    const [worker] = workers
    const { id } = worker.called('run')
    worker.say({ type: 'item', id, item: [{ columns: [{ name: 'a', type: 'INTEGER' }] }], weight: 0 })
    const { done } = await started
    worker.say({ type: 'item', id, item: [{ message: { rows: 1, columns: [] } }], weight: 8 })
    const rest: RunItem[] = [{ message: { rows: 1, columns: [] } }]
    worker.say({ type: 'result', id, result: { ...SUMMARY, rest } })
    expect(await done).toEqual(SUMMARY)
    expect(progress).toEqual([1, 1, 1])
    expect(ends).toEqual(['complete'])
    expect(worker.received.at(-1)).toEqual({ type: 'taken', id, weight: 8 })
  })

  it('replaces a worker that doesn’t stop, and knows which statements create again what was lost', async () => {
    const { session, workers, ends } = open()
    const made = session.run('CREATE TABLE kept AS SELECT 1')
    await until(() => workers[0]?.received.some((each) => each.type === 'call' && each.name === 'run'))
    workers[0].temporary = [{ name: 'kept', reference: 'kept', kind: 'table', columns: [] }]
    const first = workers[0].called('run').id
    workers[0].say({ type: 'item', id: first, item: [{ columns: [] }], weight: 0 })
    const by: MadeBy = { kind: 'table', sql: 'CREATE TABLE kept AS SELECT 1', parameters: {} }
    const created = { ...SUMMARY, message: 'Created …' }
    workers[0].say({ type: 'result', id: first, result: { ...created, made: [by] } })
    expect(await (await made).done).toEqual(created)
    expect(session.lost()).toBeNull()

    const controller = new AbortController()
    const stuck = session.run('SELECT stuck', { signal: controller.signal })
    await until(() => workers[0].called('run').id !== first)
    workers[0].say({ type: 'item', id: workers[0].called('run').id, item: [{ columns: [] }], weight: 0 })
    const { done } = await stuck
    controller.abort()
    await expect(done).rejects.toBe(controller.signal.reason)
    expect(workers[0].ended).toBe(true)
    expect(ends).toEqual(['complete', 'cancelled'])

    const asked = session.run('FROM kept')
    await until(() => workers[1]?.received.some((each) => each.type === 'call' && each.name === 'run'))
    const missing = new EngineError('unknown-table', 'There is no table kept.', { details: { table: 'kept' } })
    workers[1].say({ type: 'error', id: workers[1].called('run').id, error: serializeError(missing) })
    await expect(asked).rejects.toMatchObject({
      code: 'unknown-table',
      message: expect.stringContaining('is gone') as unknown,
      remedy: 'Create it again.',
    })
    expect(session.lost()).toEqual({ names: ['kept'], statements: [by], transaction: false })

    const again = session.run(by.sql)
    const asking = workers[1].called('run').id
    await until(() => workers[1].called('run').id !== asking)
    workers[1].temporary = workers[0].temporary
    workers[1].say({ type: 'item', id: workers[1].called('run').id, item: [{ columns: [] }], weight: 0 })
    workers[1].say({ type: 'result', id: workers[1].called('run').id, result: { ...created, made: [by] } })
    await (
      await again
    ).done
    expect(session.lost()).toBeNull()
  })

  it('replaces a worker whose memory ran out if nothing is lost with it, and still gets its open answers', async () => {
    const { session, workers } = open()
    const run = (sql: string, outcome?: Outcome): Promise<FakeWorker> => ran(session, workers, sql, outcome)
    const ended = (): boolean[] => workers.map((worker) => worker.ended)
    await run('SELECT wrong', new EngineError('sql-error', 'wrong'))
    expect(ended()).toEqual([false])

    const split = session.split('SELECT 1')
    await run('SELECT large', OUT_OF_MEMORY)
    expect(ended()).toEqual([false])
    expect(await run('SELECT 1')).toBe(workers[1])
    workers[0].say({ type: 'result', id: workers[0].called('split').id, result: [] })
    expect(await split).toEqual([])
    expect(ended()).toEqual([true, false])
    await run('CREATE MACRO …', { message: 'Created …', made: [MACRO] })
    await run('SELECT large', OUT_OF_MEMORY)
    expect(ended()).toEqual([true, false])
    expect(session.lost()).toBeNull()
  })

  it.each<[string, boolean, Partial<RunSummary>, ((worker: FakeWorker) => void)?]>([
    ['CREATE MACRO …', false, { message: 'Created …', made: [MACRO] }],
    ['SELECT setseed(0.5)', false, {}],
    ['BEGIN', true, {}, (worker) => (worker.transaction = 'open')],
    // No summary lists what a statement created before it failed.
    ['SELECT 1', true, {}, (worker) => (worker.temporary = [KEPT])],
  ])('keeps a worker whose memory ran out after %s while something would be lost', async (sql, ends, summary, has) => {
    const { session, workers } = open()
    const worker = await ran(session, workers, sql, summary, has)
    expect(await ran(session, workers, 'SELECT large', OUT_OF_MEMORY)).toBe(worker)
    expect(worker.ended).toBe(false)
    expect(session.lost()).toBeNull()
    worker.temporary = []
    worker.transaction = null
    await ran(session, workers, 'ROLLBACK')
    expect(worker.ended).toBe(ends)
  })

  it('cancels the running statement before it runs the next one', async () => {
    const { session, workers } = open()
    const first = session.run('SELECT 1')
    first.catch(() => undefined)
    await until(() => workers[0]?.received.some((each) => each.type === 'call' && each.name === 'run'))
    const second = session.run('SELECT 2')
    const { id } = workers[0].called('run')
    await until(() => workers[0].received.some((each) => each.type === 'abort' && each.id === id))
    workers[0].say({ type: 'error', id, error: serializeError(new DOMException('cancelled', 'AbortError')) })
    await expect(first).rejects.toMatchObject({ name: 'AbortError' })
    await until(() => workers[0].called('run').id !== id)
    const next = workers[0].called('run').id
    workers[0].say({ type: 'item', id: next, item: [{ columns: [] }], weight: 0 })
    workers[0].say({ type: 'result', id: next, result: SUMMARY })
    expect(await (await second).done).toEqual(SUMMARY)
    expect(workers).toHaveLength(1)
  })

  it('rejects when the worker is lost, and starts a new one with the next call', async () => {
    const { session, workers } = open()
    const lost = session.split('SELECT 1')
    workers[0].say({ type: 'ready' })
    await Promise.resolve()
    workers[0].die()
    await expect(lost).rejects.toMatchObject({ code: 'worker-lost' })
    const again = session.split('SELECT 1')
    workers[1].say({ type: 'result', id: workers[1].called('split').id, result: [] })
    expect(await again).toEqual([])
  })

  it('reports at once which tables and transaction are lost with a worker that dies while nothing runs', async () => {
    const { session, workers } = open()
    const told = vi.fn()
    session.onLost(told)
    const by: MadeBy = { kind: 'table', sql: 'CREATE TABLE kept AS SELECT 1', parameters: {} }
    const has = (worker: FakeWorker): void => void (worker.temporary = [KEPT])
    await ran(session, workers, by.sql, { message: 'Created …', made: [by] }, has)
    await ran(session, workers, 'BEGIN', { message: 'Begun' }, (worker) => (worker.transaction = 'open'))
    expect(await session.transaction()).toBe('open')
    expect(told).not.toHaveBeenCalled()
    workers[0]?.die()
    await until(() => told.mock.calls.length > 0)
    expect(session.lost()).toEqual({ names: ['kept'], statements: [by], transaction: true })
    expect(await session.transaction()).toBeNull()
    expect(told).toHaveBeenCalledTimes(1)
  })

  it('knows what would be lost with it, and what an earlier session has lost', async () => {
    const { session, workers } = open()
    const by: MadeBy = { kind: 'table', sql: 'CREATE TABLE kept AS SELECT 1', parameters: {} }
    const before = { names: ['kept'], statements: [by], transaction: true, left: true } as const
    session.inherit(before)
    expect(session.lost()).toEqual(before)
    expect(session.atStake()).toEqual(before)
    const has = (worker: FakeWorker): void => void (worker.temporary = [KEPT])
    await ran(session, workers, by.sql, { message: 'Created …', made: [by] }, has)
    expect(session.lost()).toBeNull()
    expect(session.atStake()).toEqual({ names: ['kept'], statements: [by], transaction: false })
  })

  it('says why a table of an earlier session is gone', async () => {
    const { session, workers } = open()
    session.inherit({ names: ['kept'], statements: [], transaction: false, left: true })
    const missing = new EngineError('unknown-table', 'There is no table kept.', { details: { table: 'kept' } })
    const asked = session.run('FROM kept')
    await until(() => workers[0]?.received.some((each) => each.type === 'call' && each.name === 'run'))
    workers[0].say({ type: 'error', id: workers[0].called('run').id, error: serializeError(missing) })
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining('the page was left') as unknown })
  })

  it('reports a lost transaction, but not if it was over or the session was closed', async () => {
    const { session, workers } = open()
    const told = vi.fn()
    session.onLost(told)
    await ran(session, workers, 'BEGIN', { message: 'Begun' }, (worker) => (worker.transaction = 'open'))
    await session.transaction()
    workers[0]?.die()
    await until(() => told.mock.calls.length > 0)
    expect(session.lost()).toEqual({ names: [], statements: [], transaction: true })
    session.forgetLost()
    await ran(session, workers, 'BEGIN', { message: 'Begun' }, (worker) => (worker.transaction = 'open'))
    await session.transaction()
    await ran(session, workers, 'COMMIT', { message: 'Kept' }, (worker) => (worker.transaction = null))
    await session.transaction()
    workers[1]?.die()
    await ran(session, workers, 'BEGIN', { message: 'Begun' }, (worker) => (worker.transaction = 'open'))
    await session.transaction()
    session.close()
    await Promise.resolve()
    expect(told).toHaveBeenCalledTimes(1)
  })

  it('splits a script once an aborted statement has stopped or was ended by force', async () => {
    const { session, workers } = open()
    const controller = new AbortController()
    const stuck = session.run('SELECT stuck', { signal: controller.signal })
    stuck.catch(() => undefined)
    await until(() => workers[0]?.received.some((each) => each.type === 'call' && each.name === 'run'))
    controller.abort()
    const split = session.split('SELECT 1')
    await until(() => workers[1]?.received.some((each) => each.type === 'call' && each.name === 'split'))
    workers[1].say({ type: 'result', id: workers[1].called('split').id, result: [] })
    expect(await split).toEqual([])
    expect(workers[0].ended).toBe(true)
  })

  it('removes a worker’s files on the disk, however late the browser ends it', async () => {
    const disk = new Disk()
    onTestFinished(() => void vi.useRealTimers().unstubAllGlobals())
    vi.stubGlobal('navigator', disk.navigator())
    vi.useFakeTimers()
    const folder = await disk.root.getDirectoryHandle('spill', { create: true })
    const file = await folder.getFileHandle('one', { create: true })
    const handle = (await file.createSyncAccessHandle()) as FileSystemSyncAccessHandle
    let letGo = (): void => undefined
    void navigator.locks.request('rowhouse-spill-one', () => new Promise<void>((free) => (letGo = free)))
    const { session } = open()
    session.check('SELECT 1').catch(() => undefined)
    await vi.advanceTimersByTimeAsync(1)
    session.close()
    await vi.advanceTimersByTimeAsync(20_000)
    letGo()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(disk.files.size).toBe(1)
    handle.close()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(disk.files.size).toBe(0)
  })

  it('closes at once, and ends the running statement', async () => {
    const { session, workers } = open()
    const running = session.run('SELECT 1')
    running.catch(() => undefined)
    await until(() => workers[0]?.received.some((each) => each.type === 'call' && each.name === 'run'))
    session.close()
    expect(workers[0].ended).toBe(true)
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    await expect(session.check('SELECT 1')).rejects.toMatchObject({ name: 'AbortError' })
  })
})
