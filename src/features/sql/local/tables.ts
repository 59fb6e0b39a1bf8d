import {
  openOnDisk,
  type CallOptions,
  type IngestProgress,
  type IngestRequest,
  type StoredTable,
  type TableStore,
} from '../../../engine/client.ts'
import { asError } from '../../../lib/errors.ts'
import { askToRead, isAllowed } from '../../../lib/file-handles.ts'
import { handleOf } from '../../../ui/overlays/files-dropped.ts'
import { Store } from '../../../lib/store.ts'
import type { ToastMessage } from '../../../ui/overlays/toasts.ts'
import type { LocalTableRecord } from '../types.ts'
import { type Channel, keepProblem, type SqlDatabase } from '../database.ts'
import { foldName } from '../../../lib/names.ts'
import { freeName, nameProblem } from '../../../tables/names.ts'
import { ask, notPutBack, removed } from './removal-toasts.ts'

/** The engine's file store, as far as local tables need it. */
export type LocalFiles = Pick<
  TableStore,
  'whileCreating' | 'ingest' | 'file' | 'put' | 'remove' | 'removeUnused' | 'sweep'
>
type LocalRecords = Pick<SqlDatabase, 'locals' | 'changeLocals'>

interface LocalTablesDeps {
  readonly files: LocalFiles
  readonly records: LocalRecords
  readonly channel: Channel
  readonly toast: (message: ToastMessage) => void
  readonly now: () => number
  readonly newId: () => string
}

const REMOVED = 'The table was removed meanwhile.'

/** An invalid name; `message` is for people. */
export class NameError extends Error {
  readonly tag = 'NameError'
  override readonly name = 'NameError'
}

/**
 * Local tables by name, the same in all windows of this browser. A table exists as soon as its record does; files
 * without a record are swept.
 */
export class LocalTables extends Store<readonly LocalTableRecord[]> {
  private readonly deps: LocalTablesDeps
  private loading: Promise<void> | null = null
  private known = false
  /** Tables whose files need the person's permission before they can be read, as after a reload. */
  readonly waiting = new Store<readonly LocalTableRecord[]>([])
  private reading: Promise<void> = Promise.resolve()

  constructor(deps: LocalTablesDeps) {
    super([])
    this.deps = deps
    deps.channel.listen(({ kind }) => {
      // If records haven't been read yet, they will be when needed.
      if (kind === 'local' && this.known) void this.read().catch(() => undefined)
    })
  }

  /** Reads the records, and sweeps files without one. Rejects if the browser has no storage. */
  load(): Promise<void> {
    this.loading ??= this.read().then(
      () => void this.sweep(),
      (error: unknown) => {
        this.loading = null
        throw error
      },
    )
    return this.loading
  }

  find(id: string): LocalTableRecord | null {
    return this.state.find((table) => table.id === id) ?? null
  }

  /**
   * Stores a table that `ingest` creates under the given id: completely or not at all, even if the page is closed.
   * @param name its name; if that is taken, with a number
   */
  async create(
    name: string,
    source: LocalTableRecord['source'],
    ingest: (creationId: string) => Promise<StoredTable>,
    place: Pick<LocalTableRecord, 'inPlace' | 'onDisk' | 'sample'> = {},
  ): Promise<LocalTableRecord> {
    const id = this.deps.newId()
    const [made] = await this.createAll(id, async () => {
      const { fileId, rowCount, byteSize, schema } = await ingest(id)
      return [{ name, id, fileId, source, rowCount, byteSize, columns: schema, ...place }]
    })
    if (!made) throw new Error('no table was made')
    return made
  }

  /**
   * As `create`, for all tables of one file.
   * @param replaced tables of an earlier version of the file: those that are still in it keep their ids and names
   */
  private createAll(
    creationId: string,
    ingest: () => Promise<readonly Omit<LocalTableRecord, 'createdAt'>[]>,
    replaced: readonly LocalTableRecord[] = [],
  ): Promise<readonly LocalTableRecord[]> {
    const { files, records, now } = this.deps
    return files.whileCreating(creationId, async () => {
      const tables = await ingest()
      let made: LocalTableRecord[] = []
      try {
        await records.changeLocals((all) => {
          const before = replaced.flatMap(({ id }) => all.find((table) => table.id === id) ?? [])
          const taken = foldedNames(all.filter(({ kept }) => !kept))
          made = tables.map((table) => {
            const same = before.find(({ database }) => isSameTable(database, table.database))
            if (same) return { ...table, id: same.id, name: same.name, createdAt: now() }
            const name = freeName(table.name, taken)
            taken.add(foldName(name))
            return { ...table, name, createdAt: now() }
          })
          const gone = before.filter(({ id }) => !made.some((table) => table.id === id))
          return { put: made, remove: gone.map(({ id }) => id) }
        })
      } catch (error) {
        for (const { fileId } of tables) await files.remove(fileId).catch(() => undefined)
        throw error
      }
      await this.changed()
      return made
    })
  }

  /**
   * Stores a table that is queried in its own file: on the person's disk if the browser gives a handle, else in a copy of
   * the file.
   */
  async createInPlace(
    file: File,
    {
      name,
      source,
      inPlace,
      columns,
      rowCount,
    }: Pick<LocalTableRecord, 'name' | 'source' | 'columns' | 'rowCount'> & { inPlace: 'parquet' | 'arrow' },
    signal: AbortSignal,
  ): Promise<LocalTableRecord> {
    const { onDisk, keep } = this.asItIs(file, signal)
    const id = this.deps.newId()
    const make = async () => {
      const fileId = await keep(id)
      return [{ name, id, fileId, source, rowCount, byteSize: file.size, columns, inPlace, ...onDisk }]
    }
    const [made] = await this.createAll(id, make, await this.tablesOf(file))
    if (!made) throw new Error('no table was made')
    return made
  }

  /** As `createInPlace`, for the tables of a DuckDB file, which share it. */
  async createDatabase(
    file: File,
    tables: readonly Pick<LocalTableRecord, 'name' | 'source' | 'columns' | 'rowCount' | 'database'>[],
    signal: AbortSignal,
  ): Promise<readonly LocalTableRecord[]> {
    const { newId } = this.deps
    const { onDisk, keep } = this.asItIs(file, signal)
    const creationId = newId()
    // Each table counts for an equal share of the file's size.
    const byteSize = Math.round(file.size / tables.length)
    const make = async () => {
      const fileId = await keep(creationId)
      return tables.map((table) => ({ ...table, id: newId(), fileId, byteSize, inPlace: 'duckdb' as const, ...onDisk }))
    }
    return this.createAll(creationId, make, await this.tablesOf(file))
  }

  /** The tables that are queried in this file on the disk, which may have changed since. */
  private async tablesOf(file: File): Promise<LocalTableRecord[]> {
    const handle = handleOf(file)
    if (!handle) return []
    // Others may be added meanwhile.
    const tables = this.state
    const same = await Promise.all(
      tables.map(async ({ onDisk }) => onDisk && handle.isSameEntry(onDisk.handle).catch(() => false)),
    )
    return tables.filter((_, i) => same[i])
  }

  /** How to store a file that is queried in place. */
  private asItIs(file: File, signal: AbortSignal) {
    const handle = handleOf(file)
    const { size, lastModified } = file
    return {
      onDisk: handle ? { onDisk: { handle, size, lastModified } } : {},
      /** @returns the file's id */
      keep: async (creationId: string): Promise<string> => {
        const fileId = `${creationId}/${this.deps.newId()}`
        if (!handle) await this.deps.files.put(fileId, file, { signal })
        return fileId
      },
    }
  }

  /** Removes a file that no table uses any more, once nobody reads it. */
  private async discard(fileId: string): Promise<void> {
    const { files, records } = this.deps
    const used = (await records.locals()).some((table) => table.fileId === fileId)
    if (!used) await files.removeUnused(fileId)
  }

  /**
   * Requests permission to read a table's file. Must be called in a click's handler.
   * @returns whether it's given
   */
  async allow(id: string): Promise<boolean> {
    const onDisk = this.find(id)?.onDisk
    const isGiven = !onDisk || (await askToRead(onDisk.handle))
    await this.lookForWaiting()
    return isGiven
  }

  /**
   * Copies the rows of a table queried in place into a file of the engine.
   * @param planned which table it is, if the file has several
   */
  async copyIn(
    id: string,
    options: CallOptions<IngestProgress>,
    planned?: IngestRequest['planned'],
  ): Promise<LocalTableRecord> {
    const { files, records, newId } = this.deps
    const { inPlace, onDisk, database: _, ...record } = this.there(id)
    const file = await this.open(id)
    const creationId = newId()
    return files.whileCreating(creationId, async () => {
      const request = { creationId, format: inPlace ?? null, ...(planned ? { planned } : {}) }
      const { fileId, byteSize, rowCount, schema: columns } = await files.ingest(file, request, options)
      let made: LocalTableRecord = { ...record, fileId, byteSize, rowCount, columns }
      try {
        await records.changeLocals((all) => {
          const there = all.find((table) => table.id === id)
          if (!there) throw new NameError(REMOVED)
          made = { ...made, name: there.name }
          return { put: [made] }
        })
      } catch (error) {
        await files.remove(fileId).catch(() => undefined)
        throw error
      }
      if (!onDisk) await this.discard(record.fileId).catch(() => undefined)
      await this.changed()
      return made
    })
  }

  /** @throws {EngineError} `file-changed` if the file is gone or can't be read */
  async open(id: string): Promise<File> {
    const { fileId, onDisk } = this.there(id)
    return onDisk ? openOnDisk(onDisk) : this.deps.files.file(fileId)
  }

  private there(id: string): LocalTableRecord {
    const record = this.find(id)
    if (!record) throw new NameError(REMOVED)
    return record
  }

  /** What is wrong with a new name for the table; null if it's valid. */
  nameProblem(id: string, name: string): string | null {
    return nameProblem(name, foldedNames(beside(this.state, id), id))
  }

  /** @throws {NameError} if the name is invalid, or another table has got it meanwhile */
  async rename(id: string, name: string): Promise<void> {
    const next = name.trim().normalize('NFC')
    await this.deps.records.changeLocals((all) => {
      const problem = nameProblem(next, foldedNames(beside(all, id), id))
      if (problem) throw new NameError(problem)
      const record = all.find((table) => table.id === id)
      if (!record) throw new NameError(REMOVED)
      return { put: [{ ...record, name: next }] }
    })
    await this.changed()
  }

  /**
   * Removes a table. It can be restored while the toast is shown; until then no window sweeps its file. Resolves when
   * the record is gone.
   */
  remove(id: string): Promise<void> {
    const { files, records, toast } = this.deps
    return new Promise((resolve, reject) => {
      const work = async (): Promise<void> => {
        let record: LocalTableRecord | null = null
        await records.changeLocals((all) => {
          record = all.find((table) => table.id === id) ?? null
          return { remove: [id] }
        })
        await this.changed()
        resolve()
        const gone = record as LocalTableRecord | null
        if (!gone) return
        if (await ask(toast, removed(gone))) await this.putBack(gone)
        // If this fails, the next start of the app sweeps the file.
        else void this.discard(gone.fileId).catch(() => undefined)
      }
      // After a restored backup, the creation id isn't the table's id.
      const creationId = this.find(id)?.fileId.split('/')[0] ?? id
      files.whileCreating(creationId, work).catch((error: unknown) => {
        reject(asError(error))
        toast({ title: 'That couldn’t be done', description: keepProblem(error), tone: 'bad' })
      })
    })
  }

  /** The table's file under a name for a dataset. @throws {EngineError} `file-changed` if it's gone */
  async publication(id: string): Promise<File> {
    const file = await this.open(id)
    const record = this.there(id)
    return new File([file], `${record.name.replaceAll('/', '_')}.${record.inPlace ?? 'duckdb'}`)
  }

  /** Restores a removed table. If that fails, offers to try again, as often as needed. */
  private async putBack(record: LocalTableRecord): Promise<void> {
    const { records, toast } = this.deps
    for (;;) {
      try {
        await records.changeLocals((all) => ({
          put: [
            { ...record, name: freeName(record.name, foldedNames(all.filter(({ kept }) => kept === record.kept))) },
          ],
        }))
        await this.changed()
        return
      } catch (error) {
        if (await ask(toast, notPutBack(record, error))) continue
        void this.discard(record.fileId).catch(() => undefined)
        return
      }
    }
  }

  /** Removes files of a page that ended while it created a table. */
  private async sweep(): Promise<void> {
    const { files, records } = this.deps
    // Without the records, we can't know which files are unused.
    await files.sweep(async () => new Set((await records.locals()).map(({ fileId }) => fileId))).catch(() => undefined)
  }

  /** Announces changed records to the other windows, and shows them here. */
  async changed(): Promise<void> {
    this.deps.channel.tell({ kind: 'local' })
    await this.read()
  }

  /** Reads in sequence, so that the last read is the latest. */
  private read(): Promise<void> {
    this.known = true
    this.reading = this.reading
      .catch(() => undefined)
      .then(async () => this.set((await this.deps.records.locals()).sort(byName)))
    void this.reading.then(
      () => this.lookForWaiting(),
      () => undefined,
    )
    return this.reading
  }

  private async lookForWaiting(): Promise<void> {
    const tables = this.state
    const allowed = await Promise.all(
      tables.map(async ({ onDisk }) => !onDisk || isAllowed(onDisk.handle).catch(() => true)),
    )
    const unread = tables.filter((_, i) => !allowed[i])
    // Tables of one file need permission only once.
    const waiting = [...new Map(unread.map((table) => [table.fileId, table])).values()]
    if (waiting.length + this.waiting.snapshot().length > 0) this.waiting.set(waiting)
  }
}

const byName = (a: LocalTableRecord, b: LocalTableRecord): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true })

const isSameTable = (a: LocalTableRecord['database'], b: LocalTableRecord['database']): boolean =>
  a?.schema === b?.schema && a?.table === b?.table

function foldedNames(tables: readonly LocalTableRecord[], except: string | null = null): Set<string> {
  return new Set(tables.flatMap(({ id, name }) => (id === except ? [] : [foldName(name)])))
}

/** The tables that share a namespace with a table. */
function beside(tables: readonly LocalTableRecord[], id: string): LocalTableRecord[] {
  const own = tables.find((table) => table.id === id)
  return tables.filter(({ kept }) => kept === own?.kept)
}
