import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { Warehouse } from '../../testing/tables.ts'
import { formatCells } from './copy.ts'
import { resultOf } from '../../testing/results.ts'
import type { CopyFormat } from './types.ts'

const awkward = fc.oneof(
  fc.constantFrom('', 'NULL', '"', "'", '""', 'a\tb', 'a\nb', 'a\r\nb', '|', '\\', '<b>', ' x ', '007', '=1+1', '🎈'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const cells = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 })).chain(([columns, rows]) =>
  fc.array(fc.array(fc.option(awkward), { minLength: rows, maxLength: rows }), {
    minLength: columns,
    maxLength: columns,
  }),
)

const copy = (data: readonly (readonly (string | null)[])[], format: CopyFormat, types?: string[], headers = true) => {
  const columns = data.map((_, i) => [`c${i}`, types?.[i] ?? 'VARCHAR'] as const)
  const set = resultOf(columns, data)
  return formatCells(set, { rows: { from: 0, to: set.rowCount }, columns: columns.map((_, i) => i) }, format, {
    headers,
  })
}

const rowsOf = (data: readonly (readonly (string | null)[])[]): (string | null)[][] =>
  (data[0] ?? []).map((_, row) => data.map((column) => column[row] ?? null))

describe('copied cells', () => {
  it.each([
    ['csv', ','],
    ['tsv', '\t'],
  ] as const)('%s reads back', async (format, delimiter) => {
    await fc.assert(
      fc.asyncProperty(cells, async (data) => {
        const text = await copy(data, format)
        const { data: read } = Papa.parse<string[]>(text, { delimiter, quoteChar: '"' })
        expect(read).toEqual([data.map((_, i) => `c${i}`), ...rowsOf(data).map((row) => row.map((v) => v ?? ''))])
      }),
    )
  })

  it('json reads back', async () => {
    await fc.assert(
      fc.asyncProperty(cells, async (data) => {
        const read = JSON.parse(await copy(data, 'json')) as unknown
        expect(read).toEqual(rowsOf(data).map((row) => Object.fromEntries(row.map((v, i) => [`c${i}`, v]))))
      }),
    )
  })

  it('json keeps all digits, and nested values as they are', async () => {
    const text = await copy([['12345678901234567890.10'], ['NaN'], ['[1,null]'], ['true'], ['2024-01-31']], 'json', [
      'DECIMAL(38,2)',
      'DOUBLE',
      'INTEGER[]',
      'BOOLEAN',
      'DATE',
    ])
    expect(text).toBe(
      '[\n  {"c0": 12345678901234567890.10, "c1": "NaN", "c2": [1,null], "c3": true, "c4": "2024-01-31"}\n]',
    )
  })

  it('csv tells null from empty text', async () => {
    expect(await copy([['', null, 'x']], 'csv', undefined, false)).toBe('""\r\n\r\nx')
  })

  it('markdown keeps a row on its line, and its cells apart', async () => {
    await fc.assert(
      fc.asyncProperty(cells, async (data) => {
        const lines = (await copy(data, 'markdown')).split('\n')
        expect(lines).toHaveLength(rowsOf(data).length + 2)
        for (const line of lines) {
          expect(line.replaceAll(/\\[^]/g, '').split('|')).toHaveLength(data.length + 2)
        }
      }),
    )
  })

  it('an IN list is the same values to the engine', async () => {
    const warehouse = await Warehouse.open()
    const typed: readonly (readonly [string, ...string[]])[] = [
      ['INTEGER', '1', '-5'],
      ['DOUBLE', '0.1', 'NaN', 'Infinity'],
      ['DECIMAL(20,2)', '123456789012345678.05', '-0.01'],
      ['VARCHAR', "it's", '', 'NULL', '\\'],
      ['DATE', '2024-02-29', '0001-01-01'],
      ['TIMESTAMP', '2024-02-29 01:02:03.000004'],
      ['TIMESTAMP WITH TIME ZONE', '2024-02-29 01:02:03+00'],
      ['UUID', '123e4567-e89b-12d3-a456-426614174000'],
      ['BLOB', 'AP8='],
      ['BOOLEAN', 'true'],
      ['INTERVAL', '1 year 2 months'],
      ['INTEGER[]', '[1,2]'],
    ]
    for (const [type, ...values] of typed) {
      const list = await copy([values], 'in-list', [type])
      const source = values.map((v) =>
        type === 'BLOB' ? `from_base64('${v}')` : `'${v.replaceAll("'", "''")}'::${type}`,
      )
      const answer = await warehouse.run(
        `SELECT count(*) FROM (VALUES ${source.map((v) => `(${v})`).join(', ')}) t(v) WHERE v IN ${list}`,
      )
      expect([type, answer.rows[0][0]]).toEqual([type, values.length])
    }
  })
})
