import { NEVER } from '../../lib/abort.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Disk, MANNERS } from '../../lib/testing/disk.ts'
import { keepInScratch, sweepScratch } from './scratch.ts'

const MINUTE = 60_000
const whole = () => Promise.resolve()
const disk = new Disk()

beforeEach(() => {
  disk.erase()
  vi.stubGlobal('navigator', disk.navigator())
})
afterEach(() => vi.unstubAllGlobals())

test('a file exists while it’s downloaded, and is removed soon after', async () => {
  const file = await keepInScratch(new Blob(['all of it']).stream(), 'a.zip', NEVER, whole)
  expect([file.name, await file.text()]).toEqual(['a.zip', 'all of it'])
  const made = Date.now()
  await sweepScratch(made + 2 * MINUTE)
  expect(disk.files.size).toBe(1)
  await sweepScratch(made + 6 * MINUTE)
  expect(disk.files.size).toBe(0)
})

test('a file that is being written isn’t removed, however long that takes', async () => {
  let end: (() => void) | undefined
  const slow = new ReadableStream<Uint8Array>({ start: (controller) => void (end = () => controller.close()) })
  const making = keepInScratch(slow, 'a.zip', NEVER, whole)
  await vi.waitFor(() => expect(disk.files.size).toBe(1))
  await sweepScratch(Date.now() + 60 * MINUTE)
  expect(disk.files.size).toBe(1)
  end?.()
  await making
})

test.each(MANNERS)('nothing is left if there’s no space and the disk %s', async (manner) => {
  disk.getFull({ name: '', manner, passing: false, room: 5 })
  const making = keepInScratch(new Blob(['all of it']).stream(), 'a.zip', NEVER, whole)
  await expect(making).rejects.toMatchObject({ name: 'QuotaExceededError' })
  expect(disk.files.size).toBe(0)
})

test('nothing is left of a file that fails its check', async () => {
  const wrong = new Error('not what was written')
  const making = keepInScratch(new Blob(['all of it']).stream(), 'a.zip', NEVER, () => Promise.reject(wrong))
  await expect(making).rejects.toBe(wrong)
  expect(disk.files.size).toBe(0)
})
