import type { Context } from 'hono'
import type { z } from '../contract/zod.ts'
import type { OperationId, operations } from '../contract/operations.ts'
import type { Env, Principal } from './http.ts'
import type { ConsoleOperationId, consoleOperations } from '../contract/console-operations.ts'
import type { BodyOf } from '../contract/request.ts'
import type { Ports } from './ports.ts'
import type { Signer } from './signing.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : null

/** A request that passed the middleware's checks: route, key, rate limits, scope, and the form of query and body. */
export interface Call<Id extends OperationId> {
  readonly context: Context<Env>
  readonly principal: Principal
  /** Decoded path parameters. */
  readonly params: Readonly<Record<(typeof operations)[Id]['params'][number], string>>
  readonly query: Parsed<(typeof operations)[Id]['query']>
  readonly body: Parsed<(typeof operations)[Id]['body']>
  /** Whether the body used camelCase names; the response then does, too. */
  readonly camelCase: boolean
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  /** Time of the request, in milliseconds since 1970. */
  readonly now: number
  /** URL under which `/public/v1` and `/storage` are: absolute, without a trailing slash. */
  readonly baseUrl: string
}

/** Handles one operation. @throws {ServiceError} for every response that isn't a success */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Response>

export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

type Of<Id extends ConsoleOperationId> = (typeof consoleOperations)[Id]

/** A validated request to the console. */
interface ConsoleCall<Id extends ConsoleOperationId> {
  readonly context: Context<Env>
  readonly params: Readonly<Record<Of<Id>['params'][number], string>>
  readonly body: BodyOf<Of<Id>>
  /** Time of the request, in milliseconds since 1970. */
  readonly now: number
}

/** Handles one operation of the console. @throws {ServiceError} for every response that isn't a success */
export type ConsoleHandler<Id extends ConsoleOperationId> = (call: ConsoleCall<Id>) => Promise<Response>

export type ConsoleHandlers = { readonly [Id in ConsoleOperationId]: ConsoleHandler<Id> }

/** The handlers' dependencies. */
export interface Deps {
  readonly ports: Ports
  readonly signer: Signer
}
