import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { EngineError } from '../../errors.ts'
import { convert, inspect as inspectAny } from '../../testing/run.ts'
import { xlsReader } from '../sheetjs/reader.ts'
import { inspect, readRows } from '../xlsx/testing/read.ts'

/** As written by Excel 2003. */
const EXCEL = `<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:o="urn:schemas-microsoft-com:office:office"
 xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:html="http://www.w3.org/TR/REC-html40">
 <DocumentProperties xmlns="urn:schemas-microsoft-com:office:office"><Author>Ann</Author></DocumentProperties>
 <Styles>
  <Style ss:ID="Default" ss:Name="Normal"><Alignment ss:Vertical="Bottom"/><NumberFormat/></Style>
  <Style ss:ID="s21"><NumberFormat ss:Format="Short Date"/></Style>
  <Style ss:ID="s22" ss:Parent="s21"><Font ss:Bold="1"/></Style>
  <Style ss:ID="s23"><NumberFormat ss:Format="Short Time"/></Style>
  <Style ss:ID="s24"><NumberFormat ss:Format="00000"/></Style>
  <Style ss:ID="s25"><NumberFormat ss:Format="[h]:mm"/></Style>
  <Style ss:ID="s26"><NumberFormat ss:Format="General Date"/></Style>
 </Styles>
 <Worksheet ss:Name="Sales &amp; more">
  <Table ss:ExpandedColumnCount="9" ss:ExpandedRowCount="7" x:FullColumns="1" x:FullRows="1">
   <Column ss:Index="2" ss:StyleID="s21"/>
   <Column ss:Index="8" ss:Hidden="1"/>
   <Row><Cell ss:MergeAcross="3"><Data ss:Type="String">Sales</Data></Cell></Row>
   <Row ss:Index="3">
    <Cell><Data ss:Type="String">name</Data></Cell><Cell><Data ss:Type="String">day</Data></Cell>
    <Cell><Data ss:Type="String">time</Data></Cell><Cell><Data ss:Type="String">amount</Data></Cell>
    <Cell><Data ss:Type="String">ok</Data></Cell><Cell><Data ss:Type="String">zip</Data></Cell>
    <Cell><Data ss:Type="String">took</Data></Cell><Cell><Data ss:Type="String">at</Data></Cell>
   </Row>
   <Row>
    <Cell><Data ss:Type="String">Ann &lt;&#10;é&gt;</Data><Comment ss:Author="x"><ss:Data>left aside</ss:Data></Comment></Cell>
    <Cell><Data ss:Type="DateTime">2024-03-31T00:00:00.000</Data></Cell>
    <Cell ss:StyleID="s23"><Data ss:Type="DateTime">1899-12-31T10:30:00.000</Data></Cell>
    <Cell ss:Formula="=1+1"><Data ss:Type="Number">1234.5</Data></Cell>
    <Cell><Data ss:Type="Boolean">1</Data></Cell>
    <Cell ss:StyleID="s24"><Data ss:Type="Number">501</Data></Cell>
    <Cell ss:StyleID="s25"><Data ss:Type="DateTime">1900-01-01T01:30:00.000</Data></Cell>
    <Cell ss:StyleID="s26"><Data ss:Type="DateTime">2024-03-31T12:30:15.250</Data></Cell>
   </Row>
   <Row ss:Hidden="1">
    <Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>Bo</B><Font html:Color="#FF0000">b</Font></ss:Data></Cell>
    <Cell ss:StyleID="s22"><Data ss:Type="DateTime">1900-02-28T00:00:00.000</Data></Cell>
    <Cell ss:Index="4"><Data ss:Type="Number">-1.5E-05</Data></Cell>
    <Cell><Data ss:Type="Boolean">0</Data></Cell>
    <Cell ss:StyleID="s24"><Data ss:Type="Number">10115</Data></Cell>
   </Row>
  </Table>
  <WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Selected/>
   <Panes><Pane><ActiveRow>3</ActiveRow></Pane></Panes></WorksheetOptions>
  <PageBreaks><RowBreaks><RowBreak><Row>5</Row></RowBreak></RowBreaks></PageBreaks>
 </Worksheet>
 <Worksheet ss:Name="Hidden"><Table><Row><Cell><Data ss:Type="String">a</Data></Cell></Row>
  <Row><Cell><Data ss:Type="Error">#N/A</Data></Cell></Row></Table>
  <WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>SheetHidden</Visible></WorksheetOptions>
 </Worksheet>
 <Worksheet ss:Name="Empty"></Worksheet>
</Workbook>
`
const fileOf = (content: string | Uint8Array<ArrayBuffer>, name = 'book.xls'): File => new File([content], name)

describe('XML Spreadsheet 2003', () => {
  test('as Excel writes it: sheets, types, formats, merged and hidden cells', async () => {
    const file = fileOf(EXCEL)
    const inspection = await inspect(file, {}, xlsReader)
    const [sales, hidden] = inspection.tables
    expect(inspection.notes.map(({ code }) => code)).toEqual(['xml-workbook'])
    expect(inspection.tables.map(({ name }) => name)).toEqual(['Sales & more', 'Hidden', 'Empty'])
    expect([sales.hidden ?? false, hidden.hidden]).toEqual([false, true])
    expect(sales.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'name VARCHAR',
      'day DATE',
      'time TIME',
      'amount DOUBLE',
      'ok BOOLEAN',
      'zip VARCHAR',
      'took INTERVAL',
      'at TIMESTAMP',
    ])
    const { rows } = await readRows(file, { table: 'Sales & more', reader: xlsReader })
    expect(rows).toEqual([
      ['Ann <\né>', '2024-03-31', '10:30:00', '1234.5', 'true', '00501', '25:30:00', '2024-03-31 12:30:15.25'],
      ['Bob', '1900-02-28', null, '-0.000015', 'false', '10115', null, null],
    ])
    expect(sales.notes.map(({ code }) => code)).toEqual(expect.arrayContaining(['hidden-rows', 'hidden-columns']))
  })

  test.each([
    ['UTF-16', 'utf-16le', `\ufeff${EXCEL.replace('?>', ' encoding="UTF-16"?>')}`],
    ['UTF-8 with a byte order mark', 'utf-8', `\ufeff${EXCEL}`],
    [
      'prefixes on all elements',
      'utf-8',
      EXCEL.replaceAll(/<(\/?)(Workbook|Worksheet|Table|Row|Cell|Data)\b/g, '<$1ss:$2'),
    ],
  ])('%s', async (_, encoding, text) => {
    const bytes = encoding === 'utf-8' ? new TextEncoder().encode(text) : new Uint8Array(Buffer.from(text, 'utf16le'))
    const { inspection } = await inspectAny(fileOf(bytes, 'any.xml'))
    expect(inspection.format).toBe('xls')
    expect(inspection.tables[0].columns).toHaveLength(8)
  })

  test('other XML is none, whatever comes before, and that is soon told', async () => {
    const file = fileOf(
      `<?xml version="1.0"?>${'<!---->'.repeat(8000)}<rows/>urn:schemas-microsoft-com:office:spreadsheet`,
    )
    await expect(inspectAny(file)).rejects.toMatchObject({ code: 'unsupported-format' })
  })

  test('is converted, with a receipt that matches', async () => {
    const { result, files } = await convert(fileOf(EXCEL), 'json')
    expect(result.outputs[0].receipts[0].verdict).toBe('match')
    expect(await files[0].text()).toContain('"00501"')
  })

  test.each([
    ['cut short', EXCEL.slice(0, 3000)],
    ['with a tag that isn’t closed', EXCEL.replace('<Data ss:Type="Number">1234.5', '<Data <ss:Type="Number">1234.5')],
    ['without sheets', `${EXCEL.slice(0, EXCEL.indexOf('<Worksheet'))}</Workbook>`],
    ['that declares a document type', EXCEL.replace('<?mso', '<!DOCTYPE x [<!ENTITY a "b">]><?mso')],
    ['with a cell beyond XFD', EXCEL.replace('ss:Index="4"', 'ss:Index="20000"')],
  ])('one %s is damaged', async (_, text) => {
    await expect(inspect(fileOf(text), {}, xlsReader)).rejects.toMatchObject({ code: 'corrupt-file' })
  })

  test('damaged anywhere, it is refused in words, or reads on', async () => {
    const bytes = new TextEncoder().encode(EXCEL)
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const copy = new Uint8Array(bytes)
        for (const [at, flip] of changes) copy[at] ^= flip
        await inspect(fileOf(copy), {}, xlsReader).catch((error: unknown) => expect(error).toBeInstanceOf(EngineError))
      }),
      { numRuns: 100 },
    )
  })

  test('tables by chance, as SheetJS writes them', async () => {
    const text = fc.stringMatching(/^[A-Za-z<>&"'é]{1,10}$/)
    const cell = fc.oneof(
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
      fc.boolean(),
    )
    const rows = fc.array(fc.tuple(text, cell, cell), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(rows, async (table) => {
        const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([['k', 'v', 'w'], ...table]), 'T')
        const xml = String(XLSX.write(book, { bookType: 'xlml', type: 'string' }))
        const file = fileOf(xml)
        const settings = { kind: 'xlsx', headerRow: { T: 1 }, headerRows: { T: 1 } } as const
        const inspection = await inspect(file, settings, xlsReader)
        const found = await readRows(file, {
          table: 'T',
          reader: xlsReader,
          settings: inspection.settings,
          types: ['VARCHAR', 'VARCHAR', 'VARCHAR'],
        })
        expect(found.rows).toHaveLength(table.length)
        for (const [i, row] of table.entries()) expect(found.rows[i][0]).toBe(row[0])
        const numbers = found.rows
          .map((row, i) => [row[1], table[i][1]] as const)
          .filter(([, v]) => typeof v === 'number')
        for (const [shown, value] of numbers) expect(Number(shown)).toEqual(Number(value) + 0)
      }),
      { numRuns: 40 },
    )
  })
})
