import * as Plot from '@observablehq/plot'
import type { ChartData } from '../data/chart-data.ts'
import { numberBins } from '../model/bins.ts'
import { numberLabel } from '../model/labels.ts'
import { colorOf, inDomain, marginOf, marksOf, placeAxis, tipOptions, type Mark, type Size } from './parts.ts'

/* Several measures, some of which may use a second axis on the right. */

/** Maps the right axis to the left one. */
interface Axes {
  readonly toLeft: (value: number) => number
  readonly fromLeft: (value: number) => number
}

type Range = readonly [low: number, high: number]

/** Maps the right axis's range to the left one's, with a common 0 if the chart starts at 0. */
export function axesOver(left: readonly number[], right: readonly number[], fromZero: boolean): Axes {
  const [l, r] = [rangeOf(left, fromZero), rangeOf(right, fromZero)]
  const share = (l[1] - l[0]) / (r[1] - r[0])
  return { toLeft: (value) => l[0] + (value - r[0]) * share, fromLeft: (value) => r[0] + (value - l[0]) / share }
}

function rangeOf(values: readonly number[], fromZero: boolean): Range {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity)
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity)
  if (low > high) return fromZero ? [-1, 1] : [0, 1]
  if (fromZero) {
    const size = Math.max(Math.abs(low), Math.abs(high)) || 1
    return [-size, size]
  }
  const room = Math.abs(low) * 0.1 || 1
  return low === high ? [low - room, high + room] : [low, high]
}

/** Marks of a chart with a right axis, or with several measures as bars along a numeric or time axis. */
export function measureOptions(data: ChartData, size: Size): Plot.PlotOptions {
  const onRight = (series: string | null): boolean => data.right?.series.includes(series ?? '') ?? false
  const valuesOf = (side: boolean): number[] =>
    data.points.filter(({ series }) => onRight(series) === side).map(({ value }) => value)
  const [left, right] = [valuesOf(false), valuesOf(true)]
  const fromZero = data.spec.mark !== 'line'
  const { toLeft, fromLeft } = axesOver(left, right, fromZero)
  const marks = inDomain(data, marksOf(data)).map((mark) =>
    onRight(mark.series) ? { ...mark, value: toLeft(Number(mark.value)) } : mark,
  )
  const heights = [...marks.map(({ value }) => Number(value)), ...(fromZero ? [0] : [])]
  const [low, high] = rangeOf(heights, false)
  const domain = Plot.scale({ y: { type: 'linear', domain: [low, high], nice: true } }).domain as [number, number]
  const room = { marginLeft: marginOf(left), marginRight: data.right ? marginOf(right) : 20 }
  const own = (side: boolean): Mark[] => marks.filter(({ series }) => onRight(series) === side)
  return {
    ...room,
    marginBottom: 48,
    marginTop: 28,
    x: { ...placeAxis(data, size), ...(data.x.kind === 'band' ? { padding: 0.18 } : {}) },
    y: { type: 'linear', domain },
    marks: [
      Plot.gridY(),
      Plot.axisY({ label: clipped(data.measure, size), tickFormat: numberLabel }),
      ...(data.right ? [rightAxis(clipped(data.right.label, size), domain, toLeft, fromLeft)] : []),
      ...leftMarks(data, own(false), { ...size, ...room }),
      ...lines(data, own(true), true),
      ...(fromZero ? [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 })] : []),
    ],
  }
}

/** Both axis titles are above the chart, so each gets half of its width. */
const clipped = (label: string, { width }: Size): string => {
  const length = Math.max(8, Math.floor(width / 2 / 7.2) - 3)
  return label.length > length ? `${label.slice(0, length - 1)}…` : label
}

function rightAxis(label: string, domain: Range, toLeft: Axes['toLeft'], fromLeft: Axes['fromLeft']): Plot.Markish {
  const [low, high] = [fromLeft(domain[0]), fromLeft(domain[1])]
  const { step } = numberBins(low, high, 6, false)
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step)
  const names = new Map(ticks.map((tick) => [toLeft(tick), numberLabel(Number(tick.toPrecision(12)))]))
  return Plot.axisY([...names.keys()], {
    anchor: 'right',
    label,
    tickFormat: (at: number) => names.get(at) ?? '',
  })
}

function leftMarks(data: ChartData, marks: readonly Mark[], size: Size & Room): Plot.Markish[] {
  if (data.spec.mark === 'bar') return bars(data, marks, size)
  const areas =
    data.spec.mark === 'area'
      ? [
          Plot.areaY(marks, {
            ...BASE,
            y1: 0,
            y2: 'value',
            fill: ({ series }: Mark) => colorOf(data, series),
            fillOpacity: 0.22,
          }),
        ]
      : []
  return [...areas, ...lines(data, marks, false)]
}

const BASE = { x: 'x', y: 'value', z: 'series' }

/** Lines; dashed ones for the right axis. */
function lines(data: ChartData, marks: readonly Mark[], dashed: boolean): Plot.Markish[] {
  const stroke = ({ series }: Mark): string => colorOf(data, series)
  const middle = marks.map((mark) => ({ ...mark, x: data.spec.mark === 'bar' ? middleOf(mark) : mark.x }))
  return [
    Plot.lineY(middle, { ...BASE, stroke, strokeWidth: 1.8, ...(dashed ? { strokeDasharray: '6 3' } : {}) }),
    ...(marks.length <= 120 ? [Plot.dot(middle, { ...BASE, fill: stroke, r: 2.6 })] : []),
    Plot.tip(middle, Plot.pointer({ ...BASE, title: 'title', ...tipOptions })),
  ]
}

/** The middle of a bin. */
function middleOf({ x, x2 }: Mark): Mark['x'] {
  if (x2 === null || typeof x === 'string') return x
  const middle = (Number(x) + Number(x2)) / 2
  return x instanceof Date ? new Date(middle) : middle
}

interface Room {
  readonly marginLeft: number
  readonly marginRight: number
}

/** One bar per measure, side by side at each position. */
function bars(
  data: ChartData,
  marks: readonly Mark[],
  { width, marginLeft, marginRight }: Size & Room,
): Plot.Markish[] {
  const series = data.series.filter((name) => !data.right?.series.includes(name))
  const count = series.length
  const range = [marginLeft, width - marginRight]
  const band =
    data.x.kind === 'band'
      ? (Plot.scale({ x: { type: 'band', domain: [...data.x.domain], padding: 0.18, range } }).bandwidth ?? 0)
      : 0
  return series.map((name, i) => {
    const own = marks.filter((mark) => mark.series === name)
    const look = { y: 'value', fill: colorOf(data, name), title: 'title', tip: tipOptions }
    if (data.x.kind === 'band') {
      const [before, after] = [(band * i) / count, (band * (count - 1 - i)) / count]
      return Plot.barY(own, { x: 'x', insetLeft: before, insetRight: after, ...look })
    }
    const at = ({ x, x2 }: Mark, share: number): number | Date => {
      const place = Number(x) + (Number(x2 ?? x) - Number(x)) * share
      return x instanceof Date ? new Date(place) : place
    }
    const edges = { x1: (mark: Mark) => at(mark, i / count), x2: (mark: Mark) => at(mark, (i + 1) / count) }
    return Plot.rectY(own, { ...edges, insetLeft: 0.5, insetRight: 0.5, ...look })
  })
}
