import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import type { FormatReader } from '../types.ts'
import { expectedOf, fixtureOf } from '../xlsx/testing/golden.ts'
import { inspect, readRows } from '../xlsx/testing/read.ts'
import { xlsbReader, xlsReader } from './index.ts'

const FOLDER = new URL('./fixtures/', import.meta.url)
const ORIGINALS = new URL('../xlsx/fixtures/', import.meta.url)

/** The file has the tables of the workbook in ../xlsx/fixtures that it was saved from. */
async function expectTables(
  file: File,
  reader: FormatReader,
  name: string,
  spelled = (text: string | null) => text,
): Promise<void> {
  const inspection = await inspect(file, {}, reader)
  const expected = expectedOf(ORIGINALS, name)
  expect(inspection.format).toBe(reader.format)
  expect(inspection.tables.map((table) => table.name)).toEqual(expected.map((table) => table.name))
  for (const [i, table] of expected.entries()) {
    const found = inspection.tables[i]
    expect(found.columns.map((column) => ({ name: column.name, type: column.type }))).toEqual(table.columns)
    expect(found.hidden ?? false).toBe(table.hidden ?? false)
    if (table.notes) expect(found.notes.filter((note) => !note.column).map((note) => note.code)).toEqual(table.notes)
    const { rows, rejected } = await readRows(file, { table: table.name, reader })
    expect(rows).toEqual(table.rows.map((row) => row.map(spelled)))
    expect(rejected).toEqual([])
  }
}

describe.each(['types', 'types-1904', 'codes', 'report'])('%s', (name) => {
  test.each(['libreoffice', 'gnumeric'])('.xls as %s writes it', async (program) => {
    await expectTables(fixtureOf(FOLDER, `${name}-${program}.xls`), xlsReader, name)
  })

  test('.xls of Excel 95, whose texts are bytes in an encoding', async () => {
    const file = fixtureOf(FOLDER, `${name}-gnumeric-95.xls`)
    await expectTables(file, xlsReader, name, (text) => text?.replaceAll('😀', '?') ?? null)
  })

  test('.xlsb as SheetJS writes it', async () => {
    const original = readFileSync(new URL(`${name}-libreoffice.xlsx`, ORIGINALS))
    const book = XLSX.read(original, { cellNF: true, cellStyles: true, nodim: true })
    const bytes = XLSX.write(book, { type: 'array', bookType: 'xlsb' }) as ArrayBuffer
    await expectTables(new File([bytes], 'book.xlsb'), xlsbReader, name)
  })
})
