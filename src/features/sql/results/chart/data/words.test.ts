import { expect, test } from 'vitest'
import { PLAIN_STYLE, type ChartSpec } from '../../../types.ts'
import { fieldsOf } from '../model/fields.ts'
import { resultOf } from '../testing.ts'
import type { ChartData } from './chart-data.ts'
import { loadChart } from './load.ts'
import { pageSource } from './page-source.ts'
import { sampleRows } from './rows.ts'
import { styled } from './styled.ts'
import { summaryOf, tableOf } from './words.ts'

const columns = [
  { name: 'region', type: 'VARCHAR' },
  { name: 'day', type: 'DATE' },
  { name: 'amount', type: 'DECIMAL(10,2)' },
]
const result = resultOf(columns, [
  ['north', '2024-01-01', '1.50'],
  ['south', '2024-01-02', '1200.00'],
  ['north', '2024-01-02', '2.50'],
  ['east', '2024-01-03', null],
])

function load(spec: ChartSpec): Promise<ChartData> {
  const source = pageSource(result)
  return loadChart({ spec, fields: fieldsOf(columns), source, result, signal: new AbortController().signal })
}

test('bars are listed with the greatest first', async () => {
  const data = await load({ mark: 'bar', x: 'region', y: 'amount', aggregate: 'sum', color: null })
  expect(summaryOf(data)).toBe('Bar chart: Sum of amount by region, 2 points. Greatest: south, 1,200. Least: north, 4.')
  expect(tableOf(data)).toEqual({
    columns: [
      { label: 'region', isNumber: false },
      { label: 'Sum of amount', isNumber: true },
      { label: 'Rows', isNumber: true },
    ],
    rows: [
      ['south', '1,200', '1'],
      ['north', '4', '2'],
    ],
  })
  expect(data.notes).toEqual(['1 row isn’t drawn: amount is null in 1.'])
})

test('the summary rounds, the table doesn’t', async () => {
  const set = resultOf(columns, [['north', '2024-01-01', '1234567.89']])
  const data = await loadChart({
    spec: { mark: 'bar', x: 'region', y: 'amount', aggregate: 'sum', color: null },
    fields: fieldsOf(columns),
    source: pageSource(set),
    result: set,
    signal: new AbortController().signal,
  })
  expect(tableOf(data).rows).toEqual([['north', '1,234,567.89']])
  expect(summaryOf(data)).toContain('north, 1,234,570.')
})

test('the table doesn’t round positions either, along a line or for single points', async () => {
  const of = [
    { name: 'x', type: 'DOUBLE' },
    { name: 'y', type: 'DOUBLE' },
  ]
  const set = resultOf(of, [
    ['1234567.89', '1'],
    ['0.123456789', '2'],
  ])
  const fields = fieldsOf(of)
  const request = { fields, source: pageSource(set), result: set, signal: new AbortController().signal }
  const dots: ChartSpec = { mark: 'scatter', x: 'x', y: 'y', aggregate: 'none', color: null }
  expect(tableOf(await loadChart({ ...request, spec: dots })).rows).toEqual([
    ['0.123456789', '2'],
    ['1,234,567.89', '1'],
  ])
  const bars: ChartSpec = { mark: 'bar', x: 'x', y: 'y', aggregate: 'sum', color: null }
  expect(tableOf(await loadChart({ ...request, spec: bars })).rows).toEqual([
    ['0.123456789', '2'],
    ['1234567.89', '1'],
  ])
})

test('a sum of decimals is an exact decimal in each chart', async () => {
  const set = resultOf(columns, [
    ['north', '2024-01-01', '0.10'],
    ['north', '2024-01-01', '0.20'],
  ])
  const request = { fields: fieldsOf(columns), source: pageSource(set), result: set }
  const spec: ChartSpec = { mark: 'bar', x: 'region', y: 'amount', aggregate: 'sum', color: null }
  const more = [{ y: 'amount', aggregate: 'max' as const, right: false }]
  for (const each of [spec, { ...spec, more }]) {
    const data = await loadChart({ ...request, spec: each, signal: new AbortController().signal })
    expect(data.points[0]?.value).toBe(0.3)
  }
})

test('digits that a double doesn’t have are reported as rounded', async () => {
  const notesOf = async (
    type: string,
    values: string | readonly string[],
    aggregate: ChartSpec['aggregate'] = 'sum',
    more: ChartSpec['more'] = [],
  ): Promise<readonly string[]> => {
    const of = [
      { name: 'k', type: 'VARCHAR' },
      { name: 'v', type },
    ]
    const rows = [values].flat().map((value) => ['a', value])
    const set = resultOf(of, rows)
    const mark = aggregate === 'none' ? 'line' : 'bar'
    const spec: ChartSpec = { mark, x: 'k', y: 'v', aggregate, color: null, more }
    const request = { spec, fields: fieldsOf(of), source: pageSource(set), result: set }
    return (await loadChart({ ...request, signal: new AbortController().signal })).notes
  }
  const rounded = ['v has numbers of more than 15 digits, which a chart and its table round.']
  expect(await notesOf('BIGINT', '-9007199254740993')).toEqual(rounded)
  expect(await notesOf('BIGINT', '9007199254740993', 'none')).toEqual(rounded)
  expect(await notesOf('DECIMAL(18,3)', '123456789012345.678')).toEqual(rounded)
  expect(await notesOf('DECIMAL(18,3)', '1234567890.123')).toEqual([])
  expect(await notesOf('BIGINT', '9007199254740991')).toEqual([])
  expect(await notesOf('DOUBLE', '1e300')).toEqual([])
  const sums = 'v has sums of more than 15 digits, which a chart and its table round.'
  const half = '4503599627370497'
  expect(await notesOf('BIGINT', [half, half])).toEqual([sums])
  expect(await notesOf('DECIMAL(18,3)', ['-9000000000000.001', '-9000000000000.002'])).toEqual([sums])
  expect(await notesOf('BIGINT', [half, half], 'max', [{ y: 'v', aggregate: 'sum', right: false }])).toEqual([
    `For Sum of v, ${sums}`,
  ])
  expect(await notesOf('BIGINT', [half, half], 'max')).toEqual([])
  expect(await notesOf('BIGINT', [half, `-${half}`])).toEqual([])
  // Those are told of anyway.
  expect(await notesOf('BIGINT', ['9007199254740993', '1'])).toEqual(rounded)
  expect(await notesOf('DOUBLE', ['9e15', '9e15'])).toEqual([])
})

test('counts are in the table once, whatever their axis is called', async () => {
  const data = await load({ mark: 'bar', x: 'region', y: null, aggregate: 'count', color: null })
  expect(tableOf(styled(data, { ...PLAIN_STYLE, yTitle: 'Orders' }))).toEqual({
    columns: [
      { label: 'region', isNumber: false },
      { label: 'Orders', isNumber: true },
    ],
    rows: [
      ['north', '2'],
      ['east', '1'],
      ['south', '1'],
    ],
  })
})

test('dots are listed with the size that they show', async () => {
  const data = await load({ mark: 'scatter', x: 'amount', y: 'amount', aggregate: 'none', color: null, size: 'amount' })
  expect(summaryOf(data)).toBe(
    'Scatter chart: amount against amount, sized by amount, 3 points. ' +
      'Greatest: 1,200, 1,200, 1,200. Least: 1.5, 1.5, 1.5.',
  )
  expect(tableOf(data).rows.at(-1)).toEqual(['1,200', '1,200', '1,200'])
})

test('a line is listed by series, in order of time', async () => {
  const data = await load({ mark: 'line', x: 'day', y: 'amount', aggregate: 'none', color: 'region' })
  expect(summaryOf(data)).toMatch(
    /^Line chart: amount along day, split by region, 3 points\. Greatest: 2024-01-02, south, 1,200\./,
  )
  expect(tableOf(data).rows).toEqual([
    ['2024-01-01', 'north', '1.5'],
    ['2024-01-02', 'north', '2.5'],
    ['2024-01-02', 'south', '1,200'],
  ])
})

test('the summary names a day like the table, also on 1 January', async () => {
  const data = await load({ mark: 'line', x: 'day', y: 'amount', aggregate: 'sum', color: null })
  expect(summaryOf(data)).toContain('Greatest: 2024-01-02, 1,202.5. Least: 2024-01-01, 1.5.')
})

test('bins are listed with their ends, and boxes with all that they show', async () => {
  const bins = await load({ mark: 'histogram', x: 'amount', y: null, aggregate: 'count', color: null })
  expect(tableOf(bins).rows).toEqual([
    ['0 to 50', '2'],
    ['1,200 to 1,250', '1'],
  ])
  const boxes = await load({ mark: 'box', x: 'region', y: 'amount', aggregate: 'none', color: null })
  expect(summaryOf(boxes)).toBe('Box chart: amount by region, 2 boxes of 3 rows.')
  expect(tableOf(boxes).rows[0]).toEqual(['north', '2', '1.5', '1.5', '1.75', '2', '2.25', '2.5', '2.5', '0'])
})

test('a sample has one row of each part, and is always the same', () => {
  const rows = [...sampleRows(1003, 100)]
  expect(rows).toHaveLength(100)
  expect(rows).toEqual([...sampleRows(1003, 100)])
  for (const [part, row] of rows.entries()) {
    expect(row).toBeGreaterThanOrEqual(Math.floor((part * 1003) / 100))
    expect(row).toBeLessThan(Math.floor(((part + 1) * 1003) / 100))
  }
  expect([...sampleRows(3, 100)]).toEqual([0, 1, 2])
})
