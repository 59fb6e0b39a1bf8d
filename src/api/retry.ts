import { ApiError } from './errors.ts'

/** How often and how long a call is retried before the caller gets its error. */
export const RETRIES = {
  /** Attempts in all. */
  attempts: 4,
  /** Milliseconds: most of the first pause; the limit doubles for each later one, up to `longest`. */
  first: 500,
  longest: 8_000,
  /** Milliseconds: if a service asks to wait longer, the person is told instead. */
  longestAsked: 30_000,
  /** Milliseconds of pauses in all. */
  total: 60_000,
} as const

/** What retrying depends on, replaced in tests. */
export interface RetryClock {
  /** @throws the signal's reason */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1, like `Math.random`. */
  readonly random: () => number
}

/**
 * Milliseconds until the next attempt; null for none. A request refused with 429 wasn't carried out, so any may be
 * repeated. One answered with 503, or with 502 by a gateway, may have been, so it must be `repeatable`. After 504 a
 * gateway would only wait again, and other errors would only recur.
 */
export function pauseBefore(
  error: ApiError,
  state: {
    /** Attempts so far. */
    readonly tries: number
    /** Milliseconds waited so far. */
    readonly waited: number
    readonly repeatable: boolean
    readonly random: () => number
  },
): number | null {
  const again =
    error.code === 'RATE_LIMITED' || (error.code === 'SERVICE_UNAVAILABLE' && error.status !== 504 && state.repeatable)
  if (!again || state.tries >= RETRIES.attempts) return null
  const asked = error.retryAfter === null ? null : error.retryAfter * 1000
  if (asked !== null && asked > RETRIES.longestAsked) return null
  const jittered = state.random() * Math.min(RETRIES.longest, RETRIES.first * 2 ** (state.tries - 1))
  // Some jitter remains, since otherwise all clients waiting for one window would return at the same moment.
  const pause = asked === null ? jittered : asked + jittered / 4
  return state.waited + pause > RETRIES.total ? null : pause
}

/**
 * Runs `attempt` until it succeeds, or its error doesn't allow a retry.
 * @throws {ApiError} of the last attempt; the signal's reason
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  options: { readonly repeatable: boolean; readonly signal?: AbortSignal | undefined },
  clock: RetryClock,
): Promise<T> {
  let waited = 0
  for (let tries = 1; ; tries++) {
    options.signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!(error instanceof ApiError)) throw error
      const pause = pauseBefore(error, { tries, waited, repeatable: options.repeatable, random: clock.random })
      if (pause === null) throw error
      await clock.sleep(pause, options.signal)
      waited += pause
    }
  }
}

/** @throws the signal's reason */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
