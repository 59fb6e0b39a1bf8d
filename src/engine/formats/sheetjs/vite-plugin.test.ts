import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import * as whole from './library.ts'
import { withoutUnused } from './vite-plugin.ts'

const SOURCE = path.join(path.dirname(createRequire(import.meta.url).resolve('xlsx')), 'xlsx.mjs')
const FOLDER = new URL('./fixtures/', import.meta.url)

/** Cells, merged ranges, hidden rows and columns; not what stands beside them. */
function readBy({ CFB, parse_xlscfb }: Pick<typeof whole, 'CFB' | 'parse_xlscfb'>, bytes: Uint8Array): unknown {
  const { SheetNames, Sheets, Workbook } = parse_xlscfb(CFB.read(bytes, { type: 'array' }), { ...whole.OPTIONS })
  const sheets = Object.values(Sheets).map((sheet) => [
    sheet?.['!data'],
    sheet?.['!merges'],
    sheet?.['!rows'],
    sheet?.['!cols'],
  ])
  return { SheetNames, sheets, kinds: Workbook?.Sheets, properties: Workbook?.WBProps }
}

test('what the build leaves out of SheetJS isn’t missed', async () => {
  const source = readFileSync(SOURCE, 'utf8')
  const small = withoutUnused(source)
  expect(small.length).toBeLessThan(source.length - 80_000)
  const folder = mkdtempSync(path.join(tmpdir(), 'sheetjs-'))
  try {
    const file = path.join(folder, 'xlsx.mjs')
    writeFileSync(file, small)
    const cut = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as typeof whole
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
      ({ CFB, parse_zip }) => parse_zip(CFB.read(xlsb, { type: 'array' }), { ...whole.OPTIONS }).Sheets,
    )
    expect(sheets[0]).toHaveProperty('S.!data')
    expect(sheets[0]).toEqual(sheets[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 120_000)
