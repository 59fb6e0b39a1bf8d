import { describe, expect, it } from 'vitest'
import { bookParts, makeBook, makeZip } from '../formats/xlsx/testing/read.ts'
import { carried, fileOf, jsonRows, refusal } from '../testing/bad-input.ts'
import { inspect } from '../testing/run.ts'
import { processorTime } from '../../lib/testing.ts'

/* Workbooks that are malicious, inconsistent or empty. */

const text = (ref: string, value: string): string => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const TABLE = `<row r="1">${text('A1', 'a')}</row><row r="2"><c r="A2"><v>1</v></c></row>`
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const sheetWith = (doctype: string, value: string): string =>
  `<?xml version="1.0"?>${doctype}<worksheet xmlns="${MAIN}"><sheetData><row r="1">${text('A1', value)}</row></sheetData></worksheet>`

describe('XML entities are refused', () => {
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')

  it.each([
    ['a billion laughs', `<!DOCTYPE l [<!ENTITY l0 "lol">${laughs}]>`, '&l9;'],
    ['a local file', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;'],
    ['a remote DTD', '<!DOCTYPE x SYSTEM "https://example.com/x.dtd">', 'x'],
    ['a parameter entity', '<!DOCTYPE x [<!ENTITY % e SYSTEM "https://example.com/x"> %e;]>', 'x'],
  ])('%s', async (_, doctype, value) => {
    const started = processorTime()
    const error = await refusal(makeBook({ sheets: [sheetWith(doctype, value)] }))
    expect(error).toMatchObject({ code: 'corrupt-file', place: 'sheet “S1”' })
    expect(processorTime() - started).toBeLessThan(2000)
  })

  it('an undefined entity', async () => {
    expect(await refusal(makeBook({ sheets: [sheetWith('', '&e;')] }))).toMatchObject({ code: 'corrupt-file' })
  })

  it('an entity in a shared string', async () => {
    const strings = `<si><t>&e;</t></si>`
    const sheets = ['<row r="1"><c r="A1" t="s"><v>0</v></c></row>']
    expect(await refusal(makeBook({ sheets, strings }))).toMatchObject({ code: 'corrupt-file' })
  })
})

describe('memory', () => {
  const million = 'a'.repeat(1_000_000)

  it('isn’t exhausted by a text of 100 MB, which is refused', async () => {
    const sheets = [`<row r="1">${text('A1', million.repeat(100))}</row>`]
    expect(await refusal(makeBook({ sheets }))).toMatchObject({
      code: 'too-large',
      place: expect.stringMatching(/sheet/) as string,
    })
  })

  it('isn’t exhausted by a shared string of 100 MB, which is refused', async () => {
    const sheets = ['<row r="1"><c r="A1" t="s"><v>0</v></c></row>']
    const error = await refusal(makeBook({ sheets, strings: `<si><t>${million.repeat(100)}</t></si>` }))
    expect(error).toMatchObject({ code: 'too-large', place: expect.stringContaining('sharedStrings') as string })
  })

  it('isn’t exhausted by a part that unpacks to more than it declares, which is refused', async () => {
    const parts = bookParts({ sheets: [TABLE + ' '.repeat(1_000_000)] })
    const lying = parts.map((part) => (part.name.includes('sheet1') ? { ...part, declare: { size: 100 } } : part))
    const error = await refusal(fileOf('x.xlsx', makeZip(lying)))
    expect(error).toMatchObject({ code: 'corrupt-file', place: expect.stringContaining('sheet1') as string })
  })

  it('isn’t allocated for the empty rows above a cell in the last one', async () => {
    const sheets = [`<row r="1">${text('A1', 'a')}</row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`]
    await carried(makeBook({ sheets }), 1)
  })
})

describe('invalid cells are refused', () => {
  it.each([
    ['a cell beyond the last column', `<row r="1">${text('ZZZZZZ1', 'a')}</row>`],
    ['a shared string that doesn’t exist', '<row r="1"><c r="A1" t="s"><v>5</v></c></row>'],
  ])('%s', async (_, sheet) => {
    const error = await refusal(makeBook({ sheets: [sheet], strings: '<si><t>x</t></si>' }))
    expect(error).toMatchObject({ code: 'corrupt-file', place: 'sheet “S1”' })
  })
})

describe('a workbook', () => {
  it('without sheets is refused', async () => {
    expect(await refusal(makeBook({ sheets: [] }))).toMatchObject({ code: 'corrupt-file' })
  })

  it('with only an empty sheet is refused', async () => {
    expect(await refusal(makeBook({ sheets: [''] }))).toMatchObject({ code: 'empty-file' })
  })

  it('with a table and an empty sheet is converted without the empty sheet', async () => {
    const book = makeBook({ sheets: ['', TABLE] })
    expect((await inspect(book)).inspection.tables).toHaveLength(2)
    expect(await jsonRows(await carried(book, 1))).toEqual([{ a: 1 }])
  })

  it('with only a header gives a table without rows', async () => {
    await carried(makeBook({ sheets: [`<row r="1">${text('A1', 'a')}</row>`] }), 0)
  })
})
