/** What statements have no memory for lies in this folder of the origin's private file system, a file a worker. */
const SPILL_FOLDER = 'spill'

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
 * @returns whether nothing is left, not even of workers that live
 */
export async function sweepSpill(): Promise<boolean> {
  try {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle(SPILL_FOLDER)
    let left = false
    for await (const name of folder.keys()) {
      await navigator.locks.request(lockOf(name), { ifAvailable: true }, async (lock) => {
        const isGone =
          lock !== null &&
          (await folder.removeEntry(name).then(
            () => true,
            () => false,
          ))
        left ||= !isGone
      })
    }
    return !left
  } catch {
    // There's no such folder, or no private file system.
    return true
  }
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
