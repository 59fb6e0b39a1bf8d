import { refuseShort, writeFailure } from '../../lib/full-disk.ts'
import { IndexedFiles } from '../../lib/indexed-db/indexed-files.ts'
import { privateFiles } from '../../lib/private-files.ts'
import { EngineError } from '../errors.ts'
import { ignoreMissing, moveFile } from '../io/private-files.ts'
import { ifUnused } from './files-in-use.ts'
import { creationLock, fileIdOf, PART_SUFFIX, TABLES_FOLDER, tablePath } from '../storage/file-names.ts'

type Folder = FileSystemDirectoryHandle

/** How files are named that belong to a group, such as those of one creation or one job. */
interface Naming {
  /** Path in the private file system; it contains a folder per group. */
  readonly folder: string
  /** @throws {EngineError} `internal` for an invalid id */
  pathOf(id: string): { readonly group: string; readonly name: string }
  /** The id of a file in a group's folder; null for a partly written one. */
  idOf(group: string, name: string): string | null
  /** The name of the lock that is held while a group's files are being created, so that no tab sweeps them. */
  lockOf(group: string): string
}

/** Files that belong to groups, in the private file system, or in IndexedDB if there is none. */
export class GroupedFiles {
  protected readonly naming: Naming
  private readonly indexed: IndexedFiles

  constructor(naming: Naming) {
    this.naming = naming
    this.indexed = new IndexedFiles(`rowhouse-${naming.folder}`)
  }

  /** Null if it's gone. */
  async find(id: string): Promise<File | null> {
    const { group, name } = this.naming.pathOf(id)
    const root = await this.root()
    if (!root) return this.findIndexed(id, name)
    try {
      const folder = await root.getDirectoryHandle(group)
      return await (await folder.getFileHandle(name)).getFile()
    } catch {
      return null
    }
  }

  protected async findIndexed(id: string, name: string): Promise<File | null> {
    const bytes = await this.indexed.get(id)
    return bytes && new File([bytes], name)
  }

  /** @throws {DOMException} `QuotaExceededError`; nothing is left behind */
  async put(id: string, file: Blob, signal: AbortSignal): Promise<void> {
    const { group, name } = this.naming.pathOf(id)
    const root = await this.root()
    if (!root) return this.indexed.put(id, file)
    const folder = await root.getDirectoryHandle(group, { create: true })
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

  async remove(id: string): Promise<void> {
    const { group, name } = this.naming.pathOf(id)
    const root = await this.root()
    if (!root) return this.indexed.remove(id)
    const folder = await root.getDirectoryHandle(group).catch(() => null)
    await folder?.removeEntry(name).catch(ignoreMissing)
    // Without `recursive`, this removes only empty folders.
    await root.removeEntry(group).catch(() => undefined)
  }

  /** Removes all files except those in `keep` and those being created. */
  async sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void> {
    for (const group of await this.groups()) {
      await navigator.locks.request(this.naming.lockOf(group), { ifAvailable: true }, async (lock) => {
        // Asked under the lock: files that were being created until now have their records.
        if (lock) await this.sweepGroup(group, await keep())
      })
    }
  }

  /**
   * Does the same for one group, even if its files are being created.
   * @returns false if a file couldn't be removed because an ended worker still holds it for a moment
   */
  async sweepGroup(group: string, keep: ReadonlySet<string>): Promise<boolean> {
    const root = await this.root()
    if (!root) {
      const ids = (await this.indexedIds()).filter((id) => this.naming.pathOf(id).group === group && !keep.has(id))
      for (const id of ids) await this.sweepFile(id, () => this.remove(id))
      return true
    }
    const folder = await root.getDirectoryHandle(group).catch(() => null)
    if (!folder) return true
    let isSwept = true
    for (const name of await namesIn(folder)) {
      const id = this.naming.idOf(group, name)
      const remove = (): Promise<void> => folder.removeEntry(name).catch(() => void (isSwept = false))
      if (id === null) await remove()
      else if (!keep.has(id)) await this.sweepFile(id, remove)
    }
    await root.removeEntry(group).catch(() => undefined)
    return isSwept
  }

  protected sweepFile(_id: string, remove: () => Promise<void>): Promise<void> {
    return remove()
  }

  private async groups(): Promise<Iterable<string>> {
    const root = await this.root()
    return root ? namesIn(root) : new Set((await this.indexedIds()).map((id) => this.naming.pathOf(id).group))
  }

  private async indexedIds(): Promise<string[]> {
    return (await this.indexed.list()).map(({ id }) => id)
  }

  private async root(): Promise<Folder | null> {
    const root = await privateFiles()
    return root && root.getDirectoryHandle(this.naming.folder, { create: true })
  }
}

async function namesIn(folder: Folder): Promise<string[]> {
  const names: string[] = []
  for await (const name of folder.keys()) names.push(name)
  return names
}

/** Tables' files, one group per creation. Files that a session reads aren't swept. */
export class TableFiles extends GroupedFiles {
  /** Files from IndexedDB, cached since every statement asks for its tables' files. */
  private readonly opened = new Map<string, File>()

  constructor(folder: string = TABLES_FOLDER) {
    super({
      folder,
      pathOf: (id) => {
        const { creationId, name } = tablePath(id)
        return { group: creationId, name }
      },
      idOf: fileIdOf,
      lockOf: (creationId) => creationLock(creationId, folder),
    })
  }

  get folder(): string {
    return this.naming.folder
  }

  protected override async findIndexed(id: string, name: string): Promise<File | null> {
    const file = this.opened.get(id) ?? (await super.findIndexed(id, name))
    if (file) this.opened.set(id, file)
    return file
  }

  override async put(id: string, file: Blob, signal: AbortSignal): Promise<void> {
    this.opened.delete(id)
    await super.put(id, file, signal)
  }

  override async remove(id: string): Promise<void> {
    this.opened.delete(id)
    await super.remove(id)
  }

  protected override sweepFile(id: string, remove: () => Promise<void>): Promise<void> {
    return ifUnused(id, this.folder, remove)
  }
}

export function tableGone(): EngineError {
  return new EngineError('file-changed', 'The table’s rows are no longer in this browser’s storage.', {
    remedy: 'Add the table again, or restore a backup.',
  })
}
