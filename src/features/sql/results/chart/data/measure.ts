import type { ChartSpec } from '../../../types.ts'
import { AGGREGATES } from '../model/choices.ts'
import { scaleOf } from '../model/fields.ts'
import { greatestOf, hasMoreDigits, type Encoded, type EncodedRequest } from './encodings.ts'
import type { Point } from './chart-data.ts'
import type { Group, GroupKey, Measure } from './source.ts'

/** Points sorted from left to right, unless the axis is a band. */
export function inPlace(points: readonly Point[]): Point[] {
  return points.toSorted((a, b) => (typeof a.x === 'number' && typeof b.x === 'number' ? a.x - b.x : 0))
}

export function measureOf({ aggregate }: ChartSpec, measured: Encoded | null): Measure | null {
  if (!measured || aggregate === 'count' || aggregate === 'none') return null
  return { role: measured.at, aggregate }
}

/** The measure of each group. Sums of decimals have no more decimals than the column: as doubles, 0.1 and 0.2 don't make 0.3. */
export async function groupsOf(
  { source, roles, signal, spec }: EncodedRequest,
  keys: readonly GroupKey[],
  measured: Encoded | null,
): Promise<Group[]> {
  const measure = measureOf(spec, measured)
  const groups = await source.groups({ roles, keys, measure }, signal)
  const scale = measured && measure?.aggregate === 'sum' ? scaleOf(measured.field) : null
  return scale === null ? groups : groups.map((group) => ({ ...group, value: Number(group.value.toFixed(scale)) }))
}

/** What the caption says of sums that have more digits than a double, unless the numbers have them already. */
export function sumNotes(
  { spec, profile }: EncodedRequest,
  measured: Encoded | null,
  sums: readonly { readonly value: number }[],
): string[] {
  if (!measured || spec.aggregate !== 'sum' || hasMoreDigits(measured, greatestOf(measured, profile))) return []
  const greatest = sums.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0)
  if (!hasMoreDigits(measured, greatest)) return []
  return [`${measured.field.key} has sums of more than 15 digits, which a chart and its table round.`]
}

/** @param single whether each point is one row, whose sum is the value itself */
export function measureLabel({ aggregate }: ChartSpec, measured: Encoded | null, single: boolean): string {
  if (!measured || aggregate === 'count') return 'Count of rows'
  return single || aggregate === 'none' ? measured.field.key : `${AGGREGATES[aggregate]} of ${measured.field.key}`
}
