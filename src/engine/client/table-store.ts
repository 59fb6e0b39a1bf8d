import { NEVER } from '../../lib/abort.ts'
import { foldName } from '../../lib/names.ts'
import { spaceError } from '../io/private-files.ts'
import type {
  IngestProgress,
  NamedTable,
  StatementRequest,
  StatementResult,
  StoredTable,
} from '../storage/table-types.ts'
import { creationLock } from '../storage/table-names.ts'
import type { ChannelPool } from '../channel/pool.ts'
import type { ConvertCalls } from '../convert/calls.ts'
import { callWithFile } from './file-calls.ts'
import { whenUnused } from './files-in-use.ts'
import { runStatement } from './run-statement.ts'
import type { QueryCalls } from '../sql/protocol.ts'
import { tableGone, type TableFiles } from './table-files.ts'
import type { CallOptions, TableIngest, TableStore } from './types.ts'

/** Tables at rest, loaded by job workers and queried by workers that live on. */
export class WorkerTableStore implements TableStore {
  private readonly files: TableFiles
  private readonly jobs: ChannelPool<ConvertCalls>
  private readonly queries: ChannelPool<QueryCalls>

  constructor(jobs: ChannelPool<ConvertCalls>, queries: ChannelPool<QueryCalls>, files: TableFiles) {
    this.files = files
    this.jobs = jobs
    this.queries = queries
  }

  async whileCreating<T>(creationId: string, work: () => Promise<T>): Promise<T> {
    return navigator.locks.request(creationLock(creationId, this.files.folder), work)
  }

  async ingest(
    file: File,
    { onto, ...request }: TableIngest,
    { signal = NEVER, onProgress }: CallOptions<IngestProgress> = {},
  ): Promise<StoredTable> {
    const { folder } = this.files
    const addition = onto === undefined ? {} : { onto: await this.file(onto) }
    const { stored, ...table } = await callWithFile(
      this.jobs,
      'ingest',
      { ...request, ...addition, file, folder },
      { signal, onProgress },
    )
    if (stored) await this.put(table.fileId, stored, { signal })
    return table
  }

  async run(
    { sql, tables, timeoutMs, maxRows }: StatementRequest,
    { signal = NEVER }: CallOptions<never> = {},
  ): Promise<StatementResult> {
    const begun = performance.now()
    const files = new Map<string, File>()
    for (const { fileId } of mentioned(sql, tables)) {
      const file = await this.files.find(fileId)
      if (file) files.set(fileId, file)
    }
    const answer = await runStatement(this.queries, { sql, tables, files, maxRows }, timeoutMs, signal)
    return { ...answer, durationMs: performance.now() - begun }
  }

  async file(fileId: string): Promise<File> {
    const file = await this.files.find(fileId)
    if (!file) throw tableGone()
    return file
  }

  async put(fileId: string, file: Blob, { signal = NEVER }: CallOptions<never> = {}): Promise<void> {
    signal.throwIfAborted()
    try {
      await this.files.put(fileId, file, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw spaceError(error)
    }
  }

  remove(fileId: string): Promise<void> {
    return this.files.remove(fileId)
  }

  removeUnused(fileId: string): Promise<void> {
    return whenUnused(fileId, this.files.folder, () => this.files.remove(fileId))
  }

  sweep(keep: () => Promise<ReadonlySet<string>>): Promise<void> {
    return this.files.sweep(keep)
  }
}

/** The tables whose names all stand in the statement, as words or within others: all that it can be about, and more. */
export function mentioned(sql: string, tables: readonly NamedTable[]): NamedTable[] {
  const text = foldName(sql)
  const stands = (name: string): boolean => {
    const folded = foldName(name)
    // As it stands in quotes; and in quotes within a string, as functions are given names.
    return [folded, folded.replaceAll('"', '""'), folded.replaceAll("'", "''")].some((form) => text.includes(form))
  }
  return tables.filter(({ workspace, dataset, table }) => [workspace, dataset, table].every(stands))
}
