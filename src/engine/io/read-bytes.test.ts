import { afterEach, expect, test, vi } from 'vitest'
import { readAhead, readBytes } from './read-bytes.ts'

afterEach(() => vi.restoreAllMocks())

/** A file that counts its reads. */
class Counted extends Blob {
  asked = 0
  override slice(from?: number, to?: number): Blob {
    this.asked++
    return super.slice(from, to)
  }
  override arrayBuffer(): Promise<ArrayBuffer> {
    this.asked++
    return super.arrayBuffer()
  }
}

const text = async (bytes: Promise<Uint8Array>): Promise<string> => new TextDecoder().decode(await bytes)

test('a small file is asked for once, however many parts of it are wanted', async () => {
  const file = new Counted(['id,name\n1,Ann\n'])
  const parts = [readBytes(file, 0, 2), readBytes(file, 3, 7), readBytes(file, 8, 100)]
  expect(await Promise.all(parts.map(text))).toEqual(['id', 'name', '1,Ann\n'])
  expect(file.asked).toBe(1)
})

test('parts of a small file are no copies', async () => {
  const file = new Blob(['id,name\n'])
  const [a, b] = await Promise.all([readBytes(file, 0, 2), readBytes(file, 3, 7)])
  expect(a.buffer).toBe(b.buffer)
})

test('two files that alternate are each read as they are, and of a large one only the part', async () => {
  const [a, b] = [new Counted(['aaa']), new Counted(['bbb'])]
  const read = [readBytes(a, 0, 1), readBytes(b, 0, 1), readBytes(a, 1, 3), readBytes(b, 1, 3)]
  expect(await Promise.all(read.map(text))).toEqual(['a', 'b', 'aa', 'bb'])
  const large = new Counted([new Uint8Array(5 * 1024 * 1024).fill(0x78)])
  expect(await text(readBytes(large, 7, 10))).toBe('xxx')
  expect(large.asked).toBe(1)
})

test('files that are read ahead are read together, and don’t push out the one that is being read', async () => {
  const [a, b, c] = [new Counted(['aaa']), new Counted(['bbb']), new Counted(['ccc'])]
  await readBytes(a, 0, 1)
  readAhead([b, c])
  readAhead([c])
  const read = [readBytes(a, 1, 3), readBytes(b, 1, 3), readBytes(c, 0, 2)]
  expect(await Promise.all(read.map(text))).toEqual(['aa', 'bb', 'cc'])
  expect([a.asked, b.asked, c.asked]).toEqual([1, 0, 0])
})

test('as many files are read ahead as come to 16 MB, up to the first large one', async () => {
  const part = new Uint8Array(3 * 1024 * 1024)
  const small = Array.from({ length: 7 }, () => new Counted([part]))
  readAhead(small)
  await Promise.all(small.map((file) => readBytes(file, 0, 1)))
  expect(small.map(({ asked }) => asked)).toEqual([0, 0, 0, 0, 0, 1, 1])
  const [before, large, after] = [['a'], [part, part], ['b']].map((parts) => new Counted(parts))
  readAhead([before, large, after])
  await Promise.all([before, large, after].map((file) => readBytes(file, 0, 1)))
  expect([before.asked, large.asked, after.asked]).toEqual([0, 1, 1])
})

test('more files are read ahead before the last one of those is in use, and none is read twice', async () => {
  const part = new Uint8Array(3 * 1024 * 1024)
  const files = Array.from({ length: 12 }, () => new Counted([part]))
  const together = vi.spyOn(Blob.prototype, 'arrayBuffer')
  const asked: number[] = []
  for (const [i, file] of files.entries()) {
    readAhead(files.slice(i + 1))
    asked.push(together.mock.calls.length)
    await readBytes(file, 0, 1)
  }
  // The first file alone, then files 2 to 6, 7 to 11 while the 4th is in use, and the 12th.
  expect(asked).toEqual([1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4])
  expect(files.map((file) => file.asked)).toEqual([1, ...files.slice(1).map(() => 0)])
})

test('if files can’t be read together, each is read alone, so that the error is that of its file', async () => {
  const [good, bad] = [new Blob(['good']), new Blob(['bad'])]
  const read = vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValueOnce(new DOMException('one of them is gone'))
  bad.arrayBuffer = () => Promise.reject(new DOMException('bad is gone'))
  readAhead([good, bad])
  await expect(readBytes(bad, 0, 1)).rejects.toThrow('bad is gone')
  expect(await text(readBytes(good, 0, 4))).toBe('good')
  expect(read).toHaveBeenCalledTimes(2)
})

test('what couldn’t be read is asked for again', async () => {
  const file = new Blob(['abc'])
  const read = file.arrayBuffer.bind(file)
  file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
  await expect(readBytes(file, 0, 1)).rejects.toThrow('gone')
  file.arrayBuffer = read
  expect(await text(readBytes(file, 0, 1))).toBe('a')
})
