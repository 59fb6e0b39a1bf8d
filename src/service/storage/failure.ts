import type { Failure } from '../../contract/errors.ts'
import { ERROR_STATUS, type ErrorCode } from '../../contract/statuses.ts'
import { ulid } from '../../lib/ulid.ts'
import type { Ports } from '../ports.ts'
import { unavailability } from '../unavailable.ts'

export type StoragePorts = Pick<Ports, 'clock' | 'records' | 'objects' | 'log'>

interface FailureOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly details?: Failure['error']['details']
  readonly headers?: Readonly<Record<string, string>>
}

/** A failure in its envelope, as an answer: for what answers without the service's router. */
export function failureResponse(
  code: ErrorCode,
  message: string,
  { now, details, headers }: FailureOptions,
  requestId = `req_${ulid(now)}`,
): Response {
  const failure: Failure = {
    success: false,
    error: { code, message, ...(details ? { details } : {}) },
    meta: { request_id: requestId, timestamp: new Date(now).toISOString(), version: 'v1' },
  }
  return Response.json(failure, {
    status: ERROR_STATUS[code],
    headers: {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...headers,
    },
  })
}

/** The answer to what was thrown: what it was is in the log alone. */
export function internalFailure(
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  request: Request,
  error: unknown,
): Response {
  const now = clock.now()
  const requestId = `req_${ulid(now)}`
  const unavailable = unavailability(error)
  if (unavailable) {
    const { message, ...fields } = unavailable
    return failureResponse('SERVICE_UNAVAILABLE', message, { now, ...fields }, requestId)
  }
  // Its URL is a credential.
  log(`${requestId} ${request.method} /storage INTERNAL_ERROR`, error)
  const message = 'Something went wrong on our side. Quote the request id when you report it.'
  return failureResponse('INTERNAL_ERROR', message, { now }, requestId)
}
