import { EngineError } from '../errors.ts'

const OUT_OF_SPACE_REMEDY = 'Remove outputs that you no longer need, or free disk space, and convert again.'

/** Names the full disk, whatever the browser called it. */
export function spaceError<T>(cause: T): T | EngineError {
  const full = cause instanceof DOMException && cause.name === 'QuotaExceededError'
  if (!full && !(cause instanceof Error && /quota|no space/i.test(cause.message))) return cause
  return new EngineError('out-of-space', 'The disk, or this browser’s share of it, is full.', {
    remedy: OUT_OF_SPACE_REMEDY,
    cause,
  })
}
