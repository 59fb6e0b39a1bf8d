import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SpareSession } from './spare-session.ts'
import type { SqlSession } from './types.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function spares() {
  const made: { check: ReturnType<typeof vi.fn>; close: ReturnType<typeof vi.fn> }[] = []
  const spare = new SpareSession(() => {
    const session = { check: vi.fn().mockRejectedValue(new Error('no worker')), close: vi.fn() }
    made.push(session)
    return session as unknown as SqlSession
  })
  return { spare, made }
}

test('the session that was started ahead is taken first, and no other is started ahead afterwards', async () => {
  const { spare, made } = spares()
  spare.warm()
  spare.warm()
  expect(made).toHaveLength(1)
  expect(made[0]?.check).toHaveBeenCalledTimes(1)
  expect(spare.take()).toBe(made[0])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(made[0]?.close).not.toHaveBeenCalled()
  spare.warm()
  expect(made).toHaveLength(1)
  expect(spare.take()).toBe(made[1])
})

test('a spare session that nobody takes is closed', async () => {
  const { spare, made } = spares()
  spare.warm()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(made[0]?.close).toHaveBeenCalledTimes(1)
  expect(spare.take()).toBe(made[1])
})
