import { formatCount, formatExact, plural } from '../../../../../ui/format.ts'
import { MARKS } from '../model/choices.ts'
import { numberLabel, timeLabeler } from '../model/labels.ts'
import { isCount, type Axis, type ChartData, type Point } from './chart-data.ts'

/* A chart as text and as a table, for people who can't see it. */

/** `Bar chart: Sum of revenue by region, 5 bars. Greatest: north, 1,204. Least: east, 12.` */
export function summaryOf(data: ChartData): string {
  const { spec, points, boxes, measure, x, y, seriesLabel } = data
  const name =
    `${MARKS.find(({ mark }) => mark === spec.mark)?.label ?? ''} ${spec.mark === 'heatmap' ? '' : 'chart'}`.trim()
  if (spec.mark === 'box') {
    const by = x.label ? ` by ${x.label}` : ''
    return `${name}: ${measure}${by}, ${plural(boxes.length, 'box', 'boxes')} of ${plural(data.drawn, 'row')}.`
  }
  if (points.length === 0) return `${name}: nothing to draw.`
  const along = spec.mark === 'heatmap' ? `${x.label} and ${y.label}` : x.label
  const what = data.byMeasure ? data.series.join(', ') : measure
  const split = seriesLabel && !data.byMeasure ? `, split by ${seriesLabel}` : ''
  const sized = data.sizeLabel === null ? '' : `, sized by ${data.sizeLabel}`
  const relation = spec.mark === 'scatter' ? 'against' : spec.mark === 'line' || spec.mark === 'area' ? 'along' : 'by'
  return `${name}: ${what} ${relation} ${along}${split}${sized}, ${plural(points.length, 'point')}. ${extremes(data)}`
}

function extremes(data: ChartData): string {
  const { points } = data
  let [least, most] = [points[0], points[0]]
  for (const point of points) {
    if (point.value < (least?.value ?? 0)) least = point
    if (point.value > (most?.value ?? 0)) most = point
  }
  if (!least || !most) return ''
  const cellsOf = cellsOfPoints(data, numberLabel)
  const [first, second] = [most, least].map((point) => cellsOf(point).join(', '))
  return points.length === 1 ? `${first}.` : `Greatest: ${first}. Least: ${second}.`
}

interface TextTable {
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[]
  readonly rows: readonly (readonly string[])[]
}

const BOX = [
  'Rows',
  'Least',
  'Lower whisker',
  'Lower quartile',
  'Median',
  'Upper quartile',
  'Upper whisker',
  'Greatest',
  'Beyond the whiskers',
]

const exactLabel = (value: number): string => formatExact(String(value))

/** The chart's data in its order. Values have all of their digits. */
export function tableOf(data: ChartData): TextTable {
  const { x, y, measure, series, seriesLabel, spec, points, boxes } = data
  if (spec.mark === 'box') {
    return {
      columns: [
        ...(x.label ? [{ label: x.label, isNumber: false }] : []),
        ...BOX.map((label) => ({ label, isNumber: true })),
      ],
      rows: boxes.map((box) => [
        ...(x.label ? [box.key ?? ''] : []),
        formatCount(box.rows),
        ...[box.min, box.low, box.q1, box.median, box.q3, box.high, box.max].map(exactLabel),
        formatCount(box.outliers),
      ]),
    }
  }
  const isCells = spec.mark === 'heatmap'
  const cellsOf = cellsOfPoints(data, exactLabel)
  const showsRows = !isCount(data) && points.some(({ rows }) => rows > 1)
  return {
    columns: [
      { label: x.label, isNumber: x.kind === 'number' },
      ...(isCells ? [{ label: y.label, isNumber: y.kind === 'number' }] : []),
      ...(seriesLabel ? [{ label: seriesLabel, isNumber: false }] : []),
      { label: data.byMeasure ? 'Value' : measure, isNumber: true },
      ...(data.sizeLabel === null ? [] : [{ label: data.sizeLabel, isNumber: true }]),
      ...(showsRows ? [{ label: 'Rows', isNumber: true }] : []),
    ],
    rows: sorted(points, x, y, series).map((point) => [
      ...cellsOf(point),
      ...(showsRows ? [formatCount(point.rows)] : []),
    ]),
  }
}

/** Formats a point's position, series, value and size. Times have as many digits as distinguish all points. */
function cellsOfPoints(data: ChartData, valueLabel: (value: number) => string): (point: Point) => string[] {
  const { x, y, seriesLabel, points } = data
  const isCells = data.spec.mark === 'heatmap'
  const acrossName = placeNamer(x, points, ({ x: from, xEnd }) => [from, xEnd], valueLabel)
  const downName = placeNamer(y, points, ({ y: from, yEnd }) => [from ?? '', yEnd], valueLabel)
  const height = !isCells && y.kind === 'time' ? timeLabeler(points.map(({ value }) => value)) : valueLabel
  return (point) => [
    acrossName(point),
    ...(isCells ? [downName(point)] : []),
    ...(seriesLabel ? [point.series ?? ''] : []),
    height(point.value),
    ...(point.size === undefined ? [] : [valueLabel(point.size)]),
  ]
}

function sorted(points: readonly Point[], x: Axis, y: Axis, series: readonly string[]): Point[] {
  const order = (axis: Axis): ((place: number | string | null) => number) => {
    const places = new Map(axis.domain.map((name, i) => [name, i]))
    return (place) => (typeof place === 'number' ? place : (places.get(place ?? '') ?? 0))
  }
  const [across, down] = [order(x), order(y)]
  const color = new Map(series.map((name, i) => [name, i]))
  const at = ({ series: name }: Point): number => color.get(name ?? '') ?? 0
  return points.toSorted((a, b) => across(a.x) - across(b.x) || down(a.y) - down(b.y) || at(a) - at(b))
}

/** Formats a point's position: `120 to 140`, `2024-01`. */
export function placeNamer(
  axis: Axis,
  points: readonly Point[],
  of: (point: Point) => readonly [number | string, number | null],
  placeLabel = numberLabel,
): (point: Point) => string {
  const places = points.map(of)
  const numbers = places.flatMap(([from, to]) => [from, to ?? from]).filter((each) => typeof each === 'number')
  const label = axis.kind === 'time' ? timeLabeler(numbers) : placeLabel
  return (point) => {
    const [from, to] = of(point)
    if (typeof from === 'string') return from
    return to === null ? label(from) : `${label(from)} to ${label(to)}`
  }
}
