import type { ChartData, Range } from './chart-data.ts'

/** The range of a heat map's colors: the smallest and the largest value, including those of a chart beside it. */
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

/** The chart, with its colors on a common scale with the chart beside it, if both show the same measure. */
export function onOneScale(data: ChartData, beside: Ramp | null): ChartData {
  const own = rampOf(data)
  if (!own || own.measure !== beside?.measure) return data
  const range: Range = [Math.min(own.range[0], beside.range[0]), Math.max(own.range[1], beside.range[1])]
  return { ...data, range, notes: [...data.notes, 'Its colors are on one scale with those of the chart beside it.'] }
}
