import { plural } from '../../../../../ui/format.ts'
import { inOrder } from '../model/labels.ts'
import {
  encode,
  emptyChart,
  NO_AXIS,
  type EncodedRequest,
  type ChartRequest,
  dataNotes,
  seriesOf,
} from './encodings.ts'
import { groupsOf, inPlace, measureLabel, measureOf, sumNotes } from './measure.ts'
import { measures } from './measures.ts'
import { axisOf, bandAxis, placed, type Placement } from './axes.ts'
import { OTHERS, type ChartData, type Point } from './chart-data.ts'
import { rowPoints } from './rows.ts'
import type { Group } from './source.ts'

/** Most rows that a chart draws as single points; more are grouped. */
const SCATTERED = 5000

/**
 * Reads the data of a chart.
 * @throws {Error} the engine's, or the signal's reason
 */
export async function loadChart(request: ChartRequest): Promise<ChartData> {
  const { spec } = request
  if (spec.more?.length) return measures(request)
  switch (spec.mark) {
    case 'scatter':
      return rowPoints(await encode(request), SCATTERED)
    case 'box':
      return boxes(await encode(request))
    case 'line':
      return spec.aggregate === 'none' ? rowPoints(await encode(request), Infinity) : grouped(await encode(request))
    case 'bar':
    case 'area':
    case 'histogram':
    case 'heatmap':
      return grouped(await encode(request))
  }
}

async function grouped(request: EncodedRequest): Promise<ChartData> {
  const { spec, profile, x } = request
  const isCells = spec.mark === 'heatmap'
  const measured = isCells ? request.color : request.y
  const measure = measureOf(spec, measured)
  const notes = dataNotes(request.used, profile)
  if (!x || profile.drawn === 0) return emptyChart(request, notes)
  const across = await placed(request, x, measure, notes)
  const down = isCells && request.y ? { used: request.y, ...(await placed(request, request.y, measure, notes)) } : null
  const series = isCells || !request.color ? null : await seriesOf(request, request.color)
  if (series?.note) notes.push(series.note)
  const keys = [across.key, ...(down ? [down.key] : []), ...(series ? [series.key] : [])]
  const groups = await groupsOf(request, keys, measured)
  notes.push(...sumNotes(request, measured, groups))
  const points = pointsOf(groups, across, down, series !== null)
  const alongX = axisOf(across, x, points.map(atX), spec.mark)
  const alongY = down && axisOf(down, down.used, points.map(atY), spec.mark)
  return {
    ...emptyChart(request, notes),
    x: alongX.axis,
    y: alongY?.axis ?? NO_AXIS,
    measure: measureLabel(
      spec,
      measured,
      groups.every((group) => group.rows === 1),
    ),
    series: series?.names ?? [],
    seriesLabel: series ? (request.color?.field.key ?? null) : null,
    points: inPlace(points).map((point) => ({
      ...point,
      x: alongX.name(point.x),
      y: alongY && point.y !== null ? alongY.name(point.y) : point.y,
    })),
    drawn: groups.reduce((sum, group) => sum + group.rows, 0),
  }
}

const atX = (point: Point): readonly [number | string, number] => [point.x, point.value]
const atY = (point: Point): readonly [number | string, number] => [point.y ?? '', point.value]

function pointsOf(groups: readonly Group[], across: Placement, down: Placement | null, hasSeries: boolean): Point[] {
  return groups.map(({ keys, rows, value }): Point => {
    const [x, xEnd] = across.range(keys[0] ?? null)
    const [y, yEnd] = down ? down.range(keys[1] ?? null) : [null, null]
    const series = hasSeries ? (keys[1] === null ? OTHERS : String(keys[1])) : null
    return { x, xEnd, y, yEnd, value, rows, series }
  })
}

async function boxes(request: EncodedRequest): Promise<ChartData> {
  const { source, roles, signal, profile, x, y, spec } = request
  const notes = dataNotes(request.used, profile)
  if (!y || profile.drawn === 0) return emptyChart(request, notes)
  const across = x ? await placed(request, x, null, notes) : null
  const found = await source.boxes({ roles, key: across?.key ?? null, value: y.at }, signal)
  const keys = inOrder(found.map(({ key }) => key ?? ''))
  const outliers = found.reduce((sum, box) => sum + box.outliers, 0)
  if (outliers > 0) {
    notes.push(
      `${plural(outliers, 'row is', 'rows are')} beyond the whiskers: the dots show the least and the greatest of each box.`,
    )
  }
  return {
    ...emptyChart(request, notes),
    x: bandAxis(x?.field.key ?? '', keys),
    measure: y.field.key,
    boxes: found.toSorted((a, b) => keys.indexOf(a.key ?? '') - keys.indexOf(b.key ?? '')),
    drawn: found.reduce((sum, box) => sum + box.rows, 0),
    spec,
  }
}
