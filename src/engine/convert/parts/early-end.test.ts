import { describe, expect, it, vi } from 'vitest'
import { defaultOptions } from '../../../tables/plan.ts'
import { convertFile } from '../convert.ts'
import { EngineError } from '../../errors.ts'
import type { PendingOutput } from '../../storage/output.ts'
import type { ConvertProgress } from '../protocol.ts'
import { secondThread, type SecondThread } from '../../testing/second-thread.ts'
import { planOf, SETTINGS, WatchedOutputs } from './testing.ts'

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('a conversion in parts that ends early', () => {
  const line = (i: number): string => `{"id":${i === 100 ? '"x"' : i},"name":"${'x'.repeat(20_000)}"}\n`
  const file = new File([Array.from({ length: 450 }, (_, i) => line(i)).join('')], 'a.ndjson')
  const request = {
    jobId: 'job',
    plan: planOf(SETTINGS, [0, 1]),
    target: 'csv',
    options: defaultOptions('csv'),
  } as const

  async function failure(
    { beforePart, signal = new AbortController().signal }: Pick<SecondThread, 'beforePart' | 'signal'>,
    progress: (told: ConvertProgress) => void = () => undefined,
    storage = new WatchedOutputs(),
  ): Promise<unknown> {
    const end = vi.fn()
    const startThread = () => secondThread({ signal, storage, end, ...(beforePart ? { beforePart } : {}) })
    const failed = await convertFile(file, request, { signal, progress, storage, startThread }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(storage.begun).toBeGreaterThan(0)
    expect([...storage.left, ...storage.files.keys()]).toEqual([])
    expect(end).toHaveBeenCalledOnce()
    return failed
  }

  it.each(['convert', 'verify'])('is cancelled, and leaves nothing: amid %s', async (phase) => {
    const controller = new AbortController()
    const told: string[] = []
    const stop = (step: ConvertProgress): void => {
      told.push(step.phase)
      if (step.phase === phase) controller.abort()
    }
    // So that there are parts left.
    const beforePart = () => sleep(30)
    expect(await failure({ signal: controller.signal, beforePart }, stop)).toBe(controller.signal.reason)
    expect(told.filter((name) => name === phase)).toHaveLength(1)
  })

  it.each(['convert', 'verify'])('is cancelled, and leaves nothing: with the last step of %s', async (phase) => {
    const controller = new AbortController()
    const stop = (step: ConvertProgress): void => {
      if (step.phase === phase && step.bytes === step.totalBytes) controller.abort()
    }
    expect(await failure({ signal: controller.signal }, stop)).toBe(controller.signal.reason)
  })

  it('is cancelled while the other thread is at work', async () => {
    const controller = new AbortController()
    const beforePart = vi.fn(() => controller.abort())
    expect(await failure({ signal: controller.signal, beforePart })).toBe(controller.signal.reason)
    expect(beforePart).toHaveBeenCalled()
  })

  it.each([
    ['at its first part', 0, 0],
    ['when this one has gone on', 0, 50],
    ['at its second part', 1, 0],
  ])('fails where the other thread does, and leaves nothing: %s', async (_, at, pause) => {
    let count = 0
    const beforePart = async (): Promise<void> => {
      await sleep(pause)
      if (count++ === at) throw new EngineError('corrupt-file', 'The part is damaged.', { place: 'part' })
    }
    const expected = { code: 'corrupt-file', message: 'The part is damaged.', place: 'part' }
    expect(await failure({ beforePart })).toMatchObject(expected)
  })

  it('fails where the other thread does amid the verification, and leaves nothing', async () => {
    const storage = new WatchedOutputs()
    const beforePart = (): void => {
      if (storage.files.size > 0) throw new Error('lost')
    }
    const failed = await failure({ beforePart }, undefined, storage)
    expect(failed).toMatchObject({ code: 'internal', message: expect.stringContaining('lost') as string })
  })

  it('fails where the rejected rows can’t be kept', async () => {
    class Full extends WatchedOutputs {
      override create(jobId: string): Promise<PendingOutput> {
        return this.begun > 0
          ? Promise.reject(new EngineError('out-of-space', 'There is no room.'))
          : super.create(jobId)
      }
    }
    expect(await failure({}, undefined, new Full())).toMatchObject({ code: 'out-of-space' })
  })
})
