import { serializeError } from './errors.ts'
import type { CallsOf, FromWorker, ItemOf, ProgressOf, ToWorker } from './messages.ts'

/** Minimum milliseconds between progress messages. */
const PROGRESS_INTERVAL = 100
const HEARTBEAT_INTERVAL = 1000

/** Passed to a handler besides its request. */
export interface CallContext<T> {
  readonly signal: AbortSignal
  /** May be called often: messages are throttled. */
  progress(this: void, progress: ProgressOf<T>): void
  /**
   * Streams an item. Resolves when there's room for another one, and rejects if the call is aborted before.
   * @param weight in the unit of the caller's `highWaterMark`
   */
  send(this: void, item: ItemOf<T>, weight?: number, transfer?: Transferable[]): Promise<void>
}

export type Handlers<C extends CallsOf<C>> = {
  readonly [N in keyof C]: (
    request: C[N]['request'],
    call: CallContext<C[N]>,
  ) => C[N]['result'] | Promise<C[N]['result']>
}

/** The implementation of a worker's role. */
export interface Role<C extends CallsOf<C>> {
  readonly handlers: Handlers<C>
  /** Returns the error to report if nothing more can run after this one; else null. */
  readonly fatal?: (error: unknown) => Error | null
  /**
   * Whether it holds so much memory, which can only be freed by ending it, that later users should get another worker.
   */
  readonly outgrown?: () => boolean
}

type AnyHandler = (request: never, call: CallContext<never>) => unknown
type AnyRole = Omit<Role<never>, 'handlers'> & { readonly handlers: object }

/** The worker's side of the channel: its global scope, or a port. */
export interface ServingScope {
  postMessage(message: unknown, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void
}

/**
 * Answers calls from a channel.
 * @param roles possible roles, of which one is loaded
 */
export function serve(scope: ServingScope, roles: Readonly<Record<string, (shared: never) => Promise<AnyRole>>>): void {
  const running = new Map<number, RunningCall>()
  let role: Promise<AnyRole> | undefined
  let heartbeat: ReturnType<typeof setInterval> | undefined
  const post = (message: FromWorker, transfer: Transferable[] = []): void => scope.postMessage(message, transfer)

  const answer = async ({ id, name, request, highWaterMark }: ToWorker & { type: 'call' }): Promise<void> => {
    const call = new RunningCall(id, highWaterMark, post)
    running.set(id, call)
    heartbeat ??= setInterval(() => post({ type: 'alive' }), HEARTBEAT_INTERVAL)
    let opened: AnyRole | undefined
    try {
      opened = await role
      // Also where it was cancelled meanwhile: later calls count on what it was given.
      const handler = (opened?.handlers as Record<string, AnyHandler> | undefined)?.[name]
      if (!handler) throw new Error(`This worker doesn’t know ${name}.`)
      const result = await handler(request as never, call)
      post({ type: 'result', id, result, outgrown: opened?.outgrown?.() ?? false })
    } catch (error) {
      const fatal = opened?.fatal?.(error) ?? null
      if (fatal) post({ type: 'fatal', error: serializeError(fatal) })
      else post({ type: 'error', id, error: serializeError(error) })
    } finally {
      running.delete(id)
      if (running.size === 0) {
        clearInterval(heartbeat)
        heartbeat = undefined
      }
    }
  }

  scope.addEventListener('message', ({ data }) => {
    switch (data.type) {
      case 'open':
        role = roles[data.role]?.(data.shared as never) ?? Promise.reject(new Error(`There is no role ${data.role}.`))
        role.then(
          () => post({ type: 'ready' }),
          (error: unknown) => post({ type: 'fatal', error: serializeError(error) }),
        )
        return
      case 'call':
        void answer(data)
        return
      case 'abort':
        running.get(data.id)?.abort()
        return
      case 'taken':
        running.get(data.id)?.taken(data.weight)
    }
  })
}

class RunningCall implements CallContext<{ readonly progress: unknown; readonly item: unknown }> {
  private readonly id: number
  private readonly highWaterMark: number
  private readonly post: (message: FromWorker, transfer?: Transferable[]) => void
  private readonly controller = new AbortController()
  readonly signal = this.controller.signal
  private lastProgress = Number.NEGATIVE_INFINITY
  private underway = 0
  private resume: (() => void) | null = null

  constructor(id: number, highWaterMark: number, post: (message: FromWorker, transfer?: Transferable[]) => void) {
    this.id = id
    this.highWaterMark = highWaterMark
    this.post = post
  }

  readonly progress = (progress: unknown): void => {
    const now = performance.now()
    if (now - this.lastProgress < PROGRESS_INTERVAL) return
    this.lastProgress = now
    this.post({ type: 'progress', id: this.id, progress })
  }

  readonly send = async (item: unknown, weight = 1, transfer: Transferable[] = []): Promise<void> => {
    this.signal.throwIfAborted()
    this.underway += weight
    this.post({ type: 'item', id: this.id, item, weight }, transfer)
    if (this.underway < this.highWaterMark) return
    await new Promise<void>((resolve) => {
      this.resume = resolve
    })
    this.signal.throwIfAborted()
  }

  taken(weight: number): void {
    this.underway -= weight
    if (this.underway < this.highWaterMark) this.resume?.()
  }

  abort(): void {
    this.controller.abort(new DOMException('The operation was cancelled.', 'AbortError'))
    this.resume?.()
  }
}
