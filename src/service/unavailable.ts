import { isFullDisk } from '../lib/full-disk.ts'
import { TablesError, UnavailableError } from './ports.ts'

/** What a call is answered with that can't be done right now: always 503 `SERVICE_UNAVAILABLE`. */
export interface Unavailability {
  readonly message: string
  readonly details?: { readonly reason: string }
  readonly headers: Readonly<Record<string, string>>
}

/** Seconds after which another try may do: at once behind what is busy, but somebody has to make room first. */
export const SOON = { 'Retry-After': '1' }
const ONCE_THERE_IS_ROOM = { 'Retry-After': '60' }

/** Why a call can't be done right now; null when what was thrown is no such reason. */
export function unavailability(thrown: unknown): Unavailability | null {
  if (isOutOfSpace(thrown)) {
    return {
      message: 'There is no space left. Delete datasets that are no longer needed, then try again.',
      details: { reason: 'out_of_space' },
      headers: ONCE_THERE_IS_ROOM,
    }
  }
  if (thrown instanceof UnavailableError) return { message: thrown.message, headers: SOON }
  if (thrown instanceof TablesError && thrown.code === 'unavailable') {
    return { message: 'The engine is starting again. Try again in a moment.', headers: SOON }
  }
  return null
}

/** Whether a port failed for want of space. */
export function isOutOfSpace(thrown: unknown): boolean {
  if (thrown instanceof TablesError) return thrown.code === 'out-of-space'
  return thrown instanceof DOMException && isFullDisk(thrown)
}
