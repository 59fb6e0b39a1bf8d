import { describe, expect, it } from 'vitest'
import { TARGET_FORMATS } from '../../contract/formats.ts'
import type { Receipt } from '../../tables/receipt.ts'
import { combine, convert, type Converted } from '../testing/run.ts'
import { verifyAgain } from './verify-again.ts'
import { QUIET } from '../testing/quiet.ts'

/** As parsed from a JSON file. */
const receiptsOf = ({ result }: Converted): Receipt[] =>
  JSON.parse(JSON.stringify(result.outputs[0].receipts)) as Receipt[]

async function changed(file: File, from: string, to: string): Promise<File> {
  const text = await file.text()
  expect(text).toContain(from)
  return new File([text.replace(from, to)], file.name)
}

const csv = new File(['id,name,price,day\n1,Anna,1.50,2024-01-01\n2,,2.25,2024-01-02\n3,"a ""b""",,\n'], 'a.csv')
const json = new File(
  ['[{"id":1,"a":null,"deep":{"x":[1,2]}},{"id":2,"deep":{"x":[]}},{"id":3,"a":"x","deep":null}]'],
  'a.json',
)

describe.each([csv, json])('what was made of $name', (source) => {
  it.each(TARGET_FORMATS.map(({ id }) => id))('as %s, holds what its receipt says', async (target) => {
    const made = await convert(source, target)
    expect(await verifyAgain(made.files[0], receiptsOf(made), QUIET)).toEqual([[]])
  })
})

it('several sheets in a file are compared with a receipt each', async () => {
  const { utils, write } = await import('xlsx')
  const book = utils.book_new()
  for (const name of ['one', 'two']) utils.book_append_sheet(book, utils.aoa_to_sheet([['n'], [name]]), name)
  const made = await convert(new File([write(book, { type: 'array' }) as ArrayBuffer], 'book.xlsx'), 'xlsx')
  const receipts = receiptsOf(made)
  expect(await verifyAgain(made.files[0], receipts, QUIET)).toEqual([[], []])
  const [one, two] = receipts
  const swapped = [one, { ...two, found: one.found }]
  expect((await verifyAgain(made.files[0], swapped, QUIET))[1]).toContainEqual(
    expect.objectContaining({ column: 'n', what: 'checksum' }),
  )
})

it('files that were combined have one receipt to be compared with', async () => {
  const files = ['x,y\n1,a\n', 'x\n2.5\n'].map((text, i) => new File([text], `${i}.csv`))
  const made = await combine(files, 'json')
  expect(await verifyAgain(made.files[0], receiptsOf(made), QUIET)).toEqual([[]])
})

describe('a file that isn’t what its receipt says', () => {
  it('is told by column: another value, another name', async () => {
    const made = await convert(csv, 'csv')
    const receipts = receiptsOf(made)
    const [price] = await verifyAgain(await changed(made.files[0], '2.25', '2.26'), receipts, QUIET)
    expect(price?.map(({ column, what }) => [column, what])).toEqual([
      ['price', 'max'],
      ['price', 'checksum'],
      [null, 'row checksum'],
    ])
    const [name] = await verifyAgain(await changed(made.files[0], 'name', 'nom'), receipts, QUIET)
    expect(name).toEqual([{ column: 'name', what: 'name', expected: 'name', found: 'nom' }])
  })

  it('is told by its rows: one more, one less, one that doesn’t fit any more', async () => {
    const made = await convert(csv, 'csv')
    for (const [from, to, found] of [
      ['1,Anna', '7,Eve,,\n1,Anna', '4'],
      ['1,Anna,1.50,2024-01-01\n', '', '2'],
      ['1,Anna', 'Anna', '2'],
    ]) {
      const [differences] = await verifyAgain(await changed(made.files[0], from, to), receiptsOf(made), QUIET)
      expect(differences?.[0]).toEqual({ column: null, what: 'rows', expected: '3', found })
    }
  })

  it('can’t be read where it isn’t of that format any more', async () => {
    const made = await convert(csv, 'parquet')
    const broken = new File([await made.files[0].slice(0, 100).arrayBuffer()], 'a.parquet')
    await expect(verifyAgain(broken, receiptsOf(made), QUIET)).rejects.toMatchObject({ code: 'corrupt-file' })
    const [{ found, ...receipt }] = receiptsOf(made)
    const foreign = { ...receipt, found: { ...found, columns: found.columns.map((c) => ({ ...c, type: 'MONEY' })) } }
    await expect(verifyAgain(made.files[0], [foreign], QUIET)).rejects.toMatchObject({ code: 'invalid-plan' })
  })

  it('isn’t compared where the receipt doesn’t say how it’s read', async () => {
    const made = await convert(csv, 'csv')
    const receipts = receiptsOf(made).map((receipt) => {
      const { name, size, format } = receipt.output
      return { ...receipt, output: { name, size, format } }
    })
    expect(await verifyAgain(made.files[0], receipts, QUIET)).toEqual([null])
  })
})
