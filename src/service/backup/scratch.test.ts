import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepInScratch, sweepScratch } from './scratch.ts'

/* Over as much of a private file system as it needs. */

const NEVER = new AbortController().signal
const MINUTE = 60_000
let files: Map<string, File>
let held: Set<string>
/** What writing ends with; null: as it should. */
let broken: Error | null

const handleOf = (id: string) => ({
  kind: 'file',
  getFile: async () => files.get(id),
  createWritable: async () => {
    const parts: BlobPart[] = []
    return new WritableStream<Uint8Array<ArrayBuffer>>({
      write(chunk) {
        if (broken) throw broken
        parts.push(chunk)
      },
      close: () => void files.set(id, new File(parts, id)),
    })
  },
})

beforeEach(() => {
  files = new Map()
  held = new Set()
  broken = null
  const folder = {
    async getFileHandle(id: string) {
      files.set(id, new File([], id))
      return handleOf(id)
    },
    removeEntry: async (id: string) => void files.delete(id),
    async *entries() {
      for (const id of files.keys()) yield [id, handleOf(id)]
    },
  }
  vi.stubGlobal('navigator', {
    storage: { getDirectory: async () => ({ getDirectoryHandle: async () => folder }) },
    locks: {
      async request(name: string, _: unknown, work: (lock: object | null) => Promise<unknown>) {
        if (held.has(name)) return work(null)
        held.add(name)
        return work({}).finally(() => held.delete(name))
      },
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a copy is there while it’s downloaded, and gone soon after', async () => {
  const file = await keepInScratch(new Blob(['all of it']).stream(), 'a.zip', NEVER)
  expect([file.name, await file.text()]).toEqual(['a.zip', 'all of it'])
  const made = Date.now()
  await sweepScratch(made + 2 * MINUTE)
  expect(files.size).toBe(1)
  await sweepScratch(made + 6 * MINUTE)
  expect(files.size).toBe(0)
})

test('one that’s being written is left alone, however long it takes', async () => {
  let end: (() => void) | undefined
  const slow = new ReadableStream<Uint8Array>({ start: (controller) => void (end = () => controller.close()) })
  const making = keepInScratch(slow, 'a.zip', NEVER)
  await vi.waitFor(() => expect(files.size).toBe(1))
  await sweepScratch(Date.now() + 60 * MINUTE)
  expect(files.size).toBe(1)
  end?.()
  await making
})

test.each([
  new DOMException('full', 'QuotaExceededError'),
  // What Chromium says of a full disk at times.
  new DOMException('Failed to write data to data pipe', 'AbortError'),
])('for want of room nothing is left: %s', async (error) => {
  broken = error
  const making = keepInScratch(new Blob(['all of it']).stream(), 'a.zip', NEVER)
  await expect(making).rejects.toMatchObject({ name: 'QuotaExceededError' })
  expect(files.size).toBe(0)
})
