import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { EngineError } from '../../errors.ts'
import { convert, inspect as inspectAny } from '../../testing/run.ts'
import { xlsReader } from '../sheetjs/reader.ts'
import { inspect, readRows } from '../xlsx/testing/read.ts'
import { tablesOf } from './tables.ts'

const fileOf = (content: string | Uint8Array<ArrayBuffer>, name = 'export.xls'): File => new File([content], name)

/** As exported by a web application, with what a spreadsheet program adds. */
const EXPORT = `<html xmlns:x="urn:schemas-microsoft-com:office:excel">
<head><meta http-equiv=Content-Type content="text/html; charset=windows-1252"><style>td {mso-number-format:"\\@"}</style>
<!--[if gte mso 9]><xml><x:ExcelWorkbook><x:Name>Sheet1</x:Name></x:ExcelWorkbook></xml><![endif]--></head>
<body><h1>Sales</h1>
<table border=1><caption>Sales &amp; more</caption>
<tr><th>Name<th>Units<th>Price<th>Zip<th>Day</tr>
<tr><td>Ann<br>&lt;b&gt;&nbsp;<td>3<td x:num="1234.5">1.234,50 &euro;<td style='mso-number-format:"\\@"'>501<td>2024-03-31
<tr><td>  Bob
  Lee </td><td>12</td><td x:num>2.5</td><td>00502</td><td>2024-04-01</td></tr>
</table>
<script>document.write("<table><tr><td>no</td></tr><tr><td>no</td></tr></table>")</script>
<table><tr><td rowspan="2">A</td><td colspan="2">x</td></tr><tr><td>y</td><td>z</td></tr><tr><td>B</td><td>1</td><td></td></tr></table>
</body></html>`

describe('a web page’s tables', () => {
  test('each is a sheet, typed as what it says', async () => {
    const file = fileOf(EXPORT)
    const { inspection } = await inspectAny(file)
    expect(inspection.format).toBe('xls')
    expect(inspection.notes.map(({ code }) => code)).toEqual(['web-page'])
    expect(inspection.tables.map(({ name }) => name)).toEqual(['Sales & more', 'Table 2'])
    expect(inspection.tables[0].columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'Name VARCHAR',
      'Units INTEGER',
      'Price DOUBLE',
      'Zip VARCHAR',
      'Day VARCHAR',
    ])
    const day = inspection.tables[0].columns[4]
    expect(day.proposals?.map(({ label }) => label)).toEqual([expect.stringContaining('Apply')])
    const { rows } = await readRows(file, { table: 'Sales & more', reader: xlsReader })
    expect(rows).toEqual([
      ['Ann\n<b>', '3', '1234.5', '501', '2024-03-31'],
      ['Bob Lee', '12', '2.5', '00502', '2024-04-01'],
    ])
  })

  test('cells that span others keep these in their columns', () => {
    const [, spanned] = tablesOf(EXPORT)
    expect(spanned.rows.map((row) => row.map(({ column, text }) => [column, text]))).toEqual([
      [
        [0, 'A'],
        [1, 'x'],
      ],
      [
        [1, 'y'],
        [2, 'z'],
      ],
      [
        [0, 'B'],
        [1, '1'],
        [2, ''],
      ],
    ])
    expect(spanned.merges).toEqual([
      { top: 1, bottom: 2, left: 0, right: 0 },
      { top: 1, bottom: 1, left: 1, right: 2 },
    ])
  })

  test('a table that holds others is there for the layout', () => {
    const inner = '<table><tr><td>a</td></tr><tr><td>1</td></tr></table>'
    const found = tablesOf(`<table><tr><td>menu</td><td>${inner}${inner}</td></tr></table>`)
    expect(found.map(({ rows }) => rows.flat().map(({ text }) => text))).toEqual([
      ['a', '1'],
      ['a', '1'],
    ])
  })

  test.each([
    ['windows-1252 as it says', 'latin1', EXPORT.replace('Bob', 'Zoë')],
    ['UTF-8', 'utf8', EXPORT.replace('Bob', 'Zoë').replace('windows-1252', 'utf-8')],
    [
      'XHTML',
      'utf8',
      `<?xml version="1.0"?>\n<!DOCTYPE html>\n${EXPORT.replace('Bob', 'Zoë').replace('windows-1252', 'utf-8')}`,
    ],
    ['UTF-16', 'utf16le', `\ufeff${EXPORT.replace('Bob', 'Zoë')}`],
  ] as const)('%s', async (_, encoding, text) => {
    const file = fileOf(new Uint8Array(Buffer.from(text, encoding)))
    expect((await inspectAny(file)).inspection.format).toBe('xls')
    const { rows } = await readRows(file, { reader: xlsReader })
    expect(rows[1][0]).toBe('Zoë Lee')
  })

  test('is converted, with a receipt that matches', async () => {
    const { result } = await convert(fileOf(EXPORT), 'xlsx')
    expect(result.outputs[0].receipts.map(({ verdict }) => verdict)).toEqual(['match', 'match'])
  })

  test.each([
    ['a message', 'export.xls', '<html><body><h1>Session expired</h1></body></html>'],
    ['a page under another name', 'export.csv', EXPORT],
    ['a page of one row', 'export.xls', '<table><tr><td>Please wait</td></tr></table>'],
  ])('%s is refused as a web page', async (_, name, text) => {
    await expect(inspectAny(fileOf(text, name))).rejects.toMatchObject({
      code: 'unsupported-format',
      message: expect.stringContaining('web page (HTML)') as string,
    })
  })

  test('cut or damaged anywhere, it is read, or refused in words', async () => {
    const change = fc.tuple(
      fc.nat(EXPORT.length - 1),
      fc.constantFrom('<', '>', '"', "'", '&', '/', '<!--', '</td', 'é'),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(EXPORT.length), fc.array(change, { maxLength: 4 }), async (cut, changes) => {
        let text = EXPORT
        for (const [at, mark] of changes) text = text.slice(0, at) + mark + text.slice(at + 1)
        await inspect(fileOf(`<html>${text.slice(0, cut)}`), {}, xlsReader).catch((error: unknown) =>
          expect(error).toBeInstanceOf(EngineError),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('tables by chance, as SheetJS writes them', async () => {
    const text = fc.stringMatching(/^[A-Za-z<>&"'é;]{1,10}$/)
    const rows = fc.array(fc.tuple(text, fc.integer(), text), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(rows, async (table) => {
        const sheet = XLSX.utils.aoa_to_sheet([['k', 'v', 'w'], ...table])
        const [found] = tablesOf(XLSX.utils.sheet_to_html(sheet))
        expect(found.rows.slice(1).map((row) => row.map((cell) => cell.text))).toEqual(
          table.map((row) => row.map(String)),
        )
      }),
      { numRuns: 60 },
    )
  })
})
