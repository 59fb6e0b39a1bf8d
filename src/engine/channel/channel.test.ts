import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EngineError } from '../errors.ts'
import { Channel, type ChannelOptions } from './channel.ts'
import type { Role } from './serve.ts'
import { fakeWorkers, inProcess } from './testing.ts'

/** Calls of a role for these tests. */
interface TestCalls {
  echo: { request: string; result: string }
  fail: { request: null; result: never }
  break: { request: null; result: never }
  count: { request: number; progress: number; result: number }
  /** Runs until it's cancelled. */
  hang: { request: null; result: never }
  cancelled: { request: null; result: readonly string[] }
  numbers: { request: number; item: number; result: string }
  sent: { request: null; result: number }
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1))
}
const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

function testRole(): Role<TestCalls> {
  const cancelled: string[] = []
  let sent = 0
  /** Three calls deep, like a signal in a conversion. */
  const untilCancelled = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      const stop = (): void => {
        cancelled.push((signal.reason as Error).name)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
    })
  return {
    handlers: {
      echo: (text) => text,
      fail: () => {
        const cause = new Error('deep')
        throw new EngineError('corrupt-file', 'cut short', { place: 'byte 9', remedy: 'again', details: [1n], cause })
      },
      break: () => {
        throw new WebAssembly.RuntimeError('unreachable')
      },
      count: (to, { progress }) => {
        for (let i = 1; i <= to; i++) progress(i)
        return to
      },
      hang: (_, { signal }) => untilCancelled(signal),
      cancelled: () => cancelled,
      numbers: async (to, call) => {
        for (let i = 0; i < to; i++) {
          sent++
          await call.send(i)
        }
        return 'all'
      },
      sent: () => sent,
    },
    fatal: (error) =>
      error instanceof WebAssembly.RuntimeError ? new EngineError('out-of-memory', 'The engine stopped.') : null,
  }
}

const open = (role = () => Promise.resolve(testRole())): Channel<TestCalls> =>
  new Channel<TestCalls>(inProcess({ test: role }), 'test')

describe('a call', () => {
  it('returns what its handler returns, each call its own', async () => {
    const channel = open()
    expect(await Promise.all(['a', 'b'].map((text) => channel.call('echo', text)))).toEqual(['a', 'b'])
    expect(channel.busy).toBe(false)
  })

  it('waits for its role to start, after which the channel is ready', async () => {
    let start = (): void => undefined
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const channel = open(async () => {
      await started
      return testRole()
    })
    const [answered, ready] = [vi.fn(), vi.fn()]
    const answer = channel.call('echo', 'a').then(answered)
    void channel.ready.then(ready)
    await sleep(10)
    expect([answered.mock.calls.length, ready.mock.calls.length]).toEqual([0, 0])
    start()
    await answer
    expect(ready).toHaveBeenCalledOnce()
  })

  it('is answered by a role that received what its opener shares, such as compiled code', async () => {
    const opened = vi.fn(() => Promise.resolve(testRole()))
    // The smallest valid module.
    const shared = new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
    const channel = new Channel<TestCalls>(inProcess({ test: opened }), 'test', { shared })
    expect(await channel.call('echo', 'a')).toBe('a')
    expect(opened.mock.calls).toEqual([[expect.any(WebAssembly.Module)]])
  })

  it('fails with the error that its handler threw: tag, fields and causes', async () => {
    const failed = await open()
      .call('fail', null)
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(EngineError)
    expect(failed).toMatchObject({
      tag: 'EngineError',
      code: 'corrupt-file',
      message: 'cut short',
      place: 'byte 9',
      remedy: 'again',
      details: [1n],
    })
    expect(((failed as Error).cause as Error).message).toContain('Error: deep')
  })

  it('reports its progress, first at once, then at most ten times a second', async () => {
    const told: number[] = []
    await open().call('count', 50, { onProgress: (count) => told.push(count) })
    expect(told[0]).toBe(1)
    expect(told.length).toBeLessThan(10)
  })

  it('passes its cancellation on to the handler, and fails with the signal’s reason', async () => {
    const channel = open()
    const controller = new AbortController()
    const hanging = channel.call('hang', null, { signal: controller.signal })
    const other = channel.call('echo', 'other')
    await sleep(5)
    controller.abort()
    await expect(hanging).rejects.toBe(controller.signal.reason)
    expect(await channel.call('cancelled', null)).toEqual(['AbortError'])
    expect(await other).toBe('other')
  })

  it('reaches its handler already cancelled if it’s cancelled before its role has started', async () => {
    const channel = open(async () => {
      await sleep(20)
      return testRole()
    })
    const controller = new AbortController()
    const hanging = channel.call('hang', null, { signal: controller.signal })
    await sleep(5)
    controller.abort()
    await expect(hanging).rejects.toBe(controller.signal.reason)
    expect(await channel.call('cancelled', null)).toEqual(['AbortError'])
  })

  it('isn’t made if it’s cancelled before', async () => {
    const { workers, start } = fakeWorkers()
    const channel = new Channel<TestCalls>(start, 'test')
    const signal = AbortSignal.abort()
    await expect(channel.call('echo', 'a', { signal })).rejects.toBe(signal.reason)
    expect(workers[0]?.asked).toEqual([])
  })

  it('fails if the role can’t be loaded, and so do later ones', async () => {
    const channel = open(() => Promise.reject(new EngineError('out-of-memory', 'No memory.')))
    await expect(channel.call('echo', 'a')).rejects.toMatchObject({ message: 'No memory.' })
    await expect(channel.ready).rejects.toMatchObject({ message: 'No memory.' })
    expect(channel.closed).toBe(true)
    await expect(channel.call('echo', 'a')).rejects.toMatchObject({ message: 'No memory.' })
  })

  it('ends the worker if nothing more can run in it, and all calls with it', async () => {
    const channel = open()
    const hanging = channel.call('hang', null)
    const failed = { code: 'out-of-memory', message: 'The engine stopped.' }
    await expect(channel.call('break', null)).rejects.toMatchObject(failed)
    await expect(hanging).rejects.toMatchObject(failed)
    expect(channel.closed).toBe(true)
  })
})

describe('a stream', () => {
  it('yields its items in order, and its result', async () => {
    const stream = open().stream('numbers', 5, { highWaterMark: 2 })
    const items: number[] = []
    for (let next = await stream.next(); ; next = await stream.next()) {
      if (next.done) {
        expect(next.value).toBe('all')
        break
      }
      items.push(next.value)
    }
    expect(items).toEqual([0, 1, 2, 3, 4])
  })

  it('waits for its reader', async () => {
    const channel = open()
    const stream = channel.stream('numbers', 100, { highWaterMark: 3 })
    for (const taken of [1, 2, 3]) {
      await stream.next()
      await sleep(20)
      // The items that were taken, and three in transit.
      expect(await channel.call('sent', null)).toBe(taken + 3)
    }
    await stream.return('')
  })

  it('is cancelled if its reader stops before the end', async () => {
    const channel = open()
    for await (const item of channel.stream('numbers', 100, { highWaterMark: 2 })) if (item === 1) break
    await until(() => !channel.busy)
    expect(await channel.call('sent', null)).toBeLessThan(6)
  })

  it('fails with the signal’s reason, also while the worker waits', async () => {
    const channel = open()
    const controller = new AbortController()
    const stream = channel.stream('numbers', 100, { signal: controller.signal })
    await stream.next()
    controller.abort()
    await expect(stream.next()).rejects.toBe(controller.signal.reason)
    await until(() => !channel.busy)
  })

  it('is cancelled if its role starts after the cancellation, though nobody reads what it sends', async () => {
    let start = (): void => undefined
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const channel = open(async () => {
      await started
      return testRole()
    })
    const controller = new AbortController()
    const call = channel.call('numbers', 5, { signal: controller.signal, onItem: () => undefined })
    controller.abort()
    await sleep(20)
    start()
    await expect(call).rejects.toBe(controller.signal.reason)
  })

  it('fails when its worker is lost', async () => {
    const { workers, start } = fakeWorkers()
    const next = new Channel<TestCalls>(start, 'test').stream('numbers', 1).next()
    workers[0]?.die()
    await expect(next).rejects.toMatchObject({ code: 'worker-lost' })
  })
})

describe('a worker that is lost', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function fake(options: ChannelOptions = { silence: 60_000 }) {
    const { workers, start } = fakeWorkers()
    const channel = new Channel<TestCalls>(start, 'test', options)
    const [worker] = workers
    if (!worker) throw new Error('no worker was started')
    return { channel, worker }
  }

  it('is one that died: its calls and later ones fail', async () => {
    const { channel, worker } = fake()
    const call = channel.call('echo', 'a')
    worker.die()
    await expect(call).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(channel.call('echo', 'a')).rejects.toMatchObject({ code: 'worker-lost' })
    expect(worker.ended).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is one whose script or role couldn’t be loaded', async () => {
    const { channel, worker } = fake()
    const call = channel.call('echo', 'a')
    worker.failToLoad()
    await expect(call).rejects.toMatchObject({ code: 'not-loaded' })
    vi.useRealTimers()
    for (const said of [
      'Failed to fetch dynamically imported module: https://a.test/assets/role.js',
      'error loading dynamically imported module: https://a.test/assets/role.js',
      'Importing a module script failed.',
      'Failed to fetch',
      'NetworkError when attempting to fetch resource.',
      'Load failed',
    ]) {
      const roleless = open(() => Promise.reject(new TypeError(said)))
      await expect(roleless.call('echo', 'a')).rejects.toMatchObject({ code: 'not-loaded' })
      expect(roleless.closed).toBe(true)
    }
    const broken = open(() => Promise.reject(new TypeError('x is not a function')))
    await expect(broken.call('echo', 'a')).rejects.toMatchObject({ code: 'internal' })
  })

  it('is one that stays silent, but not one that is heard from', async () => {
    const { channel, worker } = fake()
    const failed = vi.fn()
    channel.call('hang', null).catch(failed)
    for (let i = 0; i < 5; i++) {
      // Slightly longer than the limit, since this thread may have been busy.
      await vi.advanceTimersByTimeAsync(61_000)
      worker.say({ type: 'alive' })
    }
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(62_001)
    expect(failed.mock.calls).toMatchObject([
      [
        {
          code: 'worker-lost',
          message: 'The background worker hasn’t answered for 60 seconds and was stopped.',
        },
      ],
    ])
    expect(worker.ended).toBe(true)
  })

  it('isn’t one that has no call, nor one that may be silent', async () => {
    const idle = fake()
    const call = idle.channel.call('echo', 'a')
    idle.worker.answer('a')
    await call
    const patient = fake({ silence: Number.POSITIVE_INFINITY })
    const failed = vi.fn()
    patient.channel.call('hang', null).catch(failed)
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect([idle.channel.closed, patient.channel.closed, failed.mock.calls.length]).toEqual([false, false, 0])
  })

  it('is ended if a cancelled call doesn’t stop in time, and its other calls say so', async () => {
    const { channel, worker } = fake()
    const controller = new AbortController()
    const deaf = channel.call('hang', null, { signal: controller.signal, grace: 20 })
    const other = channel.call('echo', 'other')
    controller.abort()
    const ended = [
      expect(deaf).rejects.toBe(controller.signal.reason),
      expect(other).rejects.toMatchObject({ code: 'worker-lost' }),
    ]
    await vi.advanceTimersByTimeAsync(19)
    expect(worker.ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all(ended)
    expect(worker.ended).toBe(true)
  })

  it('sends a heartbeat every second while something runs, and only then', async () => {
    const alive = vi.fn()
    const start = inProcess({ test: () => Promise.resolve(testRole()) })
    const listening = (): Worker => {
      const worker = start()
      worker.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
        if (data.type === 'alive') alive()
      })
      return worker
    }
    const channel = new Channel<TestCalls>(listening, 'test')
    const controller = new AbortController()
    const hanging = channel.call('hang', null, { signal: controller.signal }).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(3500)
    expect(alive).toHaveBeenCalledTimes(3)
    controller.abort()
    await vi.advanceTimersByTimeAsync(10)
    await hanging
    await vi.advanceTimersByTimeAsync(3000)
    expect(alive).toHaveBeenCalledTimes(3)
  })
})
