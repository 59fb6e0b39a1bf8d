import { UPLOAD_KEPT_SECONDS, WINDOW_SECONDS } from '../../contract/limits.ts'
import type { CounterRecord, ObjectRecord } from '../ports.ts'

/* When records have had their time. PostgreSQL says the same in `server/records/migrations.ts`; tests hold both together. */

/** A place to upload to that was never used goes after a day; what was used or made, when its URL has ended. */
function isObjectOver({ kind, blobId, consumedAt, createdAt, expiresAt }: ObjectRecord, now: number): boolean {
  const isDone = kind === 'conversion-result' ? blobId !== null : consumedAt !== null
  return (isDone ? expiresAt : Math.max(expiresAt, createdAt + UPLOAD_KEPT_SECONDS * 1000)) <= now
}

/** Counters are kept this long after their window's end, should the clock be set back. */
const KEPT_SECONDS = 3_600

/**
 * Between which starts a counter's window can still matter: others are long gone, or too far ahead of a clock that was
 * set back.
 * @returns whole seconds since 1970; `after` is itself too early, `upTo` isn't too late
 */
export function mattering(now: number): { readonly after: number; readonly upTo: number } {
  return {
    after: Math.floor(now / 1000) - WINDOW_SECONDS.day - KEPT_SECONDS,
    upTo: Math.floor(now / 1000) + WINDOW_SECONDS.day,
  }
}

function isCounterOver({ start }: CounterRecord, now: number): boolean {
  const { after, upTo } = mattering(now)
  return start <= after || start > upTo
}

export const IS_OVER = { objects: isObjectOver, counters: isCounterOver } as const
