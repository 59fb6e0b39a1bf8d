import { NEVER } from '../../lib/abort.ts'
import { foldName } from '../../lib/names.ts'
import { Store } from '../../lib/store.ts'
import { spaceError } from '../io/private-files.ts'
import type {
  IngestProgress,
  NamedTable,
  StatementRequest,
  StatementResult,
  StoredTable,
} from '../storage/table-types.ts'
import { creationLock } from '../storage/file-names.ts'
import type { ChannelPool } from '../channel/pool.ts'
import type { ConvertCalls } from '../convert/calls.ts'
import { whenUnused } from './files-in-use.ts'
import { runStatement } from './run-statement.ts'
import type { QueryCalls } from '../sql/protocol.ts'
import { tableGone, type TableFiles } from './table-files.ts'
import type { CallOptions, TableIngest, TableStore } from './types.ts'
import { ABORT_GRACE, type CallSettings } from '../channel/channel.ts'
import { filesMentioned } from '../sql/files/paths.ts'
import type { ParameterValue, SessionTables } from '../sql/session-types.ts'
import { stemOf } from '../../tables/file-names.ts'

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

/** The tables whose names all occur in the statement, even within words: all that it can refer to, and maybe more. */
export function mentioned(sql: string, tables: readonly NamedTable[]): NamedTable[] {
  const text = foldName(sql)
  const stands = (name: string): boolean => {
    const folded = foldName(name)
    // As is, within a quoted identifier, and within a string, as functions take names.
    return [folded, folded.replaceAll('"', '""'), folded.replaceAll("'", "''")].some((form) => text.includes(form))
  }
  return tables.filter(({ workspace, dataset, table }) => [workspace, dataset, table].every(stands))
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

const IN_WORD = /[\p{L}\p{N}_]/u

/** Local tables that a statement may refer to by name, by their file's path, or by their name in a database file. */
export function namedLocals(
  text: string,
  parameters: Readonly<Record<string, ParameterValue>>,
  local: SessionTables['local'],
  named: readonly NamedTable[],
): NamedTable[] {
  const values = Object.values(parameters).flatMap((value) => value.text ?? [])
  const paths = filesMentioned(text, values, [...new Set(local.flatMap(({ file }) => file?.path ?? []))])
  const byName = new Set(mentioned(`${text}\nlocal main`, named))
  const all = /\blocal\b/i.test(text)
  return named.filter((table, i) => {
    const { file, database } = local[i] ?? {}
    const path = file?.path ?? ''
    return (
      (byName.has(table) && (all || standsAlone(table.table, text))) ||
      paths.has(path) ||
      (database && [stemOf(path), database.table].every((name) => standsAlone(name, text)))
    )
  })
}

/** Whether a name that occurs in a text occurs there as a separate word. */
export function standsAlone(name: string, text: string): boolean {
  const [folded, within] = [foldName(name), foldName(text)]
  for (let at = within.indexOf(folded); at >= 0; at = within.indexOf(folded, at + 1))
    if (!IN_WORD.test(within.slice(at - 1, at)) && !IN_WORD.test(within.charAt(at + folded.length))) return true
  return !/^[\p{L}\p{N}_]*$/u.test(name)
}
