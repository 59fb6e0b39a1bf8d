import { expect, it } from 'vitest'
import { bytesBelow } from './private-files.ts'

const file = (size: number) => ({ kind: 'file', getFile: async () => ({ size }) })
const gone = { kind: 'file', getFile: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }
const folder = (...entries: unknown[]): unknown => ({
  kind: 'directory',
  async *values() {
    yield* entries
  },
})

it('counts the bytes of all files, except those removed meanwhile', async () => {
  const root = folder(file(3), folder(file(40), folder(), gone), file(500)) as FileSystemDirectoryHandle
  expect(await bytesBelow(root)).toBe(543)
})
