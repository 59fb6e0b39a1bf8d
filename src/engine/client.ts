import { NEVER } from '../lib/abort.ts'
import { holdLock } from '../lib/windows.ts'
import { untilRemoved } from '../lib/private-files.ts'
import { Channel } from './channel/channel.ts'
import type { ProgressOf } from './channel/messages.ts'
import { ChannelPool } from './channel/pool.ts'
import { EngineError } from './errors.ts'
import type { Unpacked } from './io/archive-types.ts'
import { spaceError } from './io/private-files.ts'
import type { ConvertProgress, ConvertResult } from './convert/protocol.ts'
import type { ConvertCalls } from './convert/calls.ts'
import { Spare } from './client/spare.ts'
import { WorkerSqlSession } from './client/sql-session.ts'
import { GroupedFiles, TableFiles } from './client/table-files.ts'
import { callWithFile, WorkerTableStore } from './client/table-store.ts'
import type { QueryCalls, SessionCalls } from './sql/protocol.ts'
import type { ResultTools } from './sql/result/types.ts'
import type { CallOptions, CreateSqlSession, SqlSession, TableStore } from './client/types.ts'
import { LOCAL_TABLES_FOLDER, OUTPUT_FOLDER, TABLES_FOLDER } from './storage/file-names.ts'

export type * from './client/types.ts'
export type * from './convert/calls.ts'
export type * from './convert/inspection-types.ts'
export type * from './convert/protocol.ts'
export type * from './storage/table-types.ts'
export type * from './sql/session-types.ts'
export type * from './sql/result/types.ts'
export { EngineError } from './errors.ts'
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
  /** Starts a worker that warms up until the first call. */
  readonly warm: () => void
  /** Reads a whole file and describes its tables. Stores nothing. */
  readonly inspect: OfFile<'inspect'>
  /** Lists a DuckDB database's tables without reading their rows; null if the file isn't one. */
  readonly database: FileOnly<'database'>
  /** The first rows of one table, read with a changed plan. */
  readonly preview: OfFile<'preview'>
  /** The first and last rows of a table as written in its file; null if its format has no such rows. */
  readonly source: OfFile<'source'>
  /** Reads a whole table to find the rows that a plan rejects. */
  readonly check: OfFile<'check'>
  /** The first rows of the tables that a statement between reading and writing would read, for its preview. */
  readonly sample: OfFiles<'sample'>
  /** Reads rows that a person is fixing, to see whether they fit. */
  readonly tryRows: (request: RequestOf<'tryRows'>, options?: OptionsOf<'tryRows'>) => ResultOf<'tryRows'>
  /** Converts a file, verifies the output by reading it back, and stores it. A mismatch rejects with `verification`. */
  readonly convert: OfFile<'convert'>
  /** Combines tables of these files into one; otherwise like `convert`. */
  readonly combine: OfFiles<'combine'>
  /** Stores a file that was made elsewhere as a conversion's output, after comparing it with the source. */
  readonly adopt: OfFile<'adopt'>
  /** A file's SHA-256 in hexadecimal. */
  readonly hash: FileOnly<'hash'>
  /**
   * Compares a conversion's output with its receipts: each one's differences, or null if it doesn't say how to read it.
   */
  readonly verify: OfFile<'verify'>
  readonly outputs: OutputStore
}

/** Outputs of conversions. They outlive the page; files without a record are swept. */
export interface OutputStore {
  /** @throws {EngineError} `file-changed` if it's gone */
  file(output: { readonly id: string; readonly name: string; readonly mimeType: string }): Promise<File>
  remove(id: string): Promise<void>
  /** Prevents all tabs from sweeping a file without a record while this page is open. */
  hold(id: string): void
  /** Removes all outputs except these and those of jobs that are running in any tab. */
  sweep(keep: ReadonlySet<string>): Promise<void>
}

let resultTools: ResultTools | null = null

/**
 * The code that creates and reads results, which includes Arrow and is loaded on first use. It's kept, since importing it
 * again, with the preloading that the build adds, takes half a millisecond of each statement.
 */
export async function openResultTools(): Promise<ResultTools> {
  resultTools ??= (await import('./sql/result/entry.js')).tools
  return resultTools
}

/** The tables in a zip archive; null if it isn't one. The code is loaded on first use. */
export async function unpackArchive(file: File): Promise<Unpacked | null> {
  const entry = await import('./io/archive-entry.js')
  return entry.unpackArchive(file, NEVER)
}

/** All roles share one worker script. */
const startWorker = (name: string): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name })

/** A statement may keep its thread busy for any length of time; its caller can cancel it. */
const UNWATCHED = { silence: Number.POSITIVE_INFINITY }

const openConvert = (): Channel<ConvertCalls> => new Channel(startWorker, 'convert')

/** By folder, so that all stores and sessions share a folder's cache. */
const tableFiles = new Map<string, TableFiles>()

function filesOf(folder: string): TableFiles {
  let files = tableFiles.get(folder)
  if (!files) tableFiles.set(folder, (files = new TableFiles(folder)))
  return files
}

/**
 * The tables at rest in this browser. Starts no worker until the first call.
 * @param options their folder in the private file system, by default that of datasets
 */
export function createTableStore({ folder = TABLES_FOLDER }: { readonly folder?: string } = {}): TableStore {
  const jobs = new ChannelPool({ open: openConvert, limit: 2, keep: 1 })
  const queries = new ChannelPool({ open: () => spareQuery.take(), limit: 2 })
  return new WorkerTableStore(jobs, queries, filesOf(folder))
}

const spareQuery = new Spare(() => new Channel<QueryCalls>(startWorker, 'query', UNWATCHED))

/** Starts the worker for the first query of a `TableStore` before it's needed. */
export const warmQueries = (): void => spareQuery.warm()

/**
 * A session over tables of datasets and local files. Unless one was warmed up, its worker starts with the first call.
 */
export const createSqlSession: CreateSqlSession = (kept) => {
  const session = spareSession.take()
  if (kept) session.keepIn(kept)
  return session
}

const spareSession = new Spare(
  () =>
    new WorkerSqlSession({
      open: () => new Channel<SessionCalls>(startWorker, 'session', UNWATCHED),
      find: (fileId, place) => filesOf(place === 'local' ? LOCAL_TABLES_FOLDER : TABLES_FOLDER).find(fileId),
      openTools: openResultTools,
    }),
  // The first call starts the worker. If it can't start, calls of whoever takes the session reject.
  (session) => void session.check('SELECT 1').catch(() => undefined),
)

/** Starts the first session's worker before it's needed. */
export const warmSqlSession = (): void => spareSession.warm()

/** A session over tables in memory, given as files by file id. Starts no worker until the first call. */
export function createMemorySession(files: ReadonlyMap<string, File>): SqlSession {
  return new WorkerSqlSession({
    open: () => new Channel<SessionCalls>(startWorker, 'session', UNWATCHED),
    find: (fileId) => Promise.resolve(files.get(fileId) ?? null),
    openTools: openResultTools,
  })
}

/** Starts no worker until the first call. */
export function createEngineClient(): EngineClient {
  // Two pools, so that inspections don't wait for conversions. They share idle workers.
  const idle: Channel<ConvertCalls>[] = []
  const jobs = new ChannelPool({ open: openConvert, limit: 2, keep: 1, idle })
  const looks = new ChannelPool({ open: openConvert, limit: 2, keep: 1, idle })
  const outputs = new Outputs()
  /** Aborted to end the warm-up when an inspection begins. */
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
        // If this fails, so will the first real call, which reports it.
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

  /** Stores the files that a result contains if the worker had no private file system. */
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
   * Holds the job's lock, so that no tab sweeps its files, and removes them if the job fails. Files that an ended
   * worker still holds are removed after the promise has rejected, but before the lock is released.
   */
  whileRunning<T>(jobId: string, run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const running = async (): Promise<void> => {
        try {
          resolve(await run())
        } catch (error) {
          // Outputs that were complete before the failure are removed, too.
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

  /** A file that can't be removed now is swept later. */
  async remove(id: string): Promise<void> {
    await this.files.remove(id).catch(() => undefined)
  }

  hold(id: string): void {
    void holdLock(lockOf(groupOf(id)), { mode: 'shared' })
  }

  sweep(keep: ReadonlySet<string>): Promise<void> {
    return this.files.sweep(() => Promise.resolve(keep))
  }
}
