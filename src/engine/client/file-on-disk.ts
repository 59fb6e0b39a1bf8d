import { askToRead, isAllowed } from '../../lib/file-handles.ts'
import { EngineError } from '../errors.ts'
import type { FileOnDisk } from '../sql/session-types.ts'

/**
 * Opens a file on the person's disk. The browser may ask for permission, which it only does right after a click.
 * @throws {EngineError} `file-changed` if it can't be read or has changed
 */
export async function openOnDisk(file: FileOnDisk): Promise<File> {
  const { name } = file.handle
  if (!(await askToRead(file.handle)))
    throw new EngineError('file-changed', `The browser doesn’t let the page read “${name}” yet.`, {
      remedy: 'Choose “Allow reading” below the list of tables in SQL, and try again.',
    })
  let found: File
  try {
    found = await file.handle.getFile()
  } catch (cause) {
    throw new EngineError('file-changed', `“${name}” isn’t where it was: it was moved, renamed or removed.`, {
      remedy: 'Put it back, or remove its table from the local files and add the file again.',
      cause,
    })
  }
  if (isSame(file, found)) return found
  throw new EngineError('file-changed', `“${name}” has changed on your disk since it was added.`, {
    remedy: 'Add the file again to query what it holds now.',
  })
}

/** Like `openOnDisk`, but never asks the person: null if the file can't be opened. */
export async function findOnDisk(file: FileOnDisk): Promise<File | null> {
  try {
    const found = (await isAllowed(file.handle)) ? await file.handle.getFile() : null
    return found && isSame(file, found) ? found : null
  } catch {
    return null
  }
}

const isSame = ({ size, lastModified }: FileOnDisk, file: File): boolean =>
  file.size === size && file.lastModified === lastModified
