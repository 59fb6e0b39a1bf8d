import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FilePart } from '../../formats/types.ts'
import { shareParts } from './share.ts'

const WINDOW = 8

const partOf = (index: number): FilePart => ({ index, from: index * 10, bytes: new Uint8Array(10) })

async function* parts(count: number): AsyncGenerator<FilePart, void, undefined> {
  for (let index = 0; index < count; index++) yield await Promise.resolve(partOf(index))
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Notes who works on what. */
class Watch {
  readonly begun: number[] = []
  readonly settled: number[] = []
  working = 0
  settling = 0

  lane(pace: (index: number) => Promise<unknown>): (part: FilePart) => Promise<string> {
    return async ({ index }) => {
      expect(index - this.settled.length).toBeLessThan(WINDOW)
      this.begun.push(index)
      this.working++
      try {
        await pace(index)
      } finally {
        this.working--
      }
      return `result ${index}`
    }
  }

  settle(pace: (index: number) => Promise<unknown> = () => Promise.resolve()) {
    return async (part: FilePart, result: string): Promise<void> => {
      expect(result).toBe(`result ${part.index}`)
      expect(this.settling++).toBe(0)
      try {
        await pace(part.index)
      } finally {
        this.settling--
      }
      this.settled.push(part.index)
    }
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe('sharing parts', () => {
  it('works on each once, and settles them in their order, whatever the pace', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.nat(30), fc.integer({ min: 1, max: 4 }), async (s, count, lanes) => {
        const watch = new Watch()
        const source = s.scheduleFunction(() => Promise.resolve())
        async function* slowly(): AsyncGenerator<FilePart, void, undefined> {
          for await (const part of parts(count)) {
            await source()
            yield part
          }
        }
        const pace = (index: number) => s.schedule(Promise.resolve(), `part ${index}`)
        const working = upTo(lanes).map(() => watch.lane(pace))
        await s.waitFor(
          shareParts(
            slowly(),
            working,
            watch.settle((index) => s.schedule(Promise.resolve(), `settle ${index}`)),
          ),
        )
        expect(watch.begun.toSorted((a, b) => a - b)).toEqual(upTo(count))
        expect(watch.settled).toEqual(upTo(count))
      }),
      { numRuns: 150 },
    )
  })

  it('does nothing without parts', async () => {
    const watch = new Watch()
    await shareParts(parts(0), [watch.lane(() => sleep(0)), watch.lane(() => sleep(0))], watch.settle())
    expect([watch.begun, watch.settled]).toEqual([[], []])
  })
})

describe('lanes', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('take more the faster they are', async () => {
    const watch = new Watch()
    const [slow, fast] = [vi.fn(watch.lane(() => sleep(30))), vi.fn(watch.lane(() => sleep(10)))]
    const sharing = shareParts(parts(40), [slow, fast], watch.settle())
    await vi.advanceTimersByTimeAsync(299)
    expect([slow.mock.calls.length, fast.mock.calls.length]).toEqual([10, 30])
    await vi.runAllTimersAsync()
    await sharing
    expect(watch.settled).toEqual(upTo(40))
  })

  it('run no further than the window ahead of the first part that isn’t settled', async () => {
    const watch = new Watch()
    const [stuck, fast] = [watch.lane((index) => sleep(index === 0 ? 10_000 : 10)), watch.lane(() => sleep(10))]
    const sharing = shareParts(parts(30), [stuck, fast], watch.settle())
    await vi.advanceTimersByTimeAsync(9000)
    expect(watch.begun).toEqual(upTo(WINDOW))
    expect(watch.settled).toEqual([])
    await vi.runAllTimersAsync()
    await sharing
    expect(watch.settled).toEqual(upTo(30))
  })

  it('wait for what settles slowly, too', async () => {
    const watch = new Watch()
    const lanes = [watch.lane(() => sleep(1)), watch.lane(() => sleep(1))]
    const sharing = shareParts(
      parts(20),
      lanes,
      watch.settle(() => sleep(1000)),
    )
    await vi.runAllTimersAsync()
    await sharing
    expect(watch.settled).toEqual(upTo(20))
  })
})

describe('a failure', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const first = new Error('first')

  /** What comes of it, and how many were at work then. */
  function outcome(sharing: Promise<void>, watch: Watch) {
    const failed = vi.fn()
    sharing.catch((error: unknown) => failed(error, watch.working, watch.settling))
    return failed
  }

  it('of a lane is thrown when the others have ended, and nothing more is taken', async () => {
    const watch = new Watch()
    const source = parts(100)
    const [next, end] = [vi.spyOn(source, 'next'), vi.spyOn(source, 'return')]
    const failing = watch.lane((index) => (index < 2 ? sleep(10) : sleep(10).then(() => Promise.reject(first))))
    const other = watch.lane(() => sleep(1000))
    const failed = outcome(shareParts(source, [failing, other], watch.settle()), watch)
    await vi.advanceTimersByTimeAsync(900)
    expect(watch.begun).toEqual([0, 1, 2])
    expect(failed).not.toHaveBeenCalled()
    await vi.runAllTimersAsync()
    expect(failed).toHaveBeenCalledExactlyOnceWith(first, 0, 0)
    expect(watch.begun).toEqual([0, 1, 2])
    expect(watch.settled).toEqual([0])
    expect(end).toHaveBeenCalledOnce()
    expect(next).toHaveBeenCalledTimes(3)
  })

  it('is the first one, where others follow', async () => {
    const watch = new Watch()
    const failing = watch.lane(() => sleep(20).then(() => Promise.reject(first)))
    const later = watch.lane(() => sleep(30).then(() => Promise.reject(new Error('second'))))
    const failed = outcome(shareParts(parts(9), [later, failing], watch.settle()), watch)
    await vi.runAllTimersAsync()
    expect(failed).toHaveBeenCalledExactlyOnceWith(first, 0, 0)
    expect(watch.begun).toEqual([0, 1])
  })

  it('of the source is thrown, too', async () => {
    const watch = new Watch()
    async function* broken(): AsyncGenerator<FilePart, void, undefined> {
      yield* parts(3)
      throw first
    }
    const failed = outcome(
      shareParts(broken(), [watch.lane(() => sleep(10)), watch.lane(() => sleep(1000))], watch.settle()),
      watch,
    )
    await vi.runAllTimersAsync()
    expect(failed).toHaveBeenCalledExactlyOnceWith(first, 0, 0)
    expect(watch.begun).toEqual([0, 1, 2])
  })

  it('of what settles is thrown, and nothing is settled behind it', async () => {
    const watch = new Watch()
    const settle = watch.settle((index) => (index === 2 ? Promise.reject(first) : Promise.resolve()))
    const lanes = [watch.lane(() => sleep(10)), watch.lane(() => sleep(1000))]
    const failed = outcome(shareParts(parts(100), lanes, settle), watch)
    await vi.runAllTimersAsync()
    expect(failed).toHaveBeenCalledExactlyOnceWith(first, 0, 0)
    expect(watch.settled).toEqual([0, 1])
    expect(watch.begun.length).toBeLessThanOrEqual(2 + WINDOW)
  })

  it('keeps what is done from being settled', async () => {
    const watch = new Watch()
    const failing = watch.lane(() => sleep(500).then(() => Promise.reject(first)))
    const lanes = [watch.lane(() => sleep(10)), watch.lane(() => sleep(10)), failing]
    const failed = outcome(
      shareParts(
        parts(9),
        lanes,
        watch.settle(() => sleep(1000)),
      ),
      watch,
    )
    await vi.runAllTimersAsync()
    expect(failed).toHaveBeenCalledExactlyOnceWith(first, 0, 0)
    expect(watch.settled).toEqual([0])
  })

  it('reaches those who wait for the window', async () => {
    const watch = new Watch()
    const failing = watch.lane(() => sleep(1000).then(() => Promise.reject(first)))
    const failed = outcome(shareParts(parts(30), [failing, watch.lane(() => sleep(10))], watch.settle()), watch)
    await vi.runAllTimersAsync()
    expect(failed).toHaveBeenCalledExactlyOnceWith(first, 0, 0)
    expect(watch.begun).toEqual(upTo(WINDOW))
  })

  it('leaves what was settled a whole beginning, whenever it comes', async () => {
    vi.useRealTimers()
    const place = fc.constantFrom('lane', 'source', 'settle')
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.nat(20),
        place,
        fc.integer({ min: 1, max: 3 }),
        async (s, at, where, lanes) => {
          const watch = new Watch()
          const pace = (index: number) => s.schedule(Promise.resolve(), `part ${index}`)
          const failHere = (here: string, index: number) =>
            here === where && index === at ? Promise.reject(first) : Promise.resolve()
          async function* source(): AsyncGenerator<FilePart, void, undefined> {
            for await (const part of parts(25)) {
              await failHere('source', part.index)
              yield part
            }
          }
          const working = upTo(lanes).map(() => watch.lane((index) => pace(index).then(() => failHere('lane', index))))
          const settle = watch.settle((index) => pace(index).then(() => failHere('settle', index)))
          const sharing = shareParts(source(), working, settle)
          const ended = sharing.catch((error: unknown) => [error, watch.working, watch.settling])
          await s.waitFor(ended)
          expect(await ended).toEqual([first, 0, 0])
          expect(watch.settled).toEqual(upTo(watch.settled.length))
          expect(watch.settled.length).toBeLessThanOrEqual(at)
          expect(new Set(watch.begun).size).toBe(watch.begun.length)
        },
      ),
      { numRuns: 150 },
    )
  })
})
