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

/** The part of the engine's store that local tables need. */
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

/** A name that can't be given; `message` is for the person. */
export class NameError extends Error {
  readonly tag = 'NameError'
  override readonly name = 'NameError'
}

/**
 * The tables of files that were dropped in, by name, the same in all windows of this browser. A table is there once its record
 * is; a file without one is swept.
 */
export class LocalTables extends Store<readonly LocalTableRecord[]> {
  private readonly deps: LocalTablesDeps
  private loading: Promise<void> | null = null
  private known = false
  /** Those whose files the browser wants to be asked for before they're read, as after a reload. */
  readonly waiting = new Store<readonly LocalTableRecord[]>([])
  private reading: Promise<void> = Promise.resolve()

  constructor(deps: LocalTablesDeps) {
    super([])
    this.deps = deps
    deps.channel.listen(({ kind }) => {
      // What nobody has looked at yet is read when somebody does.
      if (kind === 'local' && this.known) void this.read().catch(() => undefined)
    })
  }

  /** Reads the records, and has files swept that none names. Rejects where the browser gives no storage. */
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
   * Keeps a table that `ingest` makes under the id that it's given, whole or not at all, however the page ends.
   * @param name what it's called unless that is taken: then with a number
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
   * As `create`, the tables of one file.
   * @param replaced tables of that file as it was before: those that it still has keep their ids and names
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
   * Keeps a table of a file that is queried as it is: where the person has it, when the browser gives its handle, else as
   * a copy of the whole file.
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

  /** As `createInPlace`, the tables of a DuckDB file: all of them are queried in that one file. */
  async createDatabase(
    file: File,
    tables: readonly Pick<LocalTableRecord, 'name' | 'source' | 'columns' | 'rowCount' | 'database'>[],
    signal: AbortSignal,
  ): Promise<readonly LocalTableRecord[]> {
    const { newId } = this.deps
    const { onDisk, keep } = this.asItIs(file, signal)
    const creationId = newId()
    // Of the file each has its share, so that they add up to it.
    const byteSize = Math.round(file.size / tables.length)
    const make = async () => {
      const fileId = await keep(creationId)
      return tables.map((table) => ({ ...table, id: newId(), fileId, byteSize, inPlace: 'duckdb' as const, ...onDisk }))
    }
    return this.createAll(creationId, make, await this.tablesOf(file))
  }

  /** The tables that are queried in a file on the disk, which may have changed since. */
  private async tablesOf(file: File): Promise<LocalTableRecord[]> {
    const handle = handleOf(file)
    if (!handle) return []
    const same = await Promise.all(
      this.state.map(async ({ onDisk }) => onDisk && handle.isSameEntry(onDisk.handle).catch(() => false)),
    )
    return this.state.filter((_, i) => same[i])
  }

  /** Where a file's rows are when it's queried as it is. */
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

  /** Removes a file that no table has any more, once nobody reads it. */
  private async discard(fileId: string): Promise<void> {
    const { files, records } = this.deps
    const used = (await records.locals()).some((table) => table.fileId === fileId)
    if (!used) await files.removeUnused(fileId)
  }

  /** Asks for what the browser wants to be asked for. To be called of a click. */
  async allow(id: string): Promise<void> {
    const onDisk = this.find(id)?.onDisk
    if (onDisk) await askToRead(onDisk.handle)
    await this.lookForWaiting()
  }

  /**
   * Copies the rows of a table that is queried in place into a file of the engine's.
   * @param planned which table it is, where its file has several
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

  /** A table's file. @throws {EngineError} `file-changed` when it's gone, or can't be read */
  async open(id: string): Promise<File> {
    const { fileId, onDisk } = this.there(id)
    return onDisk ? openOnDisk(onDisk) : this.deps.files.file(fileId)
  }

  private there(id: string): LocalTableRecord {
    const record = this.find(id)
    if (!record) throw new NameError(REMOVED)
    return record
  }

  /** What is wrong with a name for that table; null when nothing is. */
  nameProblem(id: string, name: string): string | null {
    return nameProblem(name, foldedNames(beside(this.state, id), id))
  }

  /** @throws {NameError} when another table has it meanwhile, or it's none */
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
   * Removes a table, with a way back as long as the toast is there: until then its file is kept from every window's
   * sweep. Resolves when the record is gone.
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
        // What can't be removed now is swept when the app next starts.
        else void this.discard(gone.fileId).catch(() => undefined)
      }
      // Of a backup it has another creation than its own id.
      const creationId = this.find(id)?.fileId.split('/')[0] ?? id
      files.whileCreating(creationId, work).catch((error: unknown) => {
        reject(asError(error))
        toast({ title: 'That couldn’t be done', description: keepProblem(error), tone: 'bad' })
      })
    })
  }

  /** The table's file as it's called outside, for a dataset. @throws {EngineError} `file-changed` when it's gone */
  async publication(id: string): Promise<File> {
    const file = await this.open(id)
    const record = this.there(id)
    return new File([file], `${record.name.replaceAll('/', '_')}.${record.inPlace ?? 'duckdb'}`)
  }

  /** As often as it fails, and is to be tried again. */
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

  /** What a page left that ended while it made a table. */
  private async sweep(): Promise<void> {
    const { files, records } = this.deps
    // Without records nothing tells what may go.
    await files.sweep(async () => new Set((await records.locals()).map(({ fileId }) => fileId))).catch(() => undefined)
  }

  /** Tells the other windows that records have changed, and shows them here. */
  async changed(): Promise<void> {
    this.deps.channel.tell({ kind: 'local' })
    await this.read()
  }

  /** One after the other: what was read last is what was asked for last. */
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
    const allowed = await Promise.all(
      this.state.map(async ({ onDisk }) => !onDisk || isAllowed(onDisk.handle).catch(() => true)),
    )
    const unread = this.state.filter((_, i) => !allowed[i])
    // The tables of one file are asked for together.
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

/** Those that have their names in one place with a table. */
function beside(tables: readonly LocalTableRecord[], id: string): LocalTableRecord[] {
  const own = tables.find((table) => table.id === id)
  return tables.filter(({ kept }) => kept === own?.kept)
}
