import type { ResultSet } from '../../../../../engine/client.ts'
import { formatCount, plural } from '../../../../../ui/format.ts'
import { toArea, toNumber, toTime } from '../model/fields.ts'
import { rowAxis } from './axes.ts'
import { inPlace } from './measure.ts'
import { type ChartData, type Point, OTHERS } from './chart-data.ts'
import { emptyChart, NO_AXIS, type EncodedRequest, type Encoded, dataNotes, seriesOf } from './encodings.ts'
import { SLICE_MS } from './page-source.ts'
import { Yielder } from '../../../../../lib/yielding.ts'

/** A point per row, or per row of a sample. Uses the rows in the page. */
export async function rowPoints(request: EncodedRequest, limit: number): Promise<ChartData> {
  const { profile, x, y, color, size, spec, result, signal } = request
  const notes = dataNotes(request.used, profile)
  if (!x || !y || profile.drawn === 0) return emptyChart(request, notes)
  const series = color ? await seriesOf(request, color) : null
  if (series?.note) notes.push(series.note)
  const own = series?.key.only ? new Set(series.key.only.values) : null
  const yielder = new Yielder(signal, SLICE_MS)
  const points: Point[] = []
  for (const row of sampleRows(result.rowCount, limit)) {
    if (yielder.due) await yielder.yield()
    const [xPlace, yPlace, name] = [
      placeAt(result, row, x),
      placeAt(result, row, y),
      color ? result.text(row, color.field.column) : '',
    ]
    const area = size && toArea(result.text(row, size.field.column) ?? '')
    if (xPlace === null || typeof yPlace !== 'number' || name === null || (size && area === null)) continue
    const named = own && !own.has(name) ? OTHERS : name
    const point = { x: xPlace, xEnd: null, y: null, yEnd: null, value: yPlace, rows: 1, series: series ? named : null }
    points.push(area === null ? point : { ...point, size: area })
  }
  if (result.rowCount > limit) {
    notes.unshift(`A random sample of ${formatCount(points.length)} of ${plural(result.rowCount, 'row')} is drawn.`)
  }
  return {
    ...emptyChart(request, notes),
    spec,
    x: rowAxis(x, points),
    // Y is a time, so the axis must be one.
    y: { ...NO_AXIS, label: y.field.key, kind: y.role.as === 'time' ? 'time' : 'number' },
    measure: y.field.key,
    series: series?.names ?? [],
    seriesLabel: series ? (color?.field.key ?? null) : null,
    sizeLabel: size?.field.key ?? null,
    points: inPlace(points),
    drawn: points.length,
  }
}

function placeAt(result: ResultSet, row: number, { field, role }: Encoded): number | string | null {
  const text = result.text(row, field.column)
  if (text === null || role.as === 'text') return text
  return role.as === 'time' ? toTime(text) : toNumber(text)
}

/**
 * Stratified sampling: one random row of each of `limit` equal parts. Covers all parts, can't resonate with a period in
 * the data, and always gives the same rows.
 */
export function* sampleRows(rows: number, limit: number): Generator<number> {
  if (rows <= limit) {
    for (let row = 0; row < rows; row++) yield row
    return
  }
  let seed = 0x2545f491
  for (let part = 0; part < limit; part++) {
    seed ^= seed << 13
    seed ^= seed >>> 17
    seed ^= seed << 5
    const from = Math.floor((part * rows) / limit)
    const to = Math.floor(((part + 1) * rows) / limit)
    yield from + ((seed >>> 0) % (to - from))
  }
}
