import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { expectTables, fixtureOf } from '../xlsx/testing/golden.ts'
import { inspect, readRows } from '../xlsx/testing/read.ts'
import { xlsbReader, xlsReader } from './reader.ts'

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

test('a stored number that is none is an error, as Excel shows it', async () => {
  const sheet = { '!ref': 'A1:A3', A1: { t: 's', v: 'n' }, A2: { t: 'n', v: 1.5 }, A3: { t: 'n', v: 1.25e300 } }
  const book = { SheetNames: ['S'], Sheets: { S: sheet } } as XLSX.WorkBook
  const bytes = Buffer.from(XLSX.write(book, { type: 'array', bookType: 'xls' }) as ArrayBuffer)
  const number = Buffer.alloc(8)
  number.writeDoubleLE(1.25e300)
  bytes.fill(0xff, bytes.indexOf(number), bytes.indexOf(number) + 8)
  const file = new File([bytes], 'none.xls')
  const [{ columns, notes }] = (await inspect(file, {}, xlsReader)).tables
  expect(columns).toMatchObject([{ name: 'n', type: 'DOUBLE' }])
  expect(notes).toContainEqual(expect.objectContaining({ message: expect.stringContaining('error') as string }))
  expect((await readRows(file, { reader: xlsReader })).rows).toEqual([['1.5'], [null]])
})
