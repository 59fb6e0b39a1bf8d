/* Boundaries of bins. The engine and the page use the same ones. */

/** `[start + i * step, start + (i + 1) * step)`, for numbers or milliseconds. */
interface StepBins {
  readonly by: 'step'
  readonly start: number
  readonly step: number
}

/** A number of calendar months each, counted from year 0. */
interface MonthBins {
  readonly by: 'months'
  readonly every: number
}

export type Bins = StepBins | MonthBins

/**
 * Bins of a round width over a range of numbers: about `count`, and never more than twice that.
 * @param whole whether values are integers, so that bins are at least 1 wide
 */
export function numberBins(min: number, max: number, count: number, whole: boolean): StepBins {
  const span = max - min
  const size = Math.max(Math.abs(min), Math.abs(max))
  if (!(span > 0))
    return { by: 'step', ...aligned(min, whole ? 1 : size === 0 ? 1 : roundStep(Math.max(size / 10, 1e-300))) }
  // The span may overflow a double. A step below a double's precision would be useless.
  const width = Number.isFinite(span) ? span / count : max / count - min / count
  const step = roundStep(Math.max(width, size * 1e-13, 1e-300))
  return { by: 'step', ...aligned(min, whole ? Math.max(1, step) : step) }
}

const aligned = (min: number, step: number): Omit<StepBins, 'by'> => ({ start: Math.floor(min / step) * step, step })

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw))
  const factor = [1, 2, 5].find((each) => each * power >= raw * (1 - 1e-9)) ?? 10
  return factor * power
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
/** Weeks begin on Mondays; 1970-01-01 was a Thursday. */
const MONDAY = -3 * DAY
const MONTH = 30.44 * DAY

const STEPS = [
  ...[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((each) => each * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  ...[1, 2, 3, 6, 12].map((each) => each * HOUR),
  DAY,
  7 * DAY,
]
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000, 120_000]

/**
 * Bins of a common width in time (minutes, days, months) over a range of milliseconds in UTC; at most about `count`.
 */
export function timeBins(min: number, max: number, count: number): Bins {
  const wanted = (max - min) / count
  const step = STEPS.find((each) => each >= wanted)
  if (step !== undefined && wanted <= 7 * DAY) {
    const origin = step === 7 * DAY ? MONDAY : 0
    return { by: 'step', start: Math.floor((min - origin) / step) * step + origin, step }
  }
  const months = wanted / MONTH
  return { by: 'months', every: MONTHS.find((each) => each >= months) ?? 120_000 }
}

/** Index of a value's bin. */
export function binOf(bins: Bins, value: number): number {
  if (bins.by === 'step') return Math.floor((value - bins.start) / bins.step)
  const date = new Date(value)
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / bins.every)
}

/** Start and end of a bin. */
export function binRange(bins: Bins, bin: number): readonly [from: number, to: number] {
  return [binStart(bins, bin), binStart(bins, bin + 1)]
}

function binStart(bins: Bins, bin: number): number {
  if (bins.by === 'step') {
    const start = bins.start + bin * bins.step
    // Round to the step's digits, since 3 * 0.1 isn't 0.3.
    const digits = Math.max(0, -Math.floor(Math.log10(bins.step)))
    return digits === 0 || digits > 100 ? start : Number(start.toFixed(digits))
  }
  const date = new Date(0)
  date.setUTCFullYear(0, bin * bins.every, 1)
  return date.getTime()
}
