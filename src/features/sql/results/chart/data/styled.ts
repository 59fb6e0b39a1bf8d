import type { ChartStyle } from '../../../types.ts'
import { inOrder } from '../model/labels.ts'
import type { ChartData } from './chart-data.ts'

/** Which of a style's choices a chart has. */
interface StyleChoices {
  /** Lines and dots: bars have their foot at 0, which a logarithm doesn't reach. */
  readonly scale: boolean
  /** Series on top of each other that add up to something. */
  readonly stack: boolean
  /** Beside each other: bars of values by themselves. */
  readonly beside: boolean
  /** Bars whose values have no order of their own. */
  readonly order: boolean
}

/** What can be chosen for a chart as it's drawn. */
export function styleChoices({ spec, series, x, y, byMeasure, right }: ChartData): StyleChoices {
  const isBar = spec.mark === 'bar'
  const adds = spec.aggregate === 'sum' || spec.aggregate === 'count'
  const stack = series.length > 1 && !byMeasure && adds && (isBar || spec.mark === 'area' || spec.mark === 'histogram')
  return {
    scale: (spec.mark === 'line' || spec.mark === 'scatter') && y.kind !== 'time' && !right,
    stack,
    beside: stack && isBar && x.kind === 'band',
    order: isBar && x.kind === 'band' && !x.ordered,
  }
}

/** A chart in a style: with the titles and the order that were chosen. What can't be is as it would be by itself, and said. */
export function styled(data: ChartData, style: ChartStyle | undefined): ChartData {
  if (!style) return data
  const can = styleChoices(data)
  const notes = [...data.notes]
  const log = style.scale === 'log' && can.scale
  const isPositive = data.points.every(({ value }) => value > 0)
  if (log && !isPositive) notes.push('A log scale has no place for 0 and less, so the scale is linear.')
  const share = style.stack === 'share' && can.stack
  const isNegative = data.points.some(({ value }) => value < 0)
  if (share && isNegative) notes.push('Shares can’t be drawn of values below 0, so they’re stacked.')
  const applied: ChartStyle = {
    ...style,
    scale: log && isPositive ? 'log' : 'linear',
    stack: share && !isNegative ? 'share' : style.stack === 'beside' && can.beside ? 'beside' : 'stacked',
  }
  const { domain } = data.x
  const ordered = style.order === 'name' ? inOrder([...domain]) : style.order === 'least' ? domain.toReversed() : domain
  return {
    ...data,
    spec: { ...data.spec, style: applied },
    x: { ...data.x, label: style.xTitle || data.x.label, domain: can.order ? ordered : domain },
    ...(data.spec.mark === 'heatmap'
      ? { y: { ...data.y, label: style.yTitle || data.y.label } }
      : { measure: style.yTitle || data.measure }),
    right: data.right && { ...data.right, label: style.rightTitle || data.right.label },
    notes,
  }
}
