import { NEVER } from '../lib/abort.ts'
import { untilRemoved } from '../lib/private-files.ts'
import { Channel } from './channel/channel.ts'
import type { ProgressOf } from './channel/messages.ts'
import { ChannelPool } from './channel/pool.ts'
import { EngineError } from './errors.ts'
import type { Unpacked } from './io/archive-types.ts'
import { spaceError } from './io/private-files.ts'
import type { ConvertProgress, ConvertResult } from './convert/protocol.ts'
import type { ConvertCalls } from './convert/calls.ts'
import { SpareSession } from './client/spare-session.ts'
import { WorkerSqlSession } from './client/sql-session.ts'
import { GroupedFiles, TableFiles } from './client/table-files.ts'
import { callWithFile, WorkerTableStore } from './client/table-store.ts'
import type { QueryCalls, SessionCalls } from './sql/protocol.ts'
import type { ResultTools } from './sql/result/types.ts'
import type { CallOptions, CreateSqlSession, SqlSession, TableStore } from './client/types.ts'
import { LOCAL_TABLES_FOLDER, OUTPUT_FOLDER, TABLES_FOLDER } from './storage/file-names.ts'

export type * from './client/types.ts'
export type * from './convert/calls.ts'
export type * from './convert/protocol.ts'
export type * from './storage/table-types.ts'
export type * from './sql/session-types.ts'
export type * from './sql/result/types.ts'
export { EngineError, type EngineErrorCode } from './errors.ts'
export { openOnDisk } from './client/file-on-disk.ts'
export { LOCAL_TABLES_FOLDER } from './storage/file-names.ts'

type CallName = keyof ConvertCalls
type OptionsOf<N extends CallName> = CallOptions<ProgressOf<ConvertCalls[N]>>
type ResultOf<N extends CallName> = Promise<
  N extends 'convert' | 'combine' | 'adopt' ? ConvertResult : ConvertCalls[N]['result']
>
type RequestOf<N extends CallName> = Omit<ConvertCalls[N]['request'], 'file' | 'files'>
type FileOnly<N extends CallName> = (file: File, options?: OptionsOf<N>) => ResultOf<N>
type OfFile<N extends CallName> = (file: File, request: RequestOf<N>, options?: OptionsOf<N>) => ResultOf<N>
type OfFiles<N extends CallName> = (
  files: readonly File[],
  request: RequestOf<N>,
  options?: OptionsOf<N>,
) => ResultOf<N>

/**
 * The page's only way into the engine, with the requests and results of `ConvertCalls`. Every call rejects with
 * `EngineError`, or with the signal's reason.
 */
export interface EngineClient {
  /** Starts a worker before the first call, and lets it warm up until then. */
  readonly warm: () => void
  /** Reads a file once and says what's in it. Nothing is kept. */
  readonly inspect: OfFile<'inspect'>
  /** Lists a DuckDB database's tables without reading their rows; null if the file isn't one. */
  readonly database: FileOnly<'database'>
  /** The first rows of one table, as a changed plan reads them. */
  readonly preview: OfFile<'preview'>
  /** The first and last rows of a table as written in its file; null if its format has no such rows. */
  readonly source: OfFile<'source'>
  /** Reads a whole table, to find the rows that a plan rejects. */
  readonly check: OfFile<'check'>
  /** The first rows that a statement between reading and writing would read, for its preview. */
  readonly sample: OfFiles<'sample'>
  /** Reads rows that a person is fixing, to see whether they fit. */
  readonly tryRows: (request: RequestOf<'tryRows'>, options?: OptionsOf<'tryRows'>) => ResultOf<'tryRows'>
  /** Converts, reads the output back, and keeps it. A mismatch rejects with `verification`. */
  readonly convert: OfFile<'convert'>
  /** Combines tables of these files into one; otherwise like `convert`. */
  readonly combine: OfFiles<'combine'>
  /** Accepts a file that was made elsewhere as a conversion's output, after comparing it with the source. */
  readonly adopt: OfFile<'adopt'>
  /** A file's SHA-256, in hexadecimal. */
  readonly hash: FileOnly<'hash'>
  /** Reads a file again that a conversion made: for each receipt what differs, null where it doesn't say how it's read. */
  readonly verify: OfFile<'verify'>
  readonly outputs: OutputStore
}

/** The files that conversions made. They outlive the page; files that no record names are swept. */
export interface OutputStore {
  /** @throws {EngineError} when it's gone */
  file(output: { readonly id: string; readonly name: string; readonly mimeType: string }): Promise<File>
  remove(id: string): Promise<void>
  /** Keeps any tab from sweeping a file that no record names, as long as this page is open. */
  hold(id: string): void
  /** Removes all outputs but these and those of jobs that run in any tab. */
  sweep(keep: ReadonlySet<string>): Promise<void>
}

/** What makes and reads results, with Arrow: loaded on first use. */
export async function openResultTools(): Promise<ResultTools> {
  const { tools } = await import('./sql/result/entry.js')
  return tools
}

/** The tables in a zip archive; null if it isn't one. The code is loaded on first use. */
export async function unpackArchive(file: File, signal = NEVER): Promise<Unpacked | null> {
  const entry = await import('./io/archive-entry.js')
  return entry.unpackArchive(file, signal)
}

/** The engine's one worker script, to be opened as any role. */
const startWorker = (name: string): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name })

/** A statement may keep its thread busy for any time; its caller cancels it. */
const UNWATCHED = { silence: Number.POSITIVE_INFINITY }

const openConvert = (): Channel<ConvertCalls> => new Channel(startWorker, 'convert')

/** By folder: what was read of it is known to all. */
const tableFiles = new Map<string, TableFiles>()

function filesOf(folder: string): TableFiles {
  let files = tableFiles.get(folder)
  if (!files) tableFiles.set(folder, (files = new TableFiles(folder)))
  return files
}

/**
 * The tables at rest of this browser. Starts no worker until the first call.
 * @param options the folder of the private file system that they lie in: those of datasets by default
 */
export function createTableStore({ folder = TABLES_FOLDER }: { readonly folder?: string } = {}): TableStore {
  const jobs = new ChannelPool({ open: openConvert, limit: 2, keep: 1 })
  const queries = new ChannelPool({
    open: () => new Channel<QueryCalls>(startWorker, 'query', UNWATCHED),
    limit: 2,
  })
  return new WorkerTableStore(jobs, queries, filesOf(folder))
}

/** A session over tables of datasets and local files. Starts no worker until the first call. */
export const createSqlSession: CreateSqlSession = (kept) => {
  const session = spareSession.take()
  if (kept) session.keepIn(kept)
  return session
}

const spareSession = new SpareSession(
  () =>
    new WorkerSqlSession({
      open: () => new Channel<SessionCalls>(startWorker, 'session', UNWATCHED),
      find: (fileId, place) => filesOf(place === 'local' ? LOCAL_TABLES_FOLDER : TABLES_FOLDER).find(fileId),
      openTools: openResultTools,
    }),
)

/** Starts the first session's worker before it's wanted. */
export const warmSqlSession = (): void => spareSession.warm()

/** A session over tables that are in memory: their files, by file id. Starts no worker until the first call. */
export function createMemorySession(files: ReadonlyMap<string, File>): SqlSession {
  return new WorkerSqlSession({
    open: () => new Channel<SessionCalls>(startWorker, 'session', UNWATCHED),
    find: (fileId) => Promise.resolve(files.get(fileId) ?? null),
    openTools: openResultTools,
  })
}

/** Starts no worker until the first call. */
export function createEngineClient(): EngineClient {
  // Looking at a file shouldn't wait until two conversions are done.
  const idle: Channel<ConvertCalls>[] = []
  const jobs = new ChannelPool({ open: openConvert, limit: 2, keep: 1, idle })
  const looks = new ChannelPool({ open: openConvert, limit: 2, keep: 1, idle })
  const outputs = new Outputs()
  /** Aborted when somebody wants something. */
  let wanted = new AbortController()
  const make = <N extends 'convert' | 'combine' | 'adopt'>(
    name: N,
    request: ConvertCalls[N]['request'],
    options?: CallOptions<ConvertProgress>,
  ): Promise<ConvertResult> =>
    outputs.whileRunning(request.jobId, async () => outputs.kept(await callWithFile(jobs, name, request, options)))
  return {
    outputs,
    warm: () => {
      if (looks.busy || jobs.busy) return
      looks.warm((channel) => {
        wanted = new AbortController()
        // Where it fails, whoever wants something gets the reason.
        channel.call('warmUp', null, { signal: wanted.signal }).catch(() => undefined)
      })
    },
    inspect: (file, request, options) => {
      wanted.abort()
      return callWithFile(looks, 'inspect', { ...request, file }, options)
    },
    database: (file, options) => callWithFile(looks, 'database', { file }, options),
    preview: (file, request, options) => callWithFile(looks, 'preview', { ...request, file }, options),
    source: (file, request, options) => callWithFile(looks, 'source', { ...request, file }, options),
    check: (file, request, options) => callWithFile(looks, 'check', { ...request, file }, options),
    sample: (files, request, options) => callWithFile(looks, 'sample', { ...request, files }, options),
    tryRows: (request, { signal = NEVER } = {}) =>
      looks.use(signal, (channel) => channel.call('tryRows', request, { signal })),
    hash: (file, options) => callWithFile(looks, 'hash', { file }, options),
    verify: (file, request, options) => callWithFile(looks, 'verify', { ...request, file }, options),
    convert: (file, request, options) => make('convert', { ...request, file }, options),
    combine: (files, request, options) => make('combine', { ...request, files }, options),
    adopt: (file, request, options) => make('adopt', { ...request, file }, options),
  }
}

const lockOf = (jobId: string): string => `rowhouse-job-${jobId}`

const groupOf = (id: string): string => id.split('/')[0] ?? ''

class Outputs implements OutputStore {
  private readonly files = new GroupedFiles({
    folder: OUTPUT_FOLDER,
    pathOf: (id) => ({ group: groupOf(id), name: id.slice(groupOf(id).length + 1) }),
    idOf: (jobId, name) => `${jobId}/${name}`,
    lockOf,
  })

  /** Takes over the files of a result that came without a file system. */
  async kept({
    files,
    ...result
  }: ConvertResult & { readonly files?: ReadonlyMap<string, File> }): Promise<ConvertResult> {
    try {
      for (const [id, file] of files ?? []) await this.files.put(id, file, NEVER)
    } catch (error) {
      throw spaceError(error)
    }
    return result
  }

  /**
   * Holds the job's lock, so that no tab sweeps what it writes, and sweeps what an interrupted job leaves. Files that an
   * ended worker still holds go after the answer, and before the job runs again.
   */
  whileRunning<T>(jobId: string, run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const running = async (): Promise<void> => {
        try {
          resolve(await run())
        } catch (error) {
          // A conversion that failed has no outputs: those that were whole before it did go too.
          const sweep = (): Promise<boolean> => this.files.sweepGroup(jobId, new Set()).catch(() => true)
          const isSwept = await sweep()
          reject(error)
          if (!isSwept) await untilRemoved(sweep)
        }
      }
      navigator.locks.request(lockOf(jobId), running).catch(reject)
    })
  }

  async file({
    id,
    name,
    mimeType,
  }: {
    readonly id: string
    readonly name: string
    readonly mimeType: string
  }): Promise<File> {
    const file = await this.files.find(id)
    if (file) return new File([file], name, { type: mimeType })
    throw new EngineError('file-changed', `“${name}” is no longer in this browser’s storage.`, {
      remedy: 'Convert the file again.',
    })
  }

  /** What can't be removed now is swept later. */
  async remove(id: string): Promise<void> {
    await this.files.remove(id).catch(() => undefined)
  }

  hold(id: string): void {
    void navigator.locks.request(lockOf(groupOf(id)), { mode: 'shared' }, () => new Promise<never>(() => undefined))
  }

  sweep(keep: ReadonlySet<string>): Promise<void> {
    return this.files.sweep(() => Promise.resolve(keep))
  }
}
