import { describe, expect, it } from 'vitest'
import { findOnDisk, openOnDisk } from './file-on-disk.ts'

const WAS = new File(['abc'], 'orders.parquet', { lastModified: 7 })

function onDisk(file: File | null, states: { readonly now: PermissionState; readonly asked?: PermissionState }) {
  const handle = {
    name: WAS.name,
    queryPermission: () => Promise.resolve(states.now),
    // Like a browser without a user gesture.
    requestPermission: () => (states.asked ? Promise.resolve(states.asked) : Promise.reject(new Error('no gesture'))),
    getFile: () => (file ? Promise.resolve(file) : Promise.reject(new DOMException('gone', 'NotFoundError'))),
  } as unknown as FileSystemFileHandle
  return { handle, size: WAS.size, lastModified: WAS.lastModified }
}

describe('a file on the disk', () => {
  it('is opened if it hasn’t changed', async () => {
    expect(await openOnDisk(onDisk(WAS, { now: 'granted' }))).toBe(WAS)
    expect(await openOnDisk(onDisk(WAS, { now: 'prompt', asked: 'granted' }))).toBe(WAS)
    expect(await findOnDisk(onDisk(WAS, { now: 'granted' }))).toBe(WAS)
  })

  it.each([
    ['has changed on your disk', onDisk(new File(['abcd'], WAS.name, { lastModified: 7 }), { now: 'granted' })],
    ['has changed on your disk', onDisk(new File(['abd'], WAS.name, { lastModified: 8 }), { now: 'granted' })],
    ['isn’t where it was', onDisk(null, { now: 'granted' })],
    ['doesn’t let the page read', onDisk(WAS, { now: 'prompt', asked: 'denied' })],
    ['doesn’t let the page read', onDisk(WAS, { now: 'prompt' })],
  ])('is refused with a remedy: “%s”', async (words, file) => {
    const { message, remedy, code } = await openOnDisk(file).then(
      () => ({ message: 'opened', remedy: '', code: '' }),
      (error: { message: string; remedy: string; code: string }) => error,
    )
    expect([code, message]).toEqual(['file-changed', expect.stringContaining(words)])
    expect(remedy).not.toBe('')
    expect(await findOnDisk(file)).toBeNull()
  })
})
