import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { EngineError } from '../errors.ts'
import type { PartResult, PartsState, PrintTask } from '../parts/task.ts'
import { toPlain } from '../rpc.ts'
import type { FromStage, ToStage } from './protocol.ts'
import { Stage } from './stage.ts'

/** A second thread of which the test plays the other side. */
class FakeWorker extends EventTarget {
  readonly received: ToStage[] = []
  ended = false
  /** What is handed over is gone on the other side, as it would be. */
  postMessage(message: ToStage, transfer: Transferable[] = []): void {
    this.received.push(transfer.length > 0 ? structuredClone(message, { transfer }) : message)
  }
  get calls() {
    return this.received.filter((message) => message.type === 'call')
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
    const { stage: s, worker } = stage()
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
    worker.say({ id: 0, result: undefined })
    worker.say({ id: 2, result: RESULT })
    worker.say({ id: 1, result: { ...RESULT, rows: 4 } })
    worker.say({ id: 3, result: STATE })
    expect(await Promise.all(results)).toEqual([{ ...RESULT, rows: 4 }, RESULT])
    expect(await state).toEqual(STATE)
    s.end()
  })

  it('fail with what went wrong there', async () => {
    const { stage: s, worker } = stage()
    const parts = s.openParts(TASK)
    const run = parts.run({ index: 0, from: 0, bytes: new Uint8Array(1) })
    const state = parts.state()
    const fault = new EngineError('corrupt-file', 'The part is damaged.', { place: 'line 3' })
    worker.say({ id: 0, result: undefined })
    worker.say({ id: 1, error: toPlain(fault) })
    worker.say({ id: 2, error: toPlain(new Error('lost')) })
    await expect(run).rejects.toMatchObject({ code: 'corrupt-file', message: fault.message, place: 'line 3' })
    await expect(state).rejects.toMatchObject({ code: 'internal' })
    s.end()
  })

  it('fail where the work on them can’t begin, and not before they’re asked for', async () => {
    const { stage: s, worker } = stage()
    const parts = s.openParts(TASK)
    worker.say({ id: 0, error: toPlain(new Error('no reader')) })
    await vi.advanceTimersByTimeAsync(0)
    const run = parts.run({ index: 0, from: 0, bytes: new Uint8Array(1) })
    worker.say({ id: 1, error: toPlain(new Error('no parts are worked on')) })
    await expect(run).rejects.toMatchObject({ code: 'internal' })
    s.end()
  })

  it('fail when the other thread is lost, those that come later, too', async () => {
    const { stage: s, worker } = stage()
    const parts = s.openParts(TASK)
    const waiting = [parts.run({ index: 0, from: 0, bytes: new Uint8Array(1) }), parts.state()]
    worker.dispatchEvent(new Event('error'))
    for (const call of waiting) await expect(call).rejects.toMatchObject({ code: 'worker-lost' })
    await expect(parts.run({ index: 1, from: 1, bytes: new Uint8Array(1) })).rejects.toMatchObject({
      code: 'worker-lost',
    })
    await expect(parts.state()).rejects.toMatchObject({ code: 'worker-lost' })
    expect(worker.calls).toHaveLength(3)
  })

  it('fail with the signal’s reason when cancelled', async () => {
    const controller = new AbortController()
    const { stage: s, worker } = stage(controller.signal)
    const run = s.openParts(TASK).run({ index: 0, from: 0, bytes: new Uint8Array(1) })
    controller.abort()
    expect(worker.received.at(-1)).toEqual({ type: 'abort' })
    worker.say({ id: 1, error: toPlain(controller.signal.reason) })
    await expect(run).rejects.toBe(controller.signal.reason)
    s.end()
  })
})

describe('rows that were written here', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const rowsOf = (count: number) => ({ count, pieces: [new Uint8Array(count).fill(7), new Uint8Array(0)] })

  it('are handed over to the output, with the place of their part', async () => {
    const { stage: s, worker } = stage()
    const output = s.openOutput(REQUEST)
    const rows = rowsOf(3)
    await output.appendRows(5, rows)
    expect(worker.calls.at(-1)).toMatchObject({ name: 'rows', request: { index: 5, rows: rowsOf(3) } })
    expect(rows.pieces.map((piece) => piece.length)).toEqual([0, 0])
    s.end()
  })

  it('wait where many are on their way', async () => {
    const { stage: s, worker } = stage()
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
      worker.say({ id, result: id === 0 ? { id: 'job/a' } : undefined })
      await vi.advanceTimersByTimeAsync(0)
    }
    await all
    expect(worker.calls.slice(1).map(({ request }) => (request as { index: number }).index)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    )
    s.end()
  })

  it('fail with a later call where they can’t be written', async () => {
    const { stage: s, worker } = stage()
    const output = s.openOutput(REQUEST)
    await output.appendRows(0, rowsOf(1))
    worker.say({ id: 0, result: { id: 'job/a' } })
    worker.say({ id: 1, error: toPlain(new EngineError('out-of-space', 'There is no room.')) })
    await expect(output.finish()).rejects.toMatchObject({ code: 'out-of-space' })
    s.end()
  })

  it('fail when the other thread is lost', async () => {
    const { stage: s, worker } = stage()
    const output = s.openOutput(REQUEST)
    worker.dispatchEvent(new Event('error'))
    await output.appendRows(0, rowsOf(1)).catch(() => undefined)
    await expect(output.finish()).rejects.toMatchObject({ code: 'worker-lost' })
  })
})
