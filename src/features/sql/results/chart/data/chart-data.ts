import type { ChartSpec } from '../../../types.ts'
import type { BoxStats } from './source.ts'

/** What is drawn: a few thousand points at most, whatever the result's size. */
export interface ChartData {
  readonly spec: ChartSpec
  readonly x: Axis
  /** Of heat maps; for other charts the axis of `Point.value`. */
  readonly y: Axis
  /** What `Point.value` is: "sum of revenue". */
  readonly measure: string
  /** In the order of their colors; empty when there are none. */
  readonly series: readonly string[]
  /** The column that makes the series. */
  readonly seriesLabel: string | null
  /** The column that the dots' areas are in proportion to. */
  readonly sizeLabel: string | null
  /** The series are several measures: each has values of its own kind. */
  readonly byMeasure: boolean
  /** The axis at the right, and the series that are on it. */
  readonly right: { readonly label: string; readonly series: readonly string[] } | null
  readonly points: readonly Point[]
  readonly boxes: readonly BoxStats[]
  /** What isn't drawn, and why: whole sentences. */
  readonly notes: readonly string[]
  /** Rows of the result, and those that are in the chart. */
  readonly rows: number
  readonly drawn: number
  readonly place: 'engine' | 'page'
}

export interface Axis {
  readonly label: string
  /** `band`: each value by itself, in the order of `domain`. */
  readonly kind: 'band' | 'number' | 'time'
  readonly domain: readonly string[]
  /** Values are places of their own, in the calendar or by number: their order isn't to be changed. */
  readonly ordered: boolean
}

/** Places are a number (times in milliseconds) or a value of a band; bins have an end. */
export interface Point {
  readonly x: number | string
  readonly xEnd: number | null
  /** Of heat maps. */
  readonly y: number | string | null
  readonly yEnd: number | null
  readonly value: number
  /** How many rows it stands for. */
  readonly rows: number
  readonly series: string | null
  /** Of dots: what their area is in proportion to. Above 0. */
  readonly size?: number
}

/** The series of all values that have no color of their own. */
export const OTHERS = 'Others'
