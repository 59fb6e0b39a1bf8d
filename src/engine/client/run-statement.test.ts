import { NEVER } from '../../lib/abort.ts'
import { describe, expect, it } from 'vitest'
import { Channel } from '../channel/channel.ts'
import { serializeError } from '../channel/errors.ts'
import { ChannelPool } from '../channel/pool.ts'
import { fakeWorkers, type FakeWorker } from '../channel/testing.ts'
import { EngineError } from '../errors.ts'
import type { QueryCalls, RunRequest } from '../sql/protocol.ts'
import { runStatement } from './run-statement.ts'

type Pool = ChannelPool<QueryCalls>

/** @param starting whether engines stay in their start until the test says that they are ready */
function setUp(limit: number, starting = false): { queries: Pool; workers: FakeWorker[] } {
  const { workers, start } = fakeWorkers((worker) => {
    if (!starting) queueMicrotask(() => worker.say({ type: 'ready' }))
  })
  const open = (): Channel<QueryCalls> => new Channel(start, 'query', { silence: Number.POSITIVE_INFINITY })
  return { queries: new ChannelPool({ open, limit }), workers }
}

/** Answers a worker's last statement with one column of that name. */
const answer = (worker: FakeWorker | undefined, name: string): void =>
  worker?.answer({ columns: [{ name, type: 'INTEGER' }], rows: [], truncated: false })
const fail = (worker: FakeWorker | undefined, error: unknown): void =>
  worker?.say({ type: 'error', id: worker.calls.at(-1)?.id ?? -1, error: serializeError(error) })
/** The statements and aborts that a worker has received, in order. */
const asked = (worker: FakeWorker | undefined): string[] =>
  (worker?.received ?? []).flatMap((message) =>
    message.type === 'call' ? [(message.request as RunRequest).sql] : message.type === 'abort' ? ['abort'] : [],
  )

const run = (queries: Pool, sql: string, signal = NEVER, timeoutMs = 60_000): Promise<string> =>
  runStatement(queries, { sql, tables: [], files: new Map(), maxRows: 1 }, timeoutMs, signal, 20).then(
    ({ columns }) => columns[0]?.name ?? '',
  )
const tick = (milliseconds = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('running statements', () => {
  it('ends a worker whose engine stopped, and rejects with the reason', async () => {
    const { queries, workers } = setUp(1)
    const answers = [run(queries, 'a'), run(queries, 'b')]
    await tick()
    const error = serializeError(new EngineError('out-of-memory', 'more than the engine has'))
    workers[0]?.say({ type: 'fatal', error })
    await expect(answers[0]).rejects.toMatchObject({ code: 'out-of-memory' })
    await tick()
    expect([workers[0]?.ended, asked(workers[1])]).toEqual([true, ['b']])
    answer(workers[1], 'b')
    expect(await answers[1]).toBe('b')
  })

  it('runs up to the limit at once, the others in order, and keeps the workers', async () => {
    const { queries, workers } = setUp(2)
    const answers = ['a', 'b', 'c', 'd'].map((sql) => run(queries, sql))
    await tick()
    expect(workers.map(asked)).toEqual([['a'], ['b']])
    answer(workers[1], 'b')
    await tick()
    expect(workers.map(asked)).toEqual([['a'], ['b', 'c']])
    answer(workers[0], 'a')
    await tick()
    answer(workers[0], 'd')
    answer(workers[1], 'c')
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd'])
    expect(workers.map(({ ended }) => ended)).toEqual([false, false])
  })

  it.each(['internal', 'out-of-memory'] as const)(
    'keeps a worker after an error in SQL, but not after %s',
    async (ends) => {
      const { queries, workers } = setUp(1)
      for (const code of ['sql-error', ends] as const) {
        const running = run(queries, code)
        await tick()
        fail(workers.at(-1), new EngineError(code, 'No.'))
        await expect(running).rejects.toMatchObject({ code })
      }
      // A replacement starts at once.
      expect(workers.map(({ ended }) => ended)).toEqual([true, false])
      const running = run(queries, 'again')
      await tick()
      answer(workers[1], 'again')
      expect(await running).toBe('again')
    },
  )

  it('rejects as soon as it’s cancelled, and reuses the worker once it has stopped', async () => {
    const { queries, workers } = setUp(1)
    const controller = new AbortController()
    const running = run(queries, 'slow', controller.signal)
    const next = run(queries, 'next')
    await tick()
    controller.abort()
    await expect(running).rejects.toBe(controller.signal.reason)
    expect(asked(workers[0])).toEqual(['slow', 'abort'])
    fail(workers[0], controller.signal.reason)
    await tick()
    expect(asked(workers[0])).toEqual(['slow', 'abort', 'next'])
    answer(workers[0], 'next')
    expect(await next).toBe('next')
    await tick(40)
    expect(workers[0]?.ended).toBe(false)
  })

  it('ends a worker that doesn’t stop, and gives the next statement a new one', async () => {
    const { queries, workers } = setUp(1)
    const controller = new AbortController()
    const running = run(queries, 'deaf', controller.signal)
    const next = run(queries, 'next')
    await tick()
    controller.abort()
    await expect(running).rejects.toBe(controller.signal.reason)
    expect(workers[0]?.ended).toBe(false)
    await tick(60)
    expect(workers[0]?.ended).toBe(true)
    answer(workers[1], 'next')
    expect(await next).toBe('next')
  })

  it('doesn’t start a statement that was cancelled while it waited', async () => {
    const { queries, workers } = setUp(1)
    const first = run(queries, 'first')
    const controller = new AbortController()
    const second = run(queries, 'second', controller.signal)
    const third = run(queries, 'third')
    await tick()
    controller.abort()
    await expect(second).rejects.toBe(controller.signal.reason)
    answer(workers[0], 'first')
    await first
    await tick()
    answer(workers[0], 'third')
    expect(await third).toBe('third')
    expect(asked(workers[0])).toEqual(['first', 'third'])
    await expect(run(queries, 'late', controller.signal)).rejects.toBe(controller.signal.reason)
  })

  it('starts the time limit when the engine is ready, and keeps a starting engine', async () => {
    const { queries, workers } = setUp(1, true)
    const running = run(queries, 'a', NEVER, 30)
    const controller = new AbortController()
    const left = run(queries, 'left', controller.signal, 30)
    await tick(60)
    expect(asked(workers[0])).toEqual([])
    workers[0]?.say({ type: 'ready' })
    await tick()
    answer(workers[0], 'a')
    expect(await running).toBe('a')
    await tick()
    controller.abort()
    await expect(left).rejects.toBe(controller.signal.reason)
    answer(workers[0], 'left')
    const slow = run(queries, 'slow', NEVER, 30)
    await expect(slow).rejects.toMatchObject({ code: 'sql-timeout' })
    expect(asked(workers[0])).toEqual(['a', 'left', 'abort', 'slow', 'abort'])
    await tick(40)
    // It didn't stop in time, so a replacement starts before anyone needs it.
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
    const second = new AbortController()
    const early = run(queries, 'early', second.signal, 30)
    await tick()
    second.abort()
    await expect(early).rejects.toBe(second.signal.reason)
    const next = run(queries, 'next', NEVER, 30)
    await tick()
    workers[1]?.say({ type: 'ready' })
    await tick()
    answer(workers[1], 'next')
    expect(await next).toBe('next')
    expect(workers).toHaveLength(2)
    expect(asked(workers[1])).toEqual(['next'])
  })

  it('starts another engine after one failed to start', async () => {
    const { queries, workers } = setUp(1, true)
    const running = run(queries, 'a')
    await tick()
    workers[0]?.say({ type: 'fatal', error: serializeError(new EngineError('internal', 'No memory.')) })
    await expect(running).rejects.toMatchObject({ message: 'No memory.' })
    expect(workers.map(({ ended }) => ended)).toEqual([true])
    const next = run(queries, 'b')
    await tick()
    workers[1]?.say({ type: 'ready' })
    await tick()
    answer(workers[1], 'b')
    expect(await next).toBe('b')
  })

  it('rejects when a worker dies, and runs the next statement in a new one', async () => {
    const { queries, workers } = setUp(1)
    const running = run(queries, 'a')
    await tick()
    workers[0]?.die()
    await expect(running).rejects.toBeInstanceOf(EngineError)
    const next = run(queries, 'b')
    await tick()
    answer(workers[1], 'b')
    expect(await next).toBe('b')
  })
})
