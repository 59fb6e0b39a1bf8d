import { NEVER } from '../../lib/abort.ts'
import { Store } from '../../lib/store.ts'
import { spaceError } from '../io/private-files.ts'
import type { IngestProgress, StatementRequest, StatementResult, StoredTable } from '../storage/table-types.ts'
import { creationLock } from '../storage/file-names.ts'
import type { ChannelPool } from '../channel/pool.ts'
import type { ConvertCalls } from '../convert/calls.ts'
import { whenUnused } from './files-in-use.ts'
import { runStatement } from './run-statement.ts'
import type { QueryCalls } from '../sql/protocol.ts'
import { mentioned } from './mentions.ts'
import { tableGone, type TableFiles } from './table-files.ts'
import type { CallOptions, TableIngest, TableStore } from './types.ts'
import { ABORT_GRACE, type CallSettings } from '../channel/channel.ts'

/** Tables at rest: `jobs` creates them, `queries` reads them. */
export class WorkerTableStore implements TableStore {
  readonly hasAnswered = new Store(false)
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
    const files = new Map<string, File>()
    for (const { fileId } of mentioned(sql, tables)) {
      const file = await this.files.find(fileId)
      if (file) files.set(fileId, file)
    }
    const answer = await runStatement(this.queries, { sql, tables, files, maxRows }, timeoutMs, signal)
    this.hasAnswered.set(true)
    return answer
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

type FileCall = Exclude<keyof ConvertCalls, 'warmUp' | 'tryRows'>

/**
 * Runs a call alone in a worker. If it fails, the worker is closed, so that nothing it left behind affects other calls.
 */
export function callWithFile<N extends FileCall>(
  pool: ChannelPool<ConvertCalls>,
  name: N,
  request: ConvertCalls[N]['request'],
  { signal = NEVER, onProgress }: Pick<CallSettings<ConvertCalls[N]>, 'signal' | 'onProgress'> = {},
): Promise<ConvertCalls[N]['result']> {
  return pool.use(signal, async (channel) => {
    try {
      return await channel.call(name, request, { signal, onProgress, grace: ABORT_GRACE })
    } catch (error) {
      channel.close()
      throw error
    }
  })
}
