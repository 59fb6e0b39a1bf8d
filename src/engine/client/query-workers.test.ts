import { describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { toPlain } from '../rpc.ts'
import type { FromQuery, ToQuery } from '../sql/query-protocol.ts'
import { QueryWorkers } from './query-workers.ts'

/** A worker of which the test plays the other side. */
class FakeWorker extends EventTarget {
  readonly received: ToQuery[] = []
  ended = false
  postMessage(message: ToQuery): void {
    this.received.push(message)
  }
  terminate(): void {
    this.ended = true
  }
  say(message: FromQuery): void {
    this.dispatchEvent(new MessageEvent('message', { data: message }))
  }
  answer(name: string): void {
    this.say({ type: 'result', result: { columns: [{ name, type: 'INTEGER' }], rows: [], truncated: false } })
  }
}

/** @param starting whether its workers' engines are left to be started by the test */
function setUp(limit: number, starting = false): { queries: QueryWorkers; workers: FakeWorker[] } {
  const workers: FakeWorker[] = []
  const create = (): Worker => {
    const worker = new FakeWorker()
    workers.push(worker)
    if (!starting) queueMicrotask(() => worker.say({ type: 'ready' }))
    return worker as unknown as Worker
  }
  return { queries: new QueryWorkers({ create, limit, stopGrace: 20 }), workers }
}

const NEVER = new AbortController().signal
const run = (queries: QueryWorkers, sql: string, signal = NEVER, timeoutMs = 60_000): Promise<string> =>
  queries
    .run({ sql, tables: [], files: new Map(), maxRows: 1 }, timeoutMs, signal)
    .then(({ columns }) => columns[0]?.name ?? '')
const tick = (milliseconds = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const sqlOf = (message: ToQuery | undefined): string => (message?.type === 'run' ? message.request.sql : 'abort')

describe('QueryWorkers', () => {
  it('ends a worker whose engine stopped, and says what its statement came to', async () => {
    const { queries, workers } = setUp(1)
    const answers = [run(queries, 'a'), run(queries, 'b')]
    await tick()
    const error = toPlain(new EngineError('out-of-memory', 'more than the engine has'))
    workers[0]?.say({ type: 'error', error, ended: true })
    await expect(answers[0]).rejects.toMatchObject({ code: 'out-of-memory' })
    await tick()
    expect([workers[0]?.ended, workers[1]?.received.map(sqlOf)]).toEqual([true, ['b']])
    workers[1]?.answer('b')
    expect(await answers[1]).toBe('b')
  })

  it('runs so many at once, the others in order, in workers that live on', async () => {
    const { queries, workers } = setUp(2)
    const answers = ['a', 'b', 'c', 'd'].map((sql) => run(queries, sql))
    await tick()
    expect(workers.map(({ received }) => received.map(sqlOf))).toEqual([['a'], ['b']])
    workers[1]?.answer('b')
    await tick()
    expect(workers.map(({ received }) => received.map(sqlOf))).toEqual([['a'], ['b', 'c']])
    workers[0]?.answer('a')
    await tick()
    workers[0]?.answer('d')
    workers[1]?.answer('c')
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd'])
    expect(workers.map(({ ended }) => ended)).toEqual([false, false])
  })

  it('keeps a worker whose statement was wrong, and none in which something broke', async () => {
    const { queries, workers } = setUp(1)
    for (const code of ['sql-error', 'internal'] as const) {
      const answer = run(queries, code)
      await tick()
      workers.at(-1)?.say({ type: 'error', error: toPlain(new EngineError(code, 'No.')) })
      await expect(answer).rejects.toMatchObject({ code })
    }
    // The next one starts at once.
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
    const answer = run(queries, 'again')
    await tick()
    workers[1]?.answer('again')
    expect(await answer).toBe('again')
  })

  it('tells at once that it was cancelled, and uses the worker again when it has stopped', async () => {
    const { queries, workers } = setUp(1)
    const controller = new AbortController()
    const answer = run(queries, 'slow', controller.signal)
    const next = run(queries, 'next')
    await tick()
    controller.abort()
    await expect(answer).rejects.toBe(controller.signal.reason)
    expect(workers[0]?.received.map(sqlOf)).toEqual(['slow', 'abort'])
    workers[0]?.say({ type: 'error', error: toPlain(controller.signal.reason) })
    await tick()
    expect(workers[0]?.received.map(sqlOf)).toEqual(['slow', 'abort', 'next'])
    workers[0]?.answer('next')
    expect(await next).toBe('next')
    await tick(40)
    expect(workers[0]?.ended).toBe(false)
  })

  it('ends a worker that doesn’t stop, and gives the next statement a new one', async () => {
    const { queries, workers } = setUp(1)
    const controller = new AbortController()
    const answer = run(queries, 'deaf', controller.signal)
    const next = run(queries, 'next')
    await tick()
    controller.abort()
    await expect(answer).rejects.toBe(controller.signal.reason)
    expect(workers[0]?.ended).toBe(false)
    await tick(60)
    expect(workers[0]?.ended).toBe(true)
    workers[1]?.answer('next')
    expect(await next).toBe('next')
  })

  it('starts no statement that was cancelled while it waited', async () => {
    const { queries, workers } = setUp(1)
    const first = run(queries, 'first')
    const controller = new AbortController()
    const second = run(queries, 'second', controller.signal)
    const third = run(queries, 'third')
    await tick()
    controller.abort()
    await expect(second).rejects.toBe(controller.signal.reason)
    workers[0]?.answer('first')
    await first
    await tick()
    workers[0]?.answer('third')
    expect(await third).toBe('third')
    expect(workers[0]?.received.map(sqlOf)).toEqual(['first', 'third'])
    await expect(run(queries, 'late', controller.signal)).rejects.toBe(controller.signal.reason)
  })

  it('counts the time from when an engine is ready, and keeps one that is starting', async () => {
    const { queries, workers } = setUp(1, true)
    const answer = run(queries, 'a', NEVER, 30)
    const controller = new AbortController()
    const left = run(queries, 'left', controller.signal, 30)
    await tick(60)
    expect(workers[0]?.received).toEqual([])
    workers[0]?.say({ type: 'ready' })
    await tick()
    workers[0]?.answer('a')
    expect(await answer).toBe('a')
    await tick()
    controller.abort()
    await expect(left).rejects.toBe(controller.signal.reason)
    workers[0]?.answer('left')
    const slow = run(queries, 'slow', NEVER, 30)
    await expect(slow).rejects.toMatchObject({ code: 'sql-timeout' })
    expect(workers[0]?.received.map(sqlOf)).toEqual(['a', 'left', 'abort', 'slow', 'abort'])
    await tick(40)
    // It didn't stop: another one starts, with nobody waiting for it yet.
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
    workers[1]?.answer('next')
    expect(await next).toBe('next')
    expect(workers).toHaveLength(2)
    expect(workers[1]?.received.map(sqlOf)).toEqual(['next'])
  })

  it('starts another engine when one couldn’t start', async () => {
    const { queries, workers } = setUp(1, true)
    const answer = run(queries, 'a')
    await tick()
    workers[0]?.say({ type: 'error', error: toPlain(new EngineError('internal', 'No memory.')) })
    await expect(answer).rejects.toMatchObject({ message: 'No memory.' })
    expect(workers.map(({ ended }) => ended)).toEqual([true])
    const next = run(queries, 'b')
    await tick()
    workers[1]?.say({ type: 'ready' })
    await tick()
    workers[1]?.answer('b')
    expect(await next).toBe('b')
  })

  it('says that a worker died, and goes on', async () => {
    const { queries, workers } = setUp(1)
    const answer = run(queries, 'a')
    await tick()
    workers[0]?.dispatchEvent(new Event('error'))
    await expect(answer).rejects.toBeInstanceOf(EngineError)
    const next = run(queries, 'b')
    await tick()
    workers[1]?.answer('b')
    expect(await next).toBe('b')
  })
})
