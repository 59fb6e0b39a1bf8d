import { expect, test } from 'vitest'
import type { ChartSpec } from '../../../types.ts'
import { fieldsOf } from '../model/fields.ts'
import { resultOf, type Texts } from '../testing.ts'
import type { ChartData } from './chart-data.ts'
import { loadChart } from './load.ts'
import { pageSource } from './page-source.ts'
import { styleChoices } from './styled.ts'
import { summaryOf, tableOf } from './words.ts'

const columns = [
  { name: 'month', type: 'DATE' },
  { name: 'region', type: 'VARCHAR' },
  { name: 'revenue', type: 'DOUBLE' },
  { name: 'rate', type: 'DOUBLE' },
]
const rows: Texts = [
  ['2024-01-01', 'north', '100', '0.5'],
  ['2024-01-01', 'south', '50', null],
  ['2024-02-01', 'north', null, '0.25'],
  ['2024-03-01', 'east', '70', '0.125'],
]
const bars: ChartSpec = {
  mark: 'bar',
  x: 'region',
  y: 'revenue',
  aggregate: 'sum',
  color: null,
  more: [{ y: 'rate', aggregate: 'mean', right: true }],
}

function load(spec: Partial<ChartSpec>, given = rows): Promise<ChartData> {
  const result = resultOf(columns, given)
  return loadChart({
    spec: { ...bars, ...spec },
    fields: fieldsOf(columns),
    source: pageSource(result),
    result,
    signal: new AbortController().signal,
  })
}

test('each measure uses the rows that have a value of it, at common positions', async () => {
  const data = await load({})
  expect(data.series).toEqual(['Sum of revenue', 'Mean of rate (right axis)'])
  expect([data.measure, data.right]).toEqual([
    'Sum of revenue',
    { label: 'Mean of rate (right axis)', series: ['Mean of rate (right axis)'] },
  ])
  // Ordered by the first measure, the greatest first.
  expect(data.x.domain).toEqual(['north', 'east', 'south'])
  expect(tableOf(data)).toEqual({
    columns: [
      { label: 'region', isNumber: false },
      { label: 'Measure', isNumber: false },
      { label: 'Value', isNumber: true },
      { label: 'Rows', isNumber: true },
    ],
    rows: [
      ['north', 'Sum of revenue', '100', '1'],
      ['north', 'Mean of rate (right axis)', '0.375', '2'],
      ['east', 'Sum of revenue', '70', '1'],
      ['east', 'Mean of rate (right axis)', '0.125', '1'],
      ['south', 'Sum of revenue', '50', '1'],
    ],
  })
  expect(data.notes).toEqual([
    'For Sum of revenue, 1 row isn’t drawn: revenue is null in 1.',
    'For Mean of rate (right axis), 1 row isn’t drawn: rate is null in 1.',
  ])
  expect(summaryOf(data)).toBe(
    'Bar chart: Sum of revenue, Mean of rate (right axis) by region, 5 points. Greatest: north, Sum of revenue, 100. Least: east, Mean of rate (right axis), 0.125.',
  )
  expect(styleChoices(data)).toMatchObject({ stack: false, scale: false, order: true })
})

test('a measure without any value doesn’t affect the others', async () => {
  const none = rows.map(([month = null, region = null, , rate = null]) => [month, region, null, rate])
  const data = await load({}, none)
  expect(data.points.map(({ x, series, value }) => [x, series, value])).toEqual([
    ['north', 'Mean of rate (right axis)', 0.375],
    ['east', 'Mean of rate (right axis)', 0.125],
  ])
  expect((await load({}, [])).points).toEqual([])
})

test('lines of single rows, and two measures of one column, have unique names', async () => {
  const raw = await load({
    mark: 'line',
    x: 'month',
    aggregate: 'none',
    more: [{ y: 'rate', aggregate: 'none', right: false }],
  })
  expect([raw.series, raw.measure, raw.right]).toEqual([['revenue', 'rate'], 'revenue, rate', null])
  expect(tableOf(raw).rows).toHaveLength(6)
  expect(styleChoices(raw).scale).toBe(true)
  const two = await load({ more: [{ y: 'revenue', aggregate: 'max', right: false }] })
  expect(two.series).toEqual(['Sum of revenue', 'Greatest of revenue'])
  const times = await load({ x: 'month', more: [{ y: 'rate', aggregate: 'sum', right: false }] })
  expect(times.x.domain).toEqual(['2024-01', '2024-02', '2024-03'])
})
