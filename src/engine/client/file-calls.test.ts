import { NEVER } from '../../lib/abort.ts'
import { describe, expect, it } from 'vitest'
import { Channel } from '../channel/channel.ts'
import { serializeError } from '../channel/errors.ts'
import { ChannelPool } from '../channel/pool.ts'
import { fakeWorkers, FakeWorker } from '../channel/testing.ts'
import { EngineError, notLoaded } from '../errors.ts'
import type { ConvertCalls } from '../convert/calls.ts'
import { callWithFile } from './table-store.ts'

type Pool = ChannelPool<ConvertCalls>

function pool(limit = 1): { pool: Pool; workers: FakeWorker[] } {
  const { workers, start } = fakeWorkers()
  const open = (): Channel<ConvertCalls> => new Channel(start, 'convert')
  return { pool: new ChannelPool({ open, limit, keep: 1 }), workers }
}

const file = new File(['a'], 'a.csv')
const call = (p: Pool, signal = NEVER): Promise<unknown> => callWithFile(p, 'inspect', { file }, { signal })
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
const RESULT = { inspection: 1, previews: [] }
/** Makes a worker's last call fail. */
function fail(worker: FakeWorker | undefined, error: unknown): void {
  worker?.say({ type: 'error', id: worker.calls.at(-1)?.id ?? -1, error: serializeError(error) })
}

describe('calls over files', () => {
  it('keeps a worker for the next call unless it holds too much memory', async () => {
    const { pool: p, workers } = pool()
    const request = { jobId: 'a', plan: {} as never, target: 'csv', options: {} as never, file } as const
    for (const [name, outgrown] of [
      ['inspect', false],
      ['convert', true],
      ['convert', false],
    ] as const) {
      const answer = callWithFile(p, name, request, { signal: NEVER })
      await tick()
      workers.at(-1)?.answer(RESULT, outgrown)
      await answer
    }
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
    expect(workers.map(({ asked }) => asked)).toEqual([['inspect', 'convert'], ['convert']])
  })

  it('sends an abort to the worker, and rejects with the signal’s reason', async () => {
    const { pool: p, workers } = pool()
    const controller = new AbortController()
    const answer = call(p, controller.signal)
    await tick()
    controller.abort()
    fail(workers[0], controller.signal.reason)
    await expect(answer).rejects.toBe(controller.signal.reason)
    expect(workers[0]?.received.at(-1)).toEqual({ type: 'abort', id: 0 })
  })

  it('ends a worker that ignores the abort', async () => {
    const { pool: p, workers } = pool()
    const controller = new AbortController()
    const answer = call(p, controller.signal)
    await tick()
    controller.abort()
    await expect(answer).rejects.toBe(controller.signal.reason)
    expect(workers[0]?.ended).toBe(true)
  })

  it('rejects when a worker dies, and runs the next call in a new one', async () => {
    const { pool: p, workers } = pool()
    const lost = call(p)
    const next = call(p)
    await tick()
    workers[0]?.die()
    await expect(lost).rejects.toMatchObject({ code: 'worker-lost' })
    await tick()
    workers[1]?.answer(RESULT)
    await expect(next).resolves.toBeTruthy()
  })

  it('retries once in a new worker if code couldn’t be loaded', async () => {
    const { pool: p, workers } = pool()
    const answer = call(p)
    await tick()
    fail(workers[0], new TypeError('Failed to fetch dynamically imported module: https://a.test/csv.js'))
    await tick()
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
    workers[1]?.answer(RESULT)
    await expect(answer).resolves.toBeTruthy()

    const unlucky = call(p)
    await tick()
    fail(workers[1], notLoaded('no network'))
    await tick()
    workers[2]?.failToLoad()
    await expect(unlucky).rejects.toMatchObject({ code: 'not-loaded' })
    expect(workers).toHaveLength(3)
  })

  it('queues calls beyond the limit, which can be cancelled while they wait', async () => {
    const { pool: p, workers } = pool(1)
    const first = call(p)
    const controller = new AbortController()
    const second = call(p, controller.signal)
    const third = call(p)
    await tick()
    expect(workers).toHaveLength(1)
    controller.abort()
    await expect(second).rejects.toBe(controller.signal.reason)
    workers[0]?.answer(RESULT)
    await first
    await tick()
    workers[0]?.answer(RESULT)
    await expect(third).resolves.toBeTruthy()
    expect(workers[0]?.calls).toHaveLength(2)
  })

  it('doesn’t start a call that is cancelled just when it’s its turn', async () => {
    const { pool: p, workers } = pool(1)
    const first = call(p)
    const controller = new AbortController()
    const second = call(p, controller.signal)
    await tick()
    void first.then(() => controller.abort())
    workers[0]?.answer(RESULT)
    await expect(second).rejects.toMatchObject({ name: 'AbortError' })
    expect(workers[0]?.calls).toHaveLength(1)
  })

  it('starts one worker ahead, which gets the first call', async () => {
    const { pool: p, workers } = pool()
    p.warm()
    p.warm()
    const answer = call(p)
    await tick()
    expect(workers).toHaveLength(1)
    expect(workers[0]?.received.map(({ type }) => type)).toEqual(['open', 'call'])
    workers[0]?.answer(RESULT)
    await answer
  })

  it('gives no call to a worker that died while it was idle', async () => {
    const { pool: p, workers } = pool()
    p.warm()
    workers[0]?.die()
    const answer = call(p)
    await tick()
    workers[1]?.answer(RESULT)
    await expect(answer).resolves.toBeTruthy()
  })

  it('runs the next call after a worker couldn’t be started', async () => {
    let starts = 0
    const worker = new FakeWorker()
    const create = (): Worker => {
      if (starts++ === 0) throw new Error('no more workers')
      return worker as unknown as Worker
    }
    const open = (): Channel<ConvertCalls> => new Channel(create, 'convert')
    const p: Pool = new ChannelPool({ open, limit: 1 })
    await expect(call(p)).rejects.toThrow('no more workers')
    const answer = call(p)
    await tick()
    worker.answer(RESULT)
    await expect(answer).resolves.toBeTruthy()
  })

  it('passes on a worker’s error with its place and remedy', async () => {
    const { pool: p, workers } = pool()
    const answer = call(p)
    await tick()
    const error = new EngineError('corrupt-file', 'cut short', {
      place: 'byte 9',
      remedy: 'again',
      cause: new Error('deep'),
    })
    fail(workers[0], error)
    await expect(answer).rejects.toMatchObject({
      code: 'corrupt-file',
      message: 'cut short',
      place: 'byte 9',
      remedy: 'again',
    })
  })
})
