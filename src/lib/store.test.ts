import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Store } from './store.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('subscribers are called after each change until they unsubscribe', () => {
  const store = new Store({ a: 1, b: 1 })
  const seen: unknown[] = []
  const stop = store.subscribe(() => seen.push(store.snapshot()))
  store.merge({ a: 2 })
  store.set({ a: 3, b: 3 })
  stop()
  store.merge({ b: 4 })
  expect(seen).toEqual([
    { a: 2, b: 1 },
    { a: 3, b: 3 },
  ])
  expect(store.snapshot()).toEqual({ a: 3, b: 4 })
})

test('progress is set at once, but announced later, or together with another change', () => {
  const store = new Store(0)
  const seen: number[] = []
  store.subscribe(() => seen.push(store.snapshot()))
  for (let i = 1; i < 10; i++) store.set(i, true)
  expect([store.snapshot(), seen]).toEqual([9, []])
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual([9])
  store.set(10, true)
  store.set(11)
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual([9, 11])
})

test('a change for each of many is announced once', () => {
  const store = new Store(0)
  const seen: number[] = []
  store.subscribe(() => seen.push(store.snapshot()))
  const add = (by: number): void => store.set(store.snapshot() + by, by === 1)
  store.together([1, 2, 3], (one) => store.together([one, 10], add))
  expect(seen).toEqual([36])
  store.together([], add)
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual([36])
  const fail = (by: number): void => {
    add(by)
    throw new Error('no')
  }
  expect(() => store.together([4], fail)).toThrow('no')
  add(5)
  expect(seen).toEqual([36, 40, 45])
})

test('the announced state stays the same until the next announcement, for consistent rendering in slices', () => {
  const store = new Store(0)
  store.set(1, true)
  expect([store.snapshot(), store.announced()]).toEqual([1, 0])
  vi.advanceTimersByTime(1000)
  expect(store.announced()).toBe(1)
  store.set(2)
  expect(store.announced()).toBe(2)
})
