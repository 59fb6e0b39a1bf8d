import { execFileSync, spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Compression } from '../../tables/settings.ts'
import { EngineError } from '../errors.ts'
import { compressionOf } from './compression.ts'
import { openBytes } from './text-stream.ts'
import { refusal } from '../testing/refusal.ts'

/* zstd and bzip2, compared with the programs that write them. */

vi.setConfig({ testTimeout: 120_000 })

const signal = new AbortController().signal

async function unpacked(bytes: Uint8Array, sliceSize?: number): Promise<Buffer> {
  const compression = compressionOf(bytes)
  if (!compression) throw new Error('not compressed')
  return collect(bytes, compression, sliceSize)
}

async function collect(bytes: Uint8Array, compression: Compression, sliceSize?: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const options = { compression, signal, ...(sliceSize ? { sliceSize } : {}) }
  for await (const part of openBytes(new Blob([bytes as Uint8Array<ArrayBuffer>]), options)) parts.push(part)
  return Buffer.concat(parts)
}

const run = (program: string, args: readonly string[], input: Uint8Array): Buffer =>
  execFileSync(program, args, { input, maxBuffer: 1e9, stdio: ['pipe', 'pipe', 'ignore'] })

const has = (program: string): boolean => spawnSync(program, ['--version'], { input: '' }).error === undefined

const PROGRAMS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['zstd', '-c'],
  ['zstd', '-c', '-1', '--no-check'],
  ['zstd', '-c', '--fast=5'],
  ['zstd', '-c', '-19'],
  ['zstd', '-c', '--ultra', '-22', '--long=27', '--no-content-size'],
  ['pzstd', '-c', '-p', '2'],
  ['bzip2', '-c'],
  ['bzip2', '-c', '-1'],
  ['pbzip2', '-c', '-b1', '-p2', '-1'],
  ['lbzip2', '-c', '-1', '-n2'],
]

let seed = 1
const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below

/** A table of 300 kB with many kinds of values. */
const TABLE = Buffer.from(
  Array.from(
    { length: 10_000 },
    (_, i) => `${i},näme ${random(5000)},${random(1e6) / 100},${'ab'.repeat(random(9))}\n`,
  ).join(''),
)
const NOISE = Uint8Array.from({ length: 150_000 }, () => random(256))
const CONTENTS: readonly (readonly [string, Uint8Array])[] = [
  ['nothing', new Uint8Array(0)],
  ['a byte', Uint8Array.of(65)],
  ['a table', TABLE],
  ['noise', NOISE],
  ['one byte a million times', new Uint8Array(1_000_000).fill(97)],
  ['runs', Buffer.from(Array.from({ length: 3000 }, (_, i) => String(i % 10).repeat(random(600))).join(''))],
]

describe.each(PROGRAMS)('%s %s %s %s', (program, ...args) => {
  it.skipIf(!has(program))('is read', async () => {
    // With its large window, it takes long for little data.
    const contents = args.includes('-22') ? CONTENTS.slice(2, 3) : CONTENTS
    for (const [name, content] of contents) {
      const packed = run(program, args, content)
      // Some programs write nothing for empty input.
      if (packed.length > 0) expect((await unpacked(packed, 40_000)).equals(content), name).toBe(true)
    }
  })
})

const zstd = (content: Uint8Array, ...args: string[]): Buffer => run('zstd', ['-c', ...args], content)
const bzip2 = (content: Uint8Array): Buffer => run('bzip2', ['-c'], content)
const PACKERS = { zstd, bzip2 } as const

describe.skipIf(!has('zstd') || !has('bzip2'))('any text', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.tuple(fc.string({ maxLength: 20 }), fc.nat(500)).map(([text, times]) => Buffer.from(text.repeat(times))),
  )
  it.each(['zstd', 'bzip2'] as const)('%s, several one after another', async (name) => {
    const level = fc.constantFrom('-1', '-3', '-12', '-19')
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        level,
        fc.integer({ min: 1, max: 5000 }),
        async (pieces, own, sliceSize) => {
          const packed = Buffer.concat(pieces.map((part) => (name === 'zstd' ? zstd(part, own) : bzip2(part))))
          expect((await unpacked(packed, sliceSize)).equals(Buffer.concat(pieces))).toBe(true)
        },
      ),
      { numRuns: 10 },
    )
  })

  it.each(['zstd', 'bzip2'] as const)('%s is told when it is cut anywhere', async (name) => {
    const packed = PACKERS[name](TABLE.subarray(0, 20_000))
    for (let cut = 1; cut < packed.length; cut += 97) {
      const error = await refusal(collect(packed.subarray(0, cut), name))
      expect(error, `cut at ${cut}`).toMatchObject({ code: 'corrupt-file', place: 'end of the file' })
      expect(error.message).toBe(`The ${name} data ends before it is complete.`)
    }
  })

  it.each(['zstd', 'bzip2'] as const)('%s is told when any bit is wrong', async (name) => {
    const packed = PACKERS[name](TABLE.subarray(0, 100_000))
    for (let i = 0; i < 100; i++) {
      const at = 4 + random(packed.length - 4)
      const damaged = Uint8Array.from(packed)
      damaged[at] ^= 1 << random(8)
      const found = await collect(damaged, name).catch((error: unknown) => error)
      // Some bits of a frame have no effect on the output, such as the window size.
      if (Buffer.isBuffer(found)) expect(found.equals(TABLE.subarray(0, 100_000)), `byte ${at}`).toBe(true)
      else expect(found, `byte ${at}`).toBeInstanceOf(EngineError)
    }
  })

  it('without a checksum, damage is an error or other bytes, never an endless loop', async () => {
    const packed = zstd(TABLE.subarray(0, 100_000), '--no-check', '-19')
    for (let i = 0; i < 100; i++) {
      const damaged = Uint8Array.from(packed)
      for (let n = 0; n < 3; n++) damaged[6 + random(packed.length - 6)] = random(256)
      const found = await collect(damaged, 'zstd').catch((error: unknown) => error)
      expect(Buffer.isBuffer(found) || found instanceof EngineError).toBe(true)
    }
  })

  it('says where damage is', async () => {
    const packed = Uint8Array.from(zstd(TABLE))
    packed.fill(0xff, packed.length >> 1, (packed.length >> 1) + 50)
    const error = await refusal(collect(packed, 'zstd'))
    expect(error.message).toBe('The zstd data is damaged: it can’t be decompressed, or isn’t what its checksum says.')
    const byte = Number(/after byte ([\d,]+) of the compressed file/.exec(error.place ?? '')?.[1]?.replaceAll(',', ''))
    expect(byte).toBeGreaterThan((packed.length >> 1) - 131_100)
    expect(byte).toBeLessThanOrEqual(packed.length >> 1)
  })

  it('refuses what follows, a dictionary, and windows that are too large', async () => {
    const content = TABLE.subarray(0, 1000)
    for (const name of ['zstd', 'bzip2'] as const) {
      const followed = Buffer.concat([PACKERS[name](content), Buffer.from('something else')])
      expect(await refusal(collect(followed, name))).toMatchObject({
        message: `The ${name} data is followed by bytes that aren’t part of it.`,
        place: 'end of the file',
      })
    }
    const large = zstd(TABLE, '--ultra', '--long=31', '--no-content-size')
    const error = await refusal(collect(large, 'zstd'))
    expect(error).toMatchObject({
      code: 'too-large',
      message: 'The zstd data was compressed with a window of 2.15 GB.',
    })
    const plain = zstd(content, '--no-check')
    // The flag for a one-byte dictionary id, and the id after the window size if there is one.
    const id = (plain[4] & 0x20) === 0 ? 6 : 5
    const flagged = [
      plain.subarray(0, 4),
      Buffer.of(plain[4] | 1),
      plain.subarray(5, id),
      Buffer.of(7),
      plain.subarray(id),
    ]
    const withDictionary = Buffer.concat(flagged)
    expect(await refusal(collect(withDictionary, 'zstd'))).toMatchObject({
      code: 'unsupported-format',
      message: 'The zstd data needs the dictionary number 7.',
    })
  })

  it('passes over skippable frames', async () => {
    const skippable = Buffer.concat([Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 5, 0, 0, 0]), Buffer.from('hello')])
    const one = zstd(Buffer.from('one'))
    expect((await unpacked(Buffer.concat([skippable, one, skippable, one, skippable]), 3)).toString()).toBe('oneone')
  })

  it.each(['zstd', 'bzip2'] as const)('%s hands over little at a time, and can be cancelled', async (name) => {
    const bomb = PACKERS[name](new Uint8Array(20_000_000))
    let [total, largest] = [0, 0]
    const file = new Blob([bomb as Uint8Array<ArrayBuffer>])
    for await (const part of openBytes(file, { compression: name, signal })) {
      total += part.length
      largest = Math.max(largest, part.length)
    }
    expect(total).toBe(20_000_000)
    expect(largest).toBeLessThan(4_000_000)
    const controller = new AbortController()
    const cancelled = async (): Promise<void> => {
      for await (const _ of openBytes(file, { compression: name, signal: controller.signal })) controller.abort()
    }
    await expect(cancelled()).rejects.toMatchObject({ name: 'AbortError' })
  })
})
