import type { Aggregate } from '../../../types.ts'
import { encode, dataNotes, NO_AXIS, emptyChart, type EncodedRequest, type ChartRequest } from './encodings.ts'
import { axisOf, placed, rowAxis, type NamedAxis, type Placement } from './axes.ts'
import type { ChartData, Point } from './chart-data.ts'
import { groupsOf, inPlace, measureLabel, measureOf, sumNotes } from './measure.ts'
import { rowPoints } from './rows.ts'

interface Part {
  readonly request: EncodedRequest
  readonly points: readonly Point[]
  readonly right: boolean
}

/**
 * Several measures over the same positions. Each uses the rows where it has a value itself, whether or not the others
 * have.
 */
export async function measures(request: ChartRequest): Promise<ChartData> {
  const { spec } = request
  const all = [{ y: spec.y, aggregate: spec.aggregate, right: false }, ...(spec.more ?? [])]
  const notes: string[] = []
  const parts: Part[] = []
  let places: Placement | null = null
  for (const { y, aggregate, right } of all) {
    const one = await encode(request, { ...spec, y, aggregate, color: null }, parts[0]?.request.x?.role.as)
    if (one.x && one.profile.drawn > 0 && aggregate !== 'none') places ??= await placed(one, one.x, measure(one), notes)
    parts.push({ request: one, right, points: await pointsOf(one, places, aggregate) })
  }
  const names = namesOf(parts)
  for (const [i, { request: one, points }] of parts.entries()) {
    const own = [...dataNotes(one.used, one.profile), ...sumNotes(one, one.y, points)]
    for (const note of own) notes.push(`For ${names[i]}, ${note}`)
  }
  const first = parts[0]
  if (!first?.request.x || parts.every(({ points }) => points.length === 0)) {
    return { ...emptyChart({ ...(first?.request ?? (await encode(request))), spec }, notes), byMeasure: true }
  }
  const onSide = (side: boolean): string[] => names.filter((_, i) => parts[i]?.right === side)
  const named = parts.flatMap(({ points }, i) => points.map((point) => ({ ...point, series: names[i] ?? '' })))
  const { axis, name } = axisAt(first, places, named)
  return {
    ...emptyChart({ ...first.request, spec }, notes),
    x: axis,
    y: { ...NO_AXIS, label: onSide(false).join(', ') },
    measure: onSide(false).join(', '),
    series: names,
    seriesLabel: 'Measure',
    byMeasure: true,
    right: onSide(true).length > 0 ? { label: onSide(true).join(', '), series: onSide(true) } : null,
    points: inPlace(named).map((point) => ({ ...point, x: name(point.x) })),
    drawn: Math.max(...parts.map(({ points }) => points.reduce((sum, { rows }) => sum + rows, 0))),
  }
}

const measure = (request: EncodedRequest): ReturnType<typeof measureOf> => measureOf(request.spec, request.y)

async function pointsOf(
  request: EncodedRequest,
  places: Placement | null,
  aggregate: Aggregate,
): Promise<readonly Point[]> {
  if (aggregate === 'none') return (await rowPoints(request, Infinity)).points
  if (!places || request.profile.drawn === 0) return []
  const groups = await groupsOf(request, [places.key], request.y)
  return groups.map(({ keys, rows, value }): Point => {
    const [x, xEnd] = places.range(keys[0] ?? null)
    return { x, xEnd, y: null, yEnd: null, value, rows, series: null }
  })
}

/** Unique names, which say which axis they're on. */
function namesOf(parts: readonly Part[]): string[] {
  const columns = parts.map(({ request }) => request.spec.y)
  const single =
    new Set(columns).size === columns.length && parts.every(({ points }) => points.every(({ rows }) => rows === 1))
  const names: string[] = []
  for (const { request, right } of parts) {
    const label = measureLabel(request.spec, request.y, single)
    const name = right ? `${label} (right axis)` : label
    names.push(names.includes(name) ? `${name} (${names.length + 1})` : name)
  }
  return names
}

/** The axis for all measures. Bars keep the order of the first one. */
function axisAt({ request, points: own }: Part, places: Placement | null, all: readonly Point[]): NamedAxis {
  const { x, spec } = request
  if (!x) return { axis: NO_AXIS, name: (place) => place }
  if (!places) return { axis: rowAxis(x, all), name: (place) => place }
  const known = own.map((point) => [point.x, point.value] as const)
  const others = all.map((point) => [point.x, 0] as const)
  return axisOf(places, x, [...known, ...others], spec.mark)
}
