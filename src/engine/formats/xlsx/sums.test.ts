import { printSum } from '../../../lib/bytes.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultOptions, type ImportPlan } from '../../../tables/plan.ts'
import { convertFile } from '../../convert/convert.ts'
import { MemoryOutputs } from '../../storage/output.ts'
import { convert } from '../../testing/run.ts'
import { makeBook, inspect } from './testing/read.ts'
import { xlsxReader } from './reader.ts'
import { parseType } from '../../../tables/types.ts'
import { QUIET } from '../../testing/quiet.ts'
import { planFrom } from '../../../tables/edits.ts'

const cellOf = (column: number, row: number, xml: string): string =>
  xml.replace('<c', `<c r="${'ABCDEFG'[column]}${row}"`)
const sheetOf = (rows: readonly (readonly (string | null)[])[]): string =>
  rows
    .map(
      (cells, i) =>
        `<row r="${i + 1}">${cells.map((xml, c) => (xml === null ? '' : cellOf(c, i + 1, xml))).join('')}</row>`,
    )
    .join('')
const text = (value: string): string => `<c t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`
const number = (value: string | number): string => `<c><v>${value}</v></c>`

const sumsOf = async (file: File): Promise<(string | undefined)[][]> =>
  (await inspect(file)).tables.map(({ columns }) => columns.map(({ checksum }) => checksum))

/** A cell's XML; a shared string is one of three. */
const cell = fc.oneof(
  fc.integer().map(number),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(number),
  fc.stringMatching(/^[a-zé ]{0,40}$/).map(text),
  fc.nat(2).map((i) => `<c t="s"><v>${i}</v></c>`),
  fc.constantFrom('<c t="b"><v>1</v></c>', '<c t="e"><v>#N/A</v></c>', '<c s="1"><v>45000</v></c>', '<c><f>A1</f></c>'),
)
const strings = '<si><t>one</t></si><si><t/></si><si><r><t>thr</t></r><r><t>ee</t></r></si>'
const styles = '<cellXfs count="2"><xf/><xf numFmtId="14"/></cellXfs>'

describe('sums of cells', () => {
  it('are the same for the inspection and the reader, of any columns, in batches of any size', async () => {
    const rows = fc.integer({ min: 1, max: 5 }).chain((width) =>
      fc.array(fc.array(fc.option(cell, { freq: 6 }), { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 40,
      }),
    )
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (body, gap) => {
        const header = body[0].map((_, i) => text(`h${i}`))
        const all = [header, ...body].map((cells) => (gap ? [null, ...cells] : cells))
        const file = makeBook({ sheets: [sheetOf(all)], strings, styles })
        const inspection = await inspect(file)
        const found = inspection.tables[0].columns
        const wanted = found.filter((_, i) => i !== 1).map((each) => ({ ...each, type: parseType(each.type) }))
        const sums = wanted.map(() => 0n)
        const request = { settings: inspection.settings, table: 'S1', columns: wanted, checksums: true }
        for await (const { checksums } of xlsxReader.read(file, request, QUIET)) {
          for (const [i, sum] of (checksums ?? []).entries()) sums[i] += sum
        }
        expect(sums.map(printSum)).toEqual(wanted.map(({ checksum }) => checksum))
      }),
      { numRuns: 150 },
    )
  })

  it('tell kinds and texts apart, whatever they look like', async () => {
    const cells = [
      number('1'),
      number('1.0'),
      text('1'),
      text(''),
      text(' 1'),
      '<c t="b"><v>1</v></c>',
      '<c t="d"><v>2024-01-31</v></c>',
      text('2024-01-31'),
      '<c t="e"><v>#N/A</v></c>',
      text('#N/A'),
      '<c><f>A1</f></c>',
      null,
      text('x'.repeat(300_000)),
      text(`${'x'.repeat(299_999)}y`),
    ]
    const sums = await Promise.all(
      cells.map(async (each) =>
        (
          await sumsOf(
            makeBook({
              sheets: [
                sheetOf([
                  [text('a'), text('b')],
                  [each, number(2)],
                ]),
              ],
            }),
          )
        ).join(),
      ),
    )
    expect(new Set(sums).size).toBe(cells.length)
  })

  it('are the same of a shared string and whatever its number, and of each sheet alone', async () => {
    const shared = (i: number): string => `<c t="s"><v>${i}</v></c>`
    const sheet = (i: number): string => sheetOf([[text('a')], [shared(i)], [number(7)]])
    const [[first], [second]] = await sumsOf(
      makeBook({ sheets: [sheet(0), sheet(1)], strings: '<si><t>x</t></si><si><r><t>x</t></r></si>' }),
    )
    expect(first).toBe(second)
  })
})

describe('a workbook that isn’t read as it was', () => {
  const rows = Array.from({ length: 50 }, (_, i) => [
    number(1000 + i),
    `<c t="s"><v>${i % 10}</v></c>`,
    text(`note ${10 + i}`),
  ])
  const sheet = sheetOf(
    [[null, null, null], [text('id'), text('name'), text('note')], ...rows].map((cells) => [null, ...cells]),
  )
  const shared = Array.from({ length: 10 }, (_, i) => `<si><t>name ${i}</t></si>`).join('')
  const outcome = async (after: File, change: (plan: ImportPlan) => ImportPlan = (plan) => plan) => {
    const plan = change(planFrom(await inspect(makeBook({ sheets: [sheet], strings: shared }))))
    const request = { jobId: 'job', plan, target: 'csv', options: defaultOptions('csv') } as const
    return convertFile(after, request, { ...QUIET, storage: new MemoryOutputs() }).then(
      ({ outputs }) => [outputs[0].receipts[0].verdict, outputs[0].receipts[0].textCompared],
      (error: { code?: string; message: string }) => [error.code, error.message],
    )
  }

  it('is converted when it is', async () => {
    expect(await outcome(makeBook({ sheets: [sheet], strings: shared }))).toEqual(['match', true])
  })

  it('isn’t converted when any digit of any cell is another one', async () => {
    const places = [...sheet.matchAll(/(?<=<v>|note |<v>10|<v>100|note [0-9])[0-9]/g)].map(({ index }) => index)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), async (at) => {
        const other = (Number(sheet[at]) + 1) % 10
        const changed = `${sheet.slice(0, at)}${other}${sheet.slice(at + 1)}`
        const [code, message] = await outcome(makeBook({ sheets: [changed], strings: shared }))
        expect(code).toBe('file-changed')
        expect(message).toMatch(/“(id|name|note)” holds other text/)
      }),
      { numRuns: 30 },
    )
    const renamed = makeBook({ sheets: [sheet], strings: shared.replace('name 3', 'name X') })
    expect((await outcome(renamed))[1]).toMatch('“name” holds other text')
  })

  it('isn’t converted where a number is a text now', async () => {
    const changed = sheet.replace('><v>1007</v>', ' t="str"><v>1007</v>')
    expect((await outcome(makeBook({ sheets: [changed], strings: shared })))[0]).toBe('file-changed')
  })

  it('says of values alone that they are the same where no text was compared', async () => {
    const { files, result } = await convert(makeBook({ sheets: [sheet], strings: shared }), 'parquet')
    expect(result.outputs[0].receipts[0].textCompared).toBe(true)
    const again = await convert(files[0], 'csv')
    expect(again.result.outputs[0].receipts[0]).not.toHaveProperty('textCompared')
  })
})
