import { UPLOAD_KEPT_SECONDS, WINDOW_SECONDS } from '../../contract/limits.ts'
import type { CounterRecord, ObjectRecord } from '../ports.ts'

/* When records expire. `server/records/migrations.ts` has the same rules for PostgreSQL; tests compare both. */

/** Unused objects expire after a day; used ones, and results, when their URL expires. */
function isObjectOver({ kind, blobId, consumedAt, createdAt, expiresAt }: ObjectRecord, now: number): boolean {
  const isDone = kind === 'conversion-result' ? blobId !== null : consumedAt !== null
  return (isDone ? expiresAt : Math.max(expiresAt, createdAt + UPLOAD_KEPT_SECONDS * 1000)) <= now
}

/** Counters are kept this long after their window, in case the clock is set back. */
const KEPT_SECONDS = 3_600

/**
 * The range of window starts whose counters still matter. Others have long ended, or are too far in the future after
 * the clock was set back.
 * @returns seconds since 1970; `after` is exclusive, `upTo` inclusive
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
