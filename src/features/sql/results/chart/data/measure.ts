import type { ChartSpec } from '../../../types.ts'
import { AGGREGATES } from '../model/choices.ts'
import type { Encoded } from './encodings.ts'
import type { Point } from './chart-data.ts'
import type { Measure } from './source.ts'

/** Points sorted from left to right, unless the axis is a band. */
export function inPlace(points: readonly Point[]): Point[] {
  return points.toSorted((a, b) => (typeof a.x === 'number' && typeof b.x === 'number' ? a.x - b.x : 0))
}

export function measureOf({ aggregate }: ChartSpec, measured: Encoded | null): Measure | null {
  if (!measured || aggregate === 'count' || aggregate === 'none') return null
  return { role: measured.at, aggregate }
}

/** @param single whether each point is one row, whose sum is the value itself */
export function measureLabel({ aggregate }: ChartSpec, measured: Encoded | null, single: boolean): string {
  if (!measured || aggregate === 'count') return 'Count of rows'
  return single || aggregate === 'none' ? measured.field.key : `${AGGREGATES[aggregate]} of ${measured.field.key}`
}
