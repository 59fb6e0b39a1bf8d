import { expect, test } from 'vitest'
import { readAhead, readBytes } from './read-bytes.ts'

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

test('a file that is read ahead is asked for once, and doesn’t push out the one that is being read', async () => {
  const [a, b] = [new Counted(['aaa']), new Counted(['bbb'])]
  await readBytes(a, 0, 1)
  readAhead(b)
  expect(await Promise.all([text(readBytes(a, 1, 3)), text(readBytes(b, 1, 3))])).toEqual(['aa', 'bb'])
  expect([a.asked, b.asked]).toEqual([1, 1])
})

test('what couldn’t be read is asked for again', async () => {
  const file = new Blob(['abc'])
  const read = file.arrayBuffer.bind(file)
  file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
  await expect(readBytes(file, 0, 1)).rejects.toThrow('gone')
  file.arrayBuffer = read
  expect(await text(readBytes(file, 0, 1))).toBe('a')
})
