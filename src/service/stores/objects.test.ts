import 'fake-indexeddb/auto'
import { describe, expect, test, vi } from 'vitest'
import { TooLargeError, type Objects } from '../ports.ts'
import { createIndexedObjects } from './objects.ts'
import { createMemoryObjects } from '../testing/objects.ts'

const streamOf = (...texts: string[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })

const stores: [string, () => Objects][] = [
  ['memory', createMemoryObjects],
  ['IndexedDB', () => createIndexedObjects(`test-${crypto.randomUUID()}`)],
]

describe.each(stores)('objects in %s', (_, create) => {
  test('are stored completely, each under a new id', async () => {
    const objects = create()
    const [a, b] = await Promise.all([
      objects.put(streamOf('one', ' two'), { maxBytes: 7 }),
      objects.put(null, { maxBytes: 7 }),
    ])
    expect(a.size).toBe(7)
    expect(b).toEqual({ blobId: expect.not.stringMatching(a.blobId), size: 0 })
    expect(await (await objects.get(a.blobId))?.text()).toBe('one two')
    expect((await objects.get(b.blobId))?.size).toBe(0)
    await objects.remove(a.blobId)
    await objects.remove(a.blobId)
    expect(await objects.get(a.blobId)).toBeUndefined()
  })

  test('that are too large, broken off or cancelled aren’t stored', async () => {
    const objects = create()
    await expect(objects.put(streamOf('one', ' two'), { maxBytes: 6 })).rejects.toThrow(TooLargeError)
    const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new TypeError('cut')) })
    await expect(objects.put(broken, { maxBytes: 6 })).rejects.toThrow('cut')
    const signal = AbortSignal.abort()
    await expect(objects.put(streamOf('x'), { maxBytes: 6, signal })).rejects.toThrow(signal.reason)
  })
})

test('objects in IndexedDB: a sweep removes those without a record after a while', async () => {
  const objects = createIndexedObjects(`test-${crypto.randomUUID()}`)
  const [kept, loose] = [
    await objects.put(streamOf('a'), { maxBytes: 1 }),
    await objects.put(streamOf('b'), { maxBytes: 1 }),
  ]
  const keep = async (): Promise<ReadonlySet<string>> => new Set([kept.blobId])
  await objects.sweep(keep)
  expect(await objects.get(loose.blobId)).toBeDefined()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001)
  await objects.sweep(keep)
  vi.restoreAllMocks()
  expect(await objects.get(loose.blobId)).toBeUndefined()
  expect(await objects.get(kept.blobId)).toBeDefined()
})
