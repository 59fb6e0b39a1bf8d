/** How fast something goes. Plain data, carried from one progress report to the next. */
export interface Pace {
  readonly startedAt: number
  /** When the last report counted, and what it said. */
  readonly at: number
  readonly bytes: number
  /** Bytes a second, evened out; null until there's enough to tell. */
  readonly rate: number | null
}

/** Milliseconds between reports that count. */
const APART = 400
/** How much the newest measurement weighs. */
const WEIGHT = 0.35
/** Milliseconds of measuring before it says anything of what is to come. */
const ENOUGH = 1500

/** @param bytes what was through by then */
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

/** Milliseconds until all bytes are through; null while it isn't known well enough. */
export function timeLeft(pace: Pace, bytes: number, total: number): number | null {
  if (!pace.rate || pace.rate < 1 || pace.at - pace.startedAt < ENOUGH || bytes >= total) return null
  return ((total - bytes) / pace.rate) * 1000
}
