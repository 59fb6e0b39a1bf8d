import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeBook } from '../formats/xlsx/testing/read.ts'
import { unpackFile } from '../formats/shared/unpacked-file.ts'
import { refusal } from '../testing/bad-input.ts'
import { convert, inspect } from '../testing/run.ts'

/* Workbooks and databases compressed as whole files. */

const foreign = path.join(import.meta.dirname, '../foreign')
const FILES = [
  'xlsx/sheets-perl.xlsx',
  'xlsm/sheets-libreoffice.xlsm',
  'xls/umlauts-libreoffice.xls',
  'ods/sheets-gnumeric.ods',
  '../formats/sheetjs/fixtures/types-libreoffice.xls',
  'sqlite/two-tables.sqlite',
]
const PROGRAMS = { gzip: 'gz', zstd: 'zst', bzip2: 'bz2' } as const

function packedBy(program: keyof typeof PROGRAMS, name: string): File {
  const packed = execFileSync(program, ['-c', path.join(foreign, name)], { maxBuffer: 1e8 })
  return new File([packed], `${path.basename(name)}.${PROGRAMS[program]}`)
}

const there = (Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]).filter(
  (program) => spawnSync(program, ['--version'], { input: '' }).error === undefined,
)

describe.each(FILES)('%s', (name) => {
  it.each(there)('is read out of %s', async (program) => {
    const plain = new File([readFileSync(path.join(foreign, name))], path.basename(name))
    const packed = packedBy(program, name)
    const [found, expected] = [await inspect(packed), await inspect(plain)]
    expect(found).toEqual({
      ...expected,
      inspection: {
        ...expected.inspection,
        settings: { ...expected.inspection.settings, compression: program },
      },
    })
    const [converted, same] = [await convert(packed, 'xlsx'), await convert(plain, 'xlsx')]
    expect((await inspect(converted.files[0])).previews).toEqual((await inspect(same.files[0])).previews)
  })
})

const SHEET = '<row r="1"><c r="A1"><v>1</v></c></row>'
const gzip = (bytes: Uint8Array, name = 'a.xlsx.gz'): File => new File([gzipSync(bytes)], name)
const bytesOf = async (file: Blob): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await file.arrayBuffer())

describe('what can’t be unpacked', () => {
  it('is cut short', async () => {
    const packed = await bytesOf(gzip(await bytesOf(makeBook({ sheets: [SHEET] }))))
    const cut = new File([packed.subarray(0, packed.length - 20)], 'a.xlsx.gz')
    expect(await refusal(cut)).toMatchObject({
      code: 'corrupt-file',
      message: 'The gzip data ends before it is complete.',
    })
  })

  it('is damaged inside', async () => {
    const book = await bytesOf(makeBook({ sheets: [SHEET] }))
    expect(await refusal(gzip(book.subarray(0, book.length - 30)))).toMatchObject({ code: 'corrupt-file' })
  })

  it('is another kind of archive inside', async () => {
    const error = await refusal(gzip(new Uint8Array([0x50, 0x41, 0x52, 0x31, ...new Uint8Array(100)]), 'a.parquet.gz'))
    expect(error).toMatchObject({
      code: 'unsupported-format',
      message: expect.stringContaining('a Parquet file') as string,
    })
  })

  it('unpacks to more than is safe', async () => {
    const bomb = gzip(new Uint8Array(2_000_000))
    const { signal } = new AbortController()
    await expect(unpackFile(bomb, 'gzip', signal, 1_000_000)).rejects.toMatchObject({ code: 'too-large' })
    expect((await unpackFile(bomb, 'gzip', signal, 2_000_000)).size).toBe(2_000_000)
  })

  it('is a bomb that begins as a database', async () => {
    const start = Buffer.from('SQLite format 3\0'.padEnd(100, '\0'))
    const zeros = gzipSync(new Uint8Array(10_000_000))
    const bomb = new File([gzipSync(start), ...Array.from({ length: 30 }, () => zeros)], 'a.db.gz')
    expect(bomb.size).toBeLessThan(400_000)
    const error = await refusal(bomb)
    expect(error).toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('unpacks to over 268 MB') as string,
    })
  })

  it('is given up when it’s cancelled, and read when it’s asked for again', async () => {
    const book = gzip(await bytesOf(makeBook({ sheets: [SHEET] })))
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    await expect(unpackFile(book, 'gzip', stop.signal)).rejects.toThrow('stopped')
    expect((await inspect(book)).inspection.tables[0].rows).toBe(1)
  })
})
