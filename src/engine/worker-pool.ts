import type { EngineError } from './errors.ts'
import { Turns } from './turns.ts'
import { died, hung, SILENCE } from './worker-lost.ts'
import { fromPlain, type CallName, type Calls, type FromWorker, type ToWorker } from './rpc.ts'

/** How long a worker may go on after a cancellation before it's ended by force. */
const ABORT_GRACE = 1000

export interface PoolOptions {
  readonly create: () => Worker
  /** Calls that run at once; others wait in order. */
  readonly limit: number
  /** Workers that wait for a call; pools may share them. */
  readonly idle?: Worker[]
  readonly abortGrace?: number
  readonly silence?: number
}

/**
 * Runs calls in workers, each call alone in its worker. A worker that failed, hung or did heavy work is thrown away, so
 * that nothing it left behind costs another call anything; others are kept for the next call.
 */
export class WorkerPool {
  private readonly options: Required<PoolOptions>
  private readonly idle: Worker[]
  private readonly turns: Turns

  constructor(options: PoolOptions) {
    this.options = { abortGrace: ABORT_GRACE, silence: SILENCE, idle: [], ...options }
    this.idle = this.options.idle
    this.turns = new Turns(options.limit)
  }

  /** Starts a worker ahead of the first call, and has it warm up. */
  warm(): void {
    if (!this.turns.idle || this.idle.length > 0) return
    const worker = this.options.create()
    this.rest(worker)
    worker.postMessage({ type: 'warm' } satisfies ToWorker)
  }

  async call<N extends CallName>(
    name: N,
    file: File,
    request: Calls[N]['request'],
    signal: AbortSignal,
    onProgress?: (progress: Calls[N]['progress']) => void,
  ): Promise<Calls[N]['result']> {
    await this.turns.take(signal)
    try {
      // It may have been cancelled while the turn was handed on.
      signal.throwIfAborted()
      const worker = this.idle.pop() ?? this.options.create()
      const { outcome, keep } = await this.run(worker, { type: 'call', name, file, request }, signal, onProgress)
      if (keep && this.idle.length === 0) this.rest(worker)
      else worker.terminate()
      if ('error' in outcome) throw outcome.error
      return outcome.result as Calls[N]['result']
    } finally {
      this.turns.give()
    }
  }

  /** Keeps a worker for the next call, unless it dies meanwhile: when its script can't be loaded, above all. */
  private rest(worker: Worker): void {
    this.idle.push(worker)
    const leave = (): void => {
      const at = this.idle.indexOf(worker)
      if (at >= 0) this.idle.splice(at, 1)
    }
    worker.addEventListener('error', leave, { once: true })
  }

  private run(
    worker: Worker,
    call: ToWorker,
    signal: AbortSignal,
    onProgress?: (progress: never) => void,
  ): Promise<{ outcome: { result: unknown } | { error: unknown }; keep: boolean }> {
    const { abortGrace, silence } = this.options
    return new Promise((resolve) => {
      const listening = new AbortController()
      let timer: ReturnType<typeof setTimeout> | undefined
      const settle = (outcome: { result: unknown } | { error: unknown }, keep: boolean): void => {
        clearTimeout(timer)
        listening.abort()
        resolve({ outcome, keep })
      }
      const lose = (error: EngineError): void => settle({ error }, false)
      const watch = (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => lose(hung(silence)), silence)
      }
      const stop = (): void => {
        worker.postMessage({ type: 'abort' } satisfies ToWorker)
        clearTimeout(timer)
        timer = setTimeout(() => settle({ error: signal.reason }, false), abortGrace)
      }
      const on = { signal: listening.signal }
      worker.addEventListener(
        'message',
        (event: MessageEvent<FromWorker>) => {
          const message = event.data
          if (message.type === 'result') settle({ result: message.result }, !message.spent)
          else if (message.type === 'error')
            settle({ error: signal.aborted ? signal.reason : fromPlain(message.error) }, false)
          else if (!signal.aborted) {
            watch()
            if (message.type === 'progress') onProgress?.(message.progress as never)
          }
        },
        on,
      )
      worker.addEventListener('error', (event) => lose(died(event)), on)
      worker.addEventListener('messageerror', (event) => lose(died(event)), on)
      signal.addEventListener('abort', stop, { ...on, once: true })
      watch()
      worker.postMessage(call)
    })
  }
}
