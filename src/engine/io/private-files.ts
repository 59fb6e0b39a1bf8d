import { isFullDisk } from '../../lib/full-disk.ts'
import { EngineError } from '../errors.ts'

/* The origin's private file system. */

/** Ignores the error of removing something that doesn't exist. */
export function ignoreMissing(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error
}

/** `move` is in every browser that has synchronous handles, but not yet in TypeScript's types. */
export async function moveFile(
  folder: FileSystemDirectoryHandle,
  file: FileSystemFileHandle,
  name: string,
): Promise<void> {
  await (file as FileSystemFileHandle & { move(to: FileSystemDirectoryHandle, name: string): Promise<void> }).move(
    folder,
    name,
  )
}

const OUT_OF_SPACE_REMEDY = 'Remove outputs that you no longer need, or free disk space, and try again.'

/** Converts browsers' various errors for a full disk. */
export function spaceError<T>(cause: T): T | EngineError {
  if (!isFullDisk(cause)) return cause
  return new EngineError('out-of-space', 'The disk, or this browser’s share of it, is full.', {
    remedy: OUT_OF_SPACE_REMEDY,
    cause,
  })
}
