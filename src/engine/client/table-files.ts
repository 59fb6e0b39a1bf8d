import { EngineError } from '../errors.ts'
import { ignoreMissing, moveFile } from '../io/private-files.ts'
import { creationLock, fileIdOf, PART_SUFFIX, TABLES_FOLDER, tablePath } from '../tables/names.ts'

/** Tables' files as the page reaches them: in the private file system, or in memory where there is none. */
export class TableFiles {
  readonly persistent = typeof FileSystemFileHandle !== 'undefined' && 'storage' in navigator
  /** The folder of the private file system that they lie in. */
  readonly folder: string
  private readonly inMemory = new Map<string, File>()

  constructor(folder: string = TABLES_FOLDER) {
    this.folder = folder
  }

  /** Keeps a file that couldn't be kept in the private file system. */
  keep(fileId: string, file: File): void {
    this.inMemory.set(fileId, file)
  }

  /** Null when it's gone. */
  async find(fileId: string): Promise<File | null> {
    const kept = this.inMemory.get(fileId)
    if (kept || !this.persistent) return kept ?? null
    const { creationId, name } = tablePath(fileId)
    try {
      const folder = await (await this.root()).getDirectoryHandle(creationId)
      return await (await folder.getFileHandle(name)).getFile()
    } catch {
      return null
    }
  }

  /** @throws {DOMException} `QuotaExceededError`, with nothing left of it */
  async put(fileId: string, file: Blob, signal: AbortSignal): Promise<void> {
    const { creationId, name } = tablePath(fileId)
    if (!this.persistent) {
      this.keep(fileId, new File([file], name))
      return
    }
    const folder = await (await this.root()).getDirectoryHandle(creationId, { create: true })
    const part = name + PART_SUFFIX
    try {
      const handle = await folder.getFileHandle(part, { create: true })
      await file.stream().pipeTo(await handle.createWritable(), { signal })
      const { size } = await handle.getFile()
      if (size !== file.size) throw new DOMException(`${size} of ${file.size} bytes were written`, 'QuotaExceededError')
      await moveFile(folder, handle, name)
    } catch (error) {
      await folder.removeEntry(part).catch(() => undefined)
      throw error
    }
  }

  async remove(fileId: string): Promise<void> {
    if (this.inMemory.delete(fileId) || !this.persistent) return
    const { creationId, name } = tablePath(fileId)
    const tables = await this.root()
    const folder = await tables.getDirectoryHandle(creationId).catch(() => null)
    await folder?.removeEntry(name).catch(ignoreMissing)
    // Only an empty folder goes without `recursive`.
    await tables.removeEntry(creationId).catch(() => undefined)
  }

  async sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void> {
    if (!this.persistent) {
      const kept = await keep()
      for (const id of this.inMemory.keys()) if (!kept.has(id)) this.inMemory.delete(id)
      return
    }
    const tables = await this.root()
    const creations: string[] = []
    for await (const creationId of tables.keys()) creations.push(creationId)
    for (const creationId of creations) {
      await navigator.locks.request(creationLock(creationId, this.folder), { ifAvailable: true }, async (lock) => {
        // Behind the lock: what was being made until now has its record.
        if (lock) await sweepCreation(tables, creationId, await keep())
      })
    }
  }

  private async root(): Promise<FileSystemDirectoryHandle> {
    const root = await navigator.storage.getDirectory()
    return root.getDirectoryHandle(this.folder, { create: true })
  }
}

async function sweepCreation(
  tables: FileSystemDirectoryHandle,
  creationId: string,
  keep: ReadonlySet<string>,
): Promise<void> {
  const folder = await tables.getDirectoryHandle(creationId).catch(() => null)
  if (!folder) return
  const names: string[] = []
  for await (const name of folder.keys()) names.push(name)
  for (const name of names) {
    const fileId = fileIdOf(creationId, name)
    // An ended worker may hold its file for a moment longer: the next sweep gets it.
    if (fileId === null || !keep.has(fileId)) await folder.removeEntry(name).catch(() => undefined)
  }
  await tables.removeEntry(creationId).catch(() => undefined)
}

export function tableGone(): EngineError {
  return new EngineError('file-changed', 'The table’s rows are no longer in this browser’s storage.', {
    remedy: 'Add the table again, or restore a backup.',
  })
}
