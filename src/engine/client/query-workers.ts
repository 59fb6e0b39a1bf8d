import { EngineError } from '../errors.ts'
import { fromPlain } from '../rpc.ts'
import type { StatementResult } from '../storage/table-types.ts'
import type { FromQuery, RunRequest, ToQuery } from '../sql/query-protocol.ts'
import { Turns } from '../turns.ts'
import { died } from '../worker-lost.ts'

/** How long a worker may go on after it was told to stop, in milliseconds, before it's ended by force. */
const STOP_GRACE = 1000

export interface QueryWorkersOptions {
  readonly create: () => Worker
  /** Statements that run at once; others wait in order. */
  readonly limit: number
  readonly stopGrace?: number
}

type Answer = Omit<StatementResult, 'durationMs'>

/** A worker whose engine has started, or is about to. */
interface Engine {
  readonly worker: Worker
  /** Rejects when it died before. */
  readonly started: Promise<void>
}

/**
 * Runs statements in workers that live on between them, each statement alone in its worker. A worker that doesn't heed
 * a cancellation is ended: the statement that ran in it really stops. One that is still starting runs nothing: it's
 * kept for the next statement.
 */
export class QueryWorkers {
  private readonly options: Required<QueryWorkersOptions>
  private readonly idle: Engine[] = []
  private readonly turns: Turns

  constructor(options: QueryWorkersOptions) {
    this.options = { stopGrace: STOP_GRACE, ...options }
    this.turns = new Turns(options.limit)
  }

  /**
   * Rejects with the signal's reason as soon as it's aborted, though the worker may take a moment to stop.
   * @param timeoutMs how long the statement may run, from when there's an engine for it
   * @throws {EngineError} `sql-timeout`
   */
  async run(request: RunRequest, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
    await this.turns.take(signal)
    const timeout = new AbortController()
    const either = AbortSignal.any([signal, timeout.signal])
    return new Promise<Answer>((resolve, reject) => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const stop = (): void => reject(either.reason as Error)
      either.addEventListener('abort', stop, { once: true })
      const engine = this.idle.pop() ?? this.start()
      untilAborted(engine.started, signal)
        .then(
          () => {
            timer = setTimeout(() => timeout.abort(timedOut(timeoutMs)), timeoutMs)
            return this.runIn(engine, request, either)
          },
          (error: unknown) => {
            if (signal.aborted) this.keep(engine)
            throw error
          },
        )
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer)
          either.removeEventListener('abort', stop)
          this.turns.give()
        })
    })
  }

  private start(): Engine {
    const worker = this.options.create()
    const started = new Promise<void>((resolve, reject) => {
      const lose = (error: unknown): void => {
        worker.terminate()
        reject(error)
      }
      const first = { once: true }
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<FromQuery>) => {
          if (data.type === 'error') lose(fromPlain(data.error))
          else resolve()
        },
        first,
      )
      worker.addEventListener('error', (event) => lose(died(event)), first)
    })
    return { worker, started }
  }

  /** Keeps an engine for the next statement, unless it dies meanwhile. */
  private keep(engine: Engine): void {
    this.idle.push(engine)
    engine.started.catch(() => {
      const at = this.idle.indexOf(engine)
      if (at >= 0) this.idle.splice(at, 1)
    })
  }

  /** Settles when the worker is free again, or gone. */
  private runIn(engine: Engine, request: RunRequest, signal: AbortSignal): Promise<Answer> {
    const { worker } = engine
    return new Promise((resolve, reject) => {
      const listening = new AbortController()
      let timer: ReturnType<typeof setTimeout> | undefined
      const lose = (error: unknown): void => {
        clearTimeout(timer)
        listening.abort()
        worker.terminate()
        // Starting takes a while: the next statement finds it begun.
        this.keep(this.start())
        reject(error)
      }
      const stop = (): void => {
        worker.postMessage({ type: 'abort' } satisfies ToQuery)
        timer = setTimeout(() => lose(signal.reason), this.options.stopGrace)
      }
      const on = { signal: listening.signal }
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<FromQuery>) => {
          if (data.type === 'ready') return
          if (data.type === 'error' && (data.ended || (data.error.code === 'internal' && !data.error.aborted))) {
            // Whatever went wrong there, the next statement gets a worker of its own.
            lose(fromPlain(data.error))
            return
          }
          clearTimeout(timer)
          listening.abort()
          this.keep(engine)
          if (data.type === 'result') resolve(data.result)
          else reject(fromPlain(data.error))
        },
        on,
      )
      worker.addEventListener('error', (event) => lose(died(event)), on)
      worker.addEventListener('messageerror', (event) => lose(died(event)), on)
      signal.addEventListener('abort', stop, { ...on, once: true })
      worker.postMessage({ type: 'run', request } satisfies ToQuery)
    })
  }
}

/** Settles as the promise does, or rejects as soon as nobody waits for it any more. */
function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** What a statement that took too long ends with. */
export function timedOut(milliseconds: number): EngineError {
  const seconds = (milliseconds / 1000).toLocaleString('en-US')
  return new EngineError('sql-timeout', `The statement took longer than ${seconds} seconds and was stopped.`, {
    remedy: 'Filter earlier, ask for less, or allow it more time.',
  })
}
