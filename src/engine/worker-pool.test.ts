import { describe, expect, it, vi } from 'vitest'
import { EngineError } from './errors.ts'
import { toPlain, type FromWorker, type ToWorker } from './rpc.ts'
import { WorkerPool } from './worker-pool.ts'

/** A worker of which the test plays the other side. */
class FakeWorker extends EventTarget {
  readonly received: ToWorker[] = []
  ended = false
  postMessage(message: ToWorker): void {
    this.received.push(message)
  }
  terminate(): void {
    this.ended = true
  }
  say(message: FromWorker): void {
    this.dispatchEvent(new MessageEvent('message', { data: message }))
  }
  die(): void {
    this.dispatchEvent(new Event('error'))
  }
}

function pool(limit = 1): { pool: WorkerPool; workers: FakeWorker[] } {
  const workers: FakeWorker[] = []
  const create = (): Worker => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker as unknown as Worker
  }
  return { pool: new WorkerPool({ create, limit, abortGrace: 20, silence: 60 }), workers }
}

const file = new File(['a'], 'a.csv')
const call = (p: WorkerPool, signal = new AbortController().signal): Promise<unknown> =>
  p.call('inspect', file, {}, signal)
const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
const result = (spent: boolean): FromWorker => ({
  type: 'result',
  result: { inspection: 1, previews: [] } as never,
  spent,
})

describe('WorkerPool', () => {
  it('keeps a fresh worker for the next call and throws a spent one away', async () => {
    const { pool: p, workers } = pool()
    for (const spent of [false, true, false]) {
      const answer = call(p)
      await tick()
      workers.at(-1)?.say(result(spent))
      await answer
    }
    expect(workers.map(({ ended }) => ended)).toEqual([true, false])
  })

  it('carries the abort to the worker, and rejects with the signal’s reason', async () => {
    const { pool: p, workers } = pool()
    const controller = new AbortController()
    const answer = call(p, controller.signal)
    await tick()
    controller.abort()
    workers[0].say({ type: 'error', error: toPlain(controller.signal.reason), spent: true })
    await expect(answer).rejects.toBe(controller.signal.reason)
    expect(workers[0].received.at(-1)).toEqual({ type: 'abort' })
  })

  it('ends a worker that doesn’t heed the abort', async () => {
    const { pool: p, workers } = pool()
    const controller = new AbortController()
    const answer = call(p, controller.signal)
    await tick()
    controller.abort()
    await expect(answer).rejects.toBe(controller.signal.reason)
    expect(workers[0].ended).toBe(true)
  })

  it('says so when a worker dies, and goes on with another', async () => {
    const { pool: p, workers } = pool()
    const lost = call(p)
    const next = call(p)
    await tick()
    workers[0].die()
    await expect(lost).rejects.toMatchObject({ code: 'worker-lost' })
    await tick()
    workers[1].say(result(false))
    await expect(next).resolves.toBeTruthy()
  })

  it('says so when a worker is silent, but not while it’s heard', async () => {
    const { pool: p, workers } = pool()
    const answer = call(p)
    const failed = vi.fn()
    answer.catch(failed)
    for (let i = 0; i < 4; i++) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      workers[0].say({ type: 'alive' })
    }
    expect(failed).not.toHaveBeenCalled()
    await expect(answer).rejects.toMatchObject({ code: 'worker-lost' })
    expect(workers[0].ended).toBe(true)
  })

  it('makes calls beyond the limit wait, and lets a waiting one leave', async () => {
    const { pool: p, workers } = pool(1)
    const first = call(p)
    const controller = new AbortController()
    const second = call(p, controller.signal)
    const third = call(p)
    await tick()
    expect(workers).toHaveLength(1)
    controller.abort()
    await expect(second).rejects.toBe(controller.signal.reason)
    workers[0].say(result(false))
    await first
    await tick()
    workers[0].say(result(false))
    await expect(third).resolves.toBeTruthy()
    expect(workers[0].received.filter(({ type }) => type === 'call')).toHaveLength(2)
  })

  it('doesn’t begin a call that is cancelled while it gets its turn', async () => {
    const { pool: p, workers } = pool(1)
    const first = call(p)
    const controller = new AbortController()
    const second = call(p, controller.signal)
    await tick()
    void first.then(() => controller.abort())
    workers[0].say(result(false))
    await expect(second).rejects.toMatchObject({ name: 'AbortError' })
    expect(workers[0].received).toHaveLength(1)
  })

  it('has one worker warm up, which then gets the first call', async () => {
    const { pool: p, workers } = pool()
    p.warm()
    p.warm()
    const answer = call(p)
    await tick()
    expect(workers).toHaveLength(1)
    expect(workers[0].received).toMatchObject([{ type: 'warm' }, { type: 'call', name: 'inspect' }])
    workers[0].say(result(false))
    await answer
  })

  it('gives no call to a worker that died while it waited for one', async () => {
    const { pool: p, workers } = pool()
    p.warm()
    workers[0].die()
    const answer = call(p)
    await tick()
    workers[1].say(result(false))
    await expect(answer).resolves.toBeTruthy()
  })

  it('loses no turn when a worker can’t be started', async () => {
    let starts = 0
    const worker = new FakeWorker()
    const create = (): Worker => {
      if (starts++ === 0) throw new Error('no more workers')
      return worker as unknown as Worker
    }
    const p = new WorkerPool({ create, limit: 1 })
    await expect(call(p)).rejects.toThrow('no more workers')
    const answer = call(p)
    await tick()
    worker.say(result(false))
    await expect(answer).resolves.toBeTruthy()
  })

  it('brings errors across whole', async () => {
    const { pool: p, workers } = pool()
    const answer = call(p)
    await tick()
    const error = new EngineError('corrupt-file', 'cut short', {
      place: 'byte 9',
      remedy: 'again',
      cause: new Error('deep'),
    })
    workers[0].say({ type: 'error', error: toPlain(error), spent: true })
    await expect(answer).rejects.toMatchObject({
      code: 'corrupt-file',
      message: 'cut short',
      place: 'byte 9',
      remedy: 'again',
    })
  })
})
