import 'fake-indexeddb/auto'
import type {
  IngestRequest,
  InspectResult,
  KeptStore,
  StoredTable,
  CallOptions,
  IngestProgress,
} from '../../../engine/client.ts'
import type { InspectedTable } from '../../../tables/plan.ts'
import type { ToastMessage } from '../../../ui/overlays/toasts.ts'
import { createChannel, createSqlDatabase } from '../database.ts'
import { createKeptStore } from './kept.ts'
import { LocalTables, type LocalFiles } from './tables.ts'

/* A browser with windows, with files in memory. Tests only. */

/** Files as stored by the engine, with the locks that protect them from sweeps. */
export class FakeFiles implements LocalFiles {
  readonly stored = new Map<string, string>()
  readonly locked = new Set<string>()
  readonly requests: IngestRequest[] = []
  /** Called while a file is being loaded. */
  onIngest: (request: IngestRequest, signal: AbortSignal) => Promise<void> = () => Promise.resolve()

  async whileCreating<T>(creationId: string, work: () => Promise<T>): Promise<T> {
    this.locked.add(creationId)
    try {
      return await work()
    } finally {
      this.locked.delete(creationId)
    }
  }

  async ingest(
    file: File,
    request: IngestRequest,
    { signal = new AbortController().signal, onProgress }: CallOptions<IngestProgress> = {},
  ): Promise<StoredTable> {
    this.requests.push(request)
    onProgress?.({ phase: 'load', bytes: 1, totalBytes: 2, rows: 1 })
    await this.onIngest(request, signal)
    signal.throwIfAborted()
    const fileId = `${request.creationId}/${crypto.randomUUID()}`
    this.stored.set(fileId, file.name)
    return { fileId, rowCount: 2, byteSize: 100, schema: [{ name: 'a', type: 'INTEGER' }] }
  }

  file(fileId: string): Promise<File> {
    const name = this.stored.get(fileId)
    return name === undefined ? Promise.reject(new Error('gone')) : Promise.resolve(new File(['DUCK'], name))
  }

  put(fileId: string, file: Blob): Promise<void> {
    this.stored.set(fileId, file instanceof File ? file.name : '')
    return Promise.resolve()
  }

  remove(fileId: string): Promise<void> {
    this.stored.delete(fileId)
    return Promise.resolve()
  }

  removeUnused(fileId: string): Promise<void> {
    return this.remove(fileId)
  }

  async sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void> {
    for (const fileId of this.stored.keys()) {
      if (this.locked.has(fileId.split('/')[0] ?? '')) continue
      if (!(await keep()).has(fileId)) this.stored.delete(fileId)
    }
  }
}

export interface FakeWindow {
  readonly tables: LocalTables
  readonly kept: KeptStore
  readonly toasts: ToastMessage[]
}

/** Windows of one browser, which share a database and a folder of files. */
export function fakeBrowser(): { readonly files: FakeFiles; readonly open: () => FakeWindow } {
  const name = `sql-${crypto.randomUUID()}`
  const files = new FakeFiles()
  return {
    files,
    open() {
      const toasts: ToastMessage[] = []
      const records = createSqlDatabase(name)
      const newId = (): string => crypto.randomUUID()
      const tables = new LocalTables({
        files,
        records,
        channel: createChannel(name),
        toast: (message) => toasts.push(message),
        now: Date.now,
        newId,
      })
      const kept = createKeptStore({ files, records, changed: () => tables.changed(), now: Date.now, newId })
      return { tables, kept, toasts }
    },
  }
}

/** The engine's inspection of a file with these tables. */
export function inspected(
  tables: readonly (Partial<InspectedTable> & { readonly name: string | null })[],
): InspectResult {
  const column = { index: 0, source: 'a', name: 'a', type: 'INTEGER', reason: '', flags: [], nulls: 0 }
  return {
    previews: [],
    inspection: {
      format: 'xlsx',
      settings: { kind: 'xlsx', headerRow: {} },
      notes: [],
      tables: tables.map((table) => ({
        columns: [column],
        rows: 2,
        rejectedCount: 0,
        rejected: [],
        notes: [],
        ...table,
      })),
    },
  }
}
