import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LocalTableRecord } from '../types.ts'
import { canSample, firstRows, sampleNotes } from './samples.ts'

const row = (i: number): string => `${i},${'x'.repeat(60)}\n`
const rows = (from: number, count: number): string => Array.from({ length: count }, (_, i) => row(from + i)).join('')
const taken = async (text: string | Uint8Array<ArrayBuffer>, name = 'a.csv') =>
  (await firstRows(new File([text], name)))?.text() ?? null

describe('the first rows of a file', () => {
  test('are whole lines, a thousand and the first', async () => {
    expect(await taken(`a,b\n${rows(0, 30_000)}`)).toBe(`a,b\n${rows(0, 1000)}`)
    expect(await taken(`a,b\r\n1,2\r\n3,`)).toBe('a,b\r\n1,2\r\n')
  })

  test('end with a row, even if a value has several lines', async () => {
    expect(await taken('a,b\n1,"x\ny"\n2,"z\n')).toBe('a,b\n1,"x\ny"\n')
    expect(await taken('{"a":"6\\""}\n{"a":1}\n{"a', 'a.ndjson')).toBe('{"a":"6\\""}\n{"a":1}\n')
  })

  test('of JSON are whole items of the list that is open, wherever it is', async () => {
    const json = (text: string) => taken(text, 'a.json')
    expect(await json('[{"a":1},{"a":[2,{"b":3}]},{"a":[4,')).toBe('[{"a":1},{"a":[2,{"b":3}]}]')
    expect(await json('{"meta":{"n":[1,2]},"rows":[{"a":"],\\""},{"a":2},{"a"')).toBe(
      '{"meta":{"n":[1,2]},"rows":[{"a":"],\\""},{"a":2}]}',
    )
    expect(await json('{"x":{"a":1},"y":{"a":2},"z":{"a"')).toBe('{"x":{"a":1},"y":{"a":2}}')
    expect(await json('{"a":1}\n{"a":2}\n{"a":3,"b"')).toBe('{"a":1}\n{"a":2}')
    expect(await json('[{"a":1')).toBeNull()
    expect(await json(`[${'{"a":[1,2]},'.repeat(3000)}`)).toBe(`[${Array(1000).fill('{"a":[1,2]}').join(',')}]`)
  })

  test('of any JSON text cut anywhere are a JSON text with its first items', async () => {
    const items = fc.array(fc.jsonValue(), { minLength: 2, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(items, fc.double({ min: 0, max: 1, noNaN: true }), async (values, share) => {
        const text = JSON.stringify({ note: '[,"', rows: values })
        const first = await taken(text.slice(0, Math.floor(text.length * share)), 'a.json')
        if (first === null) return
        const { rows: whole = [] } = JSON.parse(first) as { rows?: unknown[] }
        expect(JSON.stringify(values.slice(0, whole.length))).toBe(JSON.stringify(whole))
      }),
    )
  })

  test('can’t be found in a single line, or in two-byte characters', async () => {
    expect(await taken('a,b,c')).toBeNull()
    expect(await taken(new Uint8Array([0xff, 0xfe, 97, 0, 10, 0, 98, 0]))).toBeNull()
  })

  test('are offered for large text files and workbooks', () => {
    const file = (name: string, size = 2 ** 21) => new File(['x'.repeat(size)], name)
    const can = ['a.csv', 'b.TSV', 'c.jsonl', 'd.json', 'e.xlsx']
    expect(can.filter((name) => canSample(file(name)))).toEqual(can)
    expect(['a.xls', 'b.parquet', 'c.csv.gz'].filter((name) => canSample(file(name)))).toEqual([])
    expect(canSample(file('a.csv', 1000))).toBe(false)
  })
})

test('statements say that they use a sample, including those that use what was made from one', () => {
  const table = { id: '1', name: 'Orders_first_rows', rowCount: 1000, source: { name: 'orders.csv' }, sample: true }
  const notes = sampleNotes(
    () => [table, { ...table, id: '2', name: 'orders', sample: undefined }] as LocalTableRecord[],
  )
  const words = 'local.Orders_first_rows has only the first 1,000 rows of orders.csv.'
  expect(notes('FROM orders')).toEqual([])
  expect(notes('SELECT count(*) FROM local.orders_FIRST_rows')).toEqual([`Of a sample: ${words}`])
  expect(notes('FROM orders')).toEqual([])
  expect(notes('CREATE TABLE few AS FROM orders_first_rows')).toEqual([`Of a sample: ${words}`])
  expect(notes('FROM few')).toEqual([`This tab has created something from a sample: ${words}`])
})
