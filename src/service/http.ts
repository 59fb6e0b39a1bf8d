import type { Context } from 'hono'
import { ERROR_STATUS, type ErrorCode } from '../contract/errors.ts'
import type { KeyRecord, WindowState, WorkspaceRecord } from './ports.ts'
import { SOON } from './unavailable.ts'

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
    /** Set behind authentication. */
    principal: Principal
    /** The rate limit that the answer tells of. */
    window?: WindowState
  }
}

/** An answer that isn't a success, thrown by handlers and put into the envelope by the outermost middleware. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: (typeof ERROR_STATUS)[ErrorCode]
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    fields: {
      readonly details?: Readonly<Record<string, unknown>>
      readonly headers?: Readonly<Record<string, string>>
      readonly cause?: unknown
    } = {},
  ) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = code
    this.status = ERROR_STATUS[code]
    this.details = fields.details
    this.headers = fields.headers ?? (code === 'SERVICE_UNAVAILABLE' ? SOON : {})
  }
}

/** The `meta` of an answer. */
export function metaOf(requestId: string, now: number): { request_id: string; timestamp: string; version: 'v1' } {
  return { request_id: requestId, timestamp: new Date(now).toISOString(), version: 'v1' }
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
