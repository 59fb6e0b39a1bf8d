import type { Database } from '../duckdb/database.ts'
import { PROTOCOL } from '../duckdb/bindings.ts'
import { spaceError } from '../io/space.ts'
import { ignoreMissing, moveFile } from '../io/private-files.ts'
import { newFileId, PART_SUFFIX, TABLES_FOLDER, tablePath } from './names.ts'
import { emptyDatabase } from './seed.ts'

/** A table's file being filled by a database. Exactly one of `commit` and `discard` ends it. */
export interface PendingTable {
  readonly fileId: string
  /** Makes it whole and durable. DuckDB must have let go of it before: CHECKPOINT, DETACH. */
  commit(): Promise<File>
  /** Leaves nothing, whatever DuckDB still holds. Also after `commit`. */
  discard(): Promise<void>
}

/** Where tables are kept. */
export interface TableStorage {
  /** Begins a table: registers an empty database under `path`, for `db` to attach. */
  create(creationId: string, db: Database, path: string): Promise<PendingTable>
}

/** Tables in the origin's private file system: they outlive the page. Workers only. */
export class FileSystemTables implements TableStorage {
  private readonly root: string

  /** @param root the folder that they lie in */
  constructor(root = TABLES_FOLDER) {
    this.root = root
  }

  async create(creationId: string, db: Database, path: string): Promise<PendingTable> {
    const fileId = newFileId(creationId)
    const { name } = tablePath(fileId)
    const parts = [name + PART_SUFFIX, `${name}.wal${PART_SUFFIX}`]
    const handles: FileSystemSyncAccessHandle[] = []
    try {
      const root = await navigator.storage.getDirectory()
      const tables = await root.getDirectoryHandle(this.root, { create: true })
      const folder = await tables.getDirectoryHandle(creationId, { create: true })
      const files = await Promise.all(parts.map((part) => folder.getFileHandle(part, { create: true })))
      for (const file of files) handles.push(await file.createSyncAccessHandle())
      const [table, log] = handles
      const empty = await emptyDatabase()
      if (table.write(empty, { at: 0 }) !== empty.length) throw new DOMException('too little was written', 'QuotaExceededError') // prettier-ignore
      db.bindings.registerFileHandle(path, table, PROTOCOL.accessHandle, true)
      db.bindings.registerFileHandle(`${path}.wal`, log, PROTOCOL.accessHandle, true)
      const release = (): void => {
        for (const handle of handles) handle.close()
      }
      const remove = async (names: readonly string[]): Promise<void> => {
        for (const each of names) await folder.removeEntry(each).catch(ignoreMissing)
      }
      return {
        fileId,
        commit: async () => {
          try {
            table.flush()
            db.dropFile(path)
            db.dropFile(`${path}.wal`)
            release()
            await moveFile(folder, files[0], name)
            await remove([parts[1]])
            return await (await folder.getFileHandle(name)).getFile()
          } catch (error) {
            throw spaceError(error)
          }
        },
        discard: async () => {
          release()
          await remove([...parts, name])
        },
      }
    } catch (error) {
      for (const handle of handles) handle.close()
      throw spaceError(error)
    }
  }
}

/** Tables in memory, for browsers without a private file system (private windows) and for tests. */
export class MemoryTables implements TableStorage {
  readonly files = new Map<string, File>()

  async create(creationId: string, db: Database, path: string): Promise<PendingTable> {
    const fileId = newFileId(creationId)
    db.bindings.registerFileBuffer(path, await emptyDatabase())
    db.bindings.registerFileBuffer(`${path}.wal`, new Uint8Array(0))
    return {
      fileId,
      commit: () => {
        const file = new File([db.bindings.copyFileToBuffer(path)], fileId)
        db.dropFile(path)
        db.dropFile(`${path}.wal`)
        this.files.set(fileId, file)
        return Promise.resolve(file)
      },
      discard: () => {
        this.files.delete(fileId)
        return Promise.resolve()
      },
    }
  }
}
