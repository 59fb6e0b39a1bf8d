import { EngineError } from './errors.ts'

/** Silence, in milliseconds, after which a worker counts as hanging: one is heard from every second. */
export const SILENCE = 60_000

const AGAIN = 'Try again: a new one is started.'

/** @param event the worker's `error` or `messageerror` */
export function died(event: Event): EngineError {
  const text = 'message' in event && typeof event.message === 'string' ? `: ${event.message}` : ''
  return new EngineError('worker-lost', `The background worker stopped${text}.`, {
    remedy: `${AGAIN} If it stops at the same file, the file may be damaged or too large.`,
  })
}

/** @param silence in milliseconds */
export function hung(silence: number): EngineError {
  const seconds = Math.round(silence / 1000)
  return new EngineError(
    'worker-lost',
    `The background worker hasn’t answered for ${seconds} seconds and was stopped.`,
    {
      remedy: `${AGAIN} If it hangs at the same file, the file may be damaged or too large.`,
    },
  )
}
