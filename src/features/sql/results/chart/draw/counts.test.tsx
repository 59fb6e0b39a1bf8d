import { expect, test } from 'vitest'
import type { ChartSpec } from '../../../types.ts'
import { loadChart } from '../data/load.ts'
import { pageSource } from '../data/page-source.ts'
import { fieldsOf } from '../model/fields.ts'
import { resultOf } from '../testing.ts'
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

test('few rows are counted by whole ticks', async () => {
  const bars: ChartSpec = { mark: 'bar', x: 'region', y: null, aggregate: 'count', color: null }
  expect(await ticksOf(bars, 1600)).toEqual(['0', '1'])
  expect(await ticksOf(bars, 390)).toEqual(['0', '1'])
  const bins: ChartSpec = { mark: 'histogram', x: 'size', y: null, aggregate: 'count', color: null }
  expect(await ticksOf(bins, 1600)).toEqual(['0', '1', '2'])
})
