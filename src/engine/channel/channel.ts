import { notLoaded } from '../errors.ts'
import { deserializeError, endedWithAnother, workerDied, workerHung } from './errors.ts'
import type { CallsOf, FromWorker, ItemOf, ProgressOf, ToWorker } from './messages.ts'

/**
 * Milliseconds of silence after which a worker counts as hanging: while it runs a call, it sends a message every
 * second.
 */
const SILENCE = 60_000

/** Additional milliseconds for a silent worker, in case this thread was busy. */
const DOUBT = 2000

/** Milliseconds that a worker may continue after a cancellation before it's terminated. */
export const ABORT_GRACE = 1000

export interface ChannelOptions {
  /** In milliseconds; infinite for a worker that may block for any time. */
  readonly silence?: number | undefined
  /** Passed to the role when it's opened. */
  readonly shared?: unknown
}

export interface CallSettings<T> {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ProgressOf<T>) => void) | undefined
  /** Called with each item streamed before the result; `taken` makes room for more. */
  readonly onItem?: (item: ItemOf<T>, taken: () => void) => void
  /** Maximum total weight of items in transit. */
  readonly highWaterMark?: number
  readonly transfer?: Transferable[]
  /** Milliseconds for an aborted call to end before its worker is terminated. By default there's no limit. */
  readonly grace?: number
}

interface PendingCall {
  resolve(result: never): void
  reject(error: unknown): void
  readonly settings: CallSettings<never>
}

/**
 * A worker and its running calls, as seen by the thread that opened it. Calls reject with the `EngineError` thrown in
 * the worker, with `worker-lost` if it dies or hangs, `not-loaded` if it doesn't start, and with their signal's reason.
 */
export class Channel<C extends CallsOf<C>> {
  /** Settles when the role has been loaded and started. Rejects if the worker is lost before. */
  readonly ready: Promise<void>
  /** Settles when the worker has ended. */
  readonly over: Promise<void>
  private readonly worker: Worker
  private readonly silence: number
  private readonly pending = new Map<number, PendingCall>()
  private readonly listening = new AbortController()
  private opening: { resolve(): void; reject(error: unknown): void } | null = null
  private ended: { readonly reason: unknown } | null = null
  private end = (): void => undefined
  private retired = false
  private nextId = 0
  private holdsTooMuch = false
  private timer: ReturnType<typeof setTimeout> | undefined

  /** @param role the worker's role */
  constructor(start: (role: string) => Worker, role: string, { silence = SILENCE, shared }: ChannelOptions = {}) {
    const worker = start(role)
    this.worker = worker
    this.silence = silence
    this.ready = new Promise((resolve, reject) => {
      this.opening = { resolve, reject }
    })
    this.over = new Promise((resolve) => {
      this.end = resolve
    })
    // The caller gets the error from its call.
    this.ready.catch(() => undefined)
    const on = { signal: this.listening.signal }
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.receive(data), on)
    worker.addEventListener(
      'error',
      (event) => this.close(this.opening ? notLoaded(workerDied(event)) : workerDied(event)),
      on,
    )
    worker.addEventListener('messageerror', (event) => this.close(workerDied(event)), on)
    this.post({ type: 'open', role, shared })
  }

  /** Whether the worker has ended or is about to, and so can't take further calls. */
  get closed(): boolean {
    return this.ended !== null || this.retired
  }

  /** Whether the worker holds more memory than an idle one should, so that it shouldn't be reused. */
  get outgrown(): boolean {
    return this.holdsTooMuch
  }

  /** Whether calls are running. */
  get busy(): boolean {
    return this.pending.size > 0
  }

  /** Runs a call. It settles when the worker has answered, even after an abort, or is lost. */
  call<N extends keyof C & string>(
    name: N,
    request: C[N]['request'],
    settings: CallSettings<C[N]> = {},
  ): Promise<C[N]['result']> {
    const { signal, transfer = [], highWaterMark = 1, grace } = settings
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      if (this.ended) throw this.ended.reason
      const id = this.nextId++
      this.post({ type: 'call', id, name, request, highWaterMark }, transfer)
      let forced: ReturnType<typeof setTimeout> | undefined
      const abort = (): void => {
        this.post({ type: 'abort', id })
        if (grace !== undefined) forced = setTimeout(() => this.close(signal?.reason), grace)
      }
      const settle = (settled: () => void): void => {
        clearTimeout(forced)
        signal?.removeEventListener('abort', abort)
        settled()
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.pending.set(id, {
        settings,
        resolve: (result) => settle(() => resolve(result)),
        reject: (error) => settle(() => reject(signal?.aborted ? (signal.reason as Error) : (error as Error))),
      })
      this.watch()
    })
  }

  /** Yields the items that a call streams. They are requested ahead up to `highWaterMark`. */
  async *stream<N extends keyof C & string>(
    name: N,
    request: C[N]['request'],
    { signal, highWaterMark = 1 }: Pick<CallSettings<C[N]>, 'signal' | 'highWaterMark'> = {},
  ): AsyncGenerator<ItemOf<C[N]>, C[N]['result'], undefined> {
    const left = new AbortController()
    const items: { item: ItemOf<C[N]>; taken: () => void }[] = []
    let arrived = (): void => undefined
    let running = true
    const result = this.call(name, request, {
      signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
      highWaterMark,
      onItem: (item, taken) => {
        items.push({ item, taken })
        arrived()
      },
    }).finally(() => {
      running = false
      arrived()
    })
    // It's awaited after the last item; until then, its failure is ignored.
    result.catch(() => undefined)
    try {
      for (;;) {
        signal?.throwIfAborted()
        const next = items.shift()
        if (next) {
          next.taken()
          yield next.item
        } else if (running) {
          await new Promise<void>((resolve) => {
            arrived = resolve
          })
        } else return await result
      }
    } finally {
      left.abort()
    }
  }

  /**
   * Terminates the worker and its calls.
   * @param reason error of its calls, including later ones
   */
  close(reason: unknown = new DOMException('The operation was cancelled.', 'AbortError')): void {
    if (this.ended) return
    // A cancellation is of one call, so the others get a different error.
    const error = reason instanceof DOMException ? endedWithAnother() : reason
    this.ended = { reason: error }
    clearTimeout(this.timer)
    this.listening.abort()
    this.worker.terminate()
    this.opening?.reject(error)
    for (const call of this.pending.values()) call.reject(error)
    this.pending.clear()
    this.end()
  }

  /** Ends the worker once its running calls have been answered. */
  retire(): void {
    this.retired = true
    if (!this.busy) this.close()
  }

  private receive(message: FromWorker): void {
    this.watch()
    switch (message.type) {
      case 'ready':
        this.opening?.resolve()
        this.opening = null
        return
      case 'alive':
        return
      case 'fatal':
        this.close(deserializeError(message.error))
        return
      case 'progress': {
        const { signal, onProgress } = this.pending.get(message.id)?.settings ?? {}
        if (!signal?.aborted) onProgress?.(message.progress as never)
        return
      }
      case 'item': {
        const { id, item, weight } = message
        this.pending.get(id)?.settings.onItem?.(item as never, () => this.post({ type: 'taken', id, weight }))
        return
      }
      case 'result':
      case 'error': {
        const call = this.pending.get(message.id)
        this.pending.delete(message.id)
        if (!this.busy) clearTimeout(this.timer)
        if (message.type === 'result') {
          this.holdsTooMuch = message.outgrown ?? false
          call?.resolve(message.result as never)
        } else call?.reject(deserializeError(message.error))
        if (this.retired) this.retire()
      }
    }
  }

  private post(message: ToWorker, transfer: Transferable[] = []): void {
    if (!this.ended) this.worker.postMessage(message, transfer)
  }

  /** Restarts the timer after a message or a call. */
  private watch(): void {
    clearTimeout(this.timer)
    if (!this.busy || this.silence === Number.POSITIVE_INFINITY) return
    this.timer = setTimeout(() => {
      this.timer = setTimeout(() => this.close(workerHung(this.silence)), DOUBT)
    }, this.silence)
  }
}
