import { expect, test } from 'vitest'
import { PLAIN_STYLE, type ChartSpec, type ChartStyle } from '../../../types.ts'
import { fieldsOf } from '../model/fields.ts'
import { resultOf } from '../testing.ts'
import type { ChartData } from './chart-data.ts'
import { loadChart } from './load.ts'
import { pageSource } from './page-source.ts'
import { styleChoices, styled } from './styled.ts'

const columns = [
  { name: 'region', type: 'VARCHAR' },
  { name: 'kind', type: 'VARCHAR' },
  { name: 'amount', type: 'INTEGER' },
]
const rows = [
  ['south', 'a', '5'],
  ['north', 'b', '3'],
  ['east', 'a', '9'],
  ['north', 'a', '1'],
]

function load(spec: Partial<ChartSpec>, given = rows): Promise<ChartData> {
  const result = resultOf(columns, given)
  const bars: ChartSpec = { mark: 'bar', x: 'region', y: 'amount', aggregate: 'sum', color: null }
  return loadChart({
    spec: { ...bars, ...spec },
    fields: fieldsOf(columns),
    source: pageSource(result),
    result,
    signal: new AbortController().signal,
  })
}
const style = (part: Partial<ChartStyle>): ChartStyle => ({ ...PLAIN_STYLE, ...part })

test('titles and the order of bars are applied', async () => {
  const data = await load({})
  expect(data.x.domain).toEqual(['east', 'south', 'north'])
  expect(styled(data, undefined)).toBe(data)
  expect(styled(data, style({ order: 'least' })).x.domain).toEqual(['north', 'south', 'east'])
  const named = styled(data, style({ order: 'name', xTitle: 'Where', yTitle: 'EUR' }))
  expect([named.x.domain, named.x.label, named.measure]).toEqual([['east', 'north', 'south'], 'Where', 'EUR'])
  expect(styled(data, PLAIN_STYLE).measure).toBe('Sum of amount')
})

test('shares and bars side by side are only for series that add up', async () => {
  const data = await load({ color: 'kind' })
  expect(styleChoices(data)).toEqual({ scale: false, stack: true, beside: true, order: true })
  expect(styled(data, style({ stack: 'share' })).spec.style?.stack).toBe('share')
  expect(styled(data, style({ stack: 'beside' })).spec.style?.stack).toBe('beside')
  expect(styleChoices(await load({ color: 'kind', aggregate: 'mean' })).stack).toBe(false)
  const negative = styled(await load({ color: 'kind' }, [...rows, ['west', 'b', '-2']]), style({ stack: 'share' }))
  expect(negative.spec.style?.stack).toBe('stacked')
  expect(negative.notes).toEqual(['Shares can’t be drawn of values below 0, so they’re stacked.'])
})

test('a logarithmic scale is only for lines and dots above 0', async () => {
  const line: Partial<ChartSpec> = { mark: 'line', x: 'region' }
  expect(styled(await load(line), style({ scale: 'log' })).spec.style?.scale).toBe('log')
  expect(styled(await load({}), style({ scale: 'log' })).spec.style?.scale).toBe('linear')
  const zero = styled(await load(line, [...rows, ['west', 'a', '0']]), style({ scale: 'log' }))
  expect([zero.spec.style?.scale, zero.notes]).toEqual([
    'linear',
    ['A log scale has no place for 0 and less, so the scale is linear.'],
  ])
  const right = { ...(await load(line)), right: { label: 'other', series: [] } }
  expect(styled(right, style({ scale: 'log' })).notes).toEqual(['A chart with two axes has no log scale.'])
})
