import { ENDPOINT_LIMITS, PLAN_LIMITS, WINDOW_SECONDS } from '../../contract/limits.ts'
import type { Plan, WindowName } from '../../contract/schemas.ts'
import type { CounterRecord, ReadTransaction } from '../ports.ts'

/** A stretch of time in which a key may make so many requests. Aligned to 1970: all keys' windows turn at once. */
interface Window {
  /** `POST /convert`; null for the plan's, which counts every request. */
  readonly endpoint: string | null
  readonly name: WindowName
  readonly limit: number
  /** In seconds since 1970; `end` is the first second of the next. */
  readonly start: number
  readonly end: number
}

export interface WindowState extends Window {
  readonly used: number
}

/** The windows of the plan and, where they're asked for, of endpoints. */
export function windowsOf(plan: Plan, endpoints: readonly string[], now: number): Window[] {
  const seconds = Math.floor(now / 1000)
  return [null, ...endpoints].flatMap((endpoint) => {
    const limits = endpoint === null ? PLAN_LIMITS[plan] : (ENDPOINT_LIMITS[endpoint] ?? {})
    return (Object.entries(limits) as [WindowName, number][]).map(([name, limit]) => {
      const start = seconds - (seconds % WINDOW_SECONDS[name])
      return { endpoint, name, limit, start, end: start + WINDOW_SECONDS[name] }
    })
  })
}

export function counterId(keyId: string, { endpoint, name, start }: Window): string {
  return `${keyId} ${endpoint ?? '*'} ${name} ${start}`
}

/** How much of its windows a key has used. */
export function usedOf(
  transaction: Pick<ReadTransaction, 'get'>,
  keyId: string,
  windows: readonly Window[],
): Promise<WindowState[]> {
  return Promise.all(
    windows.map(async (window) => {
      const counter = await transaction.get('counters', counterId(keyId, window))
      return { ...window, used: counter?.count ?? 0 }
    }),
  )
}

export function remainingOf({ limit, used }: WindowState): number {
  return Math.max(0, limit - used)
}

/** The window that a caller has to mind: with the fewest requests left, and of those the one that opens last. */
export function tightest(windows: readonly WindowState[]): WindowState | undefined {
  return windows.toSorted((a, b) => remainingOf(a) - remainingOf(b) || b.end - a.end)[0]
}

/** Counters are kept this long behind their window's end, should the clock be set back. */
const KEPT_SECONDS = 3_600

/** Whether a counter's window is so long gone, or so far ahead of a clock that was set back, that it can't matter. */
export function isStale({ start }: CounterRecord, now: number): boolean {
  const ahead = start - now / 1000
  return ahead <= -(WINDOW_SECONDS.day + KEPT_SECONDS) || ahead > WINDOW_SECONDS.day
}
