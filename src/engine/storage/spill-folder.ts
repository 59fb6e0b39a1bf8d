import { holdLock } from '../../lib/windows.ts'
import { untilRemoved } from '../../lib/private-files.ts'
import { ignoreMissing } from '../io/private-files.ts'

/** Folder in the origin's private file system for data that exceeds memory, with a file per worker. */
const SPILL_FOLDER = 'spill'

/** Milliseconds within which a terminated worker releases its file; on a busy machine, that takes seconds. */
const PATIENCE = 60_000
/** Delays before each attempt to remove a file. */
const TRIES_MS = [0, 100, 300, ...Array<number>(PATIENCE / 1_000).fill(1_000)]

/** Name of the lock held by the worker that owns the file. */
const lockOf = (name: string): string => `rowhouse-${SPILL_FOLDER}-${name}`

/** Creates a file for this worker, with a lock that is held as long as it lives. */
export async function createSpillFile(): Promise<FileSystemFileHandle> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(SPILL_FOLDER, { create: true })
  const name = crypto.randomUUID()
  await holdLock(lockOf(name))
  return folder.getFileHandle(name, { create: true })
}

/**
 * Removes the files of workers that have ended.
 * @param waits whether to wait for terminated workers to end; workers that are alive keep their files
 */
export async function sweepSpill({ waits = false } = {}): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle(SPILL_FOLDER)
    const removals: Promise<void>[] = []
    for await (const name of folder.keys()) removals.push(removeUnheld(folder, name, waits))
    await Promise.allSettled(removals)
  } catch {
    // There's no such folder, or no private file system.
  }
}

async function removeUnheld(folder: FileSystemDirectoryHandle, name: string, waits: boolean): Promise<void> {
  const options = waits ? { signal: AbortSignal.timeout(PATIENCE) } : { ifAvailable: true }
  // A worker's lock and file may be released at different times.
  const remove = (): Promise<boolean> =>
    folder
      .removeEntry(name)
      .catch(ignoreMissing)
      .then(
        () => true,
        () => false,
      )
  await navigator.locks.request(lockOf(name), options, async (lock) => {
    if (lock) await untilRemoved(remove, waits ? TRIES_MS : [0])
  })
}
