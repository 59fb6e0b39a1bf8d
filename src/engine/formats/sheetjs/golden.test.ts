import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import * as XLSX from 'xlsx'
import { expectTables, fixtureOf } from '../xlsx/testing/golden.ts'
import { xlsbReader, xlsReader } from './index.ts'

const FOLDER = new URL('./fixtures/', import.meta.url)
const ORIGINALS = new URL('../xlsx/fixtures/', import.meta.url)

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
