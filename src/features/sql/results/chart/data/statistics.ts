import type { BoxStats, Measure } from './source.ts'

/* As DuckDB counts them. */

export function aggregateOf(aggregate: Measure['aggregate'], values: readonly number[]): number {
  switch (aggregate) {
    case 'sum':
      return sum(values)
    case 'mean':
      return sum(values) / values.length
    case 'median':
      return quantile(ascending(values), 0.5)
    case 'min':
      return values.reduce((least, value) => Math.min(least, value), Infinity)
    case 'max':
      return values.reduce((most, value) => Math.max(most, value), -Infinity)
  }
}

/** @param values not empty */
export function boxOf(values: readonly number[]): Omit<BoxStats, 'key'> {
  const sorted = ascending(values)
  const [q1, median, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)]
  const [below, above] = [q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)]
  const within = sorted.filter((value) => value >= below && value <= above)
  return {
    rows: sorted.length,
    min: sorted[0] ?? 0,
    q1,
    median,
    q3,
    max: sorted.at(-1) ?? 0,
    low: within[0] ?? q1,
    high: within.at(-1) ?? q3,
    outliers: sorted.length - within.length,
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)

/** Between the two values beside it (`quantile_cont`). */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return low + (high - low) * (place - Math.floor(place))
}
