import type { Context } from 'hono'
import type { z } from '../contract/zod.ts'
import type { OperationId, operations } from '../contract/operations.ts'
import type { Env, Principal } from './http.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : null

/** A request that passed all that middleware checks: route, key, rate limits, scope, and the form of its query and body. */
export interface Call<Id extends OperationId> {
  readonly context: Context<Env>
  readonly principal: Principal
  /** Of the path, decoded. */
  readonly params: Readonly<Record<(typeof operations)[Id]['params'][number], string>>
  readonly query: Parsed<(typeof operations)[Id]['query']>
  readonly body: Parsed<(typeof operations)[Id]['body']>
  /** The body used a camelCase name, so that the answer has to as well. */
  readonly camelCase: boolean
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
  /** When the request came, in milliseconds since 1970. */
  readonly now: number
  /** Where `/public/v1` and `/storage` live: absolute, without a slash at its end. */
  readonly baseUrl: string
}

/** Answers one operation. @throws {ServiceError} for every answer that isn't a success */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Response>

export type Handlers = { readonly [Id in OperationId]: Handler<Id> }
