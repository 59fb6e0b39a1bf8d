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

/** A worker that ends holds its files for a moment longer: milliseconds until each try to remove them. */
export const REMOVAL_TRIES_MS = [0, 100, 300, 1_000, 2_000] as const

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
