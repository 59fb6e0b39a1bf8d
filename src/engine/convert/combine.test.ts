import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { nativeRows, nativeText, nativeTypes } from '../testing/oracle.ts'
import { combine, convert, type Converted } from '../testing/run.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-combine-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function kept({ files }: Converted, name: string): Promise<string> {
  const file = path.join(folder, name)
  writeFileSync(file, new Uint8Array(await files[0].arrayBuffer()))
  return `'${file}'`
}

function csv(name: string, text: string): File {
  writeFileSync(path.join(folder, name), text)
  return new File([text], name)
}

const read = (name: string): string => `(FROM read_csv('${path.join(folder, name)}'))`
const codes = ({ result }: Converted): string[] => result.outputs[0].receipts[0].changes.map(({ code }) => code)

const JANUARY = 'id,amount,day,note\n1,5,2024-01-01,a\n2,7,2024-01-02,\n'
const FEBRUARY = 'day,id,amount,region\n2024-02-01 10:30:00,3,1.25,north\n2024-02-02 00:00:00,4,100000.50,south\n'
const MARCH = 'id,amount,day,note,region\n5,,2024-03-01,x,\n'

describe('CSV files whose columns drift', () => {
  it('are what native DuckDB makes of them by name', async () => {
    const files = [csv('jan.csv', JANUARY), csv('feb.csv', FEBRUARY), csv('mar.csv', MARCH)]
    const made = await combine(files, 'parquet', undefined, () => ({ fileColumn: false }))
    const parquet = await kept(made, 'drift.parquet')
    const expected = `${read('jan.csv')} UNION ALL BY NAME ${read('feb.csv')} UNION ALL BY NAME ${read('mar.csv')}`
    const columns = 'id, amount::DECIMAL(20,2) AS amount, day::TIMESTAMP AS day, note, region'
    expect(await nativeText(`SELECT ${columns} FROM ${parquet} ORDER BY id`)).toEqual(
      await nativeText(`SELECT ${columns} FROM (${expected}) ORDER BY id`),
    )
    expect(await nativeTypes(`FROM ${parquet}`)).toEqual([
      ['id', 'INTEGER'],
      ['amount', 'DECIMAL(12,2)'],
      ['day', 'TIMESTAMP'],
      ['note', 'VARCHAR'],
      ['region', 'VARCHAR'],
    ])
    expect(codes(made)).toEqual(['column-missing', 'column-missing', 'type-widened', 'type-widened'])
  })

  it('keep the type of a column that none of them has, as a recipe says', async () => {
    const made = await combine([csv('jan.csv', JANUARY), csv('mar.csv', MARCH)], 'parquet', undefined, () => {
      const expected = { name: 'rate', type: 'DECIMAL(8,4)', include: true, inAll: false }
      return { fileColumn: false, recipe: { name: 'r', columns: [expected], members: [], accepted: [] } }
    })
    const parquet = await kept(made, 'unheld.parquet')
    expect((await nativeTypes(`FROM ${parquet}`))[0]).toEqual(['rate', 'DECIMAL(8,4)'])
    expect(await nativeRows(`SELECT count(*)::INTEGER, count(rate)::INTEGER FROM ${parquet}`)).toEqual([[3, 0]])
  })

  it('have one receipt, to which each file’s rows and checksums add up', async () => {
    const files = [csv('jan.csv', JANUARY), csv('feb.csv', FEBRUARY), csv('mar.csv', MARCH)]
    const { result } = await combine(files, 'parquet')
    const [{ expected, found, sources = [], source, textCompared, verdict }] = result.outputs[0].receipts
    expect(sources.map(({ name, rows, rejectedRows }) => [name, rows, rejectedRows])).toEqual([
      ['jan.csv', 2, 0],
      ['feb.csv', 2, 0],
      ['mar.csv', 1, 0],
    ])
    const sum = sources.reduce((total, { rowChecksum }) => total + BigInt(`0x${rowChecksum}`), 0n) % 2n ** 64n
    expect(sum.toString(16).padStart(16, '0')).toBe(found.rowChecksum)
    expect(expected).toEqual(found)
    const size = files.reduce((bytes, file) => bytes + file.size, 0)
    expect(source).toEqual({ name: '3 files', format: 'csv', table: null, size })
    expect([textCompared, verdict]).toEqual([true, 'match'])
  })

  it('tell each row’s file and its number there, rejected rows counted', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i},x`)
    rows[3] = '3,x,surplus'
    rows[20] = '20,x,surplus'
    const files = [csv('a.csv', `id,v\n${rows.join('\n')}\n`), csv('b.csv', 'id,v,file\n7,y,own\n')]
    const made = await combine(files, 'parquet', undefined, () => ({ rowColumn: true }))
    const parquet = await kept(made, 'rows.parquet')
    expect(
      await nativeRows(
        `SELECT id::VARCHAR, file, file_1, row::VARCHAR FROM ${parquet} WHERE id IN (2, 4, 21) OR file = 'own'`,
      ),
    ).toEqual([
      ['2', null, 'a.csv', '3'],
      ['4', null, 'a.csv', '5'],
      ['21', null, 'a.csv', '22'],
      ['7', 'own', 'b.csv', '1'],
    ])
    expect(made.result.rejected.map(({ file, row }) => [file, row])).toEqual([
      ['a.csv', 4],
      ['a.csv', 21],
    ])
    expect((await made.rejectedFile?.text())?.split('\n').slice(0, 2)).toEqual([
      'file,table,row,line,reason,message,column,value,raw',
      'a.csv,,4,5,ragged,"The row has 3 fields, but the table has 2 columns.",,,"3,x,surplus"',
    ])
  })

  it('say what a file’s values mean, where the table’s type is a wider one', async () => {
    const files = [csv('de.csv', 'v;w\n10,5 €;1\n20,5 €;2\n'), csv('us.csv', 'v,w\n1.25,true\n')]
    const { result } = await combine(files, 'parquet', undefined, () => ({ fileColumn: false }))
    const changes = result.outputs[0].receipts[0].changes.filter(({ code }) => code === 'rewritten')
    expect(changes).toEqual([
      { code: 'rewritten', message: 'Amounts like 10,5 € are numbers; the unit is EUR.', column: 'v', count: 2 },
    ])
  })

  it('are text, as each file spells it, where types have no other in common', async () => {
    const files = [csv('de.csv', 'd;v\n31.12.2024;1,50\n'), csv('us.csv', 'd,v\n12345,true\n')]
    const made = await combine(files, 'parquet', undefined, () => ({ fileColumn: false }))
    expect(await nativeRows(`FROM ${await kept(made, 'text.parquet')}`)).toEqual([
      ['31.12.2024', '1,50'],
      ['12345', 'true'],
    ])
  })

  it('keep their characters from CSV to CSV, unless files spell values differently', async () => {
    const files = [csv('one.csv', 'a,d\n1.50,2024-01-31\n'), csv('two.csv', 'a,d\n2.5,28.02.2024\n')]
    const { files: made } = await combine(files, 'csv', undefined, () => ({ fileColumn: false }))
    expect(await made[0].text()).toBe('a,d\n1.50,2024-01-31\n2.5,2024-02-28\n')
  })

  it.each(['parquet', 'csv', 'json'] as const)('are the same %s where a second thread writes', async (target) => {
    const rows = Array.from({ length: 40_000 }, (_, i) => `${i},${i % 7},2024-01-01,n\n`)
    const files = [
      csv('jan.csv', JANUARY),
      csv('big.csv', `id,amount,day,note\n${rows.join('')}`),
      csv('feb.csv', FEBRUARY),
    ]
    const [one, two] = [
      await combine(files, target),
      await combine(files, target, undefined, undefined, { threads: 2 }),
    ]
    expect(await two.files[0].text()).toBe(await one.files[0].text())
    expect(two.result.outputs[0].receipts[0].found).toEqual(one.result.outputs[0].receipts[0].found)
  })

  it('name the file that is to blame, and keep nothing', async () => {
    const files = [csv('fine.csv', 'a\n1\n'), csv('other.csv', 'a\n1\n2\n')]
    const damaged = new File([new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2])], 'other.csv.gz')
    const gzip = [...files, new File([gzipSync('a\n3\n')], 'other.csv.gz')]
    await expect(combine(gzip, 'parquet', undefined, undefined, { later: [...files, damaged] })).rejects.toThrow(
      /^“other.csv.gz”: /,
    )
    await expect(combine(files, 'parquet', undefined, undefined, { later: [files[0], files[0]] })).rejects.toThrow(
      '“fine.csv” has 1 row now; it had 2 when it was added.',
    )
  })
})

describe('files of several formats', () => {
  it('become one table', async () => {
    const source = csv('a.csv', JANUARY)
    const parquet = (await convert(csv('b.csv', FEBRUARY), 'parquet')).files[0]
    const json = new File(['[{"id": 9, "amount": 2.5, "note": "j"}]'], 'c.json')
    const made = await combine([source, parquet, json], 'parquet', defaultOptions('parquet'))
    const rows = await nativeText(`SELECT id, amount, file FROM ${await kept(made, 'formats.parquet')} ORDER BY id`)
    expect(rows).toEqual([
      ['1', '5.0', 'a.csv'],
      ['2', '7.0', 'a.csv'],
      ['3', '1.25', 'b.parquet'],
      ['4', '100000.5', 'b.parquet'],
      ['9', '2.5', 'c.json'],
    ])
  })
})
