import type { ChartSpec } from '../../../types.ts'
import type { BoxStats } from './source.ts'

/** The data of a chart: at most a few thousand points, however large the result. */
export interface ChartData {
  readonly spec: ChartSpec
  readonly x: Axis
  /** For heat maps; in other charts the axis of `Point.value`. */
  readonly y: Axis
  /** Name of `Point.value`: "sum of revenue". */
  readonly measure: string
  /** In the order of their colors; empty without series. */
  readonly series: readonly string[]
  /** Name of the column that defines the series. */
  readonly seriesLabel: string | null
  /** Name of the column that dots' areas show. */
  readonly sizeLabel: string | null
  /** Whether the series are different measures, each with values of its own kind. */
  readonly byMeasure: boolean
  /** The second axis, on the right, and its series. */
  readonly right: { readonly label: string; readonly series: readonly string[] } | null
  readonly points: readonly Point[]
  readonly boxes: readonly BoxStats[]
  /** What isn't drawn, and why; full sentences. */
  readonly notes: readonly string[]
  /** Number of rows in the result, and in the chart. */
  readonly rows: number
  readonly drawn: number
  readonly place: 'engine' | 'page'
  /** The range of a heat map's colors, if it's wider than that of its own values. */
  readonly range?: Range
}

export type Range = readonly [low: number, high: number]

export interface Axis {
  readonly label: string
  /** `band`: one position per value, in the order of `domain`. */
  readonly kind: 'band' | 'number' | 'time'
  readonly domain: readonly string[]
  /** Whether values have an order of their own, as numbers and months do, that must not be changed. */
  readonly ordered: boolean
}

/** Positions are numbers (times in milliseconds) or values of a band; bins also have an end. */
export interface Point {
  readonly x: number | string
  readonly xEnd: number | null
  /** For heat maps. */
  readonly y: number | string | null
  readonly yEnd: number | null
  readonly value: number
  /** Number of rows in the point. */
  readonly rows: number
  readonly series: string | null
  /** For dots: the value that the area shows. Positive. */
  readonly size?: number
}

/** The series of all values beyond the available colors. */
export const OTHERS = 'Others'

/** Whether its values are row counts, whatever the label of the axis. */
export const isCount = ({ spec, byMeasure }: ChartData): boolean => spec.aggregate === 'count' && !byMeasure
