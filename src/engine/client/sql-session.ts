import { EngineError } from '../errors.ts'
import type { CallOptions } from '../protocol.ts'
import type { GrowingResult, ResultTools } from '../sql/result/types.ts'
import { fromPlain } from '../rpc.ts'
import type {
  Dialect,
  ParameterValue,
  PlanOperator,
  ResultColumn,
  RunningStatement,
  RunSummary,
  ScriptStatement,
  SessionProgress,
  SessionTables,
  SqlProblem,
  SqlSession,
} from '../sql/session-types.ts'
import type {
  FromSession,
  SessionCall,
  SessionCalls,
  StatementCall,
  TemporaryTable,
  ToSession,
} from '../sql/protocol.ts'
import { mentioned } from './table-store.ts'
import type { NamedTable } from '../storage/table-types.ts'
import { died } from '../worker-lost.ts'

/** How long a worker may go on after it was told to stop, in milliseconds, before it's ended by force. */
const STOP_GRACE = 700
const NEVER = new AbortController().signal

export interface SqlSessionOptions {
  readonly create: () => Worker
  /** A table's file; null when it's gone. */
  readonly find: (fileId: string, place: 'published' | 'local') => Promise<File | null>
  readonly openTools: () => Promise<ResultTools>
  readonly stopGrace?: number
}

type RunOptions = CallOptions<SessionProgress> & {
  readonly parameters?: Readonly<Record<string, ParameterValue>>
}

interface Waiting {
  resolve(result: never): void
  reject(error: unknown): void
  /** Of a statement that runs. */
  hear?(message: FromSession & { type: 'columns' | 'rows' }): void
}

/** A worker, what it's asked, and what it has been given. */
interface Living {
  readonly worker: Worker
  readonly waiting: Map<number, Waiting>
  readonly files: Set<string>
  readonly listening: AbortController
}

let dialect: Promise<Dialect> | null = null

/** A session whose worker starts with its first call, and again after it was lost. */
export class WorkerSqlSession implements SqlSession {
  private readonly options: Required<SqlSessionOptions>
  private tables: SessionTables = { published: [], local: [] }
  private living: Living | null = null
  private nextId = 0
  private closed = false
  /** Ends the statement that runs, and settles when it has ended. */
  private current: { readonly controller: AbortController; readonly ended: Promise<unknown> } | null = null
  /** Of statements that made views: what a later one is about may stand there. */
  private readonly views: string[] = []
  /** Names of temporary tables that went with a worker. */
  private lost: readonly string[] = []
  private own: readonly string[] = []

  constructor(options: SqlSessionOptions) {
    this.options = { stopGrace: STOP_GRACE, ...options }
  }

  use(tables: SessionTables): void {
    this.tables = tables
    if (this.living) this.tell(this.living, 'use', tables)
  }

  split(script: string, { signal = NEVER }: CallOptions<never> = {}): Promise<readonly ScriptStatement[]> {
    return this.call('split', script, signal)
  }

  async check(statement: string, { signal = NEVER }: CallOptions<never> = {}): Promise<readonly SqlProblem[]> {
    return this.call('check', await this.request(statement, {}, signal), signal)
  }

  async describe(
    statement: string,
    { signal = NEVER }: CallOptions<never> = {},
  ): Promise<readonly ResultColumn[] | null> {
    return this.call('describe', await this.request(statement, {}, signal), signal)
  }

  temporary(): Promise<readonly TemporaryTable[]> {
    return this.living ? this.call('temporary', null, NEVER) : Promise.resolve([])
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
      const request = { ...(await this.request(statement, parameters, own)), analyze }
      return this.call('explain', request, own, { force: true })
    })
  }

  async run(
    statement: string,
    { signal = NEVER, onProgress, parameters = {} }: RunOptions = {},
  ): Promise<RunningStatement> {
    const tools = await this.options.openTools()
    return new Promise<RunningStatement>((resolve, reject) => {
      let growing: GrowingResult | null = null
      const done = this.alone(signal, async (own) => {
        const request = await this.request(statement, parameters, own)
        const summary = await this.call('run', request, own, {
          force: true,
          hear: (message) => {
            if (message.type === 'columns') {
              growing = tools.createResultSet(message.columns)
              resolve({ result: growing.set, done })
            } else {
              growing?.add(message.message)
              onProgress?.({ fraction: null, rows: growing?.set.rowCount ?? 0 })
            }
          },
        })
        await this.remember(statement, summary)
        growing?.end('complete')
        return this.withLoss(summary)
      }).catch((error: unknown) => {
        growing?.end(signal.aborted || isCancelled(error) ? 'cancelled' : 'failed')
        throw error
      })
      // Until the columns are known it's the call's failure; after that, whoever awaits `done` hears of it.
      done.catch(reject)
    })
  }

  close(): void {
    this.closed = true
    this.current?.controller.abort(cancelled())
    if (this.living) this.end(this.living, cancelled())
  }

  /** One statement at a time: the one that runs is cancelled first. */
  private async alone<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const before = this.current
    before?.controller.abort(cancelled())
    const controller = new AbortController()
    const own = AbortSignal.any([signal, controller.signal])
    const ended = (before?.ended ?? Promise.resolve()).then(() => {
      own.throwIfAborted()
      return work(own)
    })
    const current = { controller, ended: ended.catch(() => undefined) }
    this.current = current
    try {
      return await ended
    } finally {
      if (this.current === current) this.current = null
    }
  }

  /** The statement with the tables that it may be about, and those of their files that the worker hasn't got. */
  private async request(
    sql: string,
    parameters: Readonly<Record<string, ParameterValue>>,
    signal: AbortSignal,
  ): Promise<StatementCall> {
    signal.throwIfAborted()
    const text = [sql, ...this.views].join('\n')
    const { published, local } = this.tables
    const named = local.map(({ name, fileId }) => ({ workspace: 'local', dataset: 'main', table: name, fileId }))
    const locals = mentioned(`${text}\nmain`, named)
    const tables = [...mentioned(text, published), ...locals]
    const { files: sent } = this.living ?? this.start()
    const files = new Map<string, File>()
    const add = async ({ fileId }: NamedTable): Promise<void> => {
      if (sent.has(fileId)) return
      const file = await this.options.find(
        fileId,
        locals.some((each) => each.fileId === fileId) ? 'local' : 'published',
      )
      if (file) files.set(fileId, file)
    }
    await Promise.all(tables.map(add))
    signal.throwIfAborted()
    return { sql, tables, files, parameters }
  }

  private start(): Living {
    if (this.closed) throw cancelled()
    const worker = this.options.create()
    const living: Living = { worker, waiting: new Map(), files: new Set(), listening: new AbortController() }
    const on = { signal: living.listening.signal }
    worker.addEventListener('message', ({ data }: MessageEvent<FromSession>) => this.hear(living, data), on)
    worker.addEventListener('error', (event) => this.end(living, died(event)), on)
    worker.addEventListener('messageerror', (event) => this.end(living, died(event)), on)
    this.living = living
    this.tell(living, 'use', this.tables)
    return living
  }

  private tell<N extends SessionCall>({ worker }: Living, name: N, request: SessionCalls[N]['request']): number {
    const id = this.nextId++
    worker.postMessage({ type: 'call', id, name, request } satisfies ToSession)
    return id
  }

  private hear(living: Living, data: FromSession): void {
    const { worker, waiting } = living
    const call = waiting.get(data.id)
    if (data.type === 'columns' || data.type === 'rows') {
      call?.hear?.(data)
      if (data.type === 'rows')
        worker.postMessage({ type: 'taken', id: data.id, bytes: data.bytes } satisfies ToSession)
      return
    }
    if (data.type === 'error' && data.ended) {
      this.end(living, fromPlain(data.error))
      return
    }
    waiting.delete(data.id)
    if (data.type === 'result') call?.resolve(data.result as never)
    else call?.reject(this.explainLoss(fromPlain(data.error)))
  }

  /** @param extra `force`: a worker that doesn't heed the signal is ended */
  private call<N extends SessionCall>(
    name: N,
    request: SessionCalls[N]['request'],
    signal: AbortSignal,
    { force = false, hear }: { readonly force?: boolean; readonly hear?: Waiting['hear'] } = {},
  ): Promise<SessionCalls[N]['result']> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const living = this.living ?? this.start()
      const id = this.tell(living, name, request)
      if (typeof request === 'object' && request && 'files' in request)
        for (const fileId of request.files.keys()) living.files.add(fileId)
      let timer: ReturnType<typeof setTimeout> | undefined
      const stop = (): void => {
        living.worker.postMessage({ type: 'abort', id } satisfies ToSession)
        if (!force) settle(() => reject(signal.reason as Error))
        else timer = setTimeout(() => this.end(living, signal.reason), this.options.stopGrace)
      }
      const settle = (with_: () => void): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        with_()
      }
      living.waiting.set(id, {
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(signal.aborted ? (signal.reason as Error) : (error as Error))),
        ...(hear ? { hear } : {}),
      })
      signal.addEventListener('abort', stop, { once: true })
    })
  }

  /** Ends a worker: its calls fail, and its temporary tables are gone. The next call starts another. */
  private end(living: Living, reason: unknown): void {
    living.listening.abort()
    living.worker.terminate()
    if (this.living === living) {
      this.living = null
      this.lost = [...this.lost, ...this.own]
      this.own = []
      this.views.length = 0
    }
    const aborted = reason instanceof DOMException
    const error = aborted
      ? new EngineError('worker-lost', 'The worker was stopped together with a statement that didn’t stop by itself.', {
          remedy: 'Try again: a new one is started.',
        })
      : reason
    for (const call of living.waiting.values()) call.reject(error)
    living.waiting.clear()
  }

  /** Keeps in mind what a statement made. */
  private async remember(statement: string, { message }: RunSummary): Promise<void> {
    if (message === null) return
    if (/\bview\b/i.test(statement)) this.views.push(statement)
    this.own = (await this.temporary().catch(() => [])).map(({ name }) => name)
  }

  /** Says once of a statement that ran that what others made is gone. */
  private withLoss(summary: RunSummary): RunSummary {
    if (this.lost.length === 0) return summary
    const text = `A statement before had to be stopped by force: the temporary tables are gone (${this.lost.join(', ')}).`
    this.lost = []
    return { ...summary, message: summary.message === null ? text : `${summary.message} ${text}` }
  }

  private explainLoss(error: unknown): unknown {
    if (!(error instanceof EngineError) || error.code !== 'unknown-table') return error
    const { table } = error.details as { readonly table: string }
    if (!this.lost.some((name) => name.toLowerCase() === table.replaceAll('"', '').toLowerCase())) return error
    return new EngineError(
      'unknown-table',
      `The temporary table ${table} is gone: a statement before had to be stopped by force.`,
      {
        remedy: 'Create it again.',
        details: error.details,
        cause: error,
      },
    )
  }
}

function cancelled(): DOMException {
  return new DOMException('The operation was cancelled.', 'AbortError')
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
