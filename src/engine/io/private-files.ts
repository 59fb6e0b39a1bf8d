/* The origin's private file system. */

/** Lets a removal of what isn't there pass. */
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
