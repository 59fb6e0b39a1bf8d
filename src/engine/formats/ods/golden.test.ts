import { describe, test } from 'vitest'
import { expectTables, fixtureOf } from '../xlsx/testing/golden.ts'
import { odsReader } from './reader.ts'

const FOLDER = new URL('./fixtures/', import.meta.url)

/** LibreOffice truncates times to hundredths of a second, and Gnumeric rounds them to seconds. */
function inMinutes(text: string | null): string | null {
  return text === null || !/^\d{4}-\d\d-\d\d \d/.test(text) ? text : text.slice(0, 16)
}

/* The workbooks of ../xlsx/fixtures, saved as OpenDocument. */
describe.each(['types', 'types-1904', 'codes', 'report'])('%s', (name) => {
  test.each(['libreoffice', 'gnumeric'])('as %s writes it', async (program) => {
    await expectTables(fixtureOf(FOLDER, `${name}-${program}.ods`), odsReader, name, inMinutes)
  })
})
