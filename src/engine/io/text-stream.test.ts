import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { compressionOf } from './compression.ts'
import { openText } from './text-stream.ts'
import { findInvalidUtf8 } from './utf8.ts'

const signal = new AbortController().signal
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

async function collect(bytes: Uint8Array, options: Partial<Parameters<typeof openText>[1]> = {}): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const file = new Blob([bytes as Uint8Array<ArrayBuffer>])
  for await (const part of openText(file, { compression: null, encoding: 'utf-8', signal, ...options }))
    parts.push(part)
  return Buffer.concat(parts)
}
const text = async (...args: Parameters<typeof collect>): Promise<string> =>
  Buffer.from(await collect(...args)).toString()

const has = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0
const noIconv = !has('iconv')
const noPython = !has('python3')

/** Bytes that another program made. */
const iconv = (value: string, encoding: string): Uint8Array =>
  execFileSync('iconv', ['-f', 'utf-8', '-t', encoding], { input: value })
const python = (code: string, input: Uint8Array): Uint8Array =>
  execFileSync('python3', ['-c', `import sys,gzip\ndata=sys.stdin.buffer.read()\nout=sys.stdout.buffer\n${code}`], {
    input,
    maxBuffer: 1e9,
  })

describe('openText', () => {
  it('takes the byte order mark away, however it is cut', async () => {
    for (const sliceSize of [1, 2, 3, 4, 100]) {
      expect(await text(utf8('\ufeffa,b\n1,ü\n'), { sliceSize })).toBe('a,b\n1,ü\n')
      expect(await text(utf8('ab'), { sliceSize })).toBe('ab')
      expect(await text(utf8('\ufeff'), { sliceSize })).toBe('')
    }
  })

  it.skipIf(noIconv).each([
    ['utf-16le', 'UTF-16LE', 'Grüße, 日本 🎉 z'],
    ['utf-16be', 'UTF-16BE', 'Grüße, 日本 🎉 z'],
    ['windows-1252', 'CP1252', 'Grüße – 5 €'],
    ['iso-8859-15', 'ISO-8859-15', 'Grüße 5 €'],
    ['windows-1250', 'CP1250', 'Zażółć gęślą jaźń'],
    ['windows-1251', 'CP1251', 'Съешь ещё этих'],
    ['koi8-r', 'KOI8-R', 'Съешь ещё этих'],
    ['shift_jis', 'SHIFT_JIS', '東京, 大阪 カタカナ'],
    ['gb18030', 'GB18030', '北京,上海 🎉'],
    ['big5', 'BIG5', '臺北,高雄'],
    ['euc-kr', 'EUC-KR', '서울,부산'],
  ])('reads %s', async (encoding, name, value) => {
    for (const sliceSize of [1, 3, 1000]) expect(await text(iconv(value, name), { encoding, sliceSize })).toBe(value)
  })

  it('never makes U+FFFD of what is no text', async () => {
    const lone = Uint8Array.of(0x61, 0, 0x00, 0xd8, 0x62, 0, 0x00, 0xdc, 0x63, 0)
    expect([...(await collect(lone, { encoding: 'utf-16le' }))]).toEqual([0x61, 0xff, 0x62, 0xff, 0x63])
    expect([...(await collect(lone.subarray(0, 5), { encoding: 'utf-16le' }))]).toEqual([0x61, 0xff, 0xff])
    const cut = Uint8Array.of(0x61, 0x93, 0x8c, 0x93)
    const read = await collect(cut, { encoding: 'shift_jis' })
    expect(findInvalidUtf8(read, 0, read.length)).toBe(4)
    expect([...(await collect(Uint8Array.of(0x61, 0xff), { encoding: 'utf-8' }))]).toEqual([0x61, 0xff])
  })

  it.skipIf(noIconv)('keeps a U+FFFD and a mark that are in the text', async () => {
    expect(await text(iconv('a\ufffdb\ufeffc', 'UTF-16LE'), { encoding: 'utf-16le' })).toBe('a\ufffdb\ufeffc')
  })

  it('says which encodings it does not know', async () => {
    await expect(collect(utf8('a'), { encoding: 'klingon' })).rejects.toMatchObject({ code: 'not-text' })
  })

  it('tells how far it is, and stops when cancelled', async () => {
    const seen: number[] = []
    await collect(utf8('abcdefghij'), { sliceSize: 4, onBytes: (bytes) => seen.push(bytes) })
    expect(seen).toEqual([4, 8, 10])
    const controller = new AbortController()
    const reading = collect(utf8('abcdefghij'), {
      sliceSize: 4,
      signal: controller.signal,
      onBytes: () => controller.abort(),
    })
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('gzip', () => {
  const value = Array.from({ length: 30_000 }, (_, i) => `${i},${(i * 7919) % 10_007},näme ${i}\n`).join('')

  it.skipIf(noPython)('reads one member, and what Python wrote', async () => {
    expect(await text(gzipSync(value), { compression: 'gzip' })).toBe(value)
    const made = python('out.write(gzip.compress(data))', utf8(value))
    expect(compressionOf(made)).toBe('gzip')
    expect(await text(made, { compression: 'gzip', sliceSize: 1000 })).toBe(value)
  })

  it.skipIf(noPython)('reads many members, empty ones too', async () => {
    const made = python(
      'n=40000\nfor i in range(0,len(data),n):\n  out.write(gzip.compress(data[i:i+n]))\n  out.write(gzip.compress(b""))',
      utf8(value),
    )
    for (const sliceSize of [997, 1 << 20]) expect(await text(made, { compression: 'gzip', sliceSize })).toBe(value)
  })

  it('reads members one after the other, wherever they are cut', async () => {
    const members = Buffer.concat(['one', '', 'two'.repeat(1000), 'three'].map((part) => gzipSync(part)))
    for (let sliceSize = 1; sliceSize < 40; sliceSize += 3) {
      expect(await text(members, { compression: 'gzip', sliceSize })).toBe(`one${'two'.repeat(1000)}three`)
    }
  })

  it('hands over little at a time: all that comes out of it is in memory at once', async () => {
    const sizes: number[] = []
    const Real = DecompressionStream
    class Watched {
      readonly readable: ReadableStream<Uint8Array>
      readonly writable: WritableStream<Uint8Array>
      constructor() {
        const real = new Real('gzip')
        const watch = new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            sizes.push(chunk.length)
            controller.enqueue(chunk)
          },
        })
        this.writable = watch.writable
        this.readable = watch.readable.pipeThrough<Uint8Array>(real as ReadableWritablePair<Uint8Array, Uint8Array>)
      }
    }
    vi.stubGlobal('DecompressionStream', Watched)
    try {
      const bytes = randomBytes(1_000_000)
      expect(Buffer.from(await collect(gzipSync(bytes), { compression: 'gzip' })).equals(bytes)).toBe(true)
    } finally {
      vi.unstubAllGlobals()
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536)
  })

  it('is not misled by gzip inside gzip', async () => {
    const inner = gzipSync('inner')
    const bytes = Buffer.concat([utf8('x'.repeat(100)), inner, inner, utf8('end')])
    const outer = gzipSync(bytes, { level: 0 })
    expect(Buffer.from(await collect(outer, { compression: 'gzip' })).equals(bytes)).toBe(true)
  })

  it('says when it is cut short or damaged', async () => {
    const made = gzipSync(value)
    await expect(collect(made.subarray(0, made.length - 20), { compression: 'gzip' })).rejects.toMatchObject({
      code: 'corrupt-file',
      place: 'end of the file',
    })
    const damaged = Uint8Array.from(made)
    damaged.fill(0xff, 5000, 5100)
    await expect(collect(damaged, { compression: 'gzip' })).rejects.toMatchObject({ code: 'corrupt-file' })
    await expect(collect(utf8('not gzip at all'), { compression: 'gzip' })).rejects.toMatchObject({
      code: 'corrupt-file',
    })
  })
})

describe('findInvalidUtf8', () => {
  it('agrees with the decoder', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }).map(utf8),
      fc
        .constantFrom([0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe0, 0x80, 0x80], [0xf0, 0x80])
        .map((bytes) => Uint8Array.from(bytes)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const bytes = Uint8Array.from(pieces.flatMap((part) => [...part]))
        let valid = true
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        } catch {
          valid = false
        }
        expect(findInvalidUtf8(bytes, 0, bytes.length) < 0).toBe(valid)
      }),
      { numRuns: 2000 },
    )
  })
})
