import { describe, expect, it } from 'vitest'
import { parseType } from '../../../tables/types.ts'
import { convert } from '../../testing/run.ts'
import { fileOf, inspect, load, readAll, typesOf } from './testing.ts'

const lines = (...rows: string[]): File => fileOf(rows.join('\n'), 'rows.ndjson')

describe('NaN and infinities, as Python writes them', () => {
  it.each([
    '[{"a":NaN,"b":1},{"a":1.5,"b":-Infinity},{"a":Infinity,"b":2}]',
    '{"a":NaN,"b":1}\n{"a":1.5,"b":-Infinity}\n{"a":Infinity,"b":2}\n',
    '{"a":[NaN,1.5,Infinity],"b":[1,-Infinity,2]}',
    '{"data":[{"a" : NaN , "b" : 1}, {"a":1.5,"b":-Infinity}, {"a":Infinity,"b":2}]}',
    '[["a","b"],[NaN,1],[1.5,-Infinity],[Infinity,2]]',
  ])('are numbers, and noted: %s', async (text) => {
    const { inspection, rows, rejected } = await load(fileOf(text))
    expect([typesOf(inspection), rejected]).toEqual([['a DOUBLE', 'b DOUBLE'], []])
    expect(rows).toEqual([
      ['NaN', '1.0'],
      ['1.5', '-Infinity'],
      ['Infinity', '2.0'],
    ])
    const noted = inspection.tables[0]?.notes.filter(({ code }) => code === 'not-finite')
    expect(noted?.map(({ column, count }) => [column, count])).toEqual([
      ['a', 2],
      ['b', 1],
    ])
  })

  it('are numbers within others, too', async () => {
    const { inspection, rows } = await load(
      lines('{"s":{"x":NaN,"y":"NaN"},"l":[1,-Infinity]}', '{"s":{"x":2},"l":[]}'),
    )
    expect(typesOf(inspection)).toEqual(['s STRUCT(x DOUBLE, y VARCHAR)', 'l DOUBLE[]'])
    expect(rows).toEqual([
      ['{"x":"NaN","y":"NaN"}', '[1.0,"-Infinity"]'],
      ['{"x":2.0,"y":null}', '[]'],
    ])
  })

  it('are text among values of other kinds, which no JSON could be', async () => {
    const text = '[{"a":NaN,"b":{"c":1}},{"a":"x","b":{"c":[ Infinity ]}},{"a":5,"b":{}}]'
    const { inspection, rows, rejected } = await load(fileOf(text))
    expect([typesOf(inspection), rejected]).toEqual([['a VARCHAR', 'b STRUCT(c VARCHAR)'], []])
    expect(rows.map(([a]) => a)).toEqual(['NaN', 'x', '5'])
    expect(rows.map(([, b]) => b)).toEqual(['{"c":"1"}', '{"c":"[Infinity]"}', '{"c":null}'])
  })

  it('are no JSON: where that is wanted, their rows are rejected', async () => {
    const file = lines('{"a":NaN}', '{"a":{"b":-Infinity,"c":"N"}}', '{"a":["NaN"]}')
    const { settings } = await inspect(file)
    const { rows, rejected } = await readAll(file, settings, [
      { index: 0, source: 'a', name: 'a', type: parseType('JSON') },
    ])
    expect(rows).toEqual([['["NaN"]']])
    expect(rejected.map(({ row, value }) => [row, value])).toEqual([
      [1, 'NaN'],
      [2, '{"b":-Infinity,"c":"N"}'],
    ])
  })

  it.each(['csv', 'parquet', 'xlsx', 'json'] as const)('go to %s, and its receipt tells', async (target) => {
    const { result } = await convert(fileOf('[{"a":NaN,"b":1},{"a":2.50},{"a":-Infinity,"b":3}]'), target)
    const [receipt] = result.outputs[0]?.receipts ?? []
    expect(receipt).toMatchObject({ verdict: 'match', differences: [] })
    expect(receipt?.notes).toContainEqual(expect.objectContaining({ code: 'not-finite', column: 'a', count: 2 }))
    const changes = receipt?.changes.filter(({ column }) => column === 'a').map(({ code, count }) => [code, count])
    if (target === 'json') expect(changes).toContainEqual(['not-a-number-as-null', 2])
  })
})
