import { describe, expect, it } from 'vitest'
import { defaultOptions, type CsvOptions } from '../../../tables/plan.ts'
import { parseType, type Column } from '../../../tables/types.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { cellToString } from '../../arrow/text.ts'
import { MemorySink } from '../../../lib/sink.ts'
import { csvWriter, tsvWriter } from './writer.ts'
import { QUIET } from '../../testing/quiet.ts'

const OPTIONS = defaultOptions('csv') as CsvOptions
const encoder = new TextEncoder()
const column = (name: string, type = 'VARCHAR'): Column => ({ name, type: parseType(type) })

function dataOf(type: string, values: readonly (string | null)[]) {
  const builder = makeColumnBuilder(parseType(type))
  for (const value of values) {
    const bytes = encoder.encode(value ?? '')
    if (value === null) builder.appendNull()
    else builder.appendText(bytes, 0, bytes.length)
  }
  return builder.finish()
}

async function write(
  columns: readonly Column[],
  rows: readonly (readonly (string | null)[])[],
  options: Partial<CsvOptions> = {},
): Promise<string> {
  const sink = new MemorySink()
  const writer = csvWriter.open(sink, { ...OPTIONS, ...options }, QUIET)
  await writer.begin({ name: 't', columns })
  const data = columns.map(({ type }, i) =>
    dataOf(
      type.kind === 'scalar' ? type.name : 'VARCHAR',
      rows.map((row) => row[i]),
    ),
  )
  await writer.write(batchFromColumns(data, rows.length))
  await writer.finish()
  return Buffer.from(await sink.file('t').arrayBuffer()).toString()
}

describe('CSV', () => {
  it('quotes what would read otherwise, and no more', async () => {
    const rows = [
      ['plain', 'a,b'],
      ['say "hi"', 'two\nlines'],
      ['', null],
      [' x', "it's"],
    ]
    expect(await write([column('a'), column('b,c')], rows)).toBe(
      'a,"b,c"\nplain,"a,b"\n"say ""hi""","two\nlines"\n"",\n x,it\'s\n',
    )
  })

  it('follows its options', async () => {
    const columns = [column('a'), column('n', 'INTEGER')]
    const rows = [
      ['x', '1'],
      [null, null],
    ]
    expect(await write(columns, rows, { delimiter: ';', lineEnd: '\r\n', bom: true })).toBe('\ufeffa;n\r\nx;1\r\n;\r\n')
    expect(await write(columns, rows, { quoteAll: true, nullString: 'NULL' })).toBe('"a","n"\n"x","1"\nNULL,NULL\n')
    expect(await write(columns, rows, { header: false, delimiter: '\t' })).toBe('x\t1\n\t\n')
    expect(await write(columns, [['1', '1']], { nullString: '1' })).toBe('a,n\n"1","1"\n')
    expect(await write(columns, [['a1b', '212']], { delimiter: '1' })).toBe('a1n\n"a1b"1"212"\n')
  })

  it('keeps a mark at the beginning of the text', async () => {
    expect(await write([column('\ufeffa')], [])).toBe('"\ufeffa"\n')
  })

  it('says how its tables read back', async () => {
    const writer = tsvWriter.open(new MemorySink(), defaultOptions('tsv'), QUIET)
    await writer.begin({ name: 't', columns: [column('a')] })
    const { changes, readBack } = await writer.finish()
    expect(changes).toEqual([])
    expect(readBack).toMatchObject([{ settings: { kind: 'csv', delimiter: '\t', nullStrings: [''] }, tables: [null] }])
  })

  it('tells what is held in another form', () => {
    expect(csvWriter.describe(column('a', 'INTEGER[]'), OPTIONS)).toMatchObject({ code: 'nested-as-text', column: 'a' })
    expect(csvWriter.describe(column('a', 'BLOB'), OPTIONS)).toMatchObject({ code: 'binary-as-base64' })
    expect(csvWriter.describe(column('a', 'TIMESTAMPTZ'), OPTIONS)).toMatchObject({ code: 'zone-as-utc' })
    expect(csvWriter.describe(column('a', 'DATE'), OPTIONS)).toBeNull()
    expect(csvWriter.adapt(column('a', 'INTEGER[]'), OPTIONS)).toBeNull()
  })

  it('refuses options that could not be read back', () => {
    for (const bad of [
      { delimiter: '' },
      { delimiter: '"' },
      { delimiter: 'a\n' },
      { nullString: 'a,b' },
      { nullString: '"' },
    ]) {
      expect(() => csvWriter.check([], { ...OPTIONS, ...bad })).toThrow(/delimiter|nulls/)
    }
    expect(() => csvWriter.check([], OPTIONS)).not.toThrow()
  })
})

describe('safe for spreadsheets', () => {
  const safe = { ...OPTIONS, safeForSpreadsheets: true }

  it('puts an apostrophe before what would run, in text alone', async () => {
    expect(csvWriter.adapt(column('n', 'INTEGER'), safe)).toBeNull()
    expect(csvWriter.adapt(column('s'), OPTIONS)).toBeNull()
    const adaptation = csvWriter.adapt(column('s'), safe)
    expect(adaptation).toMatchObject({ note: { code: 'formulas-neutralized', column: 's' }, onlyIfChanged: true })
    const values = ['=1+1', null, '+1', '-1', '@a', '\tx', '\rx', 'a=1', '', 'é', "'="]
    for (const [from, to] of [
      [0, values.length],
      [1, 8],
      [2, 2],
      [7, 11],
    ]) {
      const sliced = dataOf('VARCHAR', values).slice(from, to - from)
      const result = await adaptation!.convert!(sliced)
      const expected = values.slice(from, to).map((text) => (text && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text))
      const found = expected.map((_, row) => cellToString(parseType('VARCHAR'), result.data, row))
      expect(found).toEqual(expected)
      expect(result.changed).toBe(expected.filter((text, i) => text !== values[from + i]).length)
    }
  })
})
