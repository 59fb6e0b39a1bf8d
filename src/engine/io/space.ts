import { isFullDisk } from '../../lib/full-disk.ts'
import { EngineError } from '../errors.ts'

const OUT_OF_SPACE_REMEDY = 'Remove outputs that you no longer need, or free disk space, and convert again.'

/** Names the full disk, whatever the browser called it. */
export function spaceError<T>(cause: T): T | EngineError {
  if (!isFullDisk(cause)) return cause
  return new EngineError('out-of-space', 'The disk, or this browser’s share of it, is full.', {
    remedy: OUT_OF_SPACE_REMEDY,
    cause,
  })
}
