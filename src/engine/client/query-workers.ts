import { EngineError } from '../errors.ts'
import { fromPlain } from '../rpc.ts'
import type { StatementResult } from '../table-store.ts'
import type { FromQuery, RunRequest, ToQuery } from '../tables/query/protocol.ts'
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

/**
 * Runs statements in workers that live on between them, each statement alone in its worker. A worker that doesn't heed
 * a cancellation is ended: the statement that ran in it really stops.
 */
export class QueryWorkers {
  private readonly options: Required<QueryWorkersOptions>
  private readonly idle: Worker[] = []
  private readonly turns: Turns

  constructor(options: QueryWorkersOptions) {
    this.options = { stopGrace: STOP_GRACE, ...options }
    this.turns = new Turns(options.limit)
  }

  /** Rejects with the signal's reason as soon as it's aborted, though the worker may take a moment to stop. */
  async run(request: RunRequest, signal: AbortSignal): Promise<Answer> {
    await this.turns.take(signal)
    return new Promise<Answer>((resolve, reject) => {
      const stop = (): void => reject(signal.reason as Error)
      signal.addEventListener('abort', stop, { once: true })
      this.runIn(this.idle.pop() ?? this.options.create(), request, signal)
        .then(resolve, reject)
        .finally(() => {
          signal.removeEventListener('abort', stop)
          this.turns.give()
        })
    })
  }

  /** Settles when the worker is free again, or gone. */
  private runIn(worker: Worker, request: RunRequest, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const listening = new AbortController()
      let timer: ReturnType<typeof setTimeout> | undefined
      const lose = (error: unknown): void => {
        clearTimeout(timer)
        listening.abort()
        worker.terminate()
        reject(error)
      }
      const stop = (): void => {
        worker.postMessage({ type: 'abort' } satisfies ToQuery)
        timer = setTimeout(() => lose(signal.reason), this.options.stopGrace)
      }
      const on = { signal: listening.signal }
      worker.addEventListener('message', ({ data }: MessageEvent<FromQuery>) => {
        if (data.type === 'error' && data.error.code === 'internal' && !data.error.aborted) {
          // Whatever went wrong there, the next statement gets a worker of its own.
          lose(fromPlain(data.error))
          return
        }
        clearTimeout(timer)
        listening.abort()
        this.idle.push(worker)
        if (data.type === 'result') resolve(data.result)
        else reject(fromPlain(data.error))
      }, on) // prettier-ignore
      worker.addEventListener('error', (event) => lose(died(event)), on)
      worker.addEventListener('messageerror', (event) => lose(died(event)), on)
      if (signal.aborted) lose(signal.reason)
      else {
        signal.addEventListener('abort', stop, { ...on, once: true })
        worker.postMessage({ type: 'run', request } satisfies ToQuery)
      }
    })
  }
}

/** What a statement that took too long ends with. */
export function timedOut(milliseconds: number): EngineError {
  const seconds = (milliseconds / 1000).toLocaleString('en-US')
  return new EngineError('sql-timeout', `The statement took longer than ${seconds} seconds and was stopped.`, {
    remedy: 'Filter earlier, ask for less, or allow it more time.',
  })
}
