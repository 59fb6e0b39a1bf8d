import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { EngineError } from '../../errors.ts'
import { expectedOf, fixtureOf } from './testing/golden.ts'
import { bookParts, inspect, makeZip, readRows } from './testing/read.ts'

const FOLDER = new URL('./fixtures/', import.meta.url)

const fixture = (name: string): File => fixtureOf(FOLDER, name)

describe.each(['types', 'types-1904', 'codes', 'report'])('%s', (name) => {
  test.each(['openpyxl', 'libreoffice'])('as %s writes it', async (program) => {
    const file = fixture(`${name}-${program}.xlsx`)
    const inspection = await inspect(file)
    const expected = expectedOf(FOLDER, name)
    expect(inspection.tables.map((table) => table.name)).toEqual(expected.map((table) => table.name))
    for (const [i, table] of expected.entries()) {
      const found = inspection.tables[i]
      expect(found.columns.map((column) => ({ name: column.name, type: column.type }))).toEqual(table.columns)
      expect(inspection.settings).toMatchObject({ headerRow: { [table.name]: table.headerRow } })
      expect(found.hidden ?? false).toBe(table.hidden ?? false)
      expect(found.rows).toBe(table.rows.length)
      if (table.notes) expect(found.notes.filter((note) => !note.column).map((note) => note.code)).toEqual(table.notes)
      const { rows, rejected } = await readRows(file, { table: table.name })
      expect(rows).toEqual(table.rows)
      expect(rejected).toEqual([])
      for (const [c, column] of found.columns.entries()) {
        expect(column.nulls).toBe(rows.filter((row) => row[c] === null).length)
      }
    }
  })
})

test('cells that can’t be read are null and counted, under their column', async () => {
  const [report] = (await inspect(fixture('report-libreoffice.xlsx'))).tables
  expect(report.notes.filter((note) => note.column)).toMatchObject([{ code: 'error-cells', column: 'Units', count: 1 }])
  const [unsaved] = (await inspect(fixture('report-openpyxl.xlsx'))).tables
  expect(unsaved.notes.filter((note) => note.column)).toMatchObject([
    { code: 'uncalculated-formulas', column: 'Units', count: 1 },
  ])
})

test('our values are SheetJS’s, where it is right', async () => {
  const bytes = readFileSync(new URL('types-libreoffice.xlsx', FOLDER))
  const book = XLSX.read(bytes, { dense: true, nodim: true, cellDates: true, UTC: true })
  const sheet = book.Sheets[book.SheetNames[0]]
  const theirs = XLSX.utils.sheet_to_json<unknown[]>(sheet, { header: 1, UTC: true, blankrows: false, defval: null })
  const { rows } = await readRows(fixture('types-libreoffice.xlsx'))
  expect(rows.length).toBe(theirs.length - 1)
  for (const [i, ours] of rows.entries()) {
    const other = theirs[i + 1]
    for (const c of [0, 1, 2]) expect(ours[c] === null ? null : Number(ours[c])).toBe(other[c])
    for (const c of [3, 4]) expect(ours[c]).toBe(other[c])
    for (const c of [5, 6]) {
      const moment = other[c] instanceof Date ? other[c].getTime() : null
      const text = ours[c]
      expect(text === null).toBe(moment === null)
      // SheetJS truncates to milliseconds.
      if (text !== null)
        expect(
          Math.abs(Date.parse(`${text.replace(' ', 'T')}Z`.replace(/^.{10}Z$/, text)) - (moment ?? 0)),
        ).toBeLessThan(2)
    }
    expect(ours[9]).toBe(typeof other[9] === 'boolean' ? String(other[9]) : null)
  }
})

describe('what isn’t an .xlsx workbook is said by name', () => {
  const xlsb = XLSX.write(XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([[1]])), {
    type: 'array',
    bookType: 'xlsb',
  }) as ArrayBuffer
  const zip = (...names: string[]): File => new File([makeZip(names.map((name) => ({ name, data: 'x' })))], 'f.xlsx')
  const beta = new File(
    [
      makeZip(
        bookParts({ sheets: [''] }).map((part) => ({
          ...part,
          data: String(part.data).replace(
            'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
            'http://schemas.microsoft.com/office/excel/2006/2',
          ),
        })),
      ),
    ],
    'f.xlsx',
  )
  test.each<[string, File, string, RegExp]>([
    ['password', fixture('password.xlsx'), 'password-protected', /password-protected workbook/],
    ['xls', fixture('old.xls'), 'unsupported-format', /old Excel workbook \(\.xls/],
    ['ods', fixture('opendocument.ods'), 'unsupported-format', /OpenDocument/],
    ['xlsb', new File([xlsb], 'f.xlsb'), 'unsupported-format', /\.xlsb/],
    ['docx', zip('word/document.xml'), 'unsupported-format', /Word/],
    ['numbers', zip('Index/Document.iwa'), 'unsupported-format', /iWork/],
    ['zip', zip('a.csv', 'b.csv'), 'unsupported-format', /zip archive without a workbook/],
    ['beta', beta, 'unsupported-format', /saved by a beta version of Excel 2007/],
    ['empty zip', new File([makeZip([])], 'f.xlsx'), 'unsupported-format', /zip archive without a workbook/],
    [
      'sheet gone',
      new File([makeZip(bookParts({ sheets: ['', ''] }).slice(0, -1))], 'f.xlsx'),
      'corrupt-file',
      /“S2” are missing/,
    ],
  ])('%s', async (_, file, code, message) => {
    const error: unknown = await inspect(file).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(EngineError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string })
    expect((error as EngineError).remedy).toBeTruthy()
  })
})
