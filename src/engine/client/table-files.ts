import { refuseShort, writeFailure } from '../../lib/full-disk.ts'
import { IndexedFiles } from '../../lib/indexed-db/indexed-files.ts'
import { privateFiles } from '../../lib/private-files.ts'
import { EngineError } from '../errors.ts'
import { ignoreMissing, moveFile } from '../io/private-files.ts'
import { ifUnused } from './files-in-use.ts'
import { creationLock, fileIdOf, PART_SUFFIX, TABLES_FOLDER, tablePath } from '../storage/file-names.ts'

type Folder = FileSystemDirectoryHandle

/** How files are named that come in groups: those of one creation, or of one job. */
interface Naming {
  /** The folder of the private file system that the groups' folders lie in. */
  readonly folder: string
  /** @throws {EngineError} `internal` when the id isn't one of these files' */
  pathOf(id: string): { readonly group: string; readonly name: string }
  /** The id of what lies under a name in a group's folder; null for what isn't whole. */
  idOf(group: string, name: string): string | null
  /** Held while files of a group are being made: what it holds, no tab sweeps. */
  lockOf(group: string): string
}

/** Files in groups as the page reaches them: in the private file system, or in IndexedDB where there is none. */
export class GroupedFiles {
  protected readonly naming: Naming
  private readonly indexed: IndexedFiles

  constructor(naming: Naming) {
    this.naming = naming
    this.indexed = new IndexedFiles(`rowhouse-${naming.folder}`)
  }

  /** Null when it's gone. */
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

  /** @throws {DOMException} `QuotaExceededError`, with nothing left of it */
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
    // Only an empty folder goes without `recursive`.
    await root.removeEntry(group).catch(() => undefined)
  }

  /** Removes all but what `keep` names and what is being made. */
  async sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void> {
    for (const group of await this.groups()) {
      await navigator.locks.request(this.naming.lockOf(group), { ifAvailable: true }, async (lock) => {
        // After the lock: what was being made until now has its record.
        if (lock) await this.sweepGroup(group, await keep())
      })
    }
  }

  /**
   * The same for one group, whether it's being made or not.
   * @returns false where something is left, which an ended worker holds for a moment longer
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

/** Tables' files, a group a creation. What a session reads isn't swept. */
export class TableFiles extends GroupedFiles {
  /** Those of IndexedDB that were opened: each statement asks for its tables' files. */
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
