import { readdir, readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { zipOf } from '../../lib/zip/testing.ts'
import { Shell, type Ran } from './testing.ts'

/* Zip archives on the command line are replaced by the tables in them. */

let shell: Shell

beforeEach(async () => {
  shell = await Shell.open()
})
afterEach(() => shell.close())

type Content = string | Uint8Array<ArrayBuffer>

async function writeZip(name: string, files: readonly (readonly [string, Content])[]): Promise<void> {
  await shell.write(name, new Uint8Array(await (await zipOf(files)).arrayBuffer()))
}

const MONTHS = [
  ['2024/jan.csv', 'id,amount\n1,10\n2,20\n'],
  ['2025/jan.csv', 'id,amount\n3,30\n'],
  ['readme.pdf', 'x'],
] as const

const json = ({ out }: Ran): unknown => JSON.parse(out)

describe('a zip archive', () => {
  it('is inspected table by table, and other files in it are reported', async () => {
    await writeZip('all.zip', MONTHS)
    const ran = await shell.run(['inspect', 'all.zip'])
    expect(ran).toMatchObject({ code: 0, err: 'Read 2 files from “all.zip”. Skipped 1 other that isn’t a table.\n' })
    expect(ran.out).toContain('all.zip/2024/jan.csv: CSV, ')
    expect(ran.out).toContain('  2 rows, 2 columns\n')
    expect(ran.out).toContain('all.zip/2025/jan.csv: CSV, ')
    const listed = await shell.run(['inspect', 'all.zip', '--json'])
    expect(json(listed)).toMatchObject({
      files: [
        { file: 'all.zip/2024/jan.csv', inspection: { tables: [{ rows: 2 }] } },
        { file: 'all.zip/2025/jan.csv', inspection: { tables: [{ rows: 1 }] } },
      ],
    })
  })

  it('is converted to files beside it, with the app’s names for them, which their receipts verify', async () => {
    await writeZip('all.zip', MONTHS)
    const ran = await shell.run(['convert', 'all.zip', '--to', 'ndjson', '--receipt'])
    expect(ran.code).toBe(0)
    expect((await readdir(shell.folder)).sort()).toEqual([
      '2024_jan.ndjson',
      '2024_jan.receipt.json',
      '2025_jan.ndjson',
      '2025_jan.receipt.json',
      'all.zip',
    ])
    expect(await readFile(shell.path('2025_jan.ndjson'), 'utf8')).toBe('{"id":3,"amount":30}\n')
    const receipt = JSON.parse(await readFile(shell.path('2025_jan.receipt.json'), 'utf8')) as unknown
    expect(receipt).toMatchObject({ receipts: [{ source: { name: '2025_jan.csv' } }] })
    expect((await shell.run(['verify', '2025_jan.ndjson', '2025_jan.receipt.json'])).code).toBe(0)
  })

  it('is combined with other archives, and the file column has each row’s archive and file', async () => {
    await writeZip('a.zip', [['jan.csv', 'id\n1\n']])
    await writeZip('b.zip', [['jan.csv', 'id\n2\n']])
    await shell.write('jan.csv', 'id\n3\n')
    const ran = await shell.run(['convert', '*.zip', 'jan.csv', '--combine', '--to', 'csv', '--name', 'all'])
    expect(ran.err).toBe('')
    expect(await readFile(shell.path('all.csv'), 'utf8')).toBe('id,file\n1,a.zip/jan.csv\n2,b.zip/jan.csv\n3,jan.csv\n')
  })

  it('is queried, with tables named after its files', async () => {
    await writeZip('all.zip', MONTHS)
    const ran = await shell.run(['query', 'SELECT sum(amount) AS s FROM t_2024_jan', 'all.zip', '--json'])
    expect(json(ran)).toMatchObject({ rows: [[30]] })
    const named = await shell.run(['query', `SELECT id FROM 'all.zip/2025/jan.csv'`, 'all.zip', '--json'])
    expect(json(named)).toMatchObject({ rows: [[3]] })
    const written = await shell.run(['query', 'FROM t_2025_jan', 'all.zip', '--out', '2025_jan.csv'])
    expect(written.code).toBe(0)
    expect(await readFile(shell.path('2025_jan.csv'), 'utf8')).toBe('id,amount\n3,30\n')
  })

  it('may contain archives, and a text that is too large to be unpacked at once', async () => {
    const inner = new Uint8Array(await (await zipOf([['c.csv', 'c\n3\n']])).arrayBuffer())
    const lines = Array.from({ length: 1100 }, (_, i) => `${i},${'0123456789'.repeat(6300)}\n`)
    await writeZip('all.zip', [
      ['large.csv', `id,text\n${lines.join('')}`],
      ['inner.zip', inner],
    ])
    const ran = await shell.run(['query', 'SELECT count(*) AS n, sum(id) AS s FROM large, c', 'all.zip', '--json'])
    expect(json(ran)).toMatchObject({ rows: [[1100, (1099 * 1100) / 2]] })
  })
})

describe('what can’t be read from a zip archive', () => {
  it('fails without the other files: a bomb, a path that leads out', async () => {
    await writeZip('all.zip', [
      ['a.csv', 'a\n1\n'],
      ['bomb.csv', new Uint8Array(40 * 1024 * 1024)],
      ['../out.csv', 'a\n2\n'],
    ])
    const ran = await shell.run(['convert', 'all.zip', '--to', 'json', '--json'])
    expect(ran.code).toBe(1)
    expect(json(ran)).toMatchObject({
      files: [
        { file: 'all.zip/a.csv', status: 'done' },
        {
          file: 'all.zip/../out.csv',
          status: 'failed',
          error: { code: 'corrupt-file', message: 'Its path leads out of the archive.' },
        },
        { file: 'all.zip/bomb.csv', status: 'failed', error: { code: 'too-large' } },
      ],
    })
    expect((await readdir(shell.folder)).sort()).toEqual(['a.json', 'all.zip'])
    const combined = await shell.run(['convert', 'all.zip', '--combine', '--to', 'json'])
    expect(combined.code).toBe(1)
    expect(combined.err).toContain('all.zip/bomb.csv: It unpacks to 41.9 MB, over 500 times its size')
    expect((await shell.run(['query', 'FROM a', 'all.zip'])).code).toBe(1)
  })

  it('is more than 500 tables, in which case none is read', async () => {
    await writeZip(
      'all.zip',
      Array.from({ length: 501 }, (_, i) => [`${i}.csv`, 'a\n1\n'] as const),
    )
    const ran = await shell.run(['inspect', 'all.zip'])
    expect(ran).toEqual({
      code: 1,
      out: '',
      err: '“all.zip” has 501 tables, but only 500 can be read from an archive. Unpack it, and name the files.\n',
    })
  })

  it('is read like any other file: one that doesn’t exist, isn’t an archive, or has no table', async () => {
    await shell.write('text.zip', 'id\n1\n')
    await writeZip('none.zip', [['a.pdf', 'x']])
    const ran = await shell.run(['inspect', 'gone.zip', 'text.zip', 'none.zip'])
    expect(ran.code).toBe(1)
    expect(ran.out).toContain('text.zip: CSV')
    expect(ran.err.split('\n')).toEqual([
      expect.stringMatching(/^gone\.zip: There is no such file /),
      expect.stringMatching(/^none\.zip: .*zip archive/),
      '',
    ])
  })
})
