import type { ChartStyle } from '../../../types.ts'
import { inOrder } from '../model/labels.ts'
import type { ChartData } from './chart-data.ts'

/** Which style choices apply to a chart. */
interface StyleChoices {
  /** For lines and dots. Bars begin at 0, which a logarithmic scale doesn't have. */
  readonly scale: boolean
  /** For series whose stack is a meaningful total. */
  readonly stack: boolean
  /** For bars of distinct values, which can be grouped side by side. */
  readonly beside: boolean
  /** For bars whose values have no order of their own. */
  readonly order: boolean
}

/** The style choices that apply to a chart. */
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

/** Applies titles and order. A choice that doesn't apply is ignored, with a note. */
export function styled(data: ChartData, style: ChartStyle | undefined): ChartData {
  if (!style) return data
  const can = styleChoices(data)
  const notes = [...data.notes]
  const log = style.scale === 'log' && can.scale
  const isPositive = data.points.every(({ value }) => value > 0)
  if (log && !isPositive) notes.push('A log scale has no place for 0 and less, so the scale is linear.')
  if (style.scale === 'log' && data.right) notes.push('A chart with two axes has no log scale.')
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
