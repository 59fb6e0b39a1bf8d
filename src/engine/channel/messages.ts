import type { SerializedError } from './errors.ts'

/* What crosses between a worker and whoever opened it: the page, or another worker. */

/** One call of a role. What it leaves out, it has none of. */
export interface CallShape {
  readonly request: unknown
  readonly result: unknown
  readonly progress?: unknown
  /** What is streamed before the result. */
  readonly item?: unknown
}

/** The calls of a role, by their names. */
export type CallsOf<C> = { readonly [N in keyof C]: CallShape }

export type ProgressOf<T> = T extends { readonly progress: infer P } ? P : never
export type ItemOf<T> = T extends { readonly item: infer I } ? I : never

export type ToWorker =
  /** The first message. A worker has one role, and what its opener shares with it: compiled code. */
  | { readonly type: 'open'; readonly role: string; readonly shared: unknown }
  | {
      readonly type: 'call'
      readonly id: number
      readonly name: string
      readonly request: unknown
      /** What may be on its way of the stream before the producer waits, in what its items weigh. */
      readonly highWaterMark: number
    }
  | { readonly type: 'abort'; readonly id: number }
  /** An item of the stream was taken: there's room for as much more. */
  | { readonly type: 'taken'; readonly id: number; readonly weight: number }

export type FromWorker =
  /** The role is loaded, and what it needs has started: calls run at once. */
  | { readonly type: 'ready' }
  /** Sent every second while a call runs: silence means that the worker hangs. */
  | { readonly type: 'alive' }
  | { readonly type: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly type: 'item'; readonly id: number; readonly item: unknown; readonly weight: number }
  /** `outgrown`: the worker holds more memory than is to be held while nothing runs. */
  | { readonly type: 'result'; readonly id: number; readonly result: unknown; readonly outgrown?: boolean }
  | { readonly type: 'error'; readonly id: number; readonly error: SerializedError }
  /** Nothing more can run in this worker. */
  | { readonly type: 'fatal'; readonly error: SerializedError }
