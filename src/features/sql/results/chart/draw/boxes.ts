import * as Plot from '@observablehq/plot'
import { formatCount, plural } from '../../../../../ui/format.ts'
import type { ChartData } from '../data/chart-data.ts'
import type { BoxStats } from '../data/source.ts'
import { numberLabel } from '../model/labels.ts'
import { seriesColor } from './palette.ts'

/** Box plots from precomputed statistics: whiskers, box, median and the extreme outliers. */
export function boxMarks({ boxes, x }: ChartData, tip: Plot.TipOptions): Plot.Markish[] {
  const y = ({ key }: BoxStats): string => key ?? ''
  const color = seriesColor(0)
  const beyond = boxes.flatMap((box) => [
    ...(box.min < box.low ? [{ box, value: box.min }] : []),
    ...(box.max > box.high ? [{ box, value: box.max }] : []),
  ])
  return [
    Plot.ruleY(boxes, { y, x1: 'low', x2: 'high', stroke: 'currentColor', strokeOpacity: 0.75 }),
    Plot.barX(boxes, {
      y,
      x1: 'q1',
      x2: 'q3',
      fill: color,
      fillOpacity: 0.45,
      stroke: color,
      title: (box: BoxStats) => tell(box, x.label),
      tip,
    }),
    Plot.tickX(boxes, { y, x: 'median', stroke: 'currentColor', strokeWidth: 2.4 }),
    Plot.dot(beyond, { y: ({ box }) => y(box), x: 'value', stroke: 'currentColor', strokeOpacity: 0.75, r: 2.5 }),
  ]
}

function tell(box: BoxStats, label: string): string {
  const rows: readonly (readonly [string, number])[] = [
    ['Greatest', box.max],
    ['Upper whisker', box.high],
    ['Upper quartile', box.q3],
    ['Median', box.median],
    ['Lower quartile', box.q1],
    ['Lower whisker', box.low],
    ['Least', box.min],
  ]
  return [
    ...(box.key === null ? [] : [`${label}: ${box.key}`]),
    ...rows.map(([name, value]) => `${name}: ${numberLabel(value)}`),
    `${plural(box.rows, 'row')}, ${formatCount(box.outliers)} beyond the whiskers`,
  ].join('\n')
}
