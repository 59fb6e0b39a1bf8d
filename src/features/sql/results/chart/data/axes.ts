import type { Mark } from '../../../types.ts'
import { plural, formatCount } from '../../../../../ui/format.ts'
import { binRange, numberBins, timeBins } from '../model/bins.ts'
import { inOrder, isOrdered, timeLabeler } from '../model/labels.ts'
import type { Axis, Point } from './chart-data.ts'
import type { EncodedRequest, Encoded } from './encodings.ts'
import type { GroupKey, Measure } from './source.ts'

/** How a field's values are placed along an axis. */
export interface Placement {
  readonly key: GroupKey
  readonly kind: Axis['kind']
  /** The start and end of a group on the axis; for a band, its value and null. */
  readonly range: (key: string | number | null) => readonly [number | string, number | null]
}

/** How many places fit: distinct values, or else bins. */
interface Room {
  readonly values: number
  readonly bins: number
  /** Whether distinct values are bands rather than positions. */
  readonly band: boolean
}

const ROOM: Readonly<Record<Mark, Room>> = {
  bar: { values: 50, bins: 50, band: true },
  line: { values: 2000, bins: 500, band: false },
  area: { values: 2000, bins: 500, band: false },
  histogram: { values: 0, bins: 40, band: false },
  heatmap: { values: 40, bins: 32, band: true },
  box: { values: 50, bins: 50, band: true },
  scatter: { values: 0, bins: 0, band: false },
}
const CATEGORIES = 50

/** Chooses the placement of a field's values. Adds to `notes` what doesn't fit. */
export async function placed(
  { source, roles, signal, spec, profile }: EncodedRequest,
  { at, role, field }: Encoded,
  measure: Measure | null,
  notes: string[],
): Promise<Placement> {
  if (role.as === 'text') {
    const limit = ROOM[spec.mark].values > 50 ? CATEGORIES : ROOM[spec.mark].values || CATEGORIES
    const byMeasure = spec.mark === 'bar' ? measure : null
    const { distinct, top, restRows } = await source.rank({ roles, role: at, measure: byMeasure, limit }, signal)
    if (distinct > top.length) {
      const which = byMeasure ? 'with the greatest values' : 'with the most rows'
      notes.push(
        `The ${top.length} of ${formatCount(distinct)} values of ${field.key} ${which} are drawn; the others (${formatCount(distinct - top.length)}, in ${plural(restRows, 'row')}) aren’t.`,
      )
    }
    return {
      key: { role: at, bins: null, only: distinct > top.length ? { values: top, rest: 'drop' } : null },
      kind: 'band',
      range: (key) => [String(key), null],
    }
  }
  const room = ROOM[spec.mark]
  const few = room.values > 0 && (await source.distinct(roles, at, room.values, signal)) <= room.values
  const kind = role.as
  if (few)
    return {
      key: { role: at, bins: null, only: null },
      kind: room.band ? 'band' : kind,
      range: (key) => [Number(key), null],
    }
  const { min, max } = profile.roles[at] ?? { min: 0, max: 0 }
  const [from, to] = [min ?? 0, max ?? 0]
  const bins =
    kind === 'time' ? timeBins(from, to, room.bins) : numberBins(from, to, room.bins, field.kind === 'integer')
  return {
    key: { role: at, bins, only: null },
    kind,
    range: (key) => binRange(bins, Number(key)),
  }
}

/** An axis, with a function that names a position on it. */
export interface NamedAxis {
  readonly axis: Axis
  readonly name: (place: number | string) => number | string
}

/** @param places the positions of the drawn points */
export function axisOf(
  { kind, key }: Placement,
  { field, role }: Encoded,
  places: readonly (readonly [number | string, number])[],
  mark: Mark,
): NamedAxis {
  const { key: label } = field
  if (kind !== 'band' || key.bins) return { axis: lineAxis(label, kind), name: (place) => place }
  if (role.as !== 'text') {
    const values = [...new Set(places.map(([place]) => Number(place)))].toSorted((a, b) => a - b)
    const name = bandLabeler(role.as, values)
    return { axis: bandAxis(label, values.map(name), true), name: (place) => name(Number(place)) }
  }
  const totals = new Map<string, number>()
  for (const [place, value] of places) totals.set(String(place), (totals.get(String(place)) ?? 0) + value)
  const values = [...totals.keys()]
  const ordered = isOrdered(values)
  const bySize = mark === 'bar' && !ordered
  const domain = bySize
    ? values.toSorted((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0) || (a < b ? -1 : 1))
    : inOrder(values)
  return { axis: bandAxis(label, domain, ordered), name: String }
}

const lineAxis = (label: string, kind: Axis['kind']): Axis => ({ label, kind, domain: [], ordered: true })
export const bandAxis = (label: string, domain: readonly string[], ordered = true): Axis => ({
  label,
  kind: 'band',
  domain,
  ordered,
})

/** The axis for points that are a row each, at their exact positions. */
export function rowAxis({ field, role }: Encoded, points: readonly Pick<Point, 'x'>[]): Axis {
  if (role.as !== 'text') return lineAxis(field.key, role.as)
  return bandAxis(field.key, inOrder([...new Set(points.map(({ x }) => String(x)))]))
}

function bandLabeler(as: 'number' | 'time', values: readonly number[]): (value: number) => string {
  if (as === 'time') return timeLabeler(values)
  // No thousands separators, since years have none; and all digits, as in the table.
  return String
}
