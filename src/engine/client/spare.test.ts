import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Spare } from './spare.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function spares() {
  const made: { start: ReturnType<typeof vi.fn>; close: ReturnType<typeof vi.fn> }[] = []
  const spare = new Spare(
    () => {
      const one = { start: vi.fn(), close: vi.fn<() => void>() }
      made.push(one)
      return one
    },
    ({ start }) => void start(),
  )
  return { spare, made }
}

test('the one that was started ahead is taken first, and no other is started ahead afterwards', async () => {
  const { spare, made } = spares()
  spare.warm()
  spare.warm()
  expect(made).toHaveLength(1)
  expect(made[0]?.start).toHaveBeenCalledTimes(1)
  expect(spare.take()).toBe(made[0])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(made[0]?.close).not.toHaveBeenCalled()
  spare.warm()
  expect(made).toHaveLength(1)
  expect(spare.take()).toBe(made[1])
})

test('one that nobody takes is closed', async () => {
  const { spare, made } = spares()
  spare.warm()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(made[0]?.close).toHaveBeenCalledTimes(1)
  expect(spare.take()).toBe(made[1])
})
