import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import * as cut from './library.ts'
import { SHEETJS, withoutUnused } from './vite-plugin.ts'

const whole = XLSX as unknown as typeof cut
const FOLDER = new URL('./fixtures/', import.meta.url)

/** Cells, merged ranges, hidden rows and columns, but nothing beside the cells. */
function readBy({ CFB, parse_xlscfb }: Pick<typeof cut, 'CFB' | 'parse_xlscfb'>, bytes: Uint8Array): unknown {
  const { SheetNames, Sheets, Workbook } = parse_xlscfb(CFB.read(bytes, { type: 'array' }), { ...cut.OPTIONS })
  const sheets = Object.values(Sheets).map((sheet) => [
    sheet?.['!data'],
    sheet?.['!merges'],
    sheet?.['!rows'],
    sheet?.['!cols'],
  ])
  return { SheetNames, sheets, kinds: Workbook?.Sheets, properties: Workbook?.WBProps }
}

test('what is left out of SheetJS isn’t missed', () => {
  const source = readFileSync(SHEETJS, 'utf8')
  expect(withoutUnused(source).length).toBeLessThan(source.length - 80_000)
  for (const name of readdirSync(FOLDER).filter((entry) => entry.endsWith('.xls'))) {
    const bytes = readFileSync(new URL(name, FOLDER))
    expect(readBy(cut, bytes), name).toEqual(readBy(whole, bytes))
  }
  const sheet = XLSX.utils.aoa_to_sheet([
    ['a', 'b'],
    [1, 'x'],
    [true, new Date(0)],
  ])
  const xlsb = new Uint8Array(
    XLSX.write(XLSX.utils.book_new(sheet, 'S'), { type: 'array', bookType: 'xlsb' }) as ArrayBuffer,
  )
  const sheets = [cut, whole].map(
    ({ CFB, parse_zip }) => parse_zip(CFB.read(xlsb, { type: 'array' }), { ...cut.OPTIONS }).Sheets,
  )
  expect(sheets[0]).toHaveProperty('S.!data')
  expect(sheets[0]).toEqual(sheets[1])
}, 120_000)
