import { describe, expect, test } from 'vitest'
import { makeZip, readEntryBytes, type ZipOptions, type ZipPart } from './testing/read.ts'
import { openEntry, openZip } from './zip.ts'

const TEXT = 'Ein Satz, der sich wiederholt. '.repeat(500)
const PARTS: readonly ZipPart[] = [
  { name: 'a.xml', data: TEXT },
  { name: 'Folder\\B.xml', data: 'stored', stored: true },
  { name: '/c.xml', data: '' },
]

async function contents(file: Blob, name: string, limit = 1e9): Promise<string> {
  const zip = await openZip(file)
  const entry = zip.entries.get(name)
  if (!entry) throw new Error(`no ${name} in ${[...zip.entries.keys()].join()}`)
  return new TextDecoder().decode(await readEntryBytes(zip, entry, limit))
}

describe('sound archives', () => {
  test.each<[string, ZipOptions]>([
    ['plain', {}],
    ['zip64', { zip64: true }],
    ['data descriptors', { descriptors: true }],
    ['a comment', { comment: 'PK\u0005\u0006 a comment that looks like an end' }],
    ['all of it', { zip64: true, descriptors: true, comment: 'x' }],
  ])('%s', async (_, options) => {
    const file = new Blob([makeZip(PARTS, options)])
    expect(await contents(file, 'a.xml')).toBe(TEXT)
    expect(await contents(file, 'folder/b.xml')).toBe('stored')
    expect(await contents(file, 'c.xml')).toBe('')
  })
})

describe('damaged and hostile ones', () => {
  const zeros = new Uint8Array(80 * 1024 * 1024)
  const one = (part: Partial<ZipPart>): Uint8Array<ArrayBuffer> => makeZip([{ name: 'a.xml', data: TEXT, ...part }])
  test.each<[string, () => Uint8Array<ArrayBuffer>, string, RegExp, number?]>([
    ['nothing of an archive', () => new Uint8Array(100), 'corrupt-file', /isn’t a ZIP archive/],
    ['cut short', () => one({}).slice(0, -30), 'corrupt-file', /cut short/],
    [
      'its middle is missing',
      () => new Uint8Array([...one({}).slice(0, 40), ...one({}).slice(90)]),
      'corrupt-file',
      /cut short|damaged/,
    ],
    ['wrong checksum', () => one({ declare: { crc: 1 } }), 'corrupt-file', /checksum/],
    ['declares less than it holds', () => one({ declare: { size: 10 } }), 'corrupt-file', /more than it declares/],
    ['declares more than it holds', () => one({ declare: { size: 1e6 } }), 'corrupt-file', /shorter/],
    ['declares too much', () => one({ declare: { size: 3e9 } }), 'too-large', /unpacks to 3.00 GB/],
    ['holds too much', () => one({}), 'too-large', /unpacks to/, 1000],
    ['a bomb', () => one({ data: zeros }), 'too-large', /archive bombs/],
    ['encrypted', () => one({ declare: { flags: 1 } }), 'password-protected', /password/],
    ['isn’t where it should be', () => one({ declare: { offset: 5 } }), 'corrupt-file', /isn’t where|runs into/],
    [
      'two that share bytes',
      () =>
        makeZip([
          { name: 'a.xml', data: TEXT },
          { name: 'b.xml', data: TEXT, declare: { offset: 0 } },
        ]),
      'corrupt-file',
      /runs into/,
    ],
  ])('%s', async (_, bytes, code, message, limit) => {
    const error: unknown = await contents(new Blob([bytes()]), 'a.xml', limit).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string })
  })

  test('a flipped bit anywhere in the data is noticed', async () => {
    for (const stored of [true, false]) {
      const words = Array.from({ length: 300 }, (_, i) => `${(i * 7919) % 1009} `).join('')
      const sound = one({ data: words, stored })
      for (let at = 40; at < 440; at += 17) {
        const bytes = sound.slice()
        bytes[at] ^= 16
        const found: unknown = await contents(new Blob([bytes]), 'a.xml').catch((error: unknown) => error)
        expect(found).toMatchObject({ code: 'corrupt-file' })
      }
    }
  })

  test('the file may be let go of in the middle', async () => {
    const zip = await openZip(new Blob([makeZip(PARTS)]))
    const entry = zip.entries.get('a.xml')
    const source = await openEntry(zip, entry!, 1e9)
    await source.cancel()
    await source.cancel()
  })
})
