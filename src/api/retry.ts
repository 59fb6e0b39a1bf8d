import { ApiError } from './errors.ts'

/** How often and how long a call is tried again before its error is the caller's. */
export const RETRIES = {
  /** Tries in all. */
  attempts: 4,
  /** Milliseconds: of the first pause at most; each later one at most double, up to `longest`. */
  first: 500,
  longest: 8_000,
  /** A service that says to wait longer than this is passed on to the person instead, in milliseconds. */
  longestAsked: 30_000,
  /** Milliseconds waited in all. */
  total: 60_000,
} as const

/** What retrying needs of the world; tests give their own. */
export interface RetryClock {
  /** @throws the signal's reason */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number
}

/**
 * Milliseconds until the next try; null when there's none to be. A request that was refused with 429 was not carried
 * out, so any may be sent again; one answered with 503, or by a gateway with 502, may have been, so it has to be `repeatable`. A gateway that
 * has waited long enough (504) would only wait again, and all other errors would only come again.
 */
export function pauseBefore(
  error: ApiError,
  state: {
    /** Tries so far. */
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
  // All who wait for one window would come at once when it opens: a little of the jitter is kept.
  const pause = asked === null ? jittered : asked + jittered / 4
  return state.waited + pause > RETRIES.total ? null : pause
}

/**
 * Runs `attempt` until it succeeds, or its error isn't one to try again after.
 * @param attempt gets whether an earlier try may have been carried out
 * @throws {ApiError} of the last try; the signal's reason
 */
export async function withRetries<T>(
  attempt: (mayHaveRun: boolean) => Promise<T>,
  options: { readonly repeatable: boolean; readonly signal?: AbortSignal | undefined },
  clock: RetryClock,
): Promise<T> {
  let waited = 0
  let mayHaveRun = false
  for (let tries = 1; ; tries++) {
    options.signal?.throwIfAborted()
    try {
      return await attempt(mayHaveRun)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!(error instanceof ApiError)) throw error
      const pause = pauseBefore(error, { tries, waited, repeatable: options.repeatable, random: clock.random })
      if (pause === null) throw error
      mayHaveRun ||= error.code !== 'RATE_LIMITED'
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
