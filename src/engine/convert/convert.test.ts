import { utils, write } from 'xlsx'
import { describe, expect, it } from 'vitest'
import { defaultOptions } from '../../tables/plan.ts'
import { MemoryOutputs } from '../storage/output.ts'
import { convert, inspect } from '../testing/run.ts'
import { convertInTwoThreads } from '../testing/second-thread.ts'
import { planFrom } from '../../tables/edits.ts'

describe('names of outputs', () => {
  it('differ for sheets that a disk can’t tell apart', async () => {
    const book = utils.book_new()
    for (const name of ['a|b', 'A"B', 'c']) utils.book_append_sheet(book, utils.aoa_to_sheet([['n'], [name]]), name)
    const file = new File([write(book, { type: 'array' }) as ArrayBuffer], 'book.xlsx')
    const { files } = await convert(file, 'csv')
    expect(files.map(({ name }) => name)).toEqual(['book - a_b.csv', 'book - A_B (2).csv', 'book - c.csv'])
  })
})

describe('two threads', () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => ({ id: i, name: `n ${i}`, ratio: i % 7 === 0 ? null : i / 8 }))
  const text = `id,name,ratio\n${rows.map(({ id, name, ratio }) => `${id},${name},${ratio ?? ''}\n`).join('')}1,2,3,4\n`
  const files = [
    new File([text], 'a.csv'),
    new File([`${rows.map((row) => JSON.stringify(row)).join('\n')}\n[1]\n`], 'a.ndjson'),
  ]

  it.each(['csv', 'json', 'parquet', 'xlsx', 'arrow'] as const)('write what one does, as %s', async (target) => {
    for (const file of files) {
      const alone = await convert(file, target)
      const { inspection } = await inspect(file)
      const storage = new MemoryOutputs()
      const request = { target, options: defaultOptions(target), plan: planFrom(inspection) }
      const result = await convertInTwoThreads(file, request, storage)
      expect(result.rejectedCount).toBe(1)
      expect(result.outputs[0].receipts[0].found).toEqual(alone.result.outputs[0].receipts[0].found)
      const [one, other] = [alone.files[0], storage.files.get(result.outputs[0].id) ?? new Blob()]
      expect(Buffer.from(await other.arrayBuffer()).equals(Buffer.from(await one.arrayBuffer()))).toBe(true)
    }
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
