import { Float64, makeData } from 'apache-arrow'
import { NEVER } from '../../../lib/abort.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultOptions } from '../../../tables/plan.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { Channel } from '../../channel/channel.ts'
import { serializeError } from '../../channel/errors.ts'
import { FakeWorker as AnyFakeWorker } from '../../channel/testing.ts'
import { EngineError } from '../../errors.ts'
import { type WriterThreadCalls, WriterThread } from './writer-thread.ts'

/** A second thread whose answers come from the test. */
class FakeWorker extends AnyFakeWorker {
  result(id: number, result?: unknown): void {
    this.say({ type: 'result', id, result })
  }
  error(id: number, error: unknown): void {
    this.say({ type: 'error', id, error: serializeError(error) })
  }
}

const REQUEST = { jobId: 'job', target: 'csv', options: defaultOptions('csv') } as const

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

  it.each([
    ['six batches', 1000, 6],
    ['two large batches', 2_000_000, 2],
  ])('sends %s before one of them has been written', async (_, rows, sent) => {
    const { thread: s, worker } = open()
    const output = s.openOutput(REQUEST)
    worker.result(0, { id: 'job/a' })
    const writing = (async () => {
      for (let i = 0; i < 8; i++) {
        const values = new Float64Array(rows)
        await output.write(batchFromColumns([makeData({ type: new Float64(), data: values })], rows))
      }
    })()
    await vi.advanceTimersByTimeAsync(0)
    const writes = () => worker.calls.filter(({ name }) => name === 'write')
    expect(writes()).toHaveLength(sent)
    worker.result(writes()[0].id)
    await vi.advanceTimersByTimeAsync(0)
    expect(writes()).toHaveLength(sent + 1)
    worker.die()
    await expect(writing).rejects.toMatchObject({ code: 'worker-lost' })
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

  it('doesn’t leave a thread that is busy, lost, was told to stop, or holds too much memory', async () => {
    const busy = open()
    busy.thread.openOutput(REQUEST)
    const lost = open()
    lost.worker.die()
    const stopped = open(AbortSignal.abort())
    const outgrown = open()
    const looking = outgrown.thread.inspectRest('csv', new File([], 'a.csv'), { kind: 'parquet' }, 0)
    outgrown.worker.answer('found', true)
    await looking
    for (const { thread: s, worker } of [busy, lost, stopped, outgrown]) {
      s.end()
      expect(worker.ended).toBe(true)
    }
    expect(vi.getTimerCount()).toBe(0)
  })
})
