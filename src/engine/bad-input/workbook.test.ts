import { describe, expect, it } from 'vitest'
import { bookParts, makeBook, makeZip } from '../formats/xlsx/testing/read.ts'
import { carried, fileOf, jsonRows, refusal } from '../testing/bad-input.ts'
import { inspect } from '../testing/run.ts'
import { processorTime } from '../../lib/testing.ts'

/* Workbooks that attack, lie, or hold nothing. */

const text = (ref: string, value: string): string => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const TABLE = `<row r="1">${text('A1', 'a')}</row><row r="2"><c r="A2"><v>1</v></c></row>`
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const sheetWith = (doctype: string, value: string): string =>
  `<?xml version="1.0"?>${doctype}<worksheet xmlns="${MAIN}"><sheetData><row r="1">${text('A1', value)}</row></sheetData></worksheet>`

describe('entities', () => {
  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')

  it.each([
    ['a billion laughs', `<!DOCTYPE l [<!ENTITY l0 "lol">${laughs}]>`, '&l9;'],
    ['a file of this machine', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>', '&e;'],
    ['an address', '<!DOCTYPE x SYSTEM "https://example.com/x.dtd">', 'x'],
    ['a parameter entity', '<!DOCTYPE x [<!ENTITY % e SYSTEM "https://example.com/x"> %e;]>', 'x'],
  ])('%s', async (_, doctype, value) => {
    const started = processorTime()
    const error = await refusal(makeBook({ sheets: [sheetWith(doctype, value)] }))
    expect(error).toMatchObject({ code: 'corrupt-file', place: 'sheet “S1”' })
    expect(processorTime() - started).toBeLessThan(2000)
  })

  it('that isn’t known', async () => {
    expect(await refusal(makeBook({ sheets: [sheetWith('', '&e;')] }))).toMatchObject({ code: 'corrupt-file' })
  })

  it('of shared strings', async () => {
    const strings = `<si><t>&e;</t></si>`
    const sheets = ['<row r="1"><c r="A1" t="s"><v>0</v></c></row>']
    expect(await refusal(makeBook({ sheets, strings }))).toMatchObject({ code: 'corrupt-file' })
  })
})

describe('bombs', () => {
  const million = 'a'.repeat(1_000_000)

  it('a text of 100 MB', async () => {
    const sheets = [`<row r="1">${text('A1', million.repeat(100))}</row>`]
    expect(await refusal(makeBook({ sheets }))).toMatchObject({
      code: 'too-large',
      place: expect.stringMatching(/sheet/) as string,
    })
  })

  it('a shared string of 100 MB', async () => {
    const sheets = ['<row r="1"><c r="A1" t="s"><v>0</v></c></row>']
    const error = await refusal(makeBook({ sheets, strings: `<si><t>${million.repeat(100)}</t></si>` }))
    expect(error).toMatchObject({ code: 'too-large', place: expect.stringContaining('sharedStrings') as string })
  })

  it('a part that unpacks to more than it declares', async () => {
    const parts = bookParts({ sheets: [TABLE + ' '.repeat(1_000_000)] })
    const lying = parts.map((part) => (part.name.includes('sheet1') ? { ...part, declare: { size: 100 } } : part))
    const error = await refusal(fileOf('x.xlsx', makeZip(lying)))
    expect(error).toMatchObject({ code: 'corrupt-file', place: expect.stringContaining('sheet1') as string })
  })

  it('a cell in the last corner costs nothing', async () => {
    const sheets = [`<row r="1">${text('A1', 'a')}</row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`]
    await carried(makeBook({ sheets }), 1)
  })
})

describe('cells out of place', () => {
  it.each([
    ['beyond the last column', `<row r="1">${text('ZZZZZZ1', 'a')}</row>`],
    ['of a string that isn’t there', '<row r="1"><c r="A1" t="s"><v>5</v></c></row>'],
  ])('%s', async (_, sheet) => {
    const error = await refusal(makeBook({ sheets: [sheet], strings: '<si><t>x</t></si>' }))
    expect(error).toMatchObject({ code: 'corrupt-file', place: 'sheet “S1”' })
  })
})

describe('little or nothing', () => {
  it('no sheets', async () => {
    expect(await refusal(makeBook({ sheets: [] }))).toMatchObject({ code: 'corrupt-file' })
  })

  it('an empty sheet', async () => {
    expect(await refusal(makeBook({ sheets: [''] }))).toMatchObject({ code: 'empty-file' })
  })

  it('an empty sheet beside a table is left out', async () => {
    const book = makeBook({ sheets: ['', TABLE] })
    expect((await inspect(book)).inspection.tables).toHaveLength(2)
    expect(await jsonRows(await carried(book, 1))).toEqual([{ a: 1 }])
  })

  it('a header only', async () => {
    await carried(makeBook({ sheets: [`<row r="1">${text('A1', 'a')}</row>`] }), 0)
  })
})
