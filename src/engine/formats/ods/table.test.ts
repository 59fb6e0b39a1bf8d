import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EngineError } from '../../errors.ts'
import { inspect, makeZip, readRows, type ReadTable } from '../xlsx/testing/read.ts'
import { odsReader } from './reader.ts'
import { QUIET } from '../../testing/quiet.ts'

const MIMETYPE = { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet', stored: true }

function book(tables: string, styles = ''): File {
  const data = `<?xml version="1.0"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`
  return new File([makeZip([MIMETYPE, { name: 'content.xml', data }])], 'book.ods')
}

const table = (rows: string, name = 'S'): string => `<table:table table:name="${name}">${rows}</table:table>`
const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`
const text = (value: string): string =>
  `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`
const float = (value: string, more = ''): string =>
  `<table:table-cell office:value-type="float" office:value="${value}" ${more}/>`

const NO_HEADER = { kind: 'xlsx', headerRow: { S: null } } as const

function rowsOf(file: File, ...types: string[]): Promise<ReadTable> {
  return readRows(file, { reader: odsReader, settings: NO_HEADER, table: 'S', types })
}

describe('cells', () => {
  test.each([
    ['a number without the text that is shown', float('1.5'), '1.5'],
    [
      'a number in text that is rounded',
      '<table:table-cell office:value-type="float" office:value="1.2345"><text:p>1.2</text:p></table:table-cell>',
      '1.2345',
    ],
    [
      'a percentage',
      '<table:table-cell office:value-type="percentage" office:value="0.125"><text:p>12.5%</text:p></table:table-cell>',
      '0.125',
    ],
    [
      'money',
      '<table:table-cell office:value-type="currency" office:currency="EUR" office:value="9.99"><text:p>9,99 €</text:p></table:table-cell>',
      '9.99',
    ],
    ['a boolean', '<table:table-cell office:value-type="boolean" office:boolean-value="true"/>', 'true'],
    ['a false one', '<table:table-cell office:value-type="boolean" office:boolean-value="false"/>', 'false'],
    [
      'a number that is shown as a boolean',
      '<table:table-cell office:value-type="boolean" office:boolean-value="-2"/>',
      'true',
    ],
    ['0 that is shown as one', '<table:table-cell office:value-type="boolean" office:boolean-value="0"/>', 'false'],
    ['a day', '<table:table-cell office:value-type="date" office:date-value="1815-12-10"/>', '1815-12-10'],
    [
      'a moment',
      '<table:table-cell office:value-type="date" office:date-value="2024-02-29T12:30:15.25"/>',
      '2024-02-29 12:30:15.25',
    ],
    [
      'a time',
      '<table:table-cell office:value-type="time" office:time-value="PT09H05M00.000001S"/>',
      '09:05:00.000001',
    ],
    ['more than a day', '<table:table-cell office:value-type="time" office:time-value="PT49H00M01S"/>', '49:00:01'],
    ['a time below zero', '<table:table-cell office:value-type="time" office:time-value="-PT1H30M"/>', '-01:30:00'],
    [
      'text of an attribute',
      '<table:table-cell office:value-type="string" office:string-value="a &lt; b"><text:p>a…</text:p></table:table-cell>',
      'a < b',
    ],
    [
      'paragraphs',
      '<table:table-cell office:value-type="string"><text:p>a</text:p><text:p/><text:p>b</text:p></table:table-cell>',
      'a\n\nb',
    ],
    ['white space', text(' a \n  b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e '), 'a b   c\td\ne'],
    ['blanks at the ends that are meant', text('<text:s/>a<text:s/>'), ' a '],
    ['text in parts', text('a<text:span>b<text:a>c</text:a></text:span>d'), 'abcd'],
    [
      'a comment',
      '<table:table-cell office:value-type="string"><office:annotation><text:p>no</text:p></office:annotation><text:p>yes</text:p></table:table-cell>',
      'yes',
    ],
    ['_x000D_ as it is', text('_x000D_'), '_x000D_'],
    [
      'a picture with words',
      '<table:table-cell office:value-type="string"><text:p>yes<draw:frame><text:p>no</text:p></draw:frame></text:p></table:table-cell>',
      'yes',
    ],
    [
      'an error',
      '<table:table-cell table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell>',
      null,
    ],
    [
      'an error of an older program',
      '<table:table-cell table:formula="oooc:=x" office:value-type="float" office:value="0"><text:p>Err:508</text:p></table:table-cell>',
      null,
    ],
    ['text that looks like an error', text('#N/A'), '#N/A'],
    ['a formula without value', '<table:table-cell table:formula="of:=1"/>', null],
  ])('%s', async (_, cell, expected) => {
    const { rows } = await rowsOf(book(table(row(text('x'), cell))), 'VARCHAR', 'VARCHAR')
    expect(rows).toEqual([['x', expected]])
  })

  test('what is under merged cells, and how many are', async () => {
    const merged =
      '<table:table-cell table:number-columns-spanned="2" office:value-type="string"><text:p>a</text:p></table:table-cell><table:covered-table-cell/>'
    const file = book(table(row(merged, text('b'))))
    expect((await rowsOf(file, 'VARCHAR', 'VARCHAR', 'VARCHAR')).rows).toEqual([['a', null, 'b']])
    const { tables } = await inspect(file, NO_HEADER, odsReader)
    expect(tables[0].notes.map(({ code, count }) => [code, count])).toContainEqual(['merged-cells', 1])
  })

  test('the value of a merged cell is repeated in its rows alone, though one stands in the file for several', async () => {
    const merged =
      '<table:table-cell table:number-rows-spanned="3" office:value-type="string"><text:p>a</text:p></table:table-cell>'
    const repeated = row('<table:table-cell/>', text('y')).replace('row>', 'row table:number-rows-repeated="4">')
    const settings = { ...NO_HEADER, repeatMerged: { S: ['A'] } } as const
    const file = book(table(row(merged, text('x')) + repeated))
    const { rows } = await readRows(file, { reader: odsReader, settings, table: 'S', types: ['VARCHAR', 'VARCHAR'] })
    expect(rows).toEqual([
      ['a', 'x'],
      ['a', 'y'],
      ['a', 'y'],
      [null, 'y'],
      [null, 'y'],
    ])
  })

  test('codes by the style of the cell, its row or its column', async () => {
    const styles =
      '<number:number-style style:name="N1"><number:number number:min-integer-digits="5"/></number:number-style>' +
      '<number:number-style style:name="N2"><number:text>A&amp;B-</number:text><number:number number:min-integer-digits="5">\n<number:embedded-text number:position="2">/</number:embedded-text>\n</number:number></number:number-style>' +
      '<style:style style:name="a" style:family="table-cell" style:data-style-name="N1"/>' +
      '<style:style style:name="b" style:family="table-cell" style:parent-style-name="c"/>' +
      '<style:style style:name="c" style:family="table-cell" style:data-style-name="N2"/>'
    const rows =
      '<table:table-column/><table:table-column table:number-columns-repeated="2" table:default-cell-style-name="a"/>' +
      row(float('1'), float('2'), float('3', 'table:style-name="b"')) +
      `<table:table-row table:default-cell-style-name="b">${float('4')}</table:table-row>`
    const read = await rowsOf(book(table(rows), styles), 'VARCHAR', 'VARCHAR', 'VARCHAR')
    expect(read.rows).toEqual([
      ['1', '00002', 'A&B-000/03'],
      ['A&B-000/04', null, null],
    ])
  })
})

describe('rows', () => {
  test('cells and rows that stand there once', async () => {
    const rows =
      '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
      `<table:table-row table:number-rows-repeated="2500">${float('7', 'table:number-columns-repeated="2"')}</table:table-row>` +
      row(float('8'))
    const read = await rowsOf(book(table(rows)), 'INTEGER', 'INTEGER')
    expect(read.rows).toHaveLength(2501)
    expect(read.rows[0]).toEqual(['7', '7'])
    expect(read.rows.at(-1)).toEqual(['8', null])
    const first = await readRows(book(table(rows)), {
      reader: odsReader,
      settings: NO_HEADER,
      types: ['INTEGER'],
      limit: 3,
    })
    expect(first.rows).toHaveLength(3)
    const source = await odsReader.source?.(book(table(rows)), { settings: NO_HEADER, table: 'S' }, QUIET)
    expect(source?.rows[0]?.number).toBe(4)
  })

  test('of a whole column that was filled, as many as a sheet can have; cancelled at once', async () => {
    const rows = `<table:table-row table:number-rows-repeated="99999999">${float('7')}</table:table-row>`
    const { tables } = await inspect(book(table(rows)), NO_HEADER, odsReader)
    expect(tables[0].rows).toBe(1_048_576)
    const controller = new AbortController()
    const context = { signal: controller.signal, progress: () => controller.abort() }
    await expect(odsReader.inspect(book(table(rows)), NO_HEADER, context)).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('more cells in a row than a sheet has columns are refused', async () => {
    const file = book(table(row(float('7', 'table:number-columns-repeated="999999999"'))))
    // The file isn't damaged: LibreOffice allows more columns than Excel.
    await expect(inspect(file, NO_HEADER, odsReader)).rejects.toMatchObject({ code: 'too-large', place: 'row 1' })
  })

  test('in groups and under headers, hidden ones too; not those of changes that were kept', async () => {
    const rows =
      '<table:tracked-changes><table:table-row><table:table-cell office:value-type="string"><text:p>old</text:p></table:table-cell></table:table-row></table:tracked-changes>' +
      `<table:table-header-rows>${row(text('a'))}</table:table-header-rows>` +
      `<table:table-row-group><table:table-row table:visibility="filter">${text('b')}</table:table-row></table:table-row-group>`
    const file = book(table(rows))
    expect((await rowsOf(file, 'VARCHAR')).rows).toEqual([['a'], ['b']])
    const { tables } = await inspect(file, NO_HEADER, odsReader)
    expect(tables[0].notes.map(({ code }) => code)).toContain('hidden-rows')
  })
})

test('several tables, of one name, hidden, and one within a cell', async () => {
  const styles =
    '<style:style style:name="ta" style:family="table"><style:table-properties table:display="false"/></style:style>'
  const within = `<table:table-cell>${table(row(text('sub')), 'Sub')}</table:table-cell>`
  const tables =
    table(row(text('1'), within)) +
    table(row(text('2'))) +
    `<table:table table:name="T" table:style-name="ta">${row(text('3'))}</table:table>`
  const inspection = await inspect(book(tables, styles), {}, odsReader)
  expect(inspection.tables.map(({ name, hidden }) => [name, hidden ?? false])).toEqual([
    ['S', false],
    ['S (2)', false],
    ['T', true],
  ])
  const settings = { kind: 'xlsx', headerRow: { 'S (2)': null } } as const
  expect(
    (await readRows(book(tables), { reader: odsReader, settings, table: 'S (2)', types: ['VARCHAR'] })).rows,
  ).toEqual([['2']])
})

describe('refused', () => {
  const manifest =
    '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
  test.each<[string, File, string]>([
    [
      'a password',
      new File(
        [makeZip([MIMETYPE, { name: 'META-INF/manifest.xml', data: manifest }, { name: 'content.xml', data: 'x' }])],
        'p.ods',
      ),
      'password-protected',
    ],
    ['no sheets', book(''), 'corrupt-file'],
    [
      'another document',
      new File(
        [makeZip([{ name: 'content.xml', data: '<office:document-content><office:text/></office:document-content>' }])],
        't.odt',
      ),
      'unsupported-format',
    ],
    ['a bomb', new File([makeZip([{ name: 'content.xml', data: 'x', declare: { size: 9e8 } }])], 'b.ods'), 'too-large'],
  ])('%s', async (_, file, code) => {
    await expect(inspect(file, {}, odsReader)).rejects.toMatchObject({ code, remedy: expect.any(String) as string })
  })

  test('cut short anywhere, or with any bytes changed, or read', async () => {
    const whole = new Uint8Array(readFileSync(new URL('fixtures/report-libreoffice.ods', import.meta.url)))
    const tried = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
      const error: unknown = await readRows(new File([bytes], 'd.ods'), { reader: odsReader }).catch(
        (caught: unknown) => caught,
      )
      if (error instanceof Error) expect(error).toBeInstanceOf(EngineError)
    }
    for (let i = 0; i < 30; i++) await tried(whole.slice(0, Math.floor((whole.length * i) / 30)))
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const bytes = whole.slice()
        for (const [at, byte] of changes) bytes[at] = byte
        await tried(bytes)
      }),
      { numRuns: 60 },
    )
  })

  test('sound archives of damaged XML', async () => {
    const xml = `<a><office:spreadsheet>${table(row(text('a'), float('1')) + row(text('b'), float('2')))}</office:spreadsheet></a>`
    await fc.assert(
      fc.asyncProperty(
        fc.nat(xml.length - 1),
        fc.constantFrom('', '<', '>', '&', '"', '/', '</table:table>', '<text:p>'),
        async (at, piece) => {
          const data = xml.slice(0, at) + piece + xml.slice(at + 1)
          const error: unknown = await readRows(new File([makeZip([{ name: 'content.xml', data }])], 'd.ods'), {
            reader: odsReader,
          }).catch((caught: unknown) => caught)
          if (error instanceof Error) expect(error).toBeInstanceOf(EngineError)
        },
      ),
      { numRuns: 80 },
    )
  })
})

test.each([
  ['1899-12-30', '2010-04-30 08:21:00'],
  ['1904-01-01', '2014-05-01 08:21:00'],
])('a time of day of which the day isn’t shown is a moment, counted from %s', async (first, moment) => {
  const style = (name: string, more: string): string =>
    `<number:time-style style:name="N${name}" ${more}><number:hours/></number:time-style><style:style style:name="${name}" style:family="table-cell" style:data-style-name="N${name}"/>`
  const time = (name: string, value: string): string =>
    `<table:table-cell table:style-name="${name}" office:value-type="time" office:time-value="${value}"/>`
  const setting = `<table:calculation-settings><table:null-date table:date-value="${first}"/></table:calculation-settings>`
  const cells = [
    time('day', 'PT967160H20M59.999999916S'),
    time('span', 'PT967160H21M00S'),
    time('day', 'PT49H00M01S'),
  ].map((cell) => row(cell))
  const file = book(
    `${setting}${table(cells.join(''))}`,
    `${style('day', '')}${style('span', 'number:truncate-on-overflow="false"')}`,
  )
  expect((await rowsOf(file, 'VARCHAR')).rows).toEqual([[moment], ['967160:21:00'], ['49:00:01']])
})
