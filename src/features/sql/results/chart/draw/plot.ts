import * as Plot from '@observablehq/plot'
import type { ChartData } from '../data/chart-data.ts'
import { numberLabel } from '../model/labels.ts'
import { boxMarks } from './boxes.ts'
import { measureOptions } from './measures.ts'
import { rampColor } from './palette.ts'
import { colorRange } from '../data/color-range.ts'
import {
  colorOf,
  greatestSize,
  inDomain,
  marginOf,
  marksOf,
  MOST_RADIUS,
  NAME_ROOM,
  placeAxis,
  shorten,
  shownLength,
  tipOptions,
  withZeros,
  type Mark,
  type Size,
} from './parts.ts'

/** Draws a chart with CSS variables as colors, and with the text color of its parent. */
export function drawChart(data: ChartData, size: Size): Element {
  const options = optionsOf(data, size)
  const chart = Plot.plot({
    width: size.width,
    height: size.height,
    style: { background: 'none', fontFamily: 'inherit', fontSize: '12px', overflow: 'visible' },
    ...options,
    color: { type: 'identity' },
  })
  // Plot's default is white.
  chart.style.setProperty('--plot-background', 'var(--raised)')
  // The figure has a text description; screen readers would otherwise read hundreds of marks.
  chart.setAttribute('aria-hidden', 'true')
  return chart
}

function optionsOf(data: ChartData, size: Size): Plot.PlotOptions {
  const isAlong = data.spec.mark === 'bar' && data.x.kind !== 'band'
  if (data.right || (data.byMeasure && isAlong)) return measureOptions(data, size)
  switch (data.spec.mark) {
    case 'bar':
      return barOptions(data, size)
    case 'histogram':
      return upright(data, size, [binMarks(data)], true)
    case 'line':
      return upright(data, size, lineMarks(data), false)
    case 'area':
      return upright(data, size, areaMarks(data), true)
    case 'scatter':
      return {
        ...upright(data, size, scatterMarks(data), false),
        // Areas are proportional to values, so the radius scale is a square root.
        r: { type: 'sqrt', domain: [0, greatestSize(data) || 1], range: [0, MOST_RADIUS] },
      }
    case 'box':
      return boxOptions(data, size)
    case 'heatmap':
      return cellOptions(data, size)
  }
}

function valueAxis(data: ChartData): Plot.ScaleOptions {
  const ticks = ticksOf(data)
  return {
    label: data.measure,
    grid: true,
    nice: true,
    zero: data.spec.mark !== 'scatter' && data.spec.mark !== 'line',
    ...(data.y.kind === 'time' ? { type: 'utc', zero: false } : { tickFormat: isShare(data) ? '.0%' : numberLabel }),
    ...(ticks < ROOM ? { ticks } : {}),
    ...(data.spec.style?.scale === 'log' ? { type: 'log' } : {}),
  }
}

/** Number of ticks that usually fit. */
const ROOM = 10

/** Number of ticks of the value axis. For counts, no more than the largest count, so that they are integers. */
function ticksOf(data: ChartData, room = ROOM): number {
  const counts = data.spec.mark === 'histogram' || data.spec.aggregate === 'count'
  return counts && !isShare(data)
    ? heightsOf(data).reduce((most, value) => Math.max(most, Math.min(room, value)), 1)
    : room
}

const heightsOf = ({ points }: ChartData): number[] => points.map(({ value }) => value)

/** Whether series are stacked to 100 %. */
const isShare = (data: ChartData): boolean => data.spec.style?.stack === 'share' && isAdditive(data)

const stacking = (data: ChartData): Plot.StackOptions => ({
  order: [...data.series],
  ...(isShare(data) ? { offset: 'normalize' } : {}),
})

function upright(data: ChartData, size: Size, marks: Plot.Markish[], zero: boolean): Plot.PlotOptions {
  return {
    marginLeft: data.y.kind === 'time' ? 84 : marginOf(heightsOf(data)),
    marginBottom: 48,
    marginTop: 28,
    marginRight: 20,
    x: placeAxis(data, size),
    y: valueAxis(data),
    marks: [...marks, ...(zero ? [Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 })] : [])],
  }
}

function binMarks(data: ChartData): Plot.Markish {
  return Plot.rectY(
    marksOf(data),
    Plot.stackY(stacking(data), {
      x1: 'x',
      x2: 'x2',
      y: 'value',
      z: 'series',
      fill: ({ series }: Mark) => colorOf(data, data.series.length > 0 ? series : null),
      inset: 0.5,
      title: 'title',
      tip: tipOptions,
    }),
  )
}

function lineMarks(data: ChartData): Plot.Markish[] {
  const marks = marksOf(data)
  const stroke = ({ series }: Mark): string => colorOf(data, data.series.length > 0 ? series : null)
  const base = { x: 'x', y: 'value', z: 'series' }
  const ordered = inDomain(data, marks)
  return [
    Plot.lineY(ordered, { ...base, stroke, strokeWidth: 1.8 }),
    ...(marks.length <= 120 ? [Plot.dot(ordered, { ...base, fill: stroke, r: 2.6 })] : []),
    Plot.tip(ordered, Plot.pointerX({ ...base, title: 'title', ...tipOptions })),
  ]
}

function areaMarks(data: ChartData): Plot.Markish[] {
  const fill = ({ series }: Mark): string => colorOf(data, data.series.length > 0 ? series : null)
  const ordered = inDomain(data, marksOf(data))
  const base = { x: 'x', y: 'value', z: 'series', title: 'title' }
  if (!isAdditive(data)) {
    return [
      Plot.areaY(ordered, { ...base, y1: 0, y2: 'value', fill, fillOpacity: 0.22 }),
      Plot.lineY(ordered, { ...base, stroke: fill, strokeWidth: 1.8 }),
      Plot.tip(ordered, Plot.pointerX({ ...base, ...tipOptions })),
    ]
  }
  const stacked = Plot.stackY(stacking(data), { ...base, fill, fillOpacity: 0.88 })
  return [
    Plot.areaY(inDomain(data, withZeros(ordered)), stacked),
    Plot.tip(ordered, Plot.pointerX({ ...stacked, ...tipOptions })),
  ]
}

function scatterMarks(data: ChartData): Plot.Markish[] {
  const marks = marksOf(data)
  const stroke = ({ series }: Mark): string => colorOf(data, data.series.length > 0 ? series : null)
  const many = marks.length > 1000
  const sized = data.sizeLabel !== null
  return [
    Plot.dot(marks, {
      x: 'x',
      y: 'value',
      fill: stroke,
      fillOpacity: many || sized ? 0.4 : 0.65,
      // Small dots are visible mainly by their outline.
      ...(sized ? { r: 'size', stroke, strokeWidth: 1 } : { r: many ? 2 : 3.2 }),
      title: 'title',
      tip: tipOptions,
    }),
  ]
}

/** Whether a stack of the series is a meaningful total. */
function isAdditive({ spec, series, byMeasure }: ChartData): boolean {
  if (byMeasure) return false
  return series.length < 2 || spec.aggregate === 'sum' || spec.aggregate === 'count'
}

function barOptions(data: ChartData, size: Size): Plot.PlotOptions {
  if (data.x.kind !== 'band') {
    return upright(data, size, [binMarks(data)], true)
  }
  const fill = ({ series }: Mark): string => colorOf(data, data.series.length > 0 ? series : null)
  const beside = !isAdditive(data) || data.spec.style?.stack === 'beside'
  const marks = marksOf(data)
  const shared = { fill, title: 'title', tip: tipOptions }
  if (!isLying(data, size)) {
    const place = placeAxis(data, size)
    return {
      marginLeft: marginOf(heightsOf(data)),
      marginBottom: 48,
      marginTop: 28,
      ...(beside
        ? { fx: { ...place, type: 'band', padding: 0.15 }, x: { axis: null, domain: [...data.series] } }
        : { x: { ...place, padding: 0.18 } }),
      y: valueAxis(data),
      marks: [
        Plot.barY(
          marks,
          beside
            ? { fx: 'x', x: 'series', y: 'value', ...shared }
            : Plot.stackY(stacking(data), { x: 'x', y: 'value', z: 'series', ...shared }),
        ),
        Plot.ruleY([0], { stroke: 'currentColor', strokeOpacity: 0.5 }),
      ],
    }
  }
  const names = { type: 'band' as const, domain: [...data.x.domain], label: null, tickFormat: shorten }
  const room = Math.max(3, Math.floor(size.width / 110))
  return {
    marginLeft: Math.min(NAME_ROOM, 20 + 7.2 * shownLength(data.x.domain), size.width * 0.4),
    marginBottom: 48,
    marginTop: 16,
    marginRight: 28,
    ...(beside
      ? { fy: { ...names, padding: 0.15, axis: 'left' }, y: { axis: null, domain: [...data.series] } }
      : { y: { ...names, padding: 0.2, tickSize: 0 } }),
    x: { ...valueAxis(data), ticks: ticksOf(data, room) },
    marks: [
      Plot.barX(
        marks,
        beside
          ? { fy: 'x', y: 'series', x: 'value', ...shared }
          : Plot.stackX(stacking(data), { y: 'x', x: 'value', z: 'series', ...shared }),
      ),
      Plot.ruleX([0], { stroke: 'currentColor', strokeOpacity: 0.5 }),
    ],
  }
}

/** Bars are horizontal if their names don't fit side by side. Values with an order of their own stay vertical. */
function isLying({ x, right }: ChartData, { width }: Size): boolean {
  if (x.ordered || right) return false
  return x.domain.length * (7.2 * shownLength(x.domain) + 14) > width - 90
}

/** The height that the chart needs. */
export function heightOf(data: ChartData, width: number, wanted: number): number {
  if (data.spec.mark === 'bar' && data.x.kind === 'band' && isLying(data, { width, height: wanted })) {
    const each = isAdditive(data) && data.spec.style?.stack !== 'beside' ? 22 : 8 + 12 * data.series.length
    return Math.max(Math.min(wanted, 60 + data.x.domain.length * 48), 60 + data.x.domain.length * each)
  }
  if (data.spec.mark === 'heatmap' && data.y.kind === 'band') return Math.max(wanted, 60 + data.y.domain.length * 20)
  if (data.spec.mark === 'box')
    return Math.max(Math.min(wanted, 90 + data.boxes.length * 64), 80 + data.boxes.length * 24)
  return wanted
}

function boxOptions(data: ChartData, size: Size): Plot.PlotOptions {
  const domain = [...data.x.domain]
  return {
    marginLeft: data.x.label ? Math.min(NAME_ROOM, 20 + 7.2 * shownLength(domain), size.width * 0.4) : 20,
    marginBottom: 48,
    marginTop: 16,
    marginRight: 28,
    y: {
      type: 'band',
      domain,
      label: null,
      tickFormat: shorten,
      tickSize: 0,
      padding: 0.35,
      ...(data.x.label ? {} : { axis: null }),
    },
    x: {
      label: data.measure,
      grid: true,
      nice: true,
      tickFormat: numberLabel,
      ticks: Math.max(3, Math.floor(size.width / 110)),
    },
    marks: boxMarks(data, tipOptions),
  }
}

function cellOptions(data: ChartData, size: Size): Plot.PlotOptions {
  const [low, high] = colorRange(data)
  const marks = marksOf(data)
  const share = (value: number): number => (high > low ? (value - low) / (high - low) : 1)
  const fill = ({ value }: Mark): string => rampColor(share(Number(value)))
  const down = data.y.kind === 'band'
  const across = data.x.kind === 'band'
  const options = { fill, title: 'title', tip: tipOptions, inset: 0.5 }
  const yAxis = down
    ? {
        type: 'band' as const,
        domain: [...data.y.domain],
        tickFormat: shorten,
        tickSize: 0,
        padding: 0.02,
        label: data.y.label,
        // Beside the names there's no room for the axis label.
        labelAnchor: 'top' as const,
      }
    : { label: data.y.label, ...(data.y.kind === 'time' ? { type: 'utc' as const } : { tickFormat: numberLabel }) }
  const left = down ? Math.min(NAME_ROOM, 20 + 7.2 * shownLength(data.y.domain), size.width * 0.4) : 70
  const mark =
    across && down
      ? Plot.cell(marks, { x: 'x', y: 'y', ...options })
      : across
        ? Plot.barY(marks, { x: 'x', y1: 'y', y2: 'y2', ...options })
        : down
          ? Plot.barX(marks, { y: 'y', x1: 'x', x2: 'x2', ...options })
          : Plot.rect(marks, { x1: 'x', x2: 'x2', y1: 'y', y2: 'y2', ...options })
  const place = placeAxis(data, size)
  return {
    marginLeft: left,
    marginBottom: 48,
    marginTop: 28,
    x: across ? { ...place, type: 'band', padding: 0.02, tickSize: 0 } : place,
    y: yAxis,
    marks: [mark],
  }
}
