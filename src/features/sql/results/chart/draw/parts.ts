import type * as Plot from '@observablehq/plot'
import { formatCount } from '../../../../../ui/format.ts'
import { type Axis, type ChartData, type Point, isCount, OTHERS } from '../data/chart-data.ts'
import { placeNamer } from '../data/words.ts'
import { DAY } from '../model/bins.ts'
import { numberLabel, timeLabeler } from '../model/labels.ts'
import { OTHERS_COLOR, seriesColor } from './palette.ts'

/* Shared by charts of all kinds. */

export interface Size {
  /** CSS pixels. */
  readonly width: number
  readonly height: number
}

/** A point as Plot expects it: times are dates. */
export interface Mark {
  readonly x: number | string | Date
  readonly x2: number | Date | null
  readonly y: number | string | Date | null
  readonly y2: number | Date | null
  readonly value: number | Date
  readonly series: string
  /** For dots whose areas show a value. */
  readonly size: number
  readonly title: string
}

/** Room for names beside horizontal bars. */
export const NAME_ROOM = 180

export function colorOf(data: ChartData, series: string | null): string {
  if (series === null || data.series.length === 0) return seriesColor(0)
  if (series === OTHERS && data.series.at(-1) === OTHERS) return OTHERS_COLOR
  return seriesColor(data.series.indexOf(series))
}

export function marksOf(data: ChartData): Mark[] {
  const place = (value: number | string, axis: Axis): number | string | Date =>
    axis.kind === 'time' && typeof value === 'number' ? new Date(value) : value
  const end = (value: number | null, axis: Axis): number | Date | null =>
    axis.kind === 'time' && value !== null ? new Date(value) : value
  const tell = teller(data)
  return data.points.map((point) => ({
    x: place(point.x, data.x),
    x2: end(point.xEnd, data.x),
    y: point.y === null ? null : place(point.y, data.y),
    y2: end(point.yEnd, data.y),
    value: data.spec.mark === 'scatter' && data.y.kind === 'time' ? new Date(point.value) : point.value,
    series: point.series ?? '',
    size: point.size ?? 0,
    title: tell(point),
  }))
}

/** The tooltip of a point. */
function teller(data: ChartData): (point: Point) => string {
  const name = placeNamer(data.x, data.points, ({ x, xEnd }) => [x, xEnd])
  const down = placeNamer(data.y, data.points, ({ y, yEnd }) => [y ?? '', yEnd])
  const height = data.y.kind === 'time' ? timeLabeler(data.points.map(({ value }) => value)) : numberLabel
  return (point) =>
    [
      `${data.x.label}: ${name(point)}`,
      ...(point.y === null ? [] : [`${data.y.label}: ${down(point)}`]),
      ...(point.series === null || data.byMeasure ? [] : [`${data.seriesLabel}: ${point.series}`]),
      `${(data.byMeasure && point.series) || data.measure}: ${height(point.value)}`,
      ...(point.size === undefined ? [] : [`${data.sizeLabel}: ${numberLabel(point.size)}`]),
      ...(point.rows > 1 && !isCount(data) ? [`from ${formatCount(point.rows)} rows`] : []),
    ].join('\n')
}

/** Radius of the largest dot, in CSS pixels. */
export const MOST_RADIUS = 18

export const greatestSize = ({ points }: ChartData): number =>
  points.reduce((most, { size = 0 }) => Math.max(most, size), 0)

/** Dots for the legend, with what their areas mean, in descending order. */
export function keySizes(data: ChartData): readonly { readonly label: string; readonly radius: number }[] {
  const greatest = greatestSize(data)
  if (greatest === 0) return []
  const sizes = new Set([1, 1 / 4, 1 / 16].map((share) => Number((greatest * share).toPrecision(1))))
  return Array.from(sizes, (size) => ({ label: numberLabel(size), radius: MOST_RADIUS * Math.sqrt(size / greatest) }))
}

/** Left margin for an axis's longest number. */
export function marginOf(values: readonly number[]): number {
  const widest = values.reduce((most, value) => Math.max(most, numberLabel(Math.round(value)).length), 0)
  return Math.min(110, Math.max(48, 22 + widest * 7.5))
}

export function placeAxis(data: ChartData, { width }: Size): Plot.ScaleOptions {
  const { kind, domain, label } = data.x
  if (kind === 'time') return { type: 'utc', label, ...(isFewDays(data, width) ? { ticks: 'day' } : {}) }
  if (kind === 'number') return { label, tickFormat: numberLabel }
  const every = Math.ceil(domain.length / Math.max(1, Math.floor((width - 70) / (7.2 * shownLength(domain) + 12))))
  const ticks = domain.filter((_, i) => i % every === 0)
  return { type: data.spec.mark === 'bar' ? 'band' : 'point', domain: [...domain], label, ticks, tickFormat: shorten }
}

/** CSS pixels between two ticks of a time axis. */
const BETWEEN = 80

/** Whether the places are so few whole days that there'd be ticks at hours, which no value has. */
function isFewDays({ points }: ChartData, width: number): boolean {
  let [first, last] = [Infinity, -Infinity]
  for (const { x, xEnd } of points) {
    if (typeof x !== 'number' || x % DAY !== 0 || (xEnd ?? 0) % DAY !== 0) return false
    first = Math.min(first, x)
    last = Math.max(last, xEnd ?? x)
  }
  return ((last - first) / DAY) * BETWEEN < width
}

const SHOWN = 24
export const shownLength = (names: readonly string[]): number =>
  names.reduce((longest, name) => Math.max(longest, Math.min(SHOWN, name.length)), 1)
export const shorten = (name: unknown): string => {
  const text = String(name).replace(/\s+/g, ' ')
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text
}

export const tipOptions = { channels: {}, fontSize: 12, lineHeight: 1.35, textPadding: 9, pointerSize: 8 }

/** Sorts marks along the axis, so that lines don't go back and forth. */
export function inDomain(data: ChartData, marks: readonly Mark[]): Mark[] {
  if (data.x.kind !== 'band') return [...marks]
  const places = new Map(data.x.domain.map((name, i) => [name, i]))
  return marks.toSorted((a, b) => (places.get(String(a.x)) ?? 0) - (places.get(String(b.x)) ?? 0))
}

/**
 * Sorts marks by position, and adds a 0 wherever a series has no value at a position of another: stacked areas need all
 * of them.
 */
export function withZeros(marks: readonly Mark[]): Mark[] {
  const placeOf = ({ x }: Mark): string | number => (typeof x === 'string' ? x : Number(x))
  const places = [...new Map(marks.map((mark) => [placeOf(mark), mark])).values()]
  const there = new Set(marks.map((mark) => JSON.stringify([mark.series, placeOf(mark)])))
  const zeros = [...new Set(marks.map(({ series }) => series))].flatMap((series) =>
    places.flatMap((mark) =>
      there.has(JSON.stringify([series, placeOf(mark)])) ? [] : [{ ...mark, series, value: 0 }],
    ),
  )
  return [...marks, ...zeros].toSorted((a, b) => Number(a.x) - Number(b.x) || 0)
}
