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
