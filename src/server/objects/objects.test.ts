import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TooLargeError } from '../../service/ports.ts'
import { TEST_STORES, type TestStore } from '../testing/object-stores.ts'

const many = { maxBytes: 100_000_000 }
const streamOf = (...parts: string[]): ReadableStream<Uint8Array> => new Blob(parts).stream()

describe.each(TEST_STORES)('objects in %s', (_, open) => {
  let store: TestStore
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())
  const create = () => store.objects()
  const names = () => store.names()

  test('an object exists under a new id until it’s removed, and can be read to its end even then', async () => {
    const objects = await create()
    const first = await objects.put(streamOf('hello ', 'world'), many)
    const second = await objects.put(null, many)
    expect([first.size, second.size]).toEqual([11, 0])
    const blob = await objects.get(first.blobId)
    expect(await blob?.text()).toBe('hello world')
    expect(await blob?.slice(6).text()).toBe('world')
    expect((await objects.get(second.blobId))?.size).toBe(0)
    await objects.remove(first.blobId)
    expect(await objects.get(first.blobId)).toBeUndefined()
    await objects.remove(first.blobId)
    expect(await blob?.text()).toBe('hello world')
  })

  test('an object that nobody reads is removed at once', async () => {
    const objects = await create()
    const { blobId } = await objects.put(streamOf('x'), many)
    await objects.remove(blobId)
    expect(await names()).toEqual([])
  })

  test('another server with the same store can read an object, and use it as a file', async () => {
    const { blobId } = await (await create()).put(streamOf('x'), many)
    const others = await create()
    const blob = (await others.get(blobId)) as Blob
    const { signal } = new AbortController()
    const texts = [1, 2].map(() => others.withFile(blob, (place) => readFile(place, 'utf8'), signal))
    expect(await Promise.all(texts)).toEqual(['x', 'x'])
    await expect(others.withFile(new Blob(), readFile, signal)).rejects.toThrow('not an object')
  })

  test('a large object and slices of it have the right bytes', async () => {
    const objects = await create()
    const bytes = new Uint8Array(11 * 2 ** 20 + 7)
    for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 31 + (i >> 12)) & 255
    const { blobId, size } = await objects.put(new Blob([bytes]).stream(), { maxBytes: bytes.length })
    expect(size).toBe(bytes.length)
    const blob = await objects.get(blobId)
    expect(blob && Buffer.compare(new Uint8Array(await blob.arrayBuffer()), bytes)).toBe(0)
    const native = new Blob([bytes])
    for (const [start, end] of [
      [5_242_879, 5_242_882],
      [-9, undefined],
      [7, 7],
      [9, 3],
      [bytes.length, bytes.length + 5],
      [-5, -2],
    ]) {
      const [own, expected] = [blob, native].map((each) => each?.slice(start, end))
      expect(own?.size).toBe(expected?.size)
      expect(await own?.text()).toBe(await expected?.text())
    }
    expect(await blob?.slice(100, 200).slice(10, 20).text()).toBe(await native.slice(110, 120).text())
    await expect(objects.put(new Blob([bytes]).stream(), { maxBytes: bytes.length - 1 })).rejects.toBeInstanceOf(
      TooLargeError,
    )
    await objects.remove(blobId)
    expect((await names()).filter((name) => name !== blobId)).toEqual([])
  })

  test('nothing is left of an upload that is too large, breaks off or is cancelled', async () => {
    const objects = await create()
    await expect(objects.put(streamOf('12345'), { maxBytes: 4 })).rejects.toBeInstanceOf(TooLargeError)
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(3))
        controller.error(new Error('gone'))
      },
    })
    await expect(objects.put(broken, many)).rejects.toThrow('gone')
    const stop = new AbortController()
    let cancelled: unknown
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(10))
        if (controller.desiredSize !== null && !stop.signal.aborted)
          setTimeout(() => stop.abort(new Error('enough')), 5)
        return new Promise((resolve) => setTimeout(resolve, 1))
      },
      cancel(reason) {
        cancelled = reason
      },
    })
    await expect(objects.put(endless, { ...many, signal: stop.signal })).rejects.toThrow('enough')
    expect(cancelled).toBe(stop.signal.reason)
    await expect(objects.put(streamOf('x'), { ...many, signal: stop.signal })).rejects.toThrow('enough')
    expect(await names()).toEqual([])
  })

  test('a sweep removes only old objects without a record', async () => {
    const earlier = await create()
    const [kept, orphan, fresh] = await Promise.all(['k', 'o', 'f'].map((text) => earlier.put(streamOf(text), many)))
    const objects = await create()
    for (const id of [kept.blobId, orphan.blobId]) await store.age(2 * 3_600_000, id)
    await objects.sweep(() => Promise.resolve(new Set([kept.blobId])))
    expect((await names()).sort()).toEqual([kept.blobId, fresh.blobId].sort())
  })

  test('a sweep asks once for the objects with a record, and not if nothing is old enough', async () => {
    const earlier = await create()
    const put = await Promise.all(Array.from({ length: 7 }, () => earlier.put(streamOf('x'), many)))
    const objects = await create()
    let asked = 0
    const named = () => {
      asked++
      return Promise.resolve(new Set([put[3].blobId]))
    }
    await objects.sweep(named)
    expect(asked).toBe(0)
    await store.age(2 * 3_600_000)
    await objects.sweep(named)
    expect(asked).toBe(1)
    expect(await names()).toEqual([put[3].blobId])
  })

  test('a server’s sweeps spare what it has just written, whatever the store’s clock says', async () => {
    const objects = await create()
    const { blobId } = await objects.put(streamOf('x'), many)
    await store.age(1_000 * 3_600_000, blobId)
    await objects.sweep(() => Promise.resolve(new Set()))
    expect(await names()).toEqual([blobId])
  })

  test('invalid ids access no files', async () => {
    const objects = await create()
    for (const id of ['../../etc/passwd', '', 'a/b', '..']) {
      expect(await objects.get(id)).toBeUndefined()
      await objects.remove(id)
    }
  })
})
