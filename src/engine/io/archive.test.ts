import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NEVER } from '../../lib/abort.ts'
import { crc32 } from '../../lib/zip/crc.ts'
import { zipOf } from '../../lib/zip/testing.ts'
import { unpackArchive } from './archive.ts'

const said: string[] = []

/** Names and texts of the files in an archive. */
async function unpacked(file: File): Promise<[string, string][]> {
  const { files, failed, notices } = (await unpackArchive(file, NEVER)) ?? { files: [], failed: [], notices: [] }
  said.length = 0
  said.push(...failed.map(({ path, error }) => `“${path}”: ${error.message}`))
  said.push(...notices.map(({ title, description }) => `${title}: ${description}`))
  return Promise.all(files.map(async (each) => [each.file.name, await each.file.text()] as [string, string]))
}

describe('a zip archive', () => {
  test.each([false, true])('its tables come in its place, by their names, stored: %s', async (stored) => {
    const file = await zipOf(
      [
        ['m10.csv', 'a\n10\n'],
        ['m2.csv', 'a\n2\n'],
      ],
      'months.zip',
      stored,
    )
    expect(await unpacked(file)).toEqual([
      ['m2.csv', 'a\n2\n'],
      ['m10.csv', 'a\n10\n'],
    ])
    expect(said).toEqual([])
  })

  test('folders are part of the names, but for those that are the same for all', async () => {
    const file = await zipOf([
      ['export/2024/jan.csv', 'a\n1\n'],
      ['export/2025/jan.csv', 'a\n2\n'],
      ['export/all.json', '[]'],
    ])
    expect((await unpacked(file)).map(([name]) => name)).toEqual(['2024_jan.csv', '2025_jan.csv', 'all.json'])
  })

  test('what is no table is left out, and told', async () => {
    const file = await zipOf([
      ['a.csv', 'a\n1\n'],
      ['readme.pdf', 'x'],
      ['.hidden.csv', 'x'],
      ['__MACOSX/._a.csv', 'x'],
    ])
    expect(await unpacked(file)).toEqual([['a.csv', 'a\n1\n']])
    expect(said).toEqual(['Read 1 file from “all.zip”: Skipped 1 other that isn’t a table.'])
  })

  test('an archive within is unpacked, too, and one within that is given as it is', async () => {
    const deep = await zipOf([['c.csv', 'c\n3\n']], 'deep.zip')
    const inner = await zipOf([
      ['b.csv', 'b\n2\n'],
      ['deep.zip', new Uint8Array(await deep.arrayBuffer())],
    ])
    const file = await zipOf([
      ['a.csv', 'a\n1\n'],
      ['inner.zip', new Uint8Array(await inner.arrayBuffer())],
    ])
    const files = (await unpackArchive(file, NEVER))?.files ?? []
    expect(files.map((each) => each.file.name)).toEqual(['a.csv', 'b.csv', 'deep.zip'])
    expect(files.map(({ path }) => path)).toEqual(['a.csv', 'inner/b.csv', 'inner/deep.zip'])
  })

  test('much text stays compressed, to be unpacked as it’s read', async () => {
    const line = `${'0123456789,abcdefghij,'.repeat(3000)}\n`
    const text = Array.from({ length: 1100 }, (_, i) => `${Math.sin(i)}${line}`).join('')
    const unpackedFiles = await unpackArchive(await zipOf([['large.csv', text]]), NEVER)
    const large = unpackedFiles?.files[0]?.file
    if (!large) throw new Error('nothing came of it')
    expect(large.name).toBe('large.csv.gz')
    expect(large.size).toBeLessThan(text.length / 50)
    expect(gunzipSync(new Uint8Array(await large.arrayBuffer())).toString()).toBe(text)
  })

  test('a bomb is refused by what it declares', async () => {
    const bomb = await zipOf([
      ['bomb.csv', new Uint8Array(40 * 1024 * 1024)],
      ['a.csv', 'a\n1\n'],
    ])
    expect(await unpacked(bomb)).toEqual([['a.csv', 'a\n1\n']])
    expect(said[0]).toContain('over 500 times its size, as archive bombs do')
  })

  test('a damaged file in it costs the others nothing', async () => {
    const file = await zipOf(
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
    expect(said).toEqual([expect.stringMatching(/^“a.csv”: The file is damaged/)])
  })

  test('a path that leads out of it is refused, and a name shows no control characters', async () => {
    const file = await zipOf([
      ['../../etc/a.csv', 'a\n1\n'],
      ['in/../b.csv', 'a\n2\n'],
      ['./c.csv', 'a\n3\n'],
      ['d\u001b[2J.csv', 'a\n4\n'],
    ])
    expect(await unpacked(file)).toEqual([
      ['c.csv', 'a\n3\n'],
      ['d\ufffd[2J.csv', 'a\n4\n'],
    ])
    expect(said.toSorted()).toEqual([
      '“../../etc/a.csv”: its path leads out of the archive.',
      '“in/../b.csv”: its path leads out of the archive.',
    ])
  })

  test('of more tables than are taken the rest is counted', async () => {
    const file = await zipOf(Array.from({ length: 503 }, (_, i) => [`m${i}.csv`, 'a\n1\n'] as const))
    const { files, left } = (await unpackArchive(file, NEVER)) ?? {}
    expect([files?.length, left]).toEqual([500, 3])
  })

  test('it’s cancelled', async () => {
    const file = await zipOf([['a.csv', 'a\n1\n']])
    await expect(unpackArchive(file, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  })

  test.each<[string, () => Promise<File>]>([
    ['is no zip', () => Promise.resolve(new File(['x,y\n1,2\n'], 'a.zip'))],
    ['has no table', () => zipOf([['a.pdf', 'x']])],
    [
      'is a workbook',
      () =>
        zipOf([
          ['[Content_Types].xml', ''],
          ['xl/a.csv', ''],
        ]),
    ],
    ['is a backup', () => zipOf([['a.json', '{}']], 'rowhouse-backup-1.zip')],
    [
      'is encrypted',
      async () => {
        const bytes = new Uint8Array(await (await zipOf([['a.csv', 'a\n']])).arrayBuffer())
        const central = Buffer.from(bytes.buffer).indexOf(Buffer.from('504b0102', 'hex'))
        bytes.set([1], central + 8)
        return new File([bytes], 'all.zip')
      },
    ],
  ])('one that %s is none to unpack', async (_, make) => {
    expect(await unpackArchive(await make(), NEVER)).toBeNull()
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
        const unpackedFiles = await unpackArchive(await zipOf(given, 'all.zip', stored), NEVER)
        const files = unpackedFiles?.files.map(({ file }) => file) ?? []
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

/** An archive with these bytes as names, without a declared encoding. */
async function withNames(names: readonly Uint8Array[], extra?: Uint8Array): Promise<File> {
  const place = (i: number, { length }: Uint8Array): string => `${i}`.padEnd(length, '#')
  const file = await zipOf(names.map((name, i) => [place(i, name), `a\n${i}\n`]))
  const bytes = Buffer.from(await file.arrayBuffer())
  for (const [i, name] of names.entries()) {
    const placed = place(i, name)
    for (let at = bytes.indexOf(placed); at >= 0; at = bytes.indexOf(placed, at)) bytes.set(name, at)
  }
  for (const [mark, flags] of [
    ['PK\u0003\u0004', 6],
    ['PK\u0001\u0002', 8],
  ] as const) {
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 4)) {
      bytes.writeUInt16LE(bytes.readUInt16LE(at + flags) & ~0x0800, at + flags)
    }
  }
  return new File([extra ? withExtra(bytes, extra) : bytes], 'names.zip')
}

/** An archive of one file with another extra field in its directory. */
function withExtra(bytes: Buffer, extra: Uint8Array): Buffer<ArrayBuffer> {
  const directory = bytes.indexOf('PK\u0001\u0002')
  const after = directory + 46 + bytes.readUInt16LE(directory + 28) + bytes.readUInt16LE(directory + 30)
  const made = Buffer.concat([bytes.subarray(0, after), extra, bytes.subarray(after)])
  made.writeUInt16LE(bytes.readUInt16LE(directory + 30) + extra.length, directory + 30)
  const end = made.lastIndexOf('PK\u0005\u0006')
  made.writeUInt32LE(made.readUInt32LE(end + 12) + extra.length, end + 12)
  return made
}

/** Info-ZIP's extra field for a Unicode name. */
function unicodePath(name: string, of: Uint8Array): Buffer {
  const text = Buffer.from(name)
  const field = Buffer.alloc(9)
  field.writeUInt16LE(0x7075, 0)
  field.writeUInt16LE(5 + text.length, 2)
  field.writeUInt8(1, 4)
  field.writeUInt32LE(crc32(of), 5)
  return Buffer.concat([field, text])
}

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))

describe('file names', () => {
  test.each(['zip-deflated.zip', 'zip-stored.zip', '7z-deflated.zip', 'python.zip'])(
    'of a program’s: %s',
    async (name) => {
      const bytes = readFileSync(join(import.meta.dirname, '../foreign/packed', name))
      expect((await unpacked(new File([bytes], name))).map(([file]) => file)).toEqual(['a.csv', 'sub_ö.csv'])
      expect(said).toEqual([])
    },
  )

  // Made by Python's codecs.
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'DOS 850',
      ['9a6265727369636874204d84727a2e637376', '477294e1656e20756e64204d61e1652e637376', '4b84756665722e637376'],
      ['Übersicht März.csv', 'Größen und Maße.csv', 'Käufer.csv'],
    ],
    [
      'Windows-1252',
      ['dc6265727369636874204de4727a2e637376', '4772f6df656e20756e64204d61df652e637376', '4be4756665722e637376'],
      ['Übersicht März.csv', 'Größen und Maße.csv', 'Käufer.csv'],
    ],
    [
      'DOS 866',
      ['8ee2e7f1e220a7a020efada2a0e0ec2e637376', '8fe0aea4a0a6a820afae20a3aee0aea4a0ac2e637376'],
      ['Отчёт за январь.csv', 'Продажи по городам.csv'],
    ],
    [
      'Shift JIS',
      ['94848fe3955c2e637376', '8cda8b7188ea9797955c2e637376', '975c8e5a2f88ea8c8e82cc955c2e637376'],
      ['売上表.csv', '顧客一覧表.csv', '予算_一月の表.csv'],
    ],
  ])('in %s', async (_, bytes, names) => {
    const found = await unpacked(await withNames(bytes.map(hex)))
    expect(found.map(([name]) => name).toSorted()).toEqual([...names].toSorted())
  })

  test('in UTF-8 that isn’t marked, taken apart as the Finder does', async () => {
    const names = ['Übersicht.csv', 'März.csv'].map((name) => new TextEncoder().encode(name.normalize('NFD')))
    expect((await unpacked(await withNames(names))).map(([name]) => name)).toEqual(['März.csv', 'Übersicht.csv'])
    expect(said).toEqual([])
  })

  test('in a field of their own', async () => {
    const bytes = hex('3f6265722e637376ff2e637376')
    const own = await withNames([bytes], unicodePath('Über.csv', bytes))
    expect((await unpacked(own)).map(([name]) => name)).toEqual(['Über.csv'])
    expect(said).toEqual([])
    // For another name: the entry was renamed later.
    const other = await withNames([bytes], unicodePath('Über.csv', hex('00')))
    expect((await unpacked(other)).map(([name]) => name)).not.toEqual(['Über.csv'])
  })

  test('that could be in more encodings are told', async () => {
    const [name] = (await unpacked(await withNames([hex('812e637376')]))).map(([file]) => file)
    expect(said).toEqual([expect.stringContaining(`the first is “${name}”`)])
    expect(said[0]).toContain('File names in “names.zip” are a guess: The archive doesn’t say their encoding. Read as ')
  })
})
