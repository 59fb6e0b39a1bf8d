import { NEVER } from '../lib/abort.ts'
import { IndexedFiles } from '../lib/indexed-db/indexed-files.ts'
import { privateFiles } from '../lib/private-files.ts'
import { Channel } from './channel/channel.ts'
import { ChannelPool } from './channel/pool.ts'
import { EngineError } from './errors.ts'
import type { Unpacked } from './io/archive-types.ts'
import { spaceError } from './io/private-files.ts'
import type {
  AdoptRequest,
  CheckedTable,
  ConvertProgress,
  ConvertRequest,
  ConvertResult,
  FileProgress,
  InspectProgress,
  InspectRequest,
  InspectResult,
  Preview,
  PreviewRequest,
  SourceRowsRequest,
  TriedRow,
  TryRequest,
  VerifyRequest,
} from './convert/protocol.ts'
import type { CombineRequest, ConvertCalls, SampledTable, SampleRequest } from './convert/calls.ts'
import type { Difference } from '../tables/receipt.ts'
import type { SourceRows } from '../tables/plan.ts'
import type { DatabaseTables } from './storage/table-types.ts'
import { SpareSession } from './client/spare-session.ts'
import { WorkerSqlSession } from './client/sql-session.ts'
import { TableFiles } from './client/table-files.ts'
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

/** The page's only door to the engine. Every call rejects with `EngineError`, or with the signal's reason. */
export interface EngineClient {
  /** Starts a worker ahead of the first call, and has it warm up until then. */
  warm(): void
  /** Reads a file once and says what's in it. Nothing is kept. */
  inspect(file: File, request: InspectRequest, options?: CallOptions<InspectProgress>): Promise<InspectResult>
  /** Lists a DuckDB database's tables without reading their rows; null when the file is none. */
  database(file: File, options?: CallOptions<never>): Promise<DatabaseTables | null>
  /** The first rows of one table, as a changed plan reads them. */
  preview(file: File, request: PreviewRequest, options?: CallOptions<never>): Promise<Preview>
  /** The first and last rows of a table as they stand in its file; null where its format has no such rows. */
  source(file: File, request: SourceRowsRequest, options?: CallOptions<never>): Promise<SourceRows | null>
  /** Reads all of one table, to find the rows that a plan rejects. */
  check(file: File, request: PreviewRequest, options?: CallOptions<InspectProgress>): Promise<CheckedTable>
  /** The first rows of what a statement between reading and writing would read, to try it on. */
  sample(files: readonly File[], request: SampleRequest, options?: CallOptions<never>): Promise<readonly SampledTable[]>
  /** Tries rows that a person is mending. */
  tryRows(request: TryRequest, options?: CallOptions<never>): Promise<readonly TriedRow[]>
  /** Converts, reads the output back, and keeps it. A mismatch rejects with `verification`. */
  convert(file: File, request: ConvertRequest, options?: CallOptions<ConvertProgress>): Promise<ConvertResult>
  /** Makes one table of tables of these files, as `convert` makes one of a file's. */
  combine(
    files: readonly File[],
    request: CombineRequest,
    options?: CallOptions<ConvertProgress>,
  ): Promise<ConvertResult>
  /** Takes a file that was made elsewhere as a conversion's output: once it's compared with the source, as any other. */
  adopt(file: File, request: AdoptRequest, options?: CallOptions<ConvertProgress>): Promise<ConvertResult>
  /** A file's SHA-256, in hexadecimal. */
  hash(file: File, options?: CallOptions<FileProgress>): Promise<string>
  /** Reads a file again that a conversion made: for each receipt what differs, null where it doesn't say how it's read. */
  verify(
    file: File,
    request: VerifyRequest,
    options?: CallOptions<InspectProgress>,
  ): Promise<readonly (readonly Difference[] | null)[]>
  readonly outputs: OutputStore
}

/** The files that conversions made. They outlive the page; what no record names is swept. */
export interface OutputStore {
  /** @throws {EngineError} when it's gone */
  file(output: { readonly id: string; readonly name: string; readonly mimeType: string }): Promise<File>
  remove(id: string): Promise<void>
  /** Keeps a file that no record names from being swept, by any tab, as long as this page is there. */
  hold(id: string): void
  /** Removes all outputs but these and those of jobs that run in any tab. */
  sweep(keep: ReadonlySet<string>): Promise<void>
}

/** What makes and reads results, with Arrow: loaded on first use. */
export async function openResultTools(): Promise<ResultTools> {
  const { tools } = await import('./sql/result/entry.js')
  return tools
}

/** The tables in a zip archive, null for what has none to be taken; what reads archives is loaded on first use. */
export async function unpackArchive(file: File, signal = NEVER): Promise<Unpacked | null> {
  const entry = await import('./io/archive-entry.js')
  return entry.unpackArchive(file, signal)
}

/** The engine's one worker script, to be opened as any role. */
const startWorker = (name: string): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name })

/** A statement may keep its thread busy for any time, and is cancelled by whoever waits for it. */
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
    inspect: (file, request, { signal = NEVER, onProgress } = {}) => {
      wanted.abort()
      return callWithFile(looks, 'inspect', { ...request, file }, { signal, onProgress })
    },
    database: (file, { signal = NEVER } = {}) =>
      callWithFile(looks, 'database', { file }, { signal, onProgress: undefined }),
    preview: (file, request, { signal = NEVER } = {}) =>
      callWithFile(looks, 'preview', { ...request, file }, { signal }),
    source: (file, request, { signal = NEVER } = {}) => callWithFile(looks, 'source', { ...request, file }, { signal }),
    check: (file, request, { signal = NEVER, onProgress } = {}) =>
      callWithFile(looks, 'check', { ...request, file }, { signal, onProgress }),
    sample: (files, request, { signal = NEVER } = {}) =>
      callWithFile(looks, 'sample', { ...request, files }, { signal, onProgress: undefined }),
    tryRows: (request, { signal = NEVER } = {}) =>
      looks.use(signal, (channel) => channel.call('tryRows', request, { signal })),
    hash: (file, { signal = NEVER, onProgress } = {}) => callWithFile(looks, 'hash', { file }, { signal, onProgress }),
    verify: (file, request, { signal = NEVER, onProgress } = {}) =>
      callWithFile(looks, 'verify', { ...request, file }, { signal, onProgress }),
    convert: (file, request, { signal = NEVER, onProgress } = {}) =>
      outputs.whileRunning(request.jobId, async () =>
        outputs.kept(await callWithFile(jobs, 'convert', { ...request, file }, { signal, onProgress })),
      ),
    combine: (files, request, { signal = NEVER, onProgress } = {}) =>
      outputs.whileRunning(request.jobId, async () =>
        outputs.kept(await callWithFile(jobs, 'combine', { ...request, files }, { signal, onProgress })),
      ),
    adopt: (file, request, { signal = NEVER, onProgress } = {}) =>
      outputs.whileRunning(request.jobId, async () =>
        outputs.kept(await callWithFile(jobs, 'adopt', { ...request, file }, { signal, onProgress })),
      ),
  }
}

const lockName = (jobId: string): string => `rowhouse-job-${jobId}`

class Outputs implements OutputStore {
  /** Where there's no private file system. */
  private readonly indexed = new IndexedFiles(`rowhouse-${OUTPUT_FOLDER}`)

  /** Takes over the files of a result that came without a file system. */
  async kept({
    files,
    ...result
  }: ConvertResult & { readonly files?: ReadonlyMap<string, File> }): Promise<ConvertResult> {
    try {
      for (const [id, file] of files ?? []) await this.indexed.put(id, file)
    } catch (error) {
      throw spaceError(error)
    }
    return result
  }

  /** Holds the job's lock, so that no tab sweeps what it writes; and sweeps all that it leaves when it's cut off. */
  async whileRunning<T>(jobId: string, run: () => Promise<T>): Promise<T> {
    return navigator.locks.request(lockName(jobId), async () => {
      try {
        return await run()
      } catch (error) {
        // A conversion that failed has no outputs: those that were whole before it did go too.
        await this.sweepJob(jobId, new Set()).catch(() => undefined)
        throw error
      }
    })
  }

  async file(output: { readonly id: string; readonly name: string; readonly mimeType: string }): Promise<File> {
    try {
      const file = await this.open(output.id)
      return new File([file], output.name, { type: output.mimeType })
    } catch (cause) {
      throw new EngineError('file-changed', `“${output.name}” is no longer in this browser’s storage.`, {
        remedy: 'Convert the file again.',
        cause,
      })
    }
  }

  private async open(id: string): Promise<Blob> {
    const outputs = await outputFolder()
    if (!outputs) {
      const file = await this.indexed.get(id)
      if (!file) throw new DOMException('it isn’t there', 'NotFoundError')
      return file
    }
    const [jobId = '', name = ''] = id.split('/')
    const folder = await outputs.getDirectoryHandle(jobId)
    return (await folder.getFileHandle(name)).getFile()
  }

  async remove(id: string): Promise<void> {
    const outputs = await outputFolder()
    if (!outputs) return this.indexed.remove(id)
    const [jobId = '', name = ''] = id.split('/')
    const folder = await outputs.getDirectoryHandle(jobId).catch(() => null)
    await folder?.removeEntry(name).catch(() => undefined)
    // Only an empty folder goes without `recursive`.
    await outputs.removeEntry(jobId).catch(() => undefined)
  }

  hold(id: string): void {
    const [jobId = ''] = id.split('/')
    void navigator.locks.request(lockName(jobId), { mode: 'shared' }, () => new Promise<never>(() => undefined))
  }

  async sweep(keep: ReadonlySet<string>): Promise<void> {
    for (const jobId of await this.jobs()) {
      await navigator.locks.request(lockName(jobId), { ifAvailable: true }, async (lock) => {
        if (lock) await this.sweepJob(jobId, keep)
      })
    }
  }

  private async jobs(): Promise<Iterable<string>> {
    const outputs = await outputFolder()
    if (!outputs) return new Set((await this.indexed.list()).map(({ id }) => jobOf(id)))
    const jobs: string[] = []
    for await (const jobId of outputs.keys()) jobs.push(jobId)
    return jobs
  }

  private async sweepJob(jobId: string, keep: ReadonlySet<string>): Promise<void> {
    const outputs = await outputFolder()
    if (!outputs) {
      for (const { id } of await this.indexed.list())
        if (jobOf(id) === jobId && !keep.has(id)) await this.indexed.remove(id)
      return
    }
    const folder = await outputs.getDirectoryHandle(jobId).catch(() => null)
    if (folder) await sweepFolder(folder, (name) => keep.has(`${jobId}/${name}`))
    // Only an empty folder goes without `recursive`.
    await outputs.removeEntry(jobId).catch(() => undefined)
  }
}

const jobOf = (id: string): string => id.split('/')[0] ?? ''

async function sweepFolder(folder: FileSystemDirectoryHandle, keep: (name: string) => boolean): Promise<void> {
  for await (const name of folder.keys()) {
    // An ended worker may hold its file for a moment longer: the next sweep gets it.
    if (!keep(name)) await folder.removeEntry(name).catch(() => undefined)
  }
}

async function outputFolder(): Promise<FileSystemDirectoryHandle | null> {
  const root = await privateFiles()
  return root && root.getDirectoryHandle(OUTPUT_FOLDER, { create: true })
}
