/**
 * The root of this origin's private file system; null if the browser provides none: Firefox and Safari in private
 * windows, WebKitGTK.
 */
export async function privateFiles(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await navigator.storage.getDirectory()
  } catch {
    return null
  }
}

/** Milliseconds before each attempt to remove files: a worker that ended may keep them open for a moment. */
const REMOVAL_TRIES_MS = [0, 100, 300, 1_000, 2_000]

/**
 * Tries to remove files until none of them is in use.
 * @param remove returns whether they're gone
 * @returns false if they remained
 */
export async function untilRemoved(
  remove: () => Promise<boolean>,
  pauses: readonly number[] = REMOVAL_TRIES_MS,
): Promise<boolean> {
  for (const pause of pauses) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (await remove()) return true
  }
  return false
}

/** The size of all files below a folder, skipping those removed meanwhile. */
export async function bytesBelow(folder: FileSystemDirectoryHandle): Promise<number> {
  let bytes = 0
  for await (const handle of folder.values()) {
    bytes +=
      handle.kind === 'directory'
        ? await bytesBelow(handle)
        : await handle.getFile().then(
            ({ size }) => size,
            () => 0,
          )
  }
  return bytes
}
