import { ERROR_STATUS, type ErrorCode, type Failure } from '../../contract/errors.ts'
import { ulid } from '../../lib/ulid.ts'

/** A failure in its envelope, as an answer: for what answers without the service's router. */
export function failureResponse(
  code: ErrorCode,
  message: string,
  { now, headers = {} }: { readonly now: number; readonly headers?: Readonly<Record<string, string>> },
): Response {
  const failure: Failure = {
    success: false,
    error: { code, message },
    meta: { request_id: `req_${ulid(now)}`, timestamp: new Date(now).toISOString(), version: 'v1' },
  }
  return Response.json(failure, {
    status: ERROR_STATUS[code],
    headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers },
  })
}
