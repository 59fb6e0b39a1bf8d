import { refuseShort, writeFailure } from '../../lib/full-disk.ts'
import { IndexedFiles } from '../../lib/indexed-db/indexed-files.ts'
import { privateFiles } from '../../lib/private-files.ts'
import { EngineError } from '../errors.ts'
import { ignoreMissing, moveFile } from '../io/private-files.ts'
import { ifUnused } from './files-in-use.ts'
import { creationLock, fileIdOf, PART_SUFFIX, TABLES_FOLDER, tablePath } from '../storage/file-names.ts'

/** Tables' files as the page reaches them: in the private file system, or in IndexedDB where there is none. */
export class TableFiles {
  /** The folder of the private file system that they lie in. */
  readonly folder: string
  private readonly indexed: IndexedFiles
  /** Those of IndexedDB that were opened: each statement asks for its tables' files. */
  private readonly opened = new Map<string, File>()

  constructor(folder: string = TABLES_FOLDER) {
    this.folder = folder
    this.indexed = new IndexedFiles(`rowhouse-${folder}`)
  }

  /** Null when it's gone. */
  async find(fileId: string): Promise<File | null> {
    const { creationId, name } = tablePath(fileId)
    const tables = await this.root()
    if (!tables) return this.opened.get(fileId) ?? this.open(fileId, await this.indexed.get(fileId))
    try {
      const folder = await tables.getDirectoryHandle(creationId)
      return await (await folder.getFileHandle(name)).getFile()
    } catch {
      return null
    }
  }

  private open(fileId: string, bytes: Blob | null): File | null {
    if (!bytes) return null
    const file = new File([bytes], tablePath(fileId).name)
    this.opened.set(fileId, file)
    return file
  }

  /** @throws {DOMException} `QuotaExceededError`, with nothing left of it */
  async put(fileId: string, file: Blob, signal: AbortSignal): Promise<void> {
    const { creationId, name } = tablePath(fileId)
    const tables = await this.root()
    if (!tables) {
      await this.indexed.put(fileId, file)
      this.open(fileId, file)
      return
    }
    const folder = await tables.getDirectoryHandle(creationId, { create: true })
    const part = name + PART_SUFFIX
    try {
      const handle = await folder.getFileHandle(part, { create: true })
      await file.stream().pipeTo(await handle.createWritable(), { signal })
      refuseShort(await handle.getFile(), file.size)
      await moveFile(folder, handle, name)
    } catch (error) {
      await folder.removeEntry(part).catch(() => undefined)
      throw writeFailure(error, signal)
    }
  }

  async remove(fileId: string): Promise<void> {
    const { creationId, name } = tablePath(fileId)
    const tables = await this.root()
    if (!tables) {
      this.opened.delete(fileId)
      await this.indexed.remove(fileId)
      return
    }
    const folder = await tables.getDirectoryHandle(creationId).catch(() => null)
    await folder?.removeEntry(name).catch(ignoreMissing)
    // Only an empty folder goes without `recursive`.
    await tables.removeEntry(creationId).catch(() => undefined)
  }

  async sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void> {
    const tables = await this.root()
    for (const creationId of await this.creations(tables)) {
      await navigator.locks.request(creationLock(creationId, this.folder), { ifAvailable: true }, async (lock) => {
        if (!lock) return
        // After the lock: what was being made until now has its record.
        const kept = await keep()
        if (tables) await sweepCreation(tables, creationId, kept, this.folder)
        else
          for (const id of await this.indexedIds())
            if (tablePath(id).creationId === creationId && !kept.has(id))
              await ifUnused(id, this.folder, () => this.remove(id))
      })
    }
  }

  private async creations(tables: FileSystemDirectoryHandle | null): Promise<Iterable<string>> {
    if (!tables) return new Set((await this.indexedIds()).map((id) => tablePath(id).creationId))
    const creations: string[] = []
    for await (const creationId of tables.keys()) creations.push(creationId)
    return creations
  }

  private async indexedIds(): Promise<string[]> {
    return (await this.indexed.list()).map(({ id }) => id)
  }

  private async root(): Promise<FileSystemDirectoryHandle | null> {
    const root = await privateFiles()
    return root && root.getDirectoryHandle(this.folder, { create: true })
  }
}

async function sweepCreation(
  tables: FileSystemDirectoryHandle,
  creationId: string,
  keep: ReadonlySet<string>,
  root: string,
): Promise<void> {
  const folder = await tables.getDirectoryHandle(creationId).catch(() => null)
  if (!folder) return
  const names: string[] = []
  for await (const name of folder.keys()) names.push(name)
  for (const name of names) {
    const fileId = fileIdOf(creationId, name)
    // An ended worker may hold its file for a moment longer: the next sweep gets it.
    const remove = (): Promise<void> => folder.removeEntry(name).catch(() => undefined)
    if (fileId === null) await remove()
    else if (!keep.has(fileId)) await ifUnused(fileId, root, remove)
  }
  await tables.removeEntry(creationId).catch(() => undefined)
}

export function tableGone(): EngineError {
  return new EngineError('file-changed', 'The table’s rows are no longer in this browser’s storage.', {
    remedy: 'Add the table again, or restore a backup.',
  })
}
