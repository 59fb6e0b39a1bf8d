import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ColumnStats } from '../../../../engine/client.ts'
import { isBinWithin, lineOf, placeOf, rangeOfBins } from './range.ts'

const stats = (min: string, max: string): ColumnStats => ({
  rows: 100,
  nulls: 0,
  distinct: null,
  min,
  max,
  mean: null,
  histogram: Array.from({ length: 20 }, () => 5),
  top: null,
})

describe('a brushed range', () => {
  test.each([
    ['INTEGER', '0', '1000', { from: '100', to: '250' }],
    ['DECIMAL(9,2)', '0.10', '2.10', { from: '0.3', to: '0.6' }],
    ['DOUBLE', '0', '0.02', { from: '0.002', to: '0.005' }],
    ['DATE', '2024-01-01', '2024-01-21', { from: '2024-01-03', to: '2024-01-06' }],
    [
      'TIMESTAMP',
      '2024-01-01 00:00:00',
      '2024-01-01 20:00:00',
      { from: '2024-01-01 02:00:00', to: '2024-01-01 05:00:00' },
    ],
    [
      'TIMESTAMP WITH TIME ZONE',
      '2024-01-01 02:00:00+02',
      '2024-01-01 20:00:00+00',
      { from: '2024-01-01 02:00:00+00', to: '2024-01-01 05:00:00+00' },
    ],
    ['TIME', '00:00:00', '20:00:00', { from: '02:00:00', to: '05:00:00' }],
  ])('%s has the bins’ edges', (type, min, max, range) => {
    const line = lineOf(type, stats(min, max))
    expect(line && rangeOfBins(line, 4, 2)).toEqual(range)
    expect(line && rangeOfBins(line, 0, 19)).toEqual({ from: min, to: max })
  })

  test('contains the brushed bins and no others', () => {
    const bin = fc.nat({ max: 19 })
    const ends = fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 100, max: 1e6 }))
    fc.assert(
      fc.property(ends, bin, bin, ([low, width], one, other) => {
        const line = lineOf('BIGINT', stats(String(low), String(low + width)))
        if (!line) throw new Error('no line')
        const range = rangeOfBins(line, one, other)
        const within = line.bins.flatMap((_, i) => (isBinWithin(line, i, range) ? [i] : []))
        const [first, last] = [Math.min(one, other), Math.max(one, other)]
        expect(within).toEqual(Array.from({ length: last - first + 1 }, (_, i) => first + i))
      }),
    )
  })

  test('needs ends with known positions', () => {
    expect(lineOf('DOUBLE', stats('-inf', '1'))).toBeNull()
    expect(lineOf('DATE', stats('0044-03-15 (BC)', '2024-01-01'))).toBeNull()
    expect(lineOf('INTEGER', stats('3', '3'))).toBeNull()
    expect(lineOf('INTEGER', null)).toBeNull()
    expect(placeOf('INTEGER', '')).toBeNull()
  })
})
