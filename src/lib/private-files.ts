/**
 * The root of this origin's private file system; null where the browser gives the page none: Firefox and Safari in
 * private windows, WebKitGTK.
 */
export async function privateFiles(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await navigator.storage.getDirectory()
  } catch {
    return null
  }
}

/** A worker that ends holds its files for a moment longer: milliseconds before each try to remove them. */
const REMOVAL_TRIES_MS = [0, 100, 300, 1_000, 2_000]

/**
 * Tries to remove files until nobody holds them.
 * @param remove gives whether they're gone
 * @returns false where they never were
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

/** Bytes of all files below a folder. What goes away meanwhile isn't counted. */
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
