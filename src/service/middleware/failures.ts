import type { Context } from 'hono'
import { metaOf, ServiceError, type Env } from '../http.ts'
import { TooLargeError, type Ports } from '../ports.ts'
import { unavailability } from '../unavailable.ts'

/** The answer to everything that was thrown. What we didn't foresee is in the log, and nowhere else. */
export function failure(
  context: Context<Env>,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  thrown: unknown,
): Response {
  const { signal } = context.req.raw
  const error = toServiceError(thrown, signal)
  const requestId = context.get('requestId')
  if (error.status >= 500 && !signal.aborted) log(`${requestId} ${context.req.method} ${error.code}`, thrown)
  const { code, message, details } = error
  return context.json(
    {
      success: false,
      error: { code, message, ...(details ? { details } : {}) },
      meta: metaOf(requestId, clock.now()),
    },
    error.status,
    error.headers,
  )
}

function toServiceError(thrown: unknown, signal: AbortSignal): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  if (signal.aborted) return new ServiceError('SERVICE_UNAVAILABLE', 'The request was cancelled.', { cause: thrown })
  const unavailable = unavailability(thrown)
  if (unavailable) {
    const { message, ...fields } = unavailable
    return new ServiceError('SERVICE_UNAVAILABLE', message, { ...fields, cause: thrown })
  }
  if (thrown instanceof TooLargeError) {
    const details = { max_bytes: thrown.maxBytes }
    return new ServiceError('PAYLOAD_TOO_LARGE', 'This is more than the service takes.', { details, cause: thrown })
  }
  return new ServiceError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. Quote the request id when you report it.',
    {
      cause: thrown,
    },
  )
}
