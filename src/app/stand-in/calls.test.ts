import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Calls } from './calls.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a call', () => {
  it('that’s repeated gets the first answer, and doesn’t run again', async () => {
    const calls = new Calls()
    let runs = 0
    const run = (): Promise<Response> => Promise.resolve(new Response(`run ${++runs}`, { status: 201 }))
    const both = await Promise.all([calls.answer('a', run), calls.answer('a', run)])
    const late = await calls.answer('a', run)
    const texts = await Promise.all([...both, late].map((response) => response.text()))
    expect([texts, late.status]).toEqual([['run 1', 'run 1', 'run 1'], 201])
    expect(await (await calls.answer('b', run)).text()).toBe('run 2')
  })

  it('is forgotten after a while', async () => {
    const calls = new Calls()
    let runs = 0
    const run = (): Promise<Response> => Promise.resolve(new Response(`run ${++runs}`))
    await calls.answer('a', run)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await (await calls.answer('a', run)).text()).toBe('run 2')
  })

  it('that failed runs again', async () => {
    const calls = new Calls()
    await expect(calls.answer('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await (await calls.answer('a', () => Promise.resolve(new Response('yes')))).text()).toBe('yes')
  })

  it('is cancelled by its id', async () => {
    const calls = new Calls()
    const untilStopped = (signal: AbortSignal): Promise<Response> =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    const answer = calls.answer('a', untilStopped)
    calls.cancel('a')
    await expect(answer).rejects.toThrow(/aborted/)
  })
})
