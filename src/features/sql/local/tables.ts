import {
  openOnDisk,
  type CallOptions,
  type IngestProgress,
  type StoredTable,
  type TableStore,
} from '../../../engine/client.ts'
import { asError } from '../../../lib/errors.ts'
import { askToRead, isAllowed } from '../../../lib/file-handles.ts'
import { handleOf } from '../../../ui/overlays/files-dropped.ts'
import { Store } from '../../../lib/store.ts'
import type { IncomingTable } from '../../../session/handover.ts'
import type { ToastMessage } from '../../../ui/overlays/toasts.ts'
import type { LocalTableRecord } from '../types.ts'
import { type Channel, keepProblem, type SqlDatabase } from '../database.ts'
import { foldName, freeName, nameProblem } from '../../../tables/table-names.ts'

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
    const { files, records, now, newId } = this.deps
    const id = newId()
    return files.whileCreating(id, async () => {
      const { fileId, rowCount, byteSize, schema } = await ingest(id)
      const rest = { id, fileId, source, rowCount, byteSize, columns: schema, createdAt: now(), ...place }
      let made: LocalTableRecord = { ...rest, name }
      try {
        await records.changeLocals((all) => {
          made = { ...rest, name: freeName(name, foldedNames(all.filter(({ kept }) => !kept))) }
          return { put: [made] }
        })
      } catch (error) {
        await files.remove(fileId).catch(() => undefined)
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
  createInPlace(
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
    const handle = handleOf(file)
    const { size, lastModified } = file
    const keep = async (creationId: string): Promise<StoredTable> => {
      const fileId = `${creationId}/${this.deps.newId()}`
      if (!handle) await this.deps.files.put(fileId, file, { signal })
      return { fileId, rowCount, byteSize: size, schema: columns }
    }
    const onDisk = handle ? { onDisk: { handle, size, lastModified } } : {}
    return this.create(name, source, keep, { inPlace, ...onDisk })
  }

  /** Asks for what the browser wants to be asked for. To be called of a click. */
  async allow(id: string): Promise<void> {
    const onDisk = this.find(id)?.onDisk
    if (onDisk) await askToRead(onDisk.handle)
    await this.lookForWaiting()
  }

  /** Copies the rows of a table that is queried in place into a file of the engine's. */
  async copyIn(id: string, options: CallOptions<IngestProgress>): Promise<LocalTableRecord> {
    const { files, records, newId } = this.deps
    const { inPlace, onDisk, ...record } = this.there(id)
    const file = await this.open(id)
    const creationId = newId()
    return files.whileCreating(creationId, async () => {
      const { fileId, byteSize } = await files.ingest(file, { creationId, format: inPlace ?? null }, options)
      let made: LocalTableRecord = { ...record, fileId, byteSize }
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
      if (!onDisk) await files.remove(record.fileId).catch(() => undefined)
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
        else void files.removeUnused(gone.fileId).catch(() => undefined)
      }
      // Of a backup it has another creation than its own id.
      const creationId = this.find(id)?.fileId.split('/')[0] ?? id
      files.whileCreating(creationId, work).catch((error: unknown) => {
        reject(asError(error))
        toast({ title: 'That couldn’t be done', description: keepProblem(error), tone: 'bad' })
      })
    })
  }

  /** The table's rows, for a dataset. @throws {EngineError} `file-changed` when they're gone */
  async publication(id: string): Promise<IncomingTable> {
    const file = await this.open(id)
    const record = this.there(id)
    const name = `${record.name.replaceAll('/', '_')}.${record.inPlace ?? 'duckdb'}`
    return { file: new File([file], name), plan: null, changed: false }
  }

  /** As often as it fails, and is to be tried again. */
  private async putBack(record: LocalTableRecord): Promise<void> {
    const { files, records, toast } = this.deps
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
        void files.removeUnused(record.fileId).catch(() => undefined)
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
    const waiting = this.state.filter((_, i) => !allowed[i])
    if (waiting.length + this.waiting.snapshot().length > 0) this.waiting.set(waiting)
  }
}

const byName = (a: LocalTableRecord, b: LocalTableRecord): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true })

function foldedNames(tables: readonly LocalTableRecord[], except: string | null = null): Set<string> {
  return new Set(tables.flatMap(({ id, name }) => (id === except ? [] : [foldName(name)])))
}

/** Those that have their names in one place with a table. */
function beside(tables: readonly LocalTableRecord[], id: string): LocalTableRecord[] {
  const own = tables.find((table) => table.id === id)
  return tables.filter(({ kept }) => kept === own?.kept)
}

interface Question extends Pick<ToastMessage, 'title' | 'description' | 'tone'> {
  /** The name of what can be done. */
  readonly label: string
}

const removed = ({ name, kept }: LocalTableRecord): Question => ({
  title: `“${name}” removed`,
  description: `${kept ? '' : 'Its file on your disk is untouched. '}Statements that name it no longer run.`,
  label: 'Undo',
})

const notPutBack = ({ name }: LocalTableRecord, error: unknown): Question => ({
  title: `“${name}” couldn’t be put back`,
  description: keepProblem(error),
  tone: 'bad',
  label: 'Try again',
})

/** Whether the person does what the toast offers, while it's there. */
function ask(toast: LocalTablesDeps['toast'], { label, ...words }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    toast({ ...words, action: { label, run: () => resolve(true) }, onGone: () => resolve(false) })
  })
}
