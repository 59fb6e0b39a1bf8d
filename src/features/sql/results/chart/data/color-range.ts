import type { ChartData, Range } from './chart-data.ts'

/** The range of a heat map's colors: the smallest and the largest value, including those of charts beside it. */
export function colorRange({ points, range }: ChartData): Range {
  if (range) return range
  let [low, high] = [Infinity, -Infinity]
  for (const { value } of points) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return low <= high ? [low, high] : [0, 0]
}

/** What a heat map's colors mean. */
export interface Ramp {
  readonly measure: string
  readonly range: Range
}

/** Null for other charts, or if nothing is drawn. */
export function rampOf(data: ChartData): Ramp | null {
  if (data.spec.mark !== 'heatmap' || data.points.length === 0) return null
  return { measure: data.measure, range: colorRange(data) }
}

/** The chart, with its colors on a common scale with the charts beside it that show the same measure. */
export function onOneScale(data: ChartData, beside: readonly Ramp[]): ChartData {
  const own = rampOf(data)
  const alike = beside.filter(({ measure }) => measure === own?.measure)
  if (!own || alike.length === 0) return data
  const all = [own, ...alike].map(({ range }) => range)
  const range: Range = [Math.min(...all.map(([low]) => low)), Math.max(...all.map(([, high]) => high))]
  const others = alike.length === 1 ? 'the chart beside it' : 'the charts beside it'
  return { ...data, range, notes: [...data.notes, `Its colors are on one scale with those of ${others}.`] }
}
