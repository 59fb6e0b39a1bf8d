import { PROTOCOL, type Database } from './database.ts'
import { ignoreMissing, moveFile, spaceError } from '../io/private-files.ts'
import { WholeWrites } from '../io/access-handle-sink.ts'
import { newFileId, PART_SUFFIX, TABLES_FOLDER, tablePath } from './file-names.ts'

/** A table's file while a database fills it. End it with either `commit` or `discard`. */
export interface PendingTable {
  readonly fileId: string
  /** Why data is missing in the file, even if DuckDB ignored the error; undefined if all was written. */
  readonly failure: Error | undefined
  /** Makes the file durable. DuckDB must have released it before: CHECKPOINT, DETACH. */
  commit(): Promise<File>
  /** Removes the file, even if DuckDB still has it open. Also works after `commit`. */
  discard(): Promise<void>
}

/** Storage for tables. */
export interface TableStorage {
  /** Begins a table: registers an empty database under `path`, for `db` to attach. */
  create(creationId: string, db: Database, path: string): Promise<PendingTable>
}

/** Tables in the origin's private file system, which outlive the page. Workers only. */
export class FileSystemTables implements TableStorage {
  private readonly root: string

  /** @param root their folder */
  constructor(root = TABLES_FOLDER) {
    this.root = root
  }

  async create(creationId: string, db: Database, path: string): Promise<PendingTable> {
    const fileId = newFileId(creationId)
    const { name } = tablePath(fileId)
    const parts = [name + PART_SUFFIX, `${name}.wal${PART_SUFFIX}`]
    const handles: WholeWrites[] = []
    let folder: FileSystemDirectoryHandle | null = null
    const release = (): void => {
      for (const handle of handles) handle.close()
    }
    const discard = async (): Promise<void> => {
      release()
      for (const each of [...parts, name]) await folder?.removeEntry(each).catch(ignoreMissing)
    }
    try {
      const root = await navigator.storage.getDirectory()
      const tables = await root.getDirectoryHandle(this.root, { create: true })
      const own = await tables.getDirectoryHandle(creationId, { create: true })
      folder = own
      const files = await Promise.all(parts.map((part) => own.getFileHandle(part, { create: true })))
      for (const file of files) handles.push(new WholeWrites(await file.createSyncAccessHandle()))
      const [table, log] = handles
      table.write(await emptyDatabase())
      db.bindings.registerFileHandle(path, table, PROTOCOL.accessHandle, true)
      db.bindings.registerFileHandle(`${path}.wal`, log, PROTOCOL.accessHandle, true)
      return {
        fileId,
        get failure() {
          return spaceError(handles.find(({ failure }) => failure)?.failure)
        },
        commit: async () => {
          try {
            table.flush()
            db.dropFile(path)
            db.dropFile(`${path}.wal`)
            release()
            await moveFile(own, files[0], name)
            await own.removeEntry(parts[1]).catch(ignoreMissing)
            return await (await own.getFileHandle(name)).getFile()
          } catch (error) {
            throw spaceError(error)
          }
        },
        discard,
      }
    } catch (error) {
      // Anything that can't be removed now is removed later.
      await discard().catch(() => undefined)
      throw spaceError(error)
    }
  }
}

/** Tables in memory, for the page to keep if there's no private file system, and for tests. */
export class MemoryTables implements TableStorage {
  readonly files = new Map<string, File>()

  async create(creationId: string, db: Database, path: string): Promise<PendingTable> {
    const fileId = newFileId(creationId)
    db.bindings.registerFileBuffer(path, await emptyDatabase())
    db.bindings.registerFileBuffer(`${path}.wal`, new Uint8Array(0))
    return {
      fileId,
      failure: undefined,
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

/** An empty DuckDB 1.4 database, deflated. */
const DEFLATED =
  '7dexCcJQFAXQL1i4SMDqYzBCrBS0E+ycwKAbWJtWSJVFBFdwguwTtAgiBATLFOc0l8d9C9xzW0/LKj62h81uHf5zSWMW57/7Ii2OeX5aLmYBAAAAGIDnNbnf9qvmc796vp/jLiZdjIL9DwAAAPa//Q8AAABD8QY='

/**
 * An empty database. DuckDB-WASM can attach a file for writing only if it contains one, because it can't create files
 * in the private file system.
 */
async function emptyDatabase(): Promise<Uint8Array<ArrayBuffer>> {
  const deflated = Uint8Array.from(atob(DEFLATED), (char) => char.charCodeAt(0))
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
