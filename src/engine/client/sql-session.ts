import type { Dialect } from '../../lib/duckdb-sql/index.ts'
import { NEVER, isAbort, untilAborted } from '../../lib/abort.ts'
import type { CallSettings, Channel } from '../channel/channel.ts'
import { EngineError } from '../errors.ts'
import type { GrowingResult, ResultTools } from '../sql/result/types.ts'
import type {
  ParameterValue,
  PlanOperator,
  KeptTable,
  ResultColumn,
  RunSummary,
  ScriptStatement,
  SessionTables,
  SqlProblem,
  TransactionState,
} from '../sql/session-types.ts'
import type { RunItem, SessionCalls, StatementCall, TemporaryObjects } from '../sql/protocol.ts'
import { LOCAL_TABLES_FOLDER } from '../storage/file-names.ts'
import { sweepSpill } from '../storage/spill-folder.ts'
import { FilesInUse } from './files-in-use.ts'
import { MadeThings } from './made-things.ts'
import { findOnDisk, openOnDisk } from './file-on-disk.ts'
import { cancelled, startWorker, tell, type CurrentStatement, type SessionWorker } from './session-worker.ts'
import { ABOUT_ALL, KEEPING, MAY_KEEP, mentioned, namedLocals, SEEDING, standsAlone } from './mentions.ts'
import type { CallOptions, KeptStore, LostThings, RunningStatement, SessionProgress, SqlSession } from './types.ts'
import type { NamedTable } from '../storage/table-types.ts'

/** Milliseconds that a worker has to stop a statement before it's ended by force. */
const STOP_GRACE = 700
/** Bytes of rows that may be on their way to the page before the statement waits for it. */
const ROWS_UNDERWAY = 64 * 2 ** 20
interface SqlSessionOptions {
  readonly open: () => Channel<SessionCalls>
  /** A table's file; null if it's gone. */
  readonly find: (fileId: string, place: 'published' | 'local') => Promise<File | null>
  readonly openTools: () => Promise<ResultTools>
  readonly stopGrace?: number
}

type RunOptions = CallOptions<SessionProgress> & {
  readonly parameters?: Readonly<Record<string, ParameterValue>>
}

let dialect: Promise<Dialect> | null = null

/** A session whose worker starts with the first call, and again with the next call after it was lost. */
export class WorkerSqlSession implements SqlSession {
  private readonly options: SqlSessionOptions & { readonly stopGrace: number }
  private readonly inUse = new FilesInUse(LOCAL_TABLES_FOLDER)
  private tables: SessionTables = { published: [], local: [] }
  /** Null if there are no kept tables. */
  private kept: KeptStore | null = null
  private worker: SessionWorker | null = null
  private closed = false
  private current: CurrentStatement | null = null
  /** Statements that created views, macros and the like, through which later statements may read tables. */
  private readonly views: string[] = []
  private readonly made = new MadeThings()
  private tellLost = (): void => undefined

  constructor(options: SqlSessionOptions) {
    this.options = { stopGrace: STOP_GRACE, ...options }
  }

  keepIn(store: KeptStore): void {
    this.kept = store
  }

  use(tables: SessionTables): void {
    this.tables = tables
    const worker = this.living()
    if (!worker) return
    tell(worker, tables)
    void this.letGo()
  }

  async split(script: string, { signal = NEVER }: CallOptions<never> = {}): Promise<readonly ScriptStatement[]> {
    // Stopping the statement may end the worker.
    if (this.current?.signal.aborted) await untilAborted(this.current.ended, signal)
    return this.call('split', script, signal)
  }

  async check(statement: string, { signal = NEVER }: CallOptions<never> = {}): Promise<readonly SqlProblem[]> {
    const request = await this.request(statement, {}, signal)
    return this.isWaiting(request) ? [] : this.call('check', request, signal)
  }

  async describe(
    statement: string,
    { signal = NEVER }: CallOptions<never> = {},
  ): Promise<readonly ResultColumn[] | null> {
    const request = await this.request(statement, {}, signal)
    return this.isWaiting(request) ? null : this.call('describe', request, signal)
  }

  temporary(): Promise<TemporaryObjects> {
    return this.living() ? this.call('temporary', null, NEVER) : Promise.resolve({ tables: [], macros: [] })
  }

  lost(): LostThings | null {
    this.living()
    return this.made.lost
  }

  atStake(): LostThings | null {
    this.living()
    return this.made.atStake
  }

  inherit(lost: LostThings): void {
    this.made.inherit(lost)
  }

  forgetLost(): void {
    this.made.forgetLost()
  }

  onLost(listener: () => void): void {
    this.tellLost = listener
  }

  async transaction(): Promise<TransactionState> {
    if (!this.living()) return null
    const transaction = await this.call('transaction', null, NEVER)
    this.made.inTransaction = transaction === 'open'
    return transaction
  }

  dialect(): Promise<Dialect> {
    dialect ??= this.call('dialect', null, NEVER).catch((error: unknown) => {
      dialect = null
      throw error
    })
    return dialect
  }

  async explain(
    statement: string,
    { analyze, parameters = {}, signal = NEVER }: Parameters<SqlSession['explain']>[1],
  ): Promise<PlanOperator> {
    return this.alone(signal, async (own) => {
      const request = { ...(await this.request(statement, parameters, own, true)), analyze }
      return this.call('explain', request, own, { grace: this.options.stopGrace })
    })
  }

  async run(
    statement: string,
    { signal = NEVER, onProgress, parameters = {} }: RunOptions = {},
  ): Promise<RunningStatement> {
    signal.throwIfAborted()
    // The worker starts while the tools are loaded.
    if (!this.living()) this.start()
    const tools = await this.options.openTools()
    return new Promise<RunningStatement>((resolve, reject) => {
      let growing: GrowingResult | null = null
      let fraction: number | null = null
      const progress = (): void => onProgress?.({ fraction, rows: growing?.set.rowCount ?? 0 })
      const take = (items: readonly RunItem[], taken?: () => void): void => {
        for (const item of items)
          if ('columns' in item) {
            growing = tools.createResultSet(item.columns)
            resolve({ result: growing.set, done })
          } else growing?.add(item.message)
        progress()
        taken?.()
      }
      const done = this.alone(signal, async (own) => {
        const ran = await this.keeping(statement, async (creation) => {
          const request = { ...(await this.request(statement, parameters, own, true)), ...creation }
          const { rest = [], ...summary } = await this.call('run', request, own, {
            grace: this.options.stopGrace,
            highWaterMark: ROWS_UNDERWAY,
            onProgress: (now) => {
              fraction = now
              progress()
            },
            onItem: take,
          })
          if (rest[0]) take(rest)
          return this.remember(statement, summary)
        })
        growing?.end('complete')
        return ran
      }).catch((error: unknown) => {
        growing?.end(signal.aborted || isAbort(error) ? 'cancelled' : 'failed')
        throw error
      })
      // Has no effect once the columns are known; then only `done` rejects.
      done.catch(reject)
    })
  }

  close(): void {
    this.closed = true
    this.current?.controller.abort(cancelled())
    this.worker?.channel.close()
    this.inUse.keep(new Set())
  }

  /** Runs a statement, and records its changes of kept tables. */
  private async keeping(
    sql: string,
    run: (creation: Pick<StatementCall, 'creationId'>) => Promise<RunSummary>,
  ): Promise<RunSummary> {
    const store = this.kept
    if (!store || !MAY_KEEP.test([sql, ...this.views].join('\n'))) return run({})
    const creationId = crypto.randomUUID()
    return store.whileCreating(creationId, async () => {
      const { kept: changes, ...summary } = await run({ creationId })
      if (!changes) return summary
      try {
        this.use({ ...this.tables, kept: await store.keep(changes) })
      } catch (error) {
        // The worker has changed the tables in memory, which must be undone.
        this.use({ ...this.tables, kept: await store.tables().catch(() => this.tables.kept ?? []) })
        throw error
      }
      return summary
    })
  }

  /** Releases files of old versions of kept tables once the worker no longer reads them. */
  private async letGo(): Promise<void> {
    const wanted = new Set(this.tables.kept?.map(({ fileId }) => fileId))
    if (this.inUse.ids.every((fileId) => wanted.has(fileId)) || this.current) return
    // A transaction reads the versions from its beginning.
    if ((await this.transaction().catch(() => null)) === null && !this.current) this.inUse.keep(wanted)
  }

  /** Cancels the running statement first, since only one may run at a time. */
  private async alone<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const before = this.current
    before?.controller.abort(cancelled())
    const controller = new AbortController()
    const own = AbortSignal.any([signal, controller.signal])
    const ended = (before?.ended ?? Promise.resolve()).then(async () => {
      own.throwIfAborted()
      try {
        return await work(own)
      } finally {
        await this.giveBack()
      }
    })
    const current = { controller, signal: own, ended: ended.catch(() => undefined) }
    this.current = current
    try {
      return await ended
    } finally {
      if (this.current === current) {
        this.current = null
        void this.letGo()
      }
    }
  }

  /**
   * The statement with the tables that it may refer to, and the files that the worker doesn't have yet.
   * @param ask whether a file on the person's disk that can't be read is an error; the browser may ask for permission
   */
  private async request(
    sql: string,
    parameters: Readonly<Record<string, ParameterValue>>,
    signal: AbortSignal,
    ask = false,
  ): Promise<StatementCall> {
    signal.throwIfAborted()
    const text = [sql, ...this.views].join('\n')
    const { published, local } = this.tables
    const all = ABOUT_ALL.test(sql)
    const kept = await this.keptIn(text, all)
    const named = local.map(({ name, fileId }) => ({ workspace: 'local', dataset: 'main', table: name, fileId }))
    const locals = all ? named : namedLocals(text, parameters, local, named)
    const tables = [...(all ? published : mentioned(text, published)), ...locals, ...kept.tables]
    const { files: sent } = this.living() ?? this.start()
    const files = new Map<string, File>(kept.files)
    const placed = new Map(local.flatMap(({ fileId, onDisk }) => (onDisk ? [[fileId, onDisk] as const] : [])))
    const add = async ({ fileId }: NamedTable): Promise<void> => {
      const onDisk = placed.get(fileId)
      if (onDisk) {
        // Files that were already sent are checked too, since they may have changed.
        const file = await (ask ? untilAborted(openOnDisk(onDisk), signal) : findOnDisk(onDisk))
        if (file && !sent.has(fileId)) files.set(fileId, file)
        return
      }
      if (sent.has(fileId) || files.has(fileId)) return
      const file = await this.options.find(
        fileId,
        locals.some((each) => each.fileId === fileId) ? 'local' : 'published',
      )
      if (file) files.set(fileId, file)
    }
    await Promise.all(tables.map(add))
    signal.throwIfAborted()
    // Meanwhile the worker was lost, and with it the files that it had.
    if (this.living()?.files !== sent) return this.request(sql, parameters, signal, ask)
    return { sql, tables, files, parameters }
  }

  /** The kept tables that a statement may refer to, held, and the files that the worker doesn't have yet. */
  private async keptIn(
    text: string,
    all: boolean,
  ): Promise<{ tables: readonly NamedTable[]; files: ReadonlyMap<string, File> }> {
    const named = (): KeptTable[] =>
      (this.tables.kept ?? []).filter(({ name }) => all || (/\bmy\b/i.test(text) && standsAlone(name, text)))
    const files = new Map<string, File>()
    const find = async ({ fileId }: KeptTable): Promise<boolean> => {
      await this.inUse.hold(fileId)
      if ((this.living() ?? this.start()).files.has(fileId)) return true
      const file = await this.options.find(fileId, 'local')
      if (file) files.set(fileId, file)
      return file !== null
    }
    const found = await Promise.all(named().map(find))
    const store = this.kept
    // Another window has just replaced one of them.
    if (store && found.includes(false)) {
      this.use({ ...this.tables, kept: await store.tables() })
      await Promise.all(named().map(find))
    }
    const tables = named().map(({ name, fileId }) => ({ workspace: 'my', dataset: '', table: name, fileId }))
    return { tables, files }
  }

  /** Whether a statement refers to a file on the disk that can't be read yet, so it can't be checked until it's run. */
  private isWaiting({ tables, files }: StatementCall): boolean {
    const ids = new Set(tables.map(({ fileId }) => fileId))
    const sent = this.living()?.files
    return this.tables.local.some(
      ({ fileId, onDisk }) => onDisk && ids.has(fileId) && !files.has(fileId) && !sent?.has(fileId),
    )
  }

  private start(): SessionWorker {
    if (this.closed) throw cancelled()
    const worker = startWorker(this.options.open, this.tables)
    this.worker = worker
    void worker.channel.over.then(() => {
      this.living()
      return sweepSpill({ waits: true })
    })
    return worker
  }

  /** The worker; null if there's none. If it was lost, records what was lost with it. */
  private living(): SessionWorker | null {
    if (this.worker?.channel.closed) {
      this.worker = null
      const before = this.made.lost
      this.made.lose()
      this.inUse.keep(new Set())
      this.views.length = 0
      if (this.made.lost !== before && !this.closed) this.tellLost()
    }
    return this.worker
  }

  /** Ends a worker whose memory ran out, unless the session would lose something. The next call starts another. */
  private async giveBack(): Promise<void> {
    const worker = this.living()
    if (!worker?.isFull || !this.made.isNothing) return
    const there = await Promise.all([this.transaction(), this.temporary()]).catch(() => null)
    if (there && there[0] === null && there[1].tables.length === 0) worker.channel.retire()
  }

  /** @param settings with `grace`, the worker is ended if it ignores the signal for that long */
  private async call<N extends keyof SessionCalls>(
    name: N,
    request: SessionCalls[N]['request'],
    signal: AbortSignal,
    settings: CallSettings<SessionCalls[N]> = {},
  ): Promise<SessionCalls[N]['result']> {
    signal.throwIfAborted()
    const worker = this.living() ?? this.start()
    const { channel, files } = worker
    if (typeof request === 'object' && request && 'files' in request)
      for (const fileId of request.files.keys()) files.add(fileId)
    const result = channel.call(name, request, { ...settings, signal })
    try {
      // Calls that only look at a statement may stop later than their callers.
      return await (settings.grace === undefined ? untilAborted(result, signal) : result)
    } catch (error) {
      if (error instanceof EngineError && error.code === 'out-of-memory') worker.isFull = true
      throw this.made.explained(error)
    }
  }

  /** Records what a statement created. */
  private async remember(statement: string, { made = [], ...remembered }: RunSummary): Promise<RunSummary> {
    if (SEEDING.test(statement)) this.made.isSeeded = true
    if (remembered.message === null && made.length === 0) return remembered
    if (remembered.message !== null && KEEPING.test(statement)) this.views.push(statement)
    const there = await this.temporary().catch(() => null)
    this.made.add(made, there?.tables.map(({ name }) => name) ?? null)
    return remembered
  }
}
