import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FilePart } from '../../formats/types.ts'
import { cutUp, inSlices } from '../../testing/slices.ts'
import { splitFile } from './split.ts'

const LF = 10
const { signal } = new AbortController()
const encoder = new TextEncoder()

type Cut = Parameters<typeof splitFile>[1]

const atLine: Cut = (bytes, near) => bytes.indexOf(LF, near) + 1 || -1

async function split(file: Blob, cut: Cut, size?: number): Promise<FilePart[]> {
  const parts: FilePart[] = []
  for await (const part of splitFile(file, cut, { signal, ...(size === undefined ? {} : { size }) })) parts.push(part)
  return parts
}

const MARK = 0xfeff
const line = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom('', '\r', '\ufeff', '\ufeffa') },
  // Longer than parts are.
  { weight: 1, arbitrary: fc.integer({ min: 30, max: 200 }).map((length) => 'é'.repeat(length)) },
)
const text = fc
  .tuple(fc.boolean(), fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([mark, lines, ended]) => (mark ? String.fromCharCode(MARK) : '') + lines.join('\n') + (ended ? '\n' : ''))
const size = fc.integer({ min: 1, max: 60 })
const places = fc.array(fc.nat(500), { maxLength: 8 })

/** What every file comes to in parts. */
function expectWhole(parts: readonly FilePart[], bytes: Uint8Array, least: number): void {
  const from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  expect(parts.map(({ index }) => index)).toEqual(parts.map((_, i) => i))
  let at = from
  for (const [i, part] of parts.entries()) {
    expect(part.from).toBe(at)
    at += part.bytes.length
    expect(part.bytes.length).toBeGreaterThan(0)
    if (i === parts.length - 1) continue
    expect(part.bytes.length).toBeGreaterThanOrEqual(least)
    expect(part.bytes.at(-1)).toBe(LF)
  }
  expect(Buffer.concat(parts.map((part) => part.bytes)).equals(bytes.subarray(from))).toBe(true)
}

describe('a file in parts', () => {
  it('is all of the file, each part behind a line end and at its place, wherever slices end', async () => {
    await fc.assert(
      fc.asyncProperty(text, size, places, async (content, least, cuts) => {
        const bytes = encoder.encode(content)
        const parts = await split(inSlices(cutUp(bytes, cuts)), atLine, least)
        expectWhole(parts, bytes, least)
        expect(await split(new Blob([bytes]), atLine, least)).toEqual(parts)
      }),
      { numRuns: 500 },
    )
  })

  it('has no part that could have ended a line earlier', async () => {
    await fc.assert(
      fc.asyncProperty(text, size, places, async (content, least, cuts) => {
        for (const { bytes } of await split(inSlices(cutUp(encoder.encode(content), cuts)), atLine, least)) {
          const before = bytes.lastIndexOf(LF, bytes.length - 2) + 1
          expect(before).toBeLessThanOrEqual(least)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('ends where rows are known to begin', async () => {
    await fc.assert(
      fc.asyncProperty(text, size, places, places, async (content, least, rows, cuts) => {
        const bytes = encoder.encode(content)
        const known = rows.map((row) => row % (bytes.length + 1)).sort((a, b) => a - b)
        const cut: Cut = (within, near, from) => {
          expect(Buffer.from(within).equals(bytes.subarray(from, from + within.length))).toBe(true)
          const found = known.find((row) => row >= from + near && row <= from + within.length)
          return found === undefined ? -1 : found - from
        }
        const parts = await split(inSlices(cutUp(bytes, cuts)), cut, least)
        for (const { from } of parts.slice(1)) expect(known).toContain(from)
        expect(parts.reduce((sum, part) => sum + part.bytes.length, parts[0]?.from ?? bytes.length)).toBe(bytes.length)
      }),
      { numRuns: 300 },
    )
  })

  it('is nothing where there is nothing', async () => {
    expect(await split(new Blob([]), atLine)).toEqual([])
    expect(await split(new Blob(['\ufeff']), atLine)).toEqual([])
    expect(await split(inSlices([new Uint8Array(0), Uint8Array.of(0xef), Uint8Array.of(0xbb, 0xbf)]), atLine)).toEqual(
      [],
    )
  })

  it.each([
    ['of 2 MB at most', 400, 2 * 1024 * 1024, 20],
    ['a sixteenth of it, so that two threads have about as much to do', 180, (180 * 100_000) / 16, 15],
    ['of 128 kB at least', 10, 128 * 1024, 5],
  ])('is %s, whatever is read at a time', async (_, lines, least, count) => {
    const bytes = encoder.encode(`\ufeff${`${'x'.repeat(99_999)}\n`.repeat(lines)}`)
    const parts = await split(new Blob([bytes]), atLine)
    expectWhole(parts, bytes, least)
    expect(parts).toHaveLength(count)
  })

  it('is longer where a line is', async () => {
    const long = encoder.encode(`${'x'.repeat(9 * 1024 * 1024)}\n{}\n`)
    expect((await split(new Blob([long]), atLine)).map((part) => part.bytes.length)).toEqual([long.length - 3, 3])
  })

  it('stops when cancelled', async () => {
    const controller = new AbortController()
    const slice = encoder.encode('a\n'.repeat(10))
    const parts = splitFile(inSlices([slice, slice, slice]), atLine, { signal: controller.signal, size: 10 })
    expect((await parts.next()).value).toMatchObject({ index: 0, from: 0 })
    controller.abort()
    const rest = async (): Promise<void> => {
      for (let next = await parts.next(); !next.done; next = await parts.next());
    }
    await expect(rest()).rejects.toBe(controller.signal.reason)
  })
})
