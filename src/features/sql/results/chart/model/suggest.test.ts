import { describe, expect, test } from 'vitest'
import type { Sample } from './fields.ts'
import { suggestChart } from './suggest.ts'

type Column = readonly [name: string, type: string, values: readonly (string | null)[]]

function suggested(...columns: readonly Column[]): ReturnType<typeof suggestChart> {
  const rows = Math.max(...columns.map(([, , values]) => values.length))
  const sample: Sample = Array.from({ length: rows }, (_, row) => columns.map(([, , values]) => values[row] ?? null))
  return suggestChart(
    columns.map(([name, type]) => ({ name, type })),
    sample,
  )
}

const times = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i))
const ids: Column = ['order_id', 'BIGINT', times(40, String)]
const days: Column = ['day', 'DATE', times(40, (i) => `2024-01-${String((i % 28) + 1).padStart(2, '0')}`)]
const revenue: Column = ['revenue', 'DOUBLE', times(40, (i) => String(i * 3.5))]
const price: Column = ['unit_price', 'DECIMAL(10,2)', times(40, (i) => `${i}.50`)]
const region: Column = ['region', 'VARCHAR', times(40, (i) => ['north', 'south', 'east', 'west'][i % 4] ?? '')]
const channel: Column = ['channel', 'VARCHAR', times(40, (i) => ['web', 'store', 'phone'][i % 3] ?? '')]

describe('suggestChart', () => {
  test('time and number suggest a line, colored by a few categories if times repeat', () => {
    expect(suggested(days, revenue)).toEqual({ mark: 'line', x: 'day', y: 'revenue', aggregate: 'sum', color: null })
    expect(suggested(ids, region, days, revenue)).toMatchObject({
      mark: 'line',
      x: 'day',
      y: 'revenue',
      color: 'region',
    })
    expect(suggested(['year', 'INTEGER', times(20, (i) => String(2000 + i))], revenue)).toMatchObject({
      mark: 'line',
      x: 'year',
    })
  })

  test('category and number suggest bars, with prices averaged', () => {
    expect(suggested(region, revenue)).toEqual({
      mark: 'bar',
      x: 'region',
      y: 'revenue',
      aggregate: 'sum',
      color: null,
    })
    expect(suggested(region, price)).toMatchObject({ mark: 'bar', aggregate: 'mean' })
  })

  test('two categories and a number suggest a heat map', () => {
    expect(suggested(region, channel, revenue)).toEqual({
      mark: 'heatmap',
      x: 'channel',
      y: 'region',
      aggregate: 'sum',
      color: 'revenue',
    })
  })

  test('two numbers suggest a scatter plot, one a histogram, and a category alone counts', () => {
    expect(suggested(revenue, price)).toEqual({
      mark: 'scatter',
      x: 'revenue',
      y: 'unit_price',
      aggregate: 'none',
      color: null,
    })
    expect(suggested(revenue)).toEqual({ mark: 'histogram', x: 'revenue', y: null, aggregate: 'count', color: null })
    expect(suggested(region)).toEqual({ mark: 'bar', x: 'region', y: null, aggregate: 'count', color: null })
  })

  test.each(['id', 'customer_id', 'orderId', 'zip', 'Product Code', 'phone'])('%s isn’t a measure', (name) => {
    expect(suggested([name, 'BIGINT', times(40, (i) => String(i * 17))], revenue)).toMatchObject({
      mark: 'histogram',
      x: 'revenue',
    })
  })

  test('row numbers aren’t measures, but columns whose names end like an id may be', () => {
    expect(suggested(['i', 'BIGINT', times(9, String)], revenue)).toMatchObject({ mark: 'histogram', x: 'revenue' })
    expect(suggested(['paid', 'BIGINT', times(9, (i) => String(i * i))], region)).toMatchObject({
      mark: 'bar',
      y: 'paid',
    })
  })

  test('nothing is suggested if nothing can be drawn', () => {
    expect(suggested(['tags', 'VARCHAR[]', ['[a]']], ['point', 'STRUCT(x INTEGER)', ['{x: 1}']])).toBeNull()
    expect(suggestChart([], [])).toBeNull()
  })

  test('a column without values is neither measure, category nor time', () => {
    const nothing = (name: string, type: string): Column => [name, type, times(40, () => null)]
    const empty = [nothing('at', 'TIMESTAMP'), nothing('kind', 'VARCHAR'), nothing('profit', 'DOUBLE')]
    expect(suggested(...empty, region, revenue)).toEqual(suggested(region, revenue))
    expect(suggested(...empty, revenue)).toEqual(suggested(revenue))
    expect(suggested(nothing('profit', 'DOUBLE'), nothing('cost', 'DOUBLE'))).toMatchObject({ mark: 'scatter' })
  })

  test('a result without rows still has columns', () => {
    expect(suggested(['n', 'DOUBLE', []])).toMatchObject({ mark: 'histogram' })
  })
})
