import { describe, expect, it } from 'vitest'
import { parseType, VARCHAR } from '../../../tables/types.ts'
import { BATCH_ROWS } from '../../arrow/batch.ts'
import { csvReader } from './reader.ts'
import { fileOf, inspect, readAll, texts } from './testing.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const codes = (inspection: Awaited<ReturnType<typeof inspect>>): string[] => inspection.notes.map(({ code }) => code)
const table = async (...args: Parameters<typeof inspect>) => (await inspect(...args)).tables[0]

describe('inspect', () => {
  it('looks at every row, also the last of many', async () => {
    const rows = Array.from({ length: 50_000 }, (_, i) => `${i},${i}`)
    const { columns } = await table(`a,b\n${rows.join('\n')}\n7,x\n`)
    expect(columns).toMatchObject([
      { name: 'a', type: 'INTEGER' },
      {
        name: 'b',
        type: 'VARCHAR',
        flags: ['mixed-types'],
        reason: '1 of 50,001 values is not a whole number, the first is “x” in row 50,001.',
      },
    ])
  })

  it('counts and shows rows that do not fit', async () => {
    const content = 'id,name\n1,a\n2\n3,b,c\n4,"d"e\n5,f\n6,"open\n7,g\n'
    const found = await table(content, { shortRows: 'reject' })
    expect(found).toMatchObject({ rows: 3, rejectedCount: 4 })
    expect(found.rejected).toEqual([
      {
        row: 2,
        line: 3,
        reason: 'ragged',
        message: 'The row has 1 field, but the table has 2 columns.',
        column: null,
        value: null,
        raw: '2',
      },
      {
        row: 3,
        line: 4,
        reason: 'ragged',
        message: 'The row has 3 fields, but the table has 2 columns.',
        column: null,
        value: null,
        raw: '3,b,c',
      },
      {
        row: 4,
        line: 5,
        reason: 'quoting',
        message: 'There is text after a closing quote.',
        column: null,
        value: null,
        raw: '4,"d"e',
      },
      {
        row: 6,
        line: 7,
        reason: 'quoting',
        message: 'A quote is opened, and it isn’t clear where it closes.',
        column: null,
        value: null,
        raw: '6,"open',
      },
    ])
    expect((await readAll(content, await inspect(content, { shortRows: 'reject' }))).rejected).toEqual(found.rejected)
  })

  it('pads short rows only when told to', async () => {
    const content = 'a,b,c\n1,2\n4,5,6\n7\n8,9,10,11\n'
    const inspection = await inspect(content, { shortRows: 'pad' })
    expect(inspection.tables[0]).toMatchObject({
      rows: 3,
      rejectedCount: 1,
      columns: [{ nulls: 0 }, { nulls: 1 }, { nulls: 2 }],
    })
    const { rows } = await readAll(content, inspection)
    expect(rows).toEqual([
      ['1', '2', null],
      ['4', '5', '6'],
      ['7', null, null],
    ])
  })

  it('counts rejected rows when it says in which row a value is', async () => {
    const content = 'a,b\n1\n2,2\n3\n4,4\n5,x\n6\n7,y\n'
    const { columns, rejected } = await table(content, { delimiter: ',', header: true, shortRows: 'reject' })
    expect(columns[1].reason).toBe('2 of 4 values are not whole numbers, the first is “x” in row 5.')
    expect(rejected.map(({ row }) => row)).toEqual([1, 3, 6])
  })

  it('keeps the first 100 of very many', async () => {
    const found = await table(`a,b\n${'1\n'.repeat(5000)}2,3\n`, {
      delimiter: ',',
      header: true,
      width: 2,
      shortRows: 'reject',
    })
    expect(found.rejectedCount).toBe(5000)
    expect(found.rejected).toHaveLength(100)
  })

  it('names what has no name, and says so', async () => {
    const { columns } = await table('name,,name,__proto__,name_1,<b>x</b>, \n1,2,3,4,5,6,7\n', { header: true })
    expect(columns.map(({ source, name, flags }) => [source, name, flags.includes('renamed')])).toEqual([
      ['name', 'name', false],
      ['', 'column_2', true],
      ['name', 'name_2', true],
      ['__proto__', '__proto__', false],
      ['name_1', 'name_1', false],
      ['<b>x</b>', '<b>x</b>', false],
      [' ', 'column_7', true],
    ])
    const { columns: bare } = await table('1,2\n3,4\n')
    expect(bare).toMatchObject([{ source: '', name: 'column_1', flags: [] }, { name: 'column_2' }])
  })

  it('tells a header without rows from an empty file', async () => {
    const found = await table('id,name\n')
    expect(found).toMatchObject({
      rows: 0,
      columns: [{ name: 'id', type: 'VARCHAR', flags: ['empty'] }, { name: 'name' }],
    })
    await expect(inspect('')).rejects.toMatchObject({ code: 'empty-file' })
    await expect(inspect('\n\n')).rejects.toMatchObject({ code: 'empty-file' })
    await expect(inspect('\ufeff')).rejects.toMatchObject({ code: 'empty-file' })
  })

  it('refuses what is no text, with a remedy', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7919) % 251)
    await expect(inspect(bytes)).rejects.toMatchObject({ code: 'not-text', remedy: expect.stringMatching(/export/) })
  })

  it('notes what is odd about the file', async () => {
    const found = await inspect('\ufeffTitle\n\na,b\r\n1,2\n\n3,\u0000\n4,5\r6,7\n')
    expect(codes(found)).toEqual(['byte-order-mark', 'preamble', 'blank-lines', 'mixed-line-ends', 'nul-bytes'])
    expect(found.tables[0]).toMatchObject({ rows: 4, rejectedCount: 0 })
    const commented = await inspect('a,b\n1,2\n# no row\n3,4\n')
    expect(commented.notes).toMatchObject([{ code: 'comments', count: 1 }])
  })

  it('holds 10,000 columns', async () => {
    const header = Array.from({ length: 10_000 }, (_, i) => `column ${i}`)
    const row = header.map((_, i) => String(i))
    const content = `${header.join(',')}\n${`${row.join(',')}\n`.repeat(3)}`
    const inspection = await inspect(content)
    expect(inspection.tables[0].columns).toHaveLength(10_000)
    const { rows } = await readAll(content, inspection)
    expect(rows[2]).toEqual(row)
  })
})

describe('encodings', () => {
  it('offers candidates with a sample of each', async () => {
    const { settings, encodings } = await inspect(Buffer.from('id,name\n1,M\xfcller\n', 'latin1'))
    expect(settings).toMatchObject({ encoding: 'windows-1252' })
    expect(encodings?.[0]).toMatchObject({ encoding: 'windows-1252', sample: '1,Müller' })
    expect(encodings?.length).toBeGreaterThan(3)
  })

  it('reads a file again that turns out not to be UTF-8', async () => {
    const rows = 'plain,1\n'.repeat(100_000)
    const content = Buffer.concat([utf8(`name,n\n${rows}`), Buffer.from('Andr\xe9,2\n', 'latin1')])
    const inspection = await inspect(content)
    expect(inspection.settings).toMatchObject({ encoding: 'windows-1252' })
    expect(inspection.notes.at(-1)).toMatchObject({
      code: 'encoding-late',
      message: expect.stringMatching(/line 100,002/),
    })
    expect(inspection.tables[0]).toMatchObject({ rows: 100_001, rejectedCount: 0 })
    const { rows: read } = await readAll(content, inspection)
    expect(read.at(-1)).toEqual(['André', '2'])
  })

  it('rejects the damaged row of a file that is UTF-8 otherwise', async () => {
    const content = Buffer.concat([
      utf8('name,n\nMüller,1\nGröße,2\n'),
      Buffer.from('Andr\xe9,3\n', 'latin1'),
      utf8('é,4\n'),
    ])
    const inspection = await inspect(content, { encoding: 'utf-8' })
    const [rejected] = inspection.tables[0].rejected
    expect(rejected).toMatchObject({ row: 3, line: 4, reason: 'encoding', raw: 'Andr\ufffd,3' })
    const late = Buffer.concat([utf8(`name,n\n${'Müller,1\n'.repeat(100_000)}`), Buffer.from('Andr\xe9,3\n', 'latin1')])
    const second = await inspect(late)
    expect(second.settings).toMatchObject({ encoding: 'utf-8' })
    expect(second.tables[0]).toMatchObject({ rows: 100_000, rejectedCount: 1 })
  })
})

describe('read', () => {
  it('rejects a row for a value that is not of the type, and keeps the others', async () => {
    const content = 'a,b\n1,x\ntwo,y\n3,"z"\n'
    const inspection = await inspect(content)
    const { rows, rejected, names } = await readAll(content, inspection, [parseType('INTEGER'), VARCHAR])
    expect(rows).toEqual([
      ['1', 'x'],
      ['3', 'z'],
    ])
    expect(names).toEqual(['a', 'b'])
    expect(rejected).toEqual([
      {
        row: 2,
        line: 3,
        reason: 'value',
        message: '“two” isn’t a value of type “Whole number”.',
        column: 'c0',
        value: 'two',
        raw: 'two,y',
      },
    ])
  })

  it('takes only unquoted null strings as null', async () => {
    const content = 'a,b\n,""\nNA,"NA"\nx,NULL\n'
    const inspection = await inspect(content, { nullStrings: ['', 'NA'] })
    const { rows } = await readAll(content, inspection, texts(inspection))
    expect(rows).toEqual([
      [null, ''],
      [null, 'NA'],
      ['x', 'NULL'],
    ])
    const none = await inspect(content, { nullStrings: [] })
    expect((await readAll(content, none, texts(none))).rows[0]).toEqual(['', ''])
  })

  it('reads some of the columns, in the order wanted, up to a limit', async () => {
    const content = 'a,b,c\n1,2,3\n4,5,6\n7,8,9\n'
    const inspection = await inspect(content)
    const columns = [2, 0].map((index) => ({ index, source: '', type: VARCHAR }))
    const read = await readAll(content, inspection, undefined, { columns, limit: 2 })
    expect(read.rows).toEqual([
      ['3', '1'],
      ['6', '4'],
    ])
    expect(read.names).toEqual(['c', 'a'])
    const beyond = readAll(content, inspection, undefined, { columns: [{ index: 3, source: 'd', type: VARCHAR }] })
    await expect(beyond).rejects.toMatchObject({ code: 'invalid-plan' })
  })

  it('takes a blank line as a null in a file of one column alone', async () => {
    const content = '\n1\n\n2\n""\n\n'
    const inspection = await inspect(content, { header: false })
    expect(inspection.tables[0]).toMatchObject({ rows: 6, columns: [{ nulls: 3 }] })
    const { rows } = await readAll(content, inspection, [VARCHAR])
    expect(rows.flat()).toEqual([null, '1', null, '2', '', null])
    const wide = await inspect('\na,b\n\n1,2\n', { header: true, delimiter: ',', skipLines: 0 })
    expect(wide.tables[0]).toMatchObject({ rows: 1, columns: [{ nulls: 0 }, { nulls: 0 }] })
  })

  it('gives batches of a bounded size', async () => {
    const content = `a\n${'1\n'.repeat(200_000)}`
    const { rows, batches } = await readAll(content, await inspect(content))
    expect(rows).toHaveLength(200_000)
    expect(batches).toBe(Math.ceil(200_000 / BATCH_ROWS))
  })

  it('gives one empty batch for a table without rows', async () => {
    const read = await readAll('a,b\n', await inspect('a,b\n'))
    expect(read).toMatchObject({ rows: [], batches: 1, names: ['a', 'b'] })
  })

  it('stops when cancelled', async () => {
    const controller = new AbortController()
    const file = fileOf(`a\n${'1\n'.repeat(3_000_000)}`)
    const { settings } = await inspect('a\n1\n')
    const columns = [{ index: 0, source: 'a', type: parseType('INTEGER') }]
    const stopped = { signal: controller.signal, progress: () => controller.abort() }
    const reading = (async () => {
      for await (const read of csvReader.read(file, { settings, table: null, columns }, stopped)) void read
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    await expect(csvReader.inspect(file, {}, stopped)).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('refuses settings that make no sense', async () => {
    for (const given of [{ delimiter: '' }, { delimiter: '"' }, { quote: 'é' }, { delimiter: '\n' }]) {
      await expect(inspect('a,b\n', given)).rejects.toMatchObject({ code: 'invalid-plan' })
    }
    await expect(inspect('a,b\n', { encoding: 'klingon' })).rejects.toMatchObject({ code: 'not-text' })
  })
})
