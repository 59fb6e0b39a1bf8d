import type { Context } from 'hono'
import type { KeyRecord, WindowState, WorkspaceRecord } from './ports.ts'
import { metaOf } from './failures.ts'

/** The caller: an API key and its workspace. */
export interface Principal {
  readonly key: KeyRecord
  readonly workspace: WorkspaceRecord
}

/** Values that middleware sets for handlers. */
export interface Env {
  Variables: {
    /** `req_` followed by a ULID. */
    requestId: string
    /** Set after authentication. */
    principal: Principal
    /** The rate limit to report in headers. */
    window?: WindowState
  }
}

/** Whether a body was compressed on its way, or changed otherwise. */
export function isEncoded(headers: Headers): boolean {
  return !/^(?:identity)?$/i.test(headers.get('Content-Encoding') ?? '')
}

/** A successful response in its envelope. */
export function success(
  context: Context<Env>,
  now: number,
  data: unknown,
  status: 200 | 201 = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return context.json({ success: true, data, meta: metaOf(context.get('requestId'), now) }, status, headers)
}

/** A successful response whose data is already JSON. @param json the data */
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
