import type { ColumnStats } from '../../../../engine/client.ts'
import { isInteger, isNumeric } from '../../../../tables/types.ts'

/* Maps values of ordered types to numbers, for brushing histograms. */

/** The number; for dates and times, milliseconds since 1970 or midnight. Null if unknown. */
export function placeOf(type: string, text: string): number | null {
  const place = isNumeric(type) ? numberOf(text) : Date.parse(isoOf(type, text))
  return Number.isFinite(place) ? place : null
}

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

function isoOf(type: string, text: string): string {
  if (type === 'DATE') return `${text.trim()}T00:00:00Z`
  const [, day = '1970-01-01', clock = '', zone = 'Z'] =
    /^(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text.trim()) ?? []
  const fine = clock.replace(/(\.\d{3})\d+/, '$1')
  return `${day}T${fine}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`
}

/** Formats a number as a value of the type, rounded to a hundredth of the step. */
function textAt(type: string, place: number, step: number): string {
  if (isNumeric(type)) {
    const digits = isInteger(type) ? 0 : Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(step))))
    return String(Number(place.toFixed(digits)))
  }
  const iso = new Date(place).toISOString()
  if (type === 'DATE') return iso.slice(0, 10)
  const clock = iso.slice(11, step < 10_000 ? 23 : 19)
  if (type.startsWith('TIME') && !type.startsWith('TIMESTAMP')) return clock
  return `${iso.slice(0, 10)} ${clock}${type === 'TIMESTAMP WITH TIME ZONE' ? '+00' : ''}`
}

/** The axis of a column's histogram. */
export interface Line {
  readonly type: string
  readonly bins: readonly number[]
  /** The minimum and maximum as exact texts, and as numbers. */
  readonly texts: readonly [string, string]
  readonly places: readonly [number, number]
}

export function lineOf(type: string, stats: ColumnStats | null): Line | null {
  if (!stats?.histogram || stats.min === null || stats.max === null || stats.histogram.length < 2) return null
  const [low, high] = [placeOf(type, stats.min), placeOf(type, stats.max)]
  if (low === null || high === null || !(low < high)) return null
  return { type, bins: stats.histogram, texts: [stats.min, stats.max], places: [low, high] }
}

export interface Range {
  readonly from: string
  readonly to: string
}

/** The range from one bin to another. The ends of the axis are exact; values between are rounded. */
export function rangeOfBins({ type, bins, texts, places: [low, high] }: Line, one: number, other: number): Range {
  const [first, last] = [Math.min(one, other), Math.max(one, other)]
  const step = (high - low) / bins.length
  return {
    from: first <= 0 ? texts[0] : textAt(type, low + first * step, step),
    to: last >= bins.length - 1 ? texts[1] : textAt(type, low + (last + 1) * step, step),
  }
}

/** Whether the middle of a bin is in a range. An empty or invalid end is open. */
export function isBinWithin({ type, bins, places: [low, high] }: Line, bin: number, { from, to }: Range): boolean {
  const middle = low + ((bin + 0.5) * (high - low)) / bins.length
  return middle >= (placeOf(type, from) ?? -Infinity) && middle <= (placeOf(type, to) ?? Infinity)
}
