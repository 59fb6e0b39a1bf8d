import type { SerializedError } from './errors.ts'

/* Messages between a worker and the thread that opened it: the page or another worker. */

/** The types of a call. Omitted properties don't apply. */
interface CallShape {
  readonly request: unknown
  readonly result: unknown
  readonly progress?: unknown
  /** What is streamed before the result. */
  readonly item?: unknown
}

/** The calls of a role by name. */
export type CallsOf<C> = { readonly [N in keyof C]: CallShape }

export type ProgressOf<T> = T extends { readonly progress: infer P } ? P : never
export type ItemOf<T> = T extends { readonly item: infer I } ? I : never

export type ToWorker =
  /** The first message: the worker's role, and what its opener shares with it, such as compiled code. */
  | { readonly type: 'open'; readonly role: string; readonly shared: unknown }
  | {
      readonly type: 'call'
      readonly id: number
      readonly name: string
      readonly request: unknown
      /** Maximum total weight of items in transit before the producer waits. */
      readonly highWaterMark: number
    }
  | { readonly type: 'abort'; readonly id: number }
  /** An item was taken, so there's room for its weight. */
  | { readonly type: 'taken'; readonly id: number; readonly weight: number }

export type FromWorker =
  /** The role has been loaded and started, so calls run immediately. */
  | { readonly type: 'ready' }
  /** Sent every second while a call runs: silence means that the worker hangs. */
  | { readonly type: 'alive' }
  | { readonly type: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly type: 'item'; readonly id: number; readonly item: unknown; readonly weight: number }
  /** `outgrown`: the worker holds more memory than an idle one should. */
  | { readonly type: 'result'; readonly id: number; readonly result: unknown; readonly outgrown?: boolean }
  | { readonly type: 'error'; readonly id: number; readonly error: SerializedError }
  /** The worker can't run anything any more. */
  | { readonly type: 'fatal'; readonly error: SerializedError }
