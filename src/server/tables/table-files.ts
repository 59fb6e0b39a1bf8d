import { rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileIdOf } from '../../engine/storage/file-names.ts'
import { DiskBlob } from '../objects/disk-blob.ts'
import { exists } from '../engine/files.ts'
import { namesIn, syncFolder } from '../objects/whole-file.ts'
import { handover } from '../worker-user.ts'
import { pathOfTable } from './file-tables.ts'

/** The files of one creation. */
export interface StoredCreation {
  readonly creationId: string
  /** When its last file was added, in milliseconds since 1970. */
  readonly changedAt: number
  /** Null for a file that isn't a table's. */
  readonly files: readonly { readonly fileId: string | null; readonly remove: () => Promise<void> }[]
}

/** Storage of tables' files. */
export interface TableFiles {
  /** Folder into which processes write their files. */
  readonly folder: string
  /** Prepares the folder for a creation's files. */
  begin(creationId: string): Promise<void>
  /** Publishes a file that a process has written, so that all servers find it. */
  keep(fileId: string, signal: AbortSignal): Promise<void>
  /** Removes what is left in `folder` of a creation that has ended. */
  ended(creationId: string): Promise<void>
  /** Provides local files by id until `use` has settled. */
  withFiles<T>(
    fileIds: readonly string[],
    use: (files: ReadonlyMap<string, string>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>
  /** A table's file for random access. Rejects if it's gone. */
  open(fileId: string): Promise<Blob>
  remove(fileId: string): Promise<void>
  /** Lists all creations one by one, since they may exceed the memory. */
  creations(): AsyncIterable<StoredCreation>
}

/**
 * Stores files in a folder, which several servers may share.
 * @param hands passes files between the server and its processes
 */
export function localTableFiles(folder: string, hands = handover(null)): TableFiles {
  return {
    folder,
    async begin(creationId) {
      await hands.give(path.join(folder, creationId))
      // The process can't do it: it may not read the folder.
      await syncFolder(folder)
    },
    keep: (fileId) => hands.take(pathOfTable(folder, fileId)),
    async ended(creationId) {
      const place = path.join(folder, creationId)
      await removeFolder(place)
      if (await exists(place)) await hands.take(place)
    },
    async withFiles(fileIds, use) {
      const files = new Map<string, string>()
      for (const fileId of fileIds) {
        const place = pathOfTable(folder, fileId)
        if (await exists(place)) files.set(fileId, place)
      }
      return use(files)
    },
    open: (fileId) => DiskBlob.open(pathOfTable(folder, fileId)),
    async remove(fileId) {
      await removeFile(pathOfTable(folder, fileId))
    },
    async *creations() {
      for (const creationId of await namesIn(folder)) {
        const place = path.join(folder, creationId)
        // A folder's modification time changes when files are added or removed.
        const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        const files = (await namesIn(place)).map((name) => ({
          fileId: fileIdOf(creationId, name),
          remove: () => removeFile(path.join(place, name)),
        }))
        const folderItself = { fileId: null, remove: () => removeFolder(place) }
        yield { creationId, changedAt: mtimeMs, files: files.length > 0 ? files : [folderItself] }
      }
    },
  }
}

async function removeFile(place: string): Promise<void> {
  await rm(place, { force: true })
  await removeFolder(path.dirname(place))
}

/** Fails silently if it isn't empty. */
async function removeFolder(place: string): Promise<void> {
  await rmdir(place).catch(() => undefined)
}
