import { ERROR_STATUS, type ErrorCode } from '../contract/statuses.ts'
import { isFullDisk } from '../lib/full-disk.ts'
import { ulid } from '../lib/ulid.ts'
import { TablesError, TooLargeError, UnavailableError, type Clock, type Ports } from './ports.ts'

/* Errors that are thrown where they are detected, and become responses here. */

/** `Retry-After` in seconds: short if the service is busy, longer if someone must free space first. */
const SOON = { 'Retry-After': '1' }
const ONCE_THERE_IS_ROOM = { 'Retry-After': '60' }

interface Fields {
  readonly details?: Readonly<Record<string, unknown>>
  /** By default only `Retry-After`, for temporary failures. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly cause?: unknown
}

/** A response that isn't a success. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: (typeof ERROR_STATUS)[ErrorCode]
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, { details, headers, cause }: Fields = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = ERROR_STATUS[code]
    this.details = details
    this.headers = headers ?? (code === 'SERVICE_UNAVAILABLE' ? SOON : {})
  }
}

/** The `meta` of a response. @param now milliseconds since 1970 */
export function metaOf(requestId: string, now: number): { request_id: string; timestamp: string; version: 'v1' } {
  return { request_id: requestId, timestamp: new Date(now).toISOString(), version: 'v1' }
}

export const newRequestId = (clock: Clock): string => `req_${ulid(clock.now())}`

/** A failure as a response with its envelope. */
export function failureResponse(error: ServiceError, clock: Clock, requestId = newRequestId(clock)): Response {
  const { code, message, details, status, headers } = error
  return Response.json(
    {
      success: false,
      error: { code, message, ...(details ? { details } : {}) },
      meta: metaOf(requestId, clock.now()),
    },
    {
      status,
      headers: {
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': requestId,
        ...headers,
      },
    },
  )
}

/**
 * The response to anything that was thrown. Unexpected errors are only logged.
 * @param place what to log instead of a URL that is a credential
 */
export function answerTo(
  thrown: unknown,
  { method, signal }: Pick<Request, 'method' | 'signal'>,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  { requestId = newRequestId(clock), place = '' }: { readonly requestId?: string; readonly place?: string } = {},
): Response {
  const error = toServiceError(thrown, signal)
  if (error.status >= 500 && !signal.aborted) log(`${requestId} ${method} ${place}${error.code}`, thrown)
  return failureResponse(error, clock, requestId)
}

/** @param signal the request's */
export function toServiceError(thrown: unknown, signal?: AbortSignal): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  if (signal?.aborted) return new ServiceError('SERVICE_UNAVAILABLE', 'The request was cancelled.', { cause: thrown })
  const unavailable = unavailability(thrown)
  if (unavailable) return unavailable
  if (thrown instanceof TooLargeError) {
    const details = { max_bytes: thrown.maxBytes }
    return new ServiceError('PAYLOAD_TOO_LARGE', 'This is more than the service takes.', { details, cause: thrown })
  }
  return new ServiceError('INTERNAL_ERROR', INTERNAL, { cause: thrown })
}

export const INTERNAL = 'Something went wrong on our side. Quote the request id when you report it.'

/** The response to a temporary failure; null for other errors. */
export function unavailability(cause: unknown): ServiceError | null {
  if (isOutOfSpace(cause)) {
    const message = 'There is no space left. Delete datasets that are no longer needed, then try again.'
    const fields = { details: { reason: 'out_of_space' }, headers: ONCE_THERE_IS_ROOM, cause }
    return new ServiceError('SERVICE_UNAVAILABLE', message, fields)
  }
  if (cause instanceof UnavailableError) return new ServiceError('SERVICE_UNAVAILABLE', cause.message, { cause })
  if (cause instanceof TablesError && cause.code === 'unavailable') {
    return new ServiceError('SERVICE_UNAVAILABLE', 'The engine is starting again. Try again in a moment.', { cause })
  }
  return null
}

/** Whether an error of a port is about missing space. */
export function isOutOfSpace(thrown: unknown): boolean {
  if (thrown instanceof TablesError) return thrown.code === 'out-of-space'
  return thrown instanceof DOMException && isFullDisk(thrown)
}
