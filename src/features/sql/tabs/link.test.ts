import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSql } from './sql-files.ts'
import { linkTo, LONGEST_LINK, readLink } from './link.ts'

const PAGE = 'https://rowhouse.test/app/sql'

describe('links', () => {
  test('contain any SQL, only in the fragment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 400 }), async (text) => {
        const link = await linkTo(text, PAGE)
        const { hash, search, pathname } = new URL(link ?? '')
        expect([search, pathname]).toEqual(['', '/app/sql'])
        expect(hash).toMatch(/^#sql=[\w-]*$/)
        expect(await readLink(hash)).toEqual({ text })
      }),
      { numRuns: 50 },
    )
  })

  test('are refused if they would be too long, and only then', async () => {
    const noise = Array.from(crypto.getRandomValues(new Uint8Array(LONGEST_LINK)), (byte) => byte.toString(16)).join('')
    expect(await linkTo(noise, PAGE)).toBeNull()
    expect(await linkTo('SELECT 1;\n'.repeat(20_000), PAGE)).not.toBeNull()
  })

  test('report that they’re damaged', async () => {
    const link = (await linkTo('SELECT * FROM "a"."b".c WHERE x = 1', PAGE)) ?? ''
    const { hash } = new URL(link)
    for (const bad of [hash.slice(0, -6), '#sql=%%%', '#sql=!!', '#sql=AAAA', `#sql=${'x'.repeat(300)}`]) {
      expect(await readLink(bad), bad).toHaveProperty('problem')
    }
    await fc.assert(fc.asyncProperty(fc.string(), async (junk) => void (await readLink(`#sql=${junk}`))))
  })

  test('can’t fill the memory', async () => {
    const bomb = new Blob([new Uint8Array(20_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
    const packed = Buffer.from(await new Response(bomb).arrayBuffer()).toString('base64url')
    expect(await readLink(`#sql=${packed}`)).toHaveProperty('problem')
  })

  test('are ignored if the fragment is of another kind', async () => {
    for (const hash of ['', '#', '#main', '#sqlx=1']) expect(await readLink(hash)).toBeNull()
  })
})

describe('.sql files', () => {
  const file = (...parts: BlobPart[]): File => new File(parts, 'a.sql')
  const utf16 = (mark: number[]): Uint8Array<ArrayBuffer> =>
    new Uint8Array(mark[0] === 0xff ? [...mark, 0x31, 0] : [...mark, 0, 0x31])

  test('are read in the encodings that editors write', async () => {
    expect(await readSql(file('SELECT ‘x’\r\nFROM y'))).toBe('SELECT ‘x’\nFROM y')
    expect(await readSql(file('\uFEFFSELECT 1'))).toBe('SELECT 1')
    expect(await readSql(file(utf16([0xff, 0xfe])))).toBe('1')
    expect(await readSql(file(utf16([0xfe, 0xff])))).toBe('1')
  })

  test('are refused if they aren’t text, or are too large', async () => {
    expect(await readSql(file(new Uint8Array([0x80, 0xff])))).toMatchObject({ problem: expect.stringMatching('UTF-8') })
    expect(await readSql(file(new Uint8Array([0x31, 0])))).toMatchObject({ problem: expect.stringMatching('UTF-8') })
    expect(await readSql(file('x'.repeat(2_200_000)))).toMatchObject({ problem: expect.stringMatching('2') })
  })
})
