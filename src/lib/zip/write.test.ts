import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 as zlibCrc32, inflateRawSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type ByteSink, MemorySink } from '../sink.ts'
import { crc32 } from './crc.ts'
import { readDirectory, unpackedBytes } from './read.ts'
import { ZipWriter, zipStream } from './write.ts'

const folder = mkdtempSync(join(tmpdir(), 'zip-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What Python's zipfile finds: names, contents, and whether all checksums are right. */
const PYTHON = `
import json, sys, zipfile, base64
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps({'bad': z.testzip(), 'names': z.namelist(), 'data': [base64.b64encode(z.read(n)).decode() for n in z.namelist()], 'dates': [i.date_time for i in z.infolist()]}))
`

async function bytesOf(sink: MemorySink): Promise<Uint8Array> {
  return new Uint8Array(await sink.file('a.zip').arrayBuffer())
}

async function python(
  sink: MemorySink,
): Promise<{ bad: string | null; names: string[]; data: string[]; dates: number[][] }> {
  const path = join(folder, 'a.zip')
  writeFileSync(path, await bytesOf(sink))
  return JSON.parse(execFileSync('python3', ['-c', PYTHON, path], { encoding: 'utf8', maxBuffer: 1e8 }))
}

function noise(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let state = 1
  for (let i = 0; i < length; i++) bytes[i] = (state = Math.imul(state, 1_103_515_245) + 12_345) >>> 16
  return bytes
}

test('the checksum equals zlib’s, computed at once or in parts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, cut) => {
      expect(crc32(bytes)).toBe(zlibCrc32(bytes))
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(zlibCrc32(bytes))
    }),
  )
})

describe('a zip file', () => {
  test('is read by another program, with the same bytes', async () => {
    const sink = new MemorySink()
    const zip = new ZipWriter(sink)
    const large = noise(3_000_000)
    await zip.add('empty', new Uint8Array(0))
    const entry = await zip.begin('folder/größe.bin')
    const buffer = new Uint8Array(100_000)
    for (let at = 0; at < large.length; at += buffer.length) {
      buffer.set(large.subarray(at, at + buffer.length))
      await entry.write(buffer)
    }
    await entry.close()
    await zip.add('text', new TextEncoder().encode('hello '.repeat(1000)))
    await zip.finish()
    const found = await python(sink)
    expect(found.bad).toBeNull()
    expect(found.names).toEqual(['empty', 'folder/größe.bin', 'text'])
    expect(Buffer.from(found.data[1] ?? '', 'base64').equals(large)).toBe(true)
    expect(Buffer.from(found.data[2] ?? '', 'base64').toString()).toBe('hello '.repeat(1000))
    expect(sink.size).toBeLessThan(3_020_000)
  })

  test('as a stream contains files uncompressed, with their dates', async () => {
    const modified = new Date(2026, 10, 22, 13, 14, 16)
    const large = noise(500_000)
    async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      const buffer = new Uint8Array(100_000)
      for (let at = 0; at < large.length; at += buffer.length) {
        buffer.set(large.subarray(at, at + buffer.length))
        yield buffer
      }
    }
    const parts = [
      { name: 'a.txt', content: new Blob(['a'.repeat(1000)]), modified },
      { name: 'b.bin', content: pieces() },
    ]
    const file = await new Response(zipStream(parts)).blob()
    const sink = new MemorySink()
    await sink.write(new Uint8Array(await file.arrayBuffer()))
    const found = await python(sink)
    expect(found).toMatchObject({ bad: null, names: ['a.txt', 'b.bin'] })
    expect(found.dates).toEqual([
      [2026, 11, 22, 13, 14, 16],
      [1980, 1, 1, 0, 0, 0],
    ])
    expect(Buffer.from(found.data[1] ?? '', 'base64').equals(large)).toBe(true)
    const entries = await readDirectory(file)
    expect(entries.map(({ method, size, compressedSize }) => [method, size, compressedSize])).toEqual([
      [0, 1000, 1000],
      [0, 500_000, 500_000],
    ])
    for (const entry of entries) {
      const source = await unpackedBytes(file, entry)
      let read = 0
      for (let bytes = await source.read(); bytes; bytes = await source.read()) read += bytes.length
      expect(read).toBe(entry.size)
    }
  })

  test('as a stream releases its sources when it’s cancelled', async () => {
    let isOpen = true
    async function* endless(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      try {
        for (;;) yield noise(1000)
      } finally {
        isOpen = false
      }
    }
    const reader = zipStream([{ name: 'a', content: endless() }]).getReader()
    for (let i = 0; i < 5; i++) await reader.read()
    await reader.cancel()
    expect(isOpen).toBe(false)
  })

  test('may follow other bytes, and is the same each time', async () => {
    const make = async (before: number): Promise<MemorySink> => {
      const sink = new MemorySink()
      await sink.write(new Uint8Array(before))
      const zip = new ZipWriter(sink)
      await zip.add('a', noise(1000))
      await zip.finish()
      return sink
    }
    const [one, two, shifted] = [await make(0), await make(0), await make(7)]
    expect(await bytesOf(one)).toEqual(await bytesOf(two))
    expect((await bytesOf(shifted)).subarray(7)).toEqual(await bytesOf(one))
  })

  test('has zip64 records if an offset exceeds 4 GB, and only then', async () => {
    const far = await directoryOf(5_000_000_000)
    const near = await directoryOf(1_000_000)
    expect(near.includes(Buffer.from('PK\u0006\u0006', 'latin1'))).toBe(false)
    const at = far.indexOf(Buffer.from('PK\u0006\u0006', 'latin1'))
    const view = new DataView(far.buffer, far.byteOffset + at)
    expect(view.getBigUint64(32, true)).toBe(2n)
    expect(view.getBigUint64(48, true)).toBeGreaterThan(5_000_000_000n)
    expect(far.indexOf(Buffer.from('PK\u0006\u0007', 'latin1'))).toBe(at + 56)
    const second = far.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
    const header = new DataView(far.buffer, far.byteOffset + second)
    expect(header.getUint32(42, true)).toBe(0xffff_ffff)
    expect([header.getUint16(47, true), header.getUint16(49, true)]).toEqual([1, 8])
    expect(header.getBigUint64(51, true)).toBeGreaterThan(5_000_000_000n)
  })

  test('passes on the sink’s error, and releases everything', async () => {
    const full = new Error('full')
    const sink: ByteSink = {
      size: 0,
      write: (bytes) => (bytes.length > 1000 ? Promise.reject(full) : Promise.resolve()),
    }
    const entry = await new ZipWriter(sink).begin('a')
    const writing = async (): Promise<void> => {
      for (let i = 0; i < 100; i++) await entry.write(noise(100_000))
      await entry.close()
    }
    await expect(writing()).rejects.toBe(full)
    await expect(entry.close()).rejects.toBe(full)
  })

  test('can be aborted halfway', async () => {
    const entry = await new ZipWriter(new MemorySink()).begin('a')
    await entry.write(noise(1000))
    const reason = new DOMException('enough', 'AbortError')
    entry.abort(reason)
    await expect(entry.write(noise(1000))).rejects.toBe(reason)
  })
})

/** The end of an archive whose second entry is at that position. */
async function directoryOf(position: number): Promise<Buffer> {
  const tail: Uint8Array[] = []
  let size = 0
  const sink: ByteSink = {
    get size() {
      return size
    },
    write: (bytes) => {
      tail.push(bytes.slice())
      size += bytes.length
      return Promise.resolve()
    },
  }
  const zip = new ZipWriter(sink)
  await zip.add('a', noise(10))
  size += position
  tail.length = 0
  await zip.add('b', noise(20))
  await zip.finish()
  const bytes = Buffer.concat(tail)
  // Its own data is complete, though.
  expect(inflateRawSync(bytes.subarray(31)).length).toBe(20)
  return bytes
}
