import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TooLargeError } from '../../service/ports.ts'
import { createFileObjects } from './files.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-objects-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const many = { maxBytes: 1_000_000 }
const streamOf = (...parts: string[]): ReadableStream<Uint8Array> => new Blob(parts).stream()

async function names(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

test('what was put is there, under an id of its own, until it’s removed', async () => {
  const objects = createFileObjects({ folder })
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

test('what nobody reads is gone at once', async () => {
  const objects = createFileObjects({ folder })
  const { blobId } = await objects.put(streamOf('x'), many)
  await objects.remove(blobId)
  expect(await names()).toEqual([])
})

test('another server over the same folder has it too, and knows its file', async () => {
  const { blobId } = await createFileObjects({ folder }).put(streamOf('x'), many)
  const others = createFileObjects({ folder })
  const blob = await others.get(blobId)
  expect(blob && path.basename(others.fileOf(blob) ?? '')).toBe(blobId)
})

test('nothing is left of what is too large, broke off or was cancelled', async () => {
  const objects = createFileObjects({ folder })
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
      if (controller.desiredSize !== null && !stop.signal.aborted) setTimeout(() => stop.abort(new Error('enough')), 5)
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

test('sweeping removes what no record names and was there long enough', async () => {
  const earlier = createFileObjects({ folder })
  const [kept, orphan, fresh] = await Promise.all(['k', 'o', 'f'].map((text) => earlier.put(streamOf(text), many)))
  const objects = createFileObjects({ folder })
  const old = new Date(Date.now() - 2 * 3_600_000)
  for (const id of [kept.blobId, orphan.blobId]) await utimes(path.join(folder, id.slice(0, 2), id), old, old)
  await objects.sweep(() => Promise.resolve(new Set([kept.blobId])))
  expect((await names()).sort()).toEqual([kept.blobId, fresh.blobId].sort())
})

test('what this server has just written is safe from its own sweeps, whatever the clock says', async () => {
  const objects = createFileObjects({ folder })
  const { blobId } = await objects.put(streamOf('x'), many)
  const old = new Date(0)
  await utimes(path.join(folder, blobId.slice(0, 2), blobId), old, old)
  await objects.sweep(() => Promise.resolve(new Set()))
  expect(await names()).toEqual([blobId])
})

test('an id that isn’t one reaches no file', async () => {
  const objects = createFileObjects({ folder })
  for (const id of ['../../etc/passwd', '', 'a/b', '..']) {
    expect(await objects.get(id)).toBeUndefined()
    await objects.remove(id)
  }
})
