import { utils, write } from 'xlsx'
import { describe, expect, it } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { convert } from '../testing/run.ts'

describe('names of outputs', () => {
  it('differ for sheets that a disk can’t tell apart', async () => {
    const book = utils.book_new()
    for (const name of ['a|b', 'A"B', 'c']) utils.book_append_sheet(book, utils.aoa_to_sheet([['n'], [name]]), name)
    const file = new File([write(book, { type: 'array' }) as ArrayBuffer], 'book.xlsx')
    const { files } = await convert(file, 'csv')
    expect(files.map(({ name }) => name)).toEqual(['book - a_b.csv', 'book - A_B (2).csv', 'book - c.csv'])
  })
})

describe('what the inspection found', () => {
  const source = new File(['\ufeffa,b\n1,x\n2,y\n'], 'table.csv')

  it('is on the receipt', async () => {
    const { result } = await convert(source, 'json')
    expect(result.outputs[0].receipts[0].notes).toContainEqual(expect.objectContaining({ code: 'byte-order-mark' }))
  })

  it('has to be come upon again: other rows are another file', async () => {
    const converted = convert(source, 'json', defaultOptions('json'), (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({ ...table, found: { rows: 3, notes: [], columns: [] } })),
    }))
    await expect(converted).rejects.toMatchObject({ code: 'file-changed', remedy: 'Add the file again.' })
  })
})
