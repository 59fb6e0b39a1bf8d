import type { Context } from 'hono'
import type { KeyRecord, WindowState, WorkspaceRecord } from './ports.ts'
import { metaOf } from './failures.ts'

/** Who calls: the key, and the workspace that it's of. */
export interface Principal {
  readonly key: KeyRecord
  readonly workspace: WorkspaceRecord
}

/** What middleware leaves for the handlers. */
export interface Env {
  Variables: {
    /** `req_` and a ULID. */
    requestId: string
    /** Set after authentication. */
    principal: Principal
    /** The rate limit that the answer tells of. */
    window?: WindowState
  }
}

/** A success in its envelope. */
export function success(
  context: Context<Env>,
  now: number,
  data: unknown,
  status: 200 | 201 = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return context.json({ success: true, data, meta: metaOf(context.get('requestId'), now) }, status, headers)
}

/** A success whose data is written out already. @param json of the data */
export function successOf(
  context: Context<Env>,
  now: number,
  json: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const meta = JSON.stringify(metaOf(context.get('requestId'), now))
  const body = `{"success":true,"data":${json},"meta":${meta}}`
  return context.body(body, 200, { 'Content-Type': 'application/json', ...headers })
}
