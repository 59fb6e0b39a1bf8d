import { ENDPOINT_LIMITS, PLAN_LIMITS, WINDOW_SECONDS, type RateLimits } from '../../contract/limits.ts'
import type { Plan, WindowName } from '../../contract/schemas.ts'
import type { RateWindow, ReadTransaction, WindowState } from '../ports.ts'

interface Limit extends Pick<RateWindow, 'endpoint' | 'name' | 'limit'> {
  readonly seconds: number
}

/** The limits of a plan (null) or of an endpoint. */
export function limitsOf(limits: RateLimits, endpoint: string | null): Limit[] {
  return (Object.entries(limits) as [WindowName, number][]).map(([name, limit]) => {
    return { endpoint, name, limit, seconds: WINDOW_SECONDS[name] }
  })
}

export function endpointLimits(endpoint: string | null): Limit[] {
  return endpoint === null ? [] : limitsOf(ENDPOINT_LIMITS[endpoint] ?? {}, endpoint)
}

/** The current windows of the plan and of endpoints. */
export function windowsOf(plan: Plan, endpoints: readonly (string | null)[], now: number): RateWindow[] {
  const at = Math.floor(now / 1000)
  return [...limitsOf(PLAN_LIMITS[plan], null), ...endpoints.flatMap(endpointLimits)].map(({ seconds, ...limit }) => {
    const start = at - (at % seconds)
    return { ...limit, start, end: start + seconds }
  })
}

export function counterId(keyId: string, { endpoint, name, start }: RateWindow): string {
  return `${keyId} ${endpoint ?? '*'} ${name} ${start}`
}

/** How many requests of a key were counted in its windows. */
export function usedOf(
  transaction: Pick<ReadTransaction, 'get'>,
  keyId: string,
  windows: readonly RateWindow[],
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

/** The window with the fewest remaining requests; among equals, the one that ends last. */
export function tightest(windows: readonly WindowState[]): WindowState | undefined {
  return windows.toSorted((a, b) => remainingOf(a) - remainingOf(b) || b.end - a.end)[0]
}
