import type { Context } from 'hono'
import type { ConsoleOperationId, consoleOperations } from '../../contract/console-operations.ts'
import type { BodyOf } from '../../contract/request.ts'
import type { Env } from '../http.ts'

type Of<Id extends ConsoleOperationId> = (typeof consoleOperations)[Id]

/** A request to the console whose form was checked. */
export interface ConsoleCall<Id extends ConsoleOperationId> {
  readonly context: Context<Env>
  readonly params: Readonly<Record<Of<Id>['params'][number], string>>
  readonly body: BodyOf<Of<Id>>
  /** When the request came, in milliseconds since 1970. */
  readonly now: number
}

/** Answers one call. @throws {ServiceError} for every answer that isn't a success */
export type ConsoleHandler<Id extends ConsoleOperationId> = (call: ConsoleCall<Id>) => Promise<Response>

export type ConsoleHandlers = { readonly [Id in ConsoleOperationId]: ConsoleHandler<Id> }
