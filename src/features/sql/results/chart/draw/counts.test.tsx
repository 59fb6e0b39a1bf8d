import { expect, test } from 'vitest'
import type { ChartSpec } from '../../../types.ts'
import { loadChart } from '../data/load.ts'
import { pageSource } from '../data/page-source.ts'
import { fieldsOf } from '../model/fields.ts'
import { resultOf } from '../testing.ts'
import { keySizes } from './parts.ts'
import { drawChart } from './plot.ts'

const columns = [
  { name: 'region', type: 'VARCHAR' },
  { name: 'size', type: 'INTEGER' },
]
const result = resultOf(columns, [
  ['north', '1'],
  ['south', '2'],
  ['a region with so long a name that bars have to lie', '2'],
])

async function ticksOf(spec: ChartSpec, width: number): Promise<(string | null)[]> {
  const signal = new AbortController().signal
  const data = await loadChart({ spec, fields: fieldsOf(columns), source: pageSource(result), result, signal })
  const axis = width < 400 ? 'x' : 'y'
  const labels = drawChart(data, { width, height: 400 }).querySelectorAll(`[aria-label="${axis}-axis tick label"] text`)
  return Array.from(labels, ({ textContent }) => textContent)
}

test('areas of dots are proportional to their sizes, also in the legend', async () => {
  const values = [100, 25, 1, 50]
  const of = ['x', 'size'].map((name) => ({ name, type: 'INTEGER' }))
  const set = resultOf(of, [...values.map((value, i) => [`${i}`, `${value}`]), ['9', '0'], ['9', '-4']])
  const spec: ChartSpec = { mark: 'scatter', x: 'x', y: 'x', aggregate: 'none', color: null, size: 'size' }
  const signal = new AbortController().signal
  const data = await loadChart({ spec, fields: fieldsOf(of), source: pageSource(set), result: set, signal })
  const dots = drawChart(data, { width: 800, height: 400 }).querySelectorAll('[aria-label="dot"] circle')
  const areas = Array.from(dots, (dot) => Number(dot.getAttribute('r')) ** 2)
  const greatest = Math.max(...areas)
  const shares = areas.map((area) => Math.round((area / greatest) * 100))
  // Larger dots are behind smaller ones.
  expect(shares).toEqual([100, 50, 25, 1])
  expect(keySizes(data).map(({ label, radius }) => [label, Math.round((radius ** 2 / greatest) * 100)])).toEqual([
    ['100', 100],
    ['30', 30],
    ['6', 6],
  ])
})

test('small counts have integer ticks', async () => {
  const bars: ChartSpec = { mark: 'bar', x: 'region', y: null, aggregate: 'count', color: null }
  expect(await ticksOf(bars, 1600)).toEqual(['0', '1'])
  expect(await ticksOf(bars, 390)).toEqual(['0', '1'])
  const bins: ChartSpec = { mark: 'histogram', x: 'size', y: null, aggregate: 'count', color: null }
  expect(await ticksOf(bins, 1600)).toEqual(['0', '1', '2'])
})

test('a few days have a tick each, and none between them', async () => {
  const of = [
    { name: 'day', type: 'DATE' },
    { name: 'amount', type: 'INTEGER' },
  ]
  const line: ChartSpec = { mark: 'line', x: 'day', y: 'amount', aggregate: 'none', color: null }
  const ticks = async (...days: string[]): Promise<(string | null)[]> => {
    const set = resultOf(
      of,
      days.map((day, i) => [day, `${i}`]),
    )
    const signal = new AbortController().signal
    const data = await loadChart({ spec: line, fields: fieldsOf(of), source: pageSource(set), result: set, signal })
    const labels = drawChart(data, { width: 1000, height: 400 }).querySelectorAll(
      '[aria-label="x-axis tick label"] text',
    )
    return Array.from(labels, ({ textContent }) => textContent)
  }
  expect(await ticks('2024-01-01', '2024-01-02', '2024-01-04')).toEqual(['1Jan', '2', '3', '4'])
  expect(await ticks('2024-01-01', '2024-12-01')).toContain('Dec')
})
