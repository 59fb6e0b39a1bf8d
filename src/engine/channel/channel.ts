import { notLoaded } from '../errors.ts'
import { deserializeError, endedWithAnother, workerDied, workerHung } from './errors.ts'
import type { CallsOf, FromWorker, ItemOf, ProgressOf, ToWorker } from './messages.ts'

/** Silence, in milliseconds, after which a worker counts as hanging: one that runs something is heard every second. */
const SILENCE = 60_000

/** Milliseconds that a silent worker is given to be heard after all, in case it was this thread that was busy. */
const DOUBT = 2000

/** How long a worker may go on after a cancellation, in milliseconds, before it's ended by force. */
export const ABORT_GRACE = 1000

export interface ChannelOptions {
  /** In milliseconds; infinite for a worker that may be busy for any time, and isn't heard then. */
  readonly silence?: number | undefined
  /** What the role is opened with. */
  readonly shared?: unknown
}

export interface CallSettings<T> {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ProgressOf<T>) => void) | undefined
  /** Given what is streamed before the result; `taken` makes room for more. */
  readonly onItem?: (item: ItemOf<T>, taken: () => void) => void
  /** What may be on its way of the stream, in what its items weigh. */
  readonly highWaterMark?: number
  readonly transfer?: Transferable[]
  /** Milliseconds that an aborted call is given to end before its worker is ended. Left out: as long as it takes. */
  readonly grace?: number
}

interface PendingCall {
  resolve(result: never): void
  reject(error: unknown): void
  readonly settings: CallSettings<never>
}

/**
 * A worker, from the side that opened it, and the calls that run in it. Calls reject with the `EngineError` that was
 * thrown there, with `worker-lost` when the worker dies or hangs, `not-loaded` when it doesn't start, and with their signal's reason.
 */
export class Channel<C extends CallsOf<C>> {
  /** Settles when the role is loaded and has started. Rejects when the worker is lost before. */
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

  /** @param role what the worker is to be */
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
    // The caller gets the error.
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

  /** The worker has ended, or is about to: it's no use for further calls. */
  get closed(): boolean {
    return this.ended !== null || this.retired
  }

  /** It works, but holds more memory than is to be held while nothing runs: its user should be the last. */
  get outgrown(): boolean {
    return this.holdsTooMuch
  }

  /** Calls run in it. */
  get busy(): boolean {
    return this.pending.size > 0
  }

  /** Runs a call. It settles when the worker has answered, an aborted one too, or is lost. */
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

  /** What a call streams, one item after another; each is asked for ahead, as far as `highWaterMark` goes. */
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
    // It's awaited after the last item, and until then its failure is nobody's.
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
   * Ends the worker, and what runs in it.
   * @param reason what calls fail with, those that come later too
   */
  close(reason: unknown = new DOMException('The operation was cancelled.', 'AbortError')): void {
    if (this.ended) return
    // A cancellation is that of one call: it isn't what ended the others.
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

  /** Ends the worker as soon as the calls that run in it have been answered. */
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

  /** The worker was heard, or something was asked of it. */
  private watch(): void {
    clearTimeout(this.timer)
    if (!this.busy || this.silence === Number.POSITIVE_INFINITY) return
    this.timer = setTimeout(() => {
      this.timer = setTimeout(() => this.close(workerHung(this.silence)), DOUBT)
    }, this.silence)
  }
}
