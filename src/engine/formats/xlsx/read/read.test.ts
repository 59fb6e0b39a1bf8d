import { describe, expect, test } from 'vitest'
import { parseType } from '../../../../tables/types.ts'
import { xlsxReader } from '../reader.ts'
import { bookParts, inspect, makeBook, makeZip, readRows, type ZipPart } from '../testing/read.ts'
import { QUIET } from '../../../testing/quiet.ts'

const NO_HEADER = { kind: 'xlsx', headerRow: { S1: null } } as const

/** Reads a sheet without a header. */
async function rowsOf(sheet: string): Promise<(string | null)[][]> {
  const file = makeBook({ sheets: [sheet] })
  return (await readRows(file, { settings: NO_HEADER })).rows
}

describe('sheets as odd programs write them', () => {
  test('no references at all', async () => {
    expect(await rowsOf('<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>')).toEqual([
      ['1', '2'],
      ['3', null],
    ])
  })

  test('cells out of order, twice, far apart', async () => {
    const sheet =
      '<row r="2"><c r="C2"><v>3</v></c><c r="A2"><v>1</v></c><c r="C2"><v>4</v></c><c r="XFD2"><v>5</v></c></row>'
    expect(await rowsOf(sheet)).toEqual([['1', '4', '5']])
  })

  test('columns are told by their place in the sheet', async () => {
    const file = makeBook({
      sheets: ['<row r="3"><c r="C3" t="str"><v>x</v></c></row><row r="4"><c r="C4"><v>1</v></c></row>'],
    })
    const [table] = (await inspect(file)).tables
    expect(table.columns).toMatchObject([{ index: 2, name: 'x' }])
  })

  test('namespace prefixes, comments, white space between', async () => {
    const sheet = `<?xml version="1.0"?>\n<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:dimension ref="A1"/>
      <x:sheetData><!-- <x:row/> -->
        <x:row r="1"> <x:c r="A1" t="inlineStr"> <x:is> <x:t>a</x:t> </x:is> </x:c>
        <x:c r='B1'><x:v>2</x:v></x:c></x:row>
      </x:sheetData></x:worksheet>`
    expect(await rowsOf(sheet)).toEqual([['a', '2']])
  })

  test('UTF-16', async () => {
    const xml =
      '<?xml version="1.0" encoding="UTF-16"?><worksheet><sheetData><row><c t="str"><v>Ü😀</v></c></row></sheetData></worksheet>'
    const file = makeBook({ sheets: [new Uint8Array(Buffer.from(`\ufeff${xml}`, 'utf16le'))] })
    expect((await readRows(file, { settings: NO_HEADER })).rows).toEqual([['Ü😀']])
  })

  test('two sheets of one name', async () => {
    const sheets = ['<row><c t="str"><v>first</v></c></row>', '<row><c t="str"><v>second</v></c></row>']
    const parts = bookParts({ sheets }).map((part): ZipPart =>
      part.name === 'xl/workbook.xml' ? { ...part, data: String(part.data).replace('name="S2"', 'name="S1"') } : part,
    )
    const file = new File([makeZip(parts)], 'twins.xlsx')
    const { tables, notes } = await inspect(file)
    expect(tables.map(({ name }) => name)).toEqual(['S1', 'S1 (2)'])
    expect(notes).toMatchObject([{ code: 'sheet-renamed', message: expect.stringContaining('“S1 (2)”') as string }])
    const settings = { kind: 'xlsx', headerRow: { S1: null, 'S1 (2)': null } } as const
    expect((await readRows(file, { settings, table: 'S1' })).rows).toEqual([['first']])
    expect((await readRows(file, { settings, table: 'S1 (2)' })).rows).toEqual([['second']])
  })

  test('a dimension that is wrong', async () => {
    const sheet =
      '<?xml version="1.0"?><worksheet><dimension ref="A1:A1"/><sheetData><row><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>'
    expect(await rowsOf(sheet)).toEqual([['1', '2']])
  })

  test('parts elsewhere, named by relations with absolute and climbing paths', async () => {
    const parts = bookParts({ sheets: ['<row><c t="s"><v>0</v></c></row>'], strings: '<si><t>x</t></si>' })
    const moved = parts.map((part): ZipPart => {
      if (part.name === 'xl/workbook.xml') return { ...part, name: 'Book/Main-workbook.xml' }
      if (part.name === 'xl/sharedStrings.xml') return { ...part, name: 'strings.xml' }
      if (part.name === 'xl/worksheets/sheet1.xml') return { ...part, name: 'data/s.xml' }
      const data = String(part.data)
        .replace('xl/workbook.xml', '/Book/Main-workbook.xml')
        .replace('worksheets/sheet1.xml', '../data/S.xml')
        .replace('sharedStrings.xml', '/strings.xml')
      return { ...part, name: part.name.replace('xl/_rels/workbook.xml', 'Book/_rels/Main-workbook.xml'), data }
    })
    const file = new File([makeZip(moved)], 'f.xlsx')
    expect((await readRows(file, { settings: NO_HEADER })).rows).toEqual([['x']])
  })

  test('a row that has nothing but its number is a row of nulls; other blank rows are none', async () => {
    const file = makeBook({
      sheets: [
        '<row r="1"><c t="str"><v>a</v></c></row><row r="2"/><row r="3"><c><v>1</v></c></row><row r="4" ht="3"/><row r="5"><c s="0"/></row><row r="6"></row><row r="9" ht="3"/>',
      ],
    })
    const [table] = (await inspect(file)).tables
    expect((await readRows(file)).rows).toEqual([[null], ['1'], [null]])
    expect(table).toMatchObject({ rows: 3, columns: [{ nulls: 2 }] })
    expect(table.notes).toMatchObject([{ code: 'blank-rows', count: 2 }])
  })

  test('chart sheets are left out, and said', async () => {
    const parts = bookParts({ sheets: ['<row><c><v>1</v></c></row>', '<row/>'] })
    const charted = parts.map((part) => ({
      ...part,
      data: String(part.data).replace('worksheet" Target="worksheets/sheet2', 'chartsheet" Target="worksheets/sheet2'),
    }))
    const { tables, notes } = await inspect(new File([makeZip(charted)], 'f.xlsx'))
    expect(tables.map((table) => table.name)).toEqual(['S1'])
    expect(notes).toMatchObject([{ code: 'no-table-sheet' }])
  })

  test('modules of macros are left out, and said', async () => {
    const parts = bookParts({ sheets: ['<row><c><v>1</v></c></row>'] })
    const withModule = parts.map((part) => ({
      ...part,
      data: String(part.data).replace('</sheets>', '<sheet name="Module1" sheetId="9" r:id=""/></sheets>'),
    }))
    const { tables, notes } = await inspect(new File([makeZip(withModule)], 'f.xlsm'))
    expect(tables.map((table) => table.name)).toEqual(['S1'])
    expect(notes).toMatchObject([{ code: 'no-table-sheet', message: expect.stringContaining('Module1') as string }])
  })

  test('names that objects have', async () => {
    const names = ['__proto__', 'constructor']
    const sheet =
      '<row><c t="str"><v>__proto__</v></c><c t="str"><v>&lt;b&gt;</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row>'
    const file = makeBook({ sheets: [sheet, sheet], names })
    const inspection = await inspect(file)
    expect(inspection.tables.map((table) => table.columns.map((column) => column.name))).toEqual([
      ['__proto__', '<b>'],
      ['__proto__', '<b>'],
    ])
    for (const table of names) {
      expect((await readRows(file, { table, settings: structuredClone(inspection.settings) })).rows).toEqual([
        ['1', '2'],
      ])
    }
  })
})

describe('rows that don’t fit', () => {
  const sheet =
    '<row r="1"><c t="str"><v>id</v></c><c t="str"><v>n</v></c></row>' +
    '<row r="2"><c><v>1</v></c><c><v>10</v></c></row><row r="4"><c><v>2</v></c><c t="str"><v>ten</v></c></row>' +
    '<row r="5"><c><v>3</v></c><c><v>30</v></c></row>'

  test('are kept with their place', async () => {
    const { rows, rejected } = await readRows(makeBook({ sheets: [sheet] }), { types: ['INTEGER', 'INTEGER'] })
    expect(rows).toEqual([
      ['1', '10'],
      ['3', '30'],
    ])
    expect(rejected).toMatchObject([
      {
        row: 2,
        line: 4,
        reason: 'value',
        column: 'c1',
        value: 'ten',
        raw: '2\tten',
        message: '“ten” isn’t a value of type “Whole number”.',
      },
    ])
  })

  test('columns in the order wanted, some twice, some that the sheet lacks', async () => {
    const columns = [1, 0, 1, 7].map((index) => ({ index, source: '', type: parseType('VARCHAR') }))
    const settings = { kind: 'xlsx', headerRow: { S1: 1 } } as const
    const batches = []
    for await (const batch of xlsxReader.read(makeBook({ sheets: [sheet] }), { settings, table: 'S1', columns }, QUIET))
      batches.push(batch)
    expect(batches.map(({ batch }) => batch.numRows)).toEqual([3])
    expect(batches[0].batch.schema.fields.map((field) => field.name)).toEqual(['c0', 'c1', 'c2', 'c3'])
    expect(batches[0].names).toEqual(['n', 'id', 'n', ''])
  })

  test('a limit ends the reading', async () => {
    const { rows } = await readRows(makeBook({ sheets: [sheet] }), { limit: 2 })
    expect(rows.length).toBe(2)
  })
})

describe('damage is said with its place', () => {
  test.each([
    ['<row r="1"><c t="s"><v>5</v></c></row>', /cell A1 names a text that isn’t there/],
    ['<row r="0"><c/></row>', /row has the number “0”/],
    ['<row r="1"><c r="11"><v>1</v></c></row>', /named “11”/],
    ['<row r="1"><c r="XFE1"><v>1</v></c></row>', /beyond column XFD/],
    ['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><worksheet/>', /document type/],
    ['<?xml version="1.0"?><worksheet><sheetData><row><c><v>1', /ends in the middle/],
    ['<?xml version="1.0"?><worksheet><sheetData><row>', /ends in the middle/],
  ])('%s', async (sheet, message) => {
    const error: unknown = await inspect(makeBook({ sheets: [sheet] })).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'corrupt-file', message: expect.stringMatching(message) as string })
  })
})

test('a cancelled reading stops in the middle of a sheet', async () => {
  const rows = Array.from({ length: 150_000 }, (_, i) => `<row><c><v>${i}</v></c><c><v>${i}.5</v></c></row>`).join('')
  const file = makeBook({ sheets: [rows] })
  for (const work of ['inspect', 'read'] as const) {
    const controller = new AbortController()
    let seen = 0
    const context = {
      signal: controller.signal,
      progress: ({ rows: count }: { rows: number }) => {
        seen = count
        if (count > 1000) controller.abort()
      },
    }
    const run = async (): Promise<void> => {
      if (work === 'inspect') await xlsxReader.inspect(file, NO_HEADER, context)
      else {
        const columns = [{ index: 0, source: '', type: parseType('INTEGER') }]
        for await (const batch of xlsxReader.read(file, { settings: NO_HEADER, table: 'S1', columns }, context))
          seen += batch.batch.numRows
      }
    }
    await expect(run()).rejects.toMatchObject({ name: 'AbortError' })
    expect(seen).toBeLessThan(140_000)
  }
})
