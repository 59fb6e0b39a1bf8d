/** The speed of a task. Plain data, passed from one progress report to the next. */
export interface Pace {
  readonly startedAt: number
  /** Time and bytes of the last report that was counted. */
  readonly at: number
  readonly bytes: number
  /** Smoothed bytes per second; null until there's enough data. */
  readonly rate: number | null
}

/** Milliseconds between reports that are counted. */
const APART = 400
/** Weight of the newest measurement. */
const WEIGHT = 0.35
/** Milliseconds of measuring before the remaining time is estimated. */
const ENOUGH = 1500

/** @param bytes processed so far */
export function startPace(now: number, bytes = 0): Pace {
  return { startedAt: now, at: now, bytes, rate: null }
}

export function nextPace(pace: Pace, bytes: number, now: number): Pace {
  const elapsed = now - pace.at
  if (elapsed < APART) return pace
  const latest = (Math.max(0, bytes - pace.bytes) / elapsed) * 1000
  const rate = pace.rate === null ? latest : pace.rate * (1 - WEIGHT) + latest * WEIGHT
  return { startedAt: pace.startedAt, at: now, bytes, rate }
}

/** Milliseconds until all bytes are processed; null until it can be estimated. */
export function timeLeft(pace: Pace, bytes: number, total: number): number | null {
  if (!pace.rate || pace.rate < 1 || pace.at - pace.startedAt < ENOUGH || bytes >= total) return null
  return ((total - bytes) / pace.rate) * 1000
}
