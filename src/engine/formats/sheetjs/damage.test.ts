import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as XLSX from 'xlsx'
import { EngineError } from '../../errors.ts'
import type { FormatReader } from '../types.ts'
import { fixtureOf } from '../xlsx/testing/golden.ts'
import { inspect, makeZip, readRows } from '../xlsx/testing/read.ts'
import { xlsbReader, xlsReader } from './reader.ts'
import { QUIET } from '../../testing/quiet.ts'

const FOLDER = new URL('./fixtures/', import.meta.url)
const bytesOf = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(new URL(name, FOLDER)))
const CODES = ['corrupt-file', 'unsupported-format', 'password-protected', 'too-large']

function xlsb(): Uint8Array<ArrayBuffer> {
  const sheet = XLSX.utils.aoa_to_sheet([['a', 'b'], ...Array.from({ length: 50 }, (_, i) => [i, `x${i}`])])
  return new Uint8Array(
    XLSX.write(XLSX.utils.book_new(sheet, 'S'), { type: 'array', bookType: 'xlsb', compression: true }) as ArrayBuffer,
  )
}

/** Number of rows; null if the file is refused with a reason and a remedy. */
async function rowsOf(bytes: Uint8Array<ArrayBuffer>, reader: FormatReader): Promise<number | null> {
  try {
    const { rows } = await readRows(new File([bytes], 'd.xls'), { reader })
    return rows.length
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    expect(CODES).toContain(error.code)
    expect(error.remedy).toBeTruthy()
    return null
  }
}

describe.each<[string, FormatReader, () => Uint8Array<ArrayBuffer>]>([
  ['.xls', xlsReader, () => bytesOf('report-libreoffice.xls')],
  ['.xls of Excel 95', xlsReader, () => bytesOf('codes-gnumeric-95.xls')],
  ['.xlsb', xlsbReader, xlsb],
])('%s', (_, reader, make) => {
  const whole = make()

  test('cut short anywhere, it is refused or all of it is read', async () => {
    const all = await rowsOf(whole, reader)
    for (let i = 0; i < 60; i++) {
      const rows = await rowsOf(whole.slice(0, Math.floor((whole.length * i) / 60)), reader)
      if (rows !== null) expect(rows).toBe(all)
    }
  })

  test('with any bytes changed, it is refused or read', async () => {
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const bytes = whole.slice()
        for (const [at, byte] of changes) bytes[at] = byte
        await rowsOf(bytes, reader)
      }),
      { numRuns: 60 },
    )
  })
})

test('a workbook whose sheet ends in the middle of a record is refused, not read as far as it goes', async () => {
  const bytes = bytesOf('report-gnumeric.xls')
  // The last end-of-part record: only padding and the container follow.
  const at = Buffer.from(bytes).lastIndexOf(Buffer.from([0x0a, 0, 0, 0]))
  bytes[at] = 0x0b
  await expect(inspect(new File([bytes], 'd.xls'), {}, xlsReader)).rejects.toMatchObject({
    code: 'corrupt-file',
    message: expect.stringContaining('cut short') as string,
  })
})

test('names of the parts of a compound file are the same in capitals', async () => {
  const bytes = Buffer.from(bytesOf('report-libreoffice.xls'))
  const whole = await rowsOf(new Uint8Array(bytes), xlsReader)
  bytes.write('WORKBOOK', bytes.indexOf(Buffer.from('Workbook', 'utf16le')), 'utf16le')
  expect(whole).toBeGreaterThan(0)
  expect(await rowsOf(new Uint8Array(bytes), xlsReader)).toBe(whole)
})

test('a list of sheets as test versions of Excel 2007 wrote it is refused, not read as other names', async () => {
  await expect(inspect(fixtureOf(FOLDER, 'test-version-poi.xlsb'), {}, xlsbReader)).rejects.toMatchObject({
    code: 'corrupt-file',
    message: expect.stringContaining('list of sheets') as string,
  })
})

test('an archive whose directory claims to be huge is refused with what to do', async () => {
  const bytes = xlsb()
  // The highest byte of the directory's size.
  bytes[bytes.length - 7] = 4
  expect(await rowsOf(bytes, xlsbReader)).toBeNull()
})

test('a password is told', async () => {
  const bytes = bytesOf('report-gnumeric.xls')
  const view = new DataView(bytes.buffer)
  // Changes the second record to that of an encrypted workbook.
  const start = Buffer.from(bytes).indexOf(Buffer.from([0x09, 0x08, 0x10, 0x00]))
  view.setUint16(start + 20, 0x2f, true)
  await expect(inspect(new File([bytes], 'd.xls'), {}, xlsReader)).rejects.toMatchObject({ code: 'password-protected' })
  const locked = fixtureOf(new URL('../xlsx/fixtures/', import.meta.url), 'password.xlsx')
  await expect(inspect(locked, {}, xlsReader)).rejects.toMatchObject({ code: 'password-protected' })
})

test('a binary workbook that unpacks to too much is refused before it is unpacked', async () => {
  const bomb = makeZip([
    { name: 'xl/workbook.bin', data: 'x' },
    { name: 'xl/worksheets/sheet1.bin', data: new Uint8Array(1000), declare: { size: 200_000_000 } },
  ])
  await expect(inspect(new File([bomb], 'd.xlsb'), {}, xlsbReader)).rejects.toMatchObject({
    code: 'too-large',
    remedy: expect.stringContaining('.xlsx') as string,
  })
})

test('cancelled, it stops', async () => {
  const signal = AbortSignal.abort()
  const reading = xlsReader.inspect(fixtureOf(FOLDER, 'report-gnumeric.xls'), {}, { ...QUIET, signal })
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
})
