import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
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
    const opening = s.openOutput(REQUEST)
    const failed = vi.fn()
    opening.catch(failed)
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(2500)
      worker.say({ alive: true })
    }
    expect(failed).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(3001)
    await expect(opening).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(s.openOutput(REQUEST)).rejects.toMatchObject({ code: 'worker-lost' })
  })

  it('rejects what waits when it dies; an output can still be given up', async () => {
    const { stage: s, worker } = stage()
    const opening = s.openOutput(REQUEST)
    worker.say({ id: 0, result: { id: 'job/a' } })
    const output = await opening
    const finishing = output.finish()
    await vi.advanceTimersByTimeAsync(0)
    worker.dispatchEvent(new Event('error'))
    await expect(finishing).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(output.discard()).resolves.toBeUndefined()
  })

  it('passes a cancellation on, and fails with the signal’s reason', async () => {
    const controller = new AbortController()
    const { stage: s, worker } = stage(controller.signal)
    const opening = s.openOutput(REQUEST)
    controller.abort()
    expect(worker.received.at(-1)).toEqual({ type: 'abort' })
    worker.say({ id: 0, error: toPlain(controller.signal.reason) })
    await expect(opening).rejects.toBe(controller.signal.reason)
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
    const opening = next.openOutput(REQUEST)
    worker.say({ id: 0, result: { id: 'job/b' } })
    expect((await opening).id).toBe('job/b')
    next.end()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('doesn’t leave a thread that is busy, lost, or was told to stop', async () => {
    const busy = stage()
    busy.stage.openOutput(REQUEST).catch(() => undefined)
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
