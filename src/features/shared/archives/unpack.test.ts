import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemorySink } from '../../../lib/sink.ts'
import { ZipWriter } from '../../../lib/zip/write.ts'
import { cameInFolder } from '../../../ui/overlays/files-dropped.ts'
import { connectToasts } from '../../../ui/overlays/toasts.ts'
import { withUnpacked } from './index.ts'

type Content = string | Uint8Array<ArrayBuffer>

async function archive(
  parts: readonly (readonly [name: string, content: Content])[],
  name = 'all.zip',
  stored = false,
) {
  const sink = new MemorySink()
  const writer = new ZipWriter(sink)
  for (const [path, content] of parts) {
    const entry = await writer.begin(path, { stored })
    await entry.write(typeof content === 'string' ? new TextEncoder().encode(content) : content)
    await entry.close()
  }
  await writer.finish()
  return sink.file(name, 'application/zip')
}

const said: string[] = []
connectToasts({
  add: ({ title, description }: { title: string; description?: string }) => {
    said.push(`${title}: ${description}`)
    return ''
  },
} as unknown as Parameters<typeof connectToasts>[0])

/** Names and texts of the files in an archive. */
async function unpacked(file: File): Promise<[string, string][]> {
  said.length = 0
  const files = await withUnpacked([file])
  return Promise.all(files.map(async (each) => [each.name, await each.text()] as [string, string]))
}

describe('a zip archive', () => {
  test.each([false, true])('its tables come in its place, by their names, stored: %s', async (stored) => {
    const file = await archive(
      [
        ['m10.csv', 'a\n10\n'],
        ['m2.csv', 'a\n2\n'],
      ],
      'months.zip',
      stored,
    )
    const other = new File(['x'], 'other.csv')
    const files = await withUnpacked([other, file])
    expect(files.map(({ name }) => name)).toEqual(['other.csv', 'm2.csv', 'm10.csv'])
    expect(await files[1]?.text()).toBe('a\n2\n')
    // Node's files have no path.
    for (const each of files) Object.defineProperty(each, 'webkitRelativePath', { value: '' })
    expect(files.map(cameInFolder)).toEqual([false, true, true])
  })

  test('folders are part of the names, but for those that are the same for all', async () => {
    const file = await archive([
      ['export/2024/jan.csv', 'a\n1\n'],
      ['export/2025/jan.csv', 'a\n2\n'],
      ['export/all.json', '[]'],
    ])
    expect((await unpacked(file)).map(([name]) => name)).toEqual(['2024_jan.csv', '2025_jan.csv', 'all.json'])
  })

  test('what is no table is left out, and told', async () => {
    const file = await archive([
      ['a.csv', 'a\n1\n'],
      ['readme.pdf', 'x'],
      ['.hidden.csv', 'x'],
      ['__MACOSX/._a.csv', 'x'],
    ])
    expect(await unpacked(file)).toEqual([['a.csv', 'a\n1\n']])
    expect(said).toEqual(['1 file taken of “all.zip”: 1 file is no table by name.'])
  })

  test('an archive within is unpacked, too, and one within that is given as it is', async () => {
    const deep = await archive([['c.csv', 'c\n3\n']], 'deep.zip')
    const inner = await archive([
      ['b.csv', 'b\n2\n'],
      ['deep.zip', new Uint8Array(await deep.arrayBuffer())],
    ])
    const file = await archive([
      ['a.csv', 'a\n1\n'],
      ['inner.zip', new Uint8Array(await inner.arrayBuffer())],
    ])
    expect((await unpacked(file)).map(([name]) => name)).toEqual(['a.csv', 'b.csv', 'deep.zip'])
  })

  test('much text stays compressed, to be unpacked as it’s read', async () => {
    const line = `${'0123456789,abcdefghij,'.repeat(3000)}\n`
    const text = Array.from({ length: 1100 }, (_, i) => `${Math.sin(i)}${line}`).join('')
    const [large] = await withUnpacked([await archive([['large.csv', text]])])
    if (!large) throw new Error('nothing came of it')
    expect(large.name).toBe('large.csv.gz')
    expect(large.size).toBeLessThan(text.length / 50)
    expect(gunzipSync(new Uint8Array(await large.arrayBuffer())).toString()).toBe(text)
  })

  test('a bomb is refused by what it declares', async () => {
    const bomb = await archive([
      ['bomb.csv', new Uint8Array(40 * 1024 * 1024)],
      ['a.csv', 'a\n1\n'],
    ])
    expect(await unpacked(bomb)).toEqual([['a.csv', 'a\n1\n']])
    expect(said[0]).toContain('over 500 times its size, as archive bombs do')
  })

  test('a damaged file in it costs the others nothing', async () => {
    const file = await archive(
      [
        ['a.csv', 'aaaaaaaaaa\n'],
        ['b.csv', 'bbbbbbbbbb\n'],
      ],
      'all.zip',
    )
    const bytes = new Uint8Array(await file.arrayBuffer())
    // In the deflated bytes of the first one.
    bytes.set([0xff], 30 + 'a.csv'.length + 2)
    expect(await unpacked(new File([bytes], 'all.zip'))).toEqual([['b.csv', 'bbbbbbbbbb\n']])
    expect(said[0]).toMatch(/^1 file of “all.zip” couldn’t be unpacked: “a.csv”: The file is damaged/)
  })

  test.each<[string, () => Promise<File>]>([
    ['is no zip', () => Promise.resolve(new File(['x,y\n1,2\n'], 'a.zip'))],
    ['has no table', () => archive([['a.pdf', 'x']])],
    [
      'is a workbook',
      () =>
        archive([
          ['[Content_Types].xml', ''],
          ['xl/a.csv', ''],
        ]),
    ],
    ['is a backup', () => archive([['a.json', '{}']], 'rowhouse-backup-1.zip')],
    [
      'is encrypted',
      async () => {
        const bytes = new Uint8Array(await (await archive([['a.csv', 'a\n']])).arrayBuffer())
        const central = Buffer.from(bytes.buffer).indexOf(Buffer.from('504b0102', 'hex'))
        bytes.set([1], central + 8)
        return new File([bytes], 'all.zip')
      },
    ],
  ])('one that %s is given back', async (_, make) => {
    const file = await make()
    expect(await withUnpacked([file])).toEqual([file])
  })

  test('any files come out as they went in', async () => {
    const name = fc.stringMatching(/^([a-z]{1,3}\/){0,2}[a-z]{1,4}\.(csv|json|parquet)$/)
    const content = fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes))
    const parts = fc.uniqueArray(fc.tuple(name, content), {
      minLength: 1,
      maxLength: 8,
      selector: ([each]) => each.replaceAll('/', '_'),
    })
    await fc.assert(
      fc.asyncProperty(parts, fc.boolean(), async (given, stored) => {
        const files = await withUnpacked([await archive(given, 'all.zip', stored)])
        const sorted = given.toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
        expect(new Set(files.map((each) => each.name)).size).toBe(given.length)
        for (const [i, [path, bytes]] of sorted.entries()) {
          const file = files[i]
          expect(path.replaceAll('/', '_').endsWith(file?.name ?? '?')).toBe(true)
          expect(new Uint8Array((await file?.arrayBuffer()) ?? [])).toEqual(bytes)
        }
      }),
      { numRuns: 60 },
    )
  })
})
