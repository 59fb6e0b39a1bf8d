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

  test('can’t be found in a single line, or in two-byte characters', async () => {
    expect(await taken('a,b,c')).toBeNull()
    expect(await taken(new Uint8Array([0xff, 0xfe, 97, 0, 10, 0, 98, 0]))).toBeNull()
  })

  test('are offered for large text files with one row per line', () => {
    const file = (name: string, size = 2 ** 21) => new File(['x'.repeat(size)], name)
    expect(['a.csv', 'b.TSV', 'c.jsonl'].map((name) => canSample(file(name)))).toEqual([true, true, true])
    expect(['a.xlsx', 'b.json', 'c.csv.gz'].map((name) => canSample(file(name)))).toEqual([false, false, false])
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
