import type { ErrorCode, Issue } from '../contract/errors.ts'

/**
 * What went wrong with a call, beside the service's own codes: `unreachable` no answer at all (offline, DNS, CORS,
 * refused), `unexpected` an answer that isn't by the contract.
 */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'unexpected'

interface ApiErrorFields {
  /** 0 when there was no answer. */
  readonly status: number
  /** To quote to support; null when the answer carried none. */
  readonly requestId: string | null
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The one error that leaves the API client, cancellations (`AbortError`) aside. */
export class ApiError extends Error {
  readonly tag = 'ApiError'
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number
  readonly requestId: string | null
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ApiErrorCode, message: string, fields: ApiErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = code
    this.status = fields.status
    this.requestId = fields.requestId
    this.details = fields.details ?? {}
  }

  /** What was wrong with the request's fields. */
  get issues(): readonly Issue[] {
    const { issues } = this.details
    return Array.isArray(issues) ? (issues as Issue[]) : []
  }

  /** Seconds until another try makes sense; null when that isn't the trouble. */
  get retryAfter(): number | null {
    const value = this.details['retry_after']
    return typeof value === 'number' ? value : null
  }
}
