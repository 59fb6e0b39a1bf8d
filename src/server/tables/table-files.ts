import { rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileIdOf } from '../../engine/storage/file-names.ts'
import { DiskBlob } from '../objects/disk-blob.ts'
import { exists } from '../engine/files.ts'
import { namesIn, syncFolder } from '../objects/whole-file.ts'
import { handover } from '../worker-user.ts'
import { pathOfTable } from './file-tables.ts'

/** What lies there of one creation. */
export interface StoredCreation {
  readonly creationId: string
  /** When its last file came, in milliseconds since 1970. */
  readonly changedAt: number
  /** Null for what isn't a table's. */
  readonly files: readonly { readonly fileId: string | null; readonly remove: () => Promise<void> }[]
}

/** Where tables' files are at rest. */
export interface TableFiles {
  /** Where processes put the files that they make. */
  readonly folder: string
  /** Makes room there for what processes make of a creation. */
  begin(creationId: string): Promise<void>
  /** Makes a file that a process has put there last: all servers find it then. */
  keep(fileId: string, signal: AbortSignal): Promise<void>
  /** Lets go of what is left in `folder` of a creation that has ended. */
  ended(creationId: string): Promise<void>
  /** Lends the files that are there, by their ids, until `use` has settled. */
  withFiles<T>(
    fileIds: readonly string[],
    use: (files: ReadonlyMap<string, string>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>
  /** A table's file, to be read part by part. Rejects when it's gone. */
  open(fileId: string): Promise<Blob>
  remove(fileId: string): Promise<void>
  /** All that there are, as they're come to: there may be more than memory holds. */
  creations(): AsyncIterable<StoredCreation>
}

/**
 * Files of a folder, which several servers may share.
 * @param hands between the server and its processes
 */
export function localTableFiles(folder: string, hands = handover(null)): TableFiles {
  return {
    folder,
    async begin(creationId) {
      await hands.give(path.join(folder, creationId))
      // A process can't: it may not read the folder.
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
        // A folder changes with each file that comes or goes in it.
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

/** Where it's empty. */
async function removeFolder(place: string): Promise<void> {
  await rmdir(place).catch(() => undefined)
}
