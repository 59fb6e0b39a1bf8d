import { describe, expect, it } from 'vitest'
import { Semaphore } from './semaphore.ts'

/** Work that ends when the test says so. */
function held(): { work: () => Promise<string>; end: (text: string) => void; begun: () => boolean } {
  let begun = false
  let end: (text: string) => void = () => undefined
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  return {
    work: () => {
      begun = true
      return ended
    },
    end: (text) => end(text),
    begun: () => begun,
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

describe('Semaphore', () => {
  it('runs a limited number at once, and others in order', async () => {
    const semaphore = new Semaphore(2)
    const works = [held(), held(), held(), held()]
    const results = works.map(({ work }) => semaphore.run(work))
    await tick()
    expect(works.map(({ begun }) => begun())).toEqual([true, true, false, false])
    works[1]?.end('second')
    await tick()
    expect(works.map(({ begun }) => begun())).toEqual([true, true, true, false])
    for (const [i, { end }] of works.entries()) end(String(i))
    expect(await Promise.all(results)).toEqual(['0', 'second', '2', '3'])
  })

  it('continues after an error', async () => {
    const semaphore = new Semaphore(1)
    const failing = semaphore.run(() => Promise.reject(new Error('no')))
    const next = semaphore.run(() => Promise.resolve('next'))
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('next')
  })

  it('lets a waiting task be cancelled, even when it’s next', async () => {
    const semaphore = new Semaphore(1)
    const first = held()
    const running = semaphore.run(first.work)
    const [leaving, late, last] = [new AbortController(), new AbortController(), held()]
    const left = semaphore.run(held().work, leaving.signal)
    leaving.abort()
    await expect(left).rejects.toBe(leaving.signal.reason)
    const never = held()
    const refused = semaphore.run(never.work, late.signal)
    const after = semaphore.run(last.work)
    void running.then(() => late.abort())
    first.end('first')
    await expect(refused).rejects.toMatchObject({ name: 'AbortError' })
    expect(never.begun()).toBe(false)
    last.end('last')
    expect(await after).toBe('last')
  })
})
