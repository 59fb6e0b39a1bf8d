import { untilRemoved } from '../../lib/private-files.ts'
import { ignoreMissing } from '../io/private-files.ts'

/** What statements have no memory for lies in this folder of the origin's private file system, a file a worker. */
const SPILL_FOLDER = 'spill'

/** Milliseconds in which a worker that was ended lets go of its file: on a busy machine it takes seconds. */
const PATIENCE = 60_000
/** Before each try to remove a file then. */
const TRIES_MS = [0, 100, 300, ...Array<number>(PATIENCE / 1_000).fill(1_000)]

/** Held by the worker whose file it is. */
const lockOf = (name: string): string => `rowhouse-${SPILL_FOLDER}-${name}`

/** Makes a file that's this worker's as long as it lives. */
export async function createSpillFile(): Promise<FileSystemFileHandle> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(SPILL_FOLDER, { create: true })
  const name = crypto.randomUUID()
  await holdLock(lockOf(name))
  return folder.getFileHandle(name, { create: true })
}

/**
 * Removes what workers left that are gone.
 * @param waits for those that were ended and aren't gone yet; those that live keep their files
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
  // A worker's lock and its file needn't be free at the same moment.
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

/** Holds a lock until this worker ends. */
function holdLock(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(name, () => {
      resolve()
      return new Promise<never>(() => undefined)
    })
    held.catch(reject)
  })
}
