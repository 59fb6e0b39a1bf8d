import { stat, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { ABORT_GRACE, Channel } from '../../engine/channel/channel.ts'
import { ChannelPool } from '../../engine/channel/pool.ts'
import type { Output } from '../../engine/convert/protocol.ts'
import { EngineError } from '../../engine/errors.ts'
import { createTables, type ConvertingEngine } from '../../service/engine-tables.ts'
import type { Tables } from '../../service/ports.ts'
import { openFile } from '../engine/files.ts'
import { UNNAMED_FOR, type ServerObjects } from '../objects/objects.ts'
import type { Elsewhere, ElsewhereOptions } from '../clickhouse/elsewhere.ts'
import type { FileCall, FileCalls, FileOnDisk, QueryCalls } from './calls.ts'
import { startProcess } from './process-worker.ts'
import { createStore } from './store.ts'
import type { TableFiles } from './table-files.ts'
import { chownSync, mkdirSync, mkdtempSync } from 'node:fs'
import { handover, PASSABLE, type WorkerUser } from '../worker-user.ts'

interface ServerTablesOptions {
  /** Storage of tables' files. */
  readonly files: TableFiles
  /** Folder for conversions' temporary files; no other use. */
  readonly workFolder: string
  /** Script of the processes. */
  readonly script: string
  /** User that processes run as; null for the server's own. */
  readonly user?: WorkerUser | null
  /** Number of processes for statements; the same number reads and writes files. */
  readonly processes: number
  /** Provides the file with an object's bytes. */
  readonly withFile: ServerObjects['withFile']
  /**
   * Milliseconds for which a creation's files are protected from sweeps, since another server may be about to record
   * them.
   */
  readonly unnamedFor?: number
  /** Opens another engine for statements on large tables. */
  readonly elsewhere?: (parts: Omit<ElsewhereOptions, 'settings' | 'log'>) => Elsewhere
}

export interface ServerTables extends Tables {
  /** Starts a process of each kind before the first call. */
  warm(): void
  /** Number of busy processes. */
  busy(): number
  /** Removes temporary files that killed servers left on this machine. */
  sweepWork(): Promise<void>
  /** Terminates all processes, and removes temporary files. */
  close(): Promise<void>
}

/** Tables as files, with all work on rows done in processes. */
export function createServerTables(options: ServerTablesOptions): ServerTables {
  const { workFolder, script, user = null, processes, unnamedFor = UNNAMED_FOR } = options
  const work = new Work(workFolder, user)
  const start = (more: { readonly memoryMb?: number } = {}): Worker =>
    startProcess(script, { folder: work.forProcess(), user, ...more })
  const open = new Set<Channel<FileCalls> | Channel<QueryCalls>>()
  const opened = <C extends Channel<FileCalls> | Channel<QueryCalls>>(channel: C): C => {
    for (const other of open) if (other.closed) open.delete(other)
    open.add(channel)
    return channel
  }
  const jobs = new ChannelPool<FileCalls>({
    open: () => opened(new Channel<FileCalls>(() => start(), 'files')),
    limit: processes,
    keep: 1,
  })
  const queries = new ChannelPool<QueryCalls>({
    open: () =>
      opened(
        new Channel<QueryCalls>(() => start({ memoryMb: QUERY_MB }), 'query', { silence: Number.POSITIVE_INFINITY }),
      ),
    limit: processes,
    ahead: true,
  })
  const elsewhere =
    options.elsewhere?.({
      queries,
      startExport: () => start({ memoryMb: QUERY_MB }),
      newPlace: async () => path.join(await work.begin(crypto.randomUUID()), 'rows.parquet'),
    }) ?? null
  const sources = new WeakMap<File, Blob>()
  const fileCall = createFileCall(jobs, (file, use, signal) => {
    const source = sources.get(file)
    if (!source) throw new Error('not a file of this store')
    return options.withFile(source, (place) => use({ path: place, name: file.name }), signal)
  })

  const tables = createTables({
    engine: createEngine(fileCall, work),
    store: createStore({ files: options.files, unnamedFor, call: fileCall, queries, elsewhere }),
    isEngineError: (error): error is EngineError => error instanceof EngineError,
    fileOf(source, name) {
      const file = new File([], name)
      sources.set(file, source)
      return file
    },
    making: (make) => make(),
    newId: () => crypto.randomUUID(),
  })
  return {
    ...tables,
    sweepWork: () => work.sweep(),
    warm() {
      jobs.warm()
      queries.warm()
    },
    busy: () => Array.from(open).filter((channel) => !channel.closed && channel.busy).length,
    async close() {
      await elsewhere?.close()
      for (const channel of open) channel.close()
      await work.close()
    },
  }
}

/** Memory limit of a process for statements, in megabytes: the engine's and JavaScript's. */
const QUERY_MB = 3072

type WithFile = <T>(file: File, use: (onDisk: FileOnDisk) => Promise<T>, signal: AbortSignal) => Promise<T>

function createFileCall(pool: ChannelPool<FileCalls>, withFile: WithFile): FileCall {
  return (name, file, request, signal) =>
    withFile(
      file,
      (onDisk) =>
        pool.use(signal, async (channel) => {
          try {
            const whole = { ...request, file: onDisk } as FileCalls[typeof name]['request']
            return await channel.call(name, whole, { signal, grace: ABORT_GRACE })
          } catch (error) {
            channel.close()
            throw error
          }
        }),
      signal,
    )
}

function createEngine(call: FileCall, work: Work): ConvertingEngine {
  return {
    inspect: (file, request, { signal }) => call('inspect', file, request, signal),
    async convert(file, request, { signal }) {
      const folder = await work.begin(request.jobId)
      try {
        const result = await call('convert', file, { ...request, folder }, signal)
        const placed = (output: Output): Output => ({ ...output, id: `${request.jobId}/${output.id}` })
        const { rejectedFile } = result
        return {
          ...result,
          outputs: result.outputs.map(placed),
          rejectedFile: rejectedFile && placed(rejectedFile),
        }
      } catch (error) {
        await work.end(request.jobId)
        throw error
      }
    },
    outputs: {
      file: ({ id }) => openFile(work.pathOf(id)),
      remove: (id) => work.end(id.split('/')[0]),
    },
  }
}

/** Temporary files of other servers are abandoned after this time, in milliseconds. */
const LEFT_FOR = 24 * 3_600_000

/** Temporary folders of conversions. */
class Work {
  private readonly folder: string
  private readonly own: string
  private readonly user: WorkerUser | null

  /**
   * @param folder several servers may share it
   * @param user user for whom files are created; null for the server's own
   */
  constructor(folder: string, user: WorkerUser | null) {
    this.folder = folder
    this.user = user
    this.own = path.resolve(folder, crypto.randomUUID())
  }

  /** @returns the conversion's folder, which has been created */
  async begin(jobId: string): Promise<string> {
    const folder = this.pathOf(jobId)
    await mkdir(this.own, { recursive: true, mode: PASSABLE })
    await handover(this.user).give(folder)
    return folder
  }

  /** @returns a folder for a process, which has been created */
  forProcess(): string {
    mkdirSync(this.own, { recursive: true, mode: PASSABLE })
    const folder = mkdtempSync(path.join(this.own, 'process-'))
    if (this.user) chownSync(folder, this.user.uid, this.user.gid)
    return folder
  }

  /** @param id id of a conversion, or a path in its folder */
  pathOf(id: string): string {
    return path.join(this.own, id)
  }

  async end(jobId: string): Promise<void> {
    await rm(this.pathOf(jobId), { recursive: true, force: true })
  }

  /** Removes temporary files of killed servers. */
  async sweep(): Promise<void> {
    const names = await readdir(this.folder).catch(() => [])
    for (const name of names) {
      const place = path.join(this.folder, name)
      if (place === this.own) continue
      const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Date.now() }))
      if (mtimeMs < Date.now() - LEFT_FOR) await rm(place, { recursive: true, force: true })
    }
  }

  async close(): Promise<void> {
    await rm(this.own, { recursive: true, force: true })
  }
}
