import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { Channel } from '../channel/channel.ts'
import { serializeError } from '../channel/errors.ts'
import { FakeWorker as AnyFakeWorker } from '../channel/testing.ts'
import { EngineError } from '../errors.ts'
import type { PartResult, PartsState, PrintTask } from './parts/task.ts'
import type { WriterThreadCalls } from './writer-thread.ts'
import { WriterThread } from './writer-thread.ts'

/** A second thread of which the test plays the other side. */
class FakeWorker extends AnyFakeWorker {
  result(id: number, result?: unknown): void {
    this.say({ type: 'result', id, result })
  }
  error(id: number, error: unknown): void {
    this.say({ type: 'error', id, error: serializeError(error) })
  }
}

const REQUEST = { jobId: 'job', target: 'csv', options: defaultOptions('csv') } as const

const NEVER = new AbortController().signal

function open(signal = NEVER): { thread: WriterThread; worker: FakeWorker; channel: Channel<WriterThreadCalls> } {
  const worker = new FakeWorker()
  const channel = new Channel<WriterThreadCalls>(() => worker as unknown as Worker, 'writer', { silence: 1000 })
  return { thread: new WriterThread(channel, signal), worker, channel }
}

describe('WriterThread', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('counts as lost when it is silent, but not while it is heard', async () => {
    const { thread: s, worker } = open()
    const finishing = s.openOutput(REQUEST).finish()
    const failed = vi.fn()
    finishing.catch(failed)
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(2500)
      worker.say({ type: 'alive' })
    }
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(3001)
    await expect(finishing).rejects.toMatchObject({ code: 'worker-lost' })
    const late = s.openOutput(REQUEST)
    await expect(late.finish()).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(late.discard()).resolves.toBeUndefined()
  })

  it('rejects what waits when it dies; an output can still be given up', async () => {
    const { thread: s, worker } = open()
    const output = s.openOutput(REQUEST)
    worker.result(0, { id: 'job/a' })
    const finishing = output.finish()
    await vi.advanceTimersByTimeAsync(0)
    worker.die()
    await expect(finishing).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(output.discard()).resolves.toBeUndefined()
  })

  it('begins an output while it’s being opened, and fails what comes next where that fails', async () => {
    const { thread: s, worker } = open()
    const output = s.openOutput(REQUEST)
    await output.begin({ name: 't', columns: [] })
    expect(worker.asked).toEqual(['open', 'begin'])
    expect(() => output.id).toThrow('isn’t open yet')
    const finishing = output.finish()
    worker.error(0, new EngineError('out-of-space', 'There is no room.'))
    worker.error(1, new Error('no output is open'))
    await expect(finishing).rejects.toMatchObject({ code: 'out-of-space' })
    await expect(output.discard()).resolves.toBeUndefined()
    s.end()
  })

  it('gives up an output that was still being opened', async () => {
    const { thread: s, worker } = open()
    const discarding = s.openOutput(REQUEST).discard()
    worker.result(0, { id: 'job/c' })
    await vi.advanceTimersByTimeAsync(0)
    expect(worker.received.at(-1)).toMatchObject({ name: 'discard', request: 'job/c' })
    worker.result(1, undefined)
    await discarding
    s.end()
  })

  it('passes a cancellation on, and fails with the signal’s reason', async () => {
    const controller = new AbortController()
    const { thread: s, worker } = open(controller.signal)
    const finishing = s.openOutput(REQUEST).finish()
    controller.abort()
    expect(worker.asked.at(-1)).toBe('abort')
    worker.error(0, controller.signal.reason)
    await expect(finishing).rejects.toBe(controller.signal.reason)
    s.end()
    expect(worker.ended).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves its thread to the next one', async () => {
    const { thread: s, worker, channel } = open()
    const looking = s.inspectRest('csv', new File([], 'a.csv'), { kind: 'parquet' }, 0)
    worker.result(0, 'found')
    expect(await looking).toBe('found')
    s.end()
    expect(worker.ended).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
    const next = new WriterThread(channel, NEVER)
    const output = next.openOutput(REQUEST)
    const finishing = output.finish()
    worker.result(1, { id: 'job/b' })
    await vi.advanceTimersByTimeAsync(0)
    worker.result(2, { changes: [], readBack: [] })
    await finishing
    expect(output.id).toBe('job/b')
    next.end()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('doesn’t leave a thread that is busy, lost, or was told to stop', () => {
    const busy = open()
    busy.thread.openOutput(REQUEST)
    const lost = open()
    lost.worker.die()
    const stopped = open(AbortSignal.abort())
    for (const { thread: s, worker } of [busy, lost, stopped]) {
      s.end()
      expect(worker.ended).toBe(true)
    }
    expect(vi.getTimerCount()).toBe(0)
  })
})

const TASK: PrintTask = {
  kind: 'print',
  format: 'csv',
  request: { settings: { kind: 'parquet' }, table: null, columns: [] },
}
const RESULT: PartResult = { rows: 3, rejected: [] }
const STATE: PartsState = { fingerprint: { rows: 3, rowChecksum: 1n, columns: [] }, changed: [2] }

describe('parts that are left to the other thread', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('go there as copies, in their order, and come back as results', async () => {
    const { thread: s, worker } = open()
    const parts = s.openParts(TASK)
    const slice = Uint8Array.of(1, 2, 3, 4, 5, 6)
    const results = [
      parts.run({ index: 4, from: 100, bytes: slice.subarray(1, 3) }),
      parts.run({ index: 5, from: 102, bytes: slice.subarray(3) }),
    ]
    const state = parts.state()
    expect(worker.calls.map(({ id, name }) => [id, name])).toEqual([
      [0, 'parts'],
      [1, 'part'],
      [2, 'part'],
      [3, 'partsState'],
    ])
    const [opening, first, second] = worker.calls.map(({ request }) => request)
    expect(opening).toEqual(TASK)
    expect(first).toEqual({ index: 4, from: 100, bytes: Uint8Array.of(2, 3) })
    expect(second).toEqual({ index: 5, from: 102, bytes: Uint8Array.of(4, 5, 6) })
    for (const { bytes } of [first, second] as { bytes: Uint8Array }[])
      expect(bytes.buffer.byteLength).toBe(bytes.length)
    expect([...slice]).toEqual([1, 2, 3, 4, 5, 6])
    worker.result(0, undefined)
    worker.result(2, RESULT)
    worker.result(1, { ...RESULT, rows: 4 })
    worker.result(3, STATE)
    expect(await Promise.all(results)).toEqual([{ ...RESULT, rows: 4 }, RESULT])
    expect(await state).toEqual(STATE)
    s.end()
  })

  it('fail with what went wrong there', async () => {
    const { thread: s, worker } = open()
    const parts = s.openParts(TASK)
    const run = parts.run({ index: 0, from: 0, bytes: new Uint8Array(1) })
    const state = parts.state()
    const fault = new EngineError('corrupt-file', 'The part is damaged.', { place: 'line 3' })
    worker.result(0, undefined)
    worker.error(1, fault)
    worker.error(2, new Error('lost'))
    await expect(run).rejects.toMatchObject({ code: 'corrupt-file', message: fault.message, place: 'line 3' })
    await expect(state).rejects.toMatchObject({ code: 'internal' })
    s.end()
  })

  it('fail where the work on them can’t begin, and not before they’re asked for', async () => {
    const { thread: s, worker } = open()
    const parts = s.openParts(TASK)
    worker.error(0, new Error('no reader'))
    await vi.advanceTimersByTimeAsync(0)
    const run = parts.run({ index: 0, from: 0, bytes: new Uint8Array(1) })
    worker.error(1, new Error('no parts are worked on'))
    await expect(run).rejects.toMatchObject({ code: 'internal' })
    s.end()
  })

  it('fail when the other thread is lost, those that come later, too', async () => {
    const { thread: s, worker } = open()
    const parts = s.openParts(TASK)
    const waiting = [parts.run({ index: 0, from: 0, bytes: new Uint8Array(1) }), parts.state()]
    worker.die()
    for (const call of waiting) await expect(call).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(parts.run({ index: 1, from: 1, bytes: new Uint8Array(1) })).rejects.toMatchObject({
      code: 'worker-lost',
    })
    await expect(parts.state()).rejects.toMatchObject({ code: 'worker-lost' })
    expect(worker.calls).toHaveLength(3)
  })

  it('fail with the signal’s reason when cancelled', async () => {
    const controller = new AbortController()
    const { thread: s, worker } = open(controller.signal)
    const run = s.openParts(TASK).run({ index: 0, from: 0, bytes: new Uint8Array(1) })
    controller.abort()
    expect(worker.asked.at(-1)).toBe('abort')
    worker.error(1, controller.signal.reason)
    await expect(run).rejects.toBe(controller.signal.reason)
    s.end()
  })
})

describe('rows that were written here', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const rowsOf = (count: number) => ({ count, pieces: [new Uint8Array(count).fill(7), new Uint8Array(0)] })

  it('are handed over to the output, with the place of their part', async () => {
    const { thread: s, worker } = open()
    const output = s.openOutput(REQUEST)
    const rows = rowsOf(3)
    await output.appendRows(5, rows)
    expect(worker.calls.at(-1)).toMatchObject({ name: 'rows', request: { index: 5, rows: rowsOf(3) } })
    expect(rows.pieces.map((piece) => piece.length)).toEqual([0, 0])
    s.end()
  })

  it('wait where many are on their way', async () => {
    const { thread: s, worker } = open()
    const output = s.openOutput(REQUEST)
    const appended = vi.fn()
    const appending = async (): Promise<void> => {
      for (let index = 0; index < 20; index++) await output.appendRows(index, rowsOf(1))
      appended()
    }
    const all = appending()
    await vi.advanceTimersByTimeAsync(0)
    expect(worker.calls.length).toBeLessThan(12)
    expect(appended).not.toHaveBeenCalled()
    for (let id = 0; id < 21; id++) {
      worker.result(id, id === 0 ? { id: 'job/a' } : undefined)
      await vi.advanceTimersByTimeAsync(0)
    }
    await all
    expect(worker.calls.slice(1).map(({ request }) => (request as { index: number }).index)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    )
    s.end()
  })

  it('fail with a later call where they can’t be written', async () => {
    const { thread: s, worker } = open()
    const output = s.openOutput(REQUEST)
    await output.appendRows(0, rowsOf(1))
    worker.result(0, { id: 'job/a' })
    worker.error(1, new EngineError('out-of-space', 'There is no room.'))
    await expect(output.finish()).rejects.toMatchObject({ code: 'out-of-space' })
    s.end()
  })

  it('fail when the other thread is lost', async () => {
    const { thread: s, worker } = open()
    const output = s.openOutput(REQUEST)
    worker.die()
    await output.appendRows(0, rowsOf(1)).catch(() => undefined)
    await expect(output.finish()).rejects.toMatchObject({ code: 'worker-lost' })
  })
})
