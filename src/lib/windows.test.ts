import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdLock } from './windows.ts'
import { Disk } from './testing/disk.ts'

beforeEach(() => void vi.stubGlobal('navigator', new Disk().navigator()))
afterEach(() => void vi.unstubAllGlobals())

const isFree = (): Promise<boolean> =>
  navigator.locks.request('a', { ifAvailable: true }, (lock) => Promise.resolve(lock !== null))

test('a lock is held until it’s released', async () => {
  expect(await isFree()).toBe(true)
  const release = await holdLock('a')
  expect(await isFree()).toBe(false)
  const next = holdLock('a')
  release()
  const releaseNext = await next
  expect(await isFree()).toBe(false)
  releaseNext()
})

test('a shared lock is held until all have released it', async () => {
  const release = await holdLock('a', { mode: 'shared' })
  const releaseOther = await holdLock('a', { mode: 'shared' })
  release()
  expect(await isFree()).toBe(false)
  const next = holdLock('a')
  releaseOther()
  await next
})
