import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { EngineError } from '../errors.ts'
import { toPlain } from '../rpc.ts'
import type { FromStage, ToStage } from './protocol.ts'
import { Stage } from './stage.ts'

/** A second thread of which the test plays the other side. */
class FakeWorker extends EventTarget {
  readonly received: ToStage[] = []
  ended = false
  postMessage(message: ToStage): void {
    this.received.push(message)
  }
  terminate(): void {
    this.ended = true
  }
  say(message: FromStage): void {
    this.dispatchEvent(new MessageEvent('message', { data: message }))
  }
}

const REQUEST = { jobId: 'job', target: 'csv', options: defaultOptions('csv') } as const

function stage(signal = new AbortController().signal): { stage: Stage; worker: FakeWorker } {
  const worker = new FakeWorker()
  return { stage: new Stage(worker as unknown as Worker, signal, 1000), worker }
}

describe('Stage', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('counts as lost when it is silent, but not while it is heard', async () => {
    const { stage: s, worker } = stage()
    const finishing = s.openOutput(REQUEST).finish()
    const failed = vi.fn()
    finishing.catch(failed)
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(2500)
      worker.say({ alive: true })
    }
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(3001)
    await expect(finishing).rejects.toMatchObject({ code: 'worker-lost' })
    const late = s.openOutput(REQUEST)
    await expect(late.finish()).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(late.discard()).resolves.toBeUndefined()
  })

  it('rejects what waits when it dies; an output can still be given up', async () => {
    const { stage: s, worker } = stage()
    const output = s.openOutput(REQUEST)
    worker.say({ id: 0, result: { id: 'job/a' } })
    const finishing = output.finish()
    await vi.advanceTimersByTimeAsync(0)
    worker.dispatchEvent(new Event('error'))
    await expect(finishing).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(output.discard()).resolves.toBeUndefined()
  })

  it('begins an output while it’s being opened, and fails what comes next where that fails', async () => {
    const { stage: s, worker } = stage()
    const output = s.openOutput(REQUEST)
    await output.begin({ name: 't', columns: [] })
    expect(worker.received.map((message) => message.type === 'call' && message.name)).toEqual(['open', 'begin'])
    expect(() => output.id).toThrow('isn’t open yet')
    const finishing = output.finish()
    worker.say({ id: 0, error: toPlain(new EngineError('out-of-space', 'There is no room.')) })
    worker.say({ id: 1, error: toPlain(new Error('no output is open')) })
    await expect(finishing).rejects.toMatchObject({ code: 'out-of-space' })
    await expect(output.discard()).resolves.toBeUndefined()
    s.end()
  })

  it('gives up an output that was still being opened', async () => {
    const { stage: s, worker } = stage()
    const discarding = s.openOutput(REQUEST).discard()
    worker.say({ id: 0, result: { id: 'job/c' } })
    await vi.advanceTimersByTimeAsync(0)
    expect(worker.received.at(-1)).toMatchObject({ name: 'discard', request: 'job/c' })
    worker.say({ id: 1, result: undefined })
    await discarding
    s.end()
  })

  it('passes a cancellation on, and fails with the signal’s reason', async () => {
    const controller = new AbortController()
    const { stage: s, worker } = stage(controller.signal)
    const finishing = s.openOutput(REQUEST).finish()
    controller.abort()
    expect(worker.received.at(-1)).toEqual({ type: 'abort' })
    worker.say({ id: 0, error: toPlain(controller.signal.reason) })
    await expect(finishing).rejects.toBe(controller.signal.reason)
    s.end()
    expect(worker.ended).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves its thread to the next one, and hears it no more', async () => {
    const { stage: s, worker } = stage()
    const looking = s.inspectRest('csv', new File([], 'a.csv'), { kind: 'parquet' }, 0)
    worker.say({ id: 0, result: 'found' })
    expect(await looking).toBe('found')
    expect(s.release()).toBe(worker)
    expect(worker.ended).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
    const next = new Stage(worker as unknown as Worker, new AbortController().signal, 1000)
    const output = next.openOutput(REQUEST)
    const finishing = output.finish()
    worker.say({ id: 0, result: { id: 'job/b' } })
    await vi.advanceTimersByTimeAsync(0)
    worker.say({ id: 1, result: { changes: [], readBack: [] } })
    await finishing
    expect(output.id).toBe('job/b')
    next.end()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('doesn’t leave a thread that is busy, lost, or was told to stop', async () => {
    const busy = stage()
    busy.stage.openOutput(REQUEST)
    const lost = stage()
    lost.worker.dispatchEvent(new Event('error'))
    const stopped = stage(AbortSignal.abort())
    for (const { stage: s, worker } of [busy, lost, stopped]) {
      expect(s.release()).toBeNull()
      expect(worker.ended).toBe(true)
    }
    expect(vi.getTimerCount()).toBe(0)
  })
})
