import type { Context } from 'hono'
import type { z } from '../contract/zod.ts'
import type { OperationId, operations } from '../contract/operations.ts'
import type { Env, Principal } from './http.ts'
import type { ConsoleOperationId, consoleOperations } from '../contract/console-operations.ts'
import type { BodyOf } from '../contract/request.ts'
import type { Ports } from './ports.ts'
import type { Signer } from './signing.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : null

/** A request that passed the middleware's checks: route, key, rate limits, scope, and the form of its query and body. */
export interface Call<Id extends OperationId> {
  readonly context: Context<Env>
  readonly principal: Principal
  /** Of the path, decoded. */
  readonly params: Readonly<Record<(typeof operations)[Id]['params'][number], string>>
  readonly query: Parsed<(typeof operations)[Id]['query']>
  readonly body: Parsed<(typeof operations)[Id]['body']>
  /** The body used a camelCase name, so the answer must, too. */
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

type Of<Id extends ConsoleOperationId> = (typeof consoleOperations)[Id]

/** A request to the console whose form was checked. */
interface ConsoleCall<Id extends ConsoleOperationId> {
  readonly context: Context<Env>
  readonly params: Readonly<Record<Of<Id>['params'][number], string>>
  readonly body: BodyOf<Of<Id>>
  /** When the request came, in milliseconds since 1970. */
  readonly now: number
}

/** Answers one call. @throws {ServiceError} for every answer that isn't a success */
export type ConsoleHandler<Id extends ConsoleOperationId> = (call: ConsoleCall<Id>) => Promise<Response>

export type ConsoleHandlers = { readonly [Id in ConsoleOperationId]: ConsoleHandler<Id> }

/** The handlers' dependencies. */
export interface Deps {
  readonly ports: Ports
  readonly signer: Signer
}
