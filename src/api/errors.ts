import type { ErrorCode, Issue } from '../contract/errors.ts'

/**
 * A call's error: the service's own codes, or `unreachable` if there was no answer at all (offline, DNS, CORS,
 * refused), or `unexpected` if the answer breaks the contract.
 */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'unexpected'

interface ApiErrorFields {
  /** 0 if there was no answer. */
  readonly status: number
  /** The id to quote to support; null if the answer had none. */
  readonly requestId: string | null
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The only error that API clients throw, besides cancellations (`AbortError`). */
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

  /** What is wrong with fields of the request. */
  get issues(): readonly Issue[] {
    const { issues } = this.details
    return Array.isArray(issues) ? (issues as Issue[]) : []
  }

  /** Seconds until a retry makes sense; null if waiting isn't the remedy. */
  get retryAfter(): number | null {
    const value = this.details['retry_after']
    return typeof value === 'number' ? value : null
  }
}

/** Whether the service may have carried out the request, since nothing says otherwise. */
export function mayBeDone(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  // If tables couldn't be loaded, the error says so; if there was no space, nothing was created.
  if (error.code === 'SERVICE_UNAVAILABLE') {
    return error.details['tables'] === undefined && error.details['reason'] !== 'out_of_space'
  }
  return error.code === 'unreachable' || error.code === 'unexpected'
}

/** The details of a conflict; undefined for other errors. */
export const conflictOf = (error: unknown): ApiError['details'] | undefined =>
  error instanceof ApiError && error.code === 'CONFLICT' ? error.details : undefined

export const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_FOUND'

/**
 * For calls that delete: nothing left to delete is no error. An earlier attempt deleted it, perhaps the browser's own,
 * which repeats a request when its connection breaks off, and only its answer was lost.
 * @throws the error, if it's another one
 */
export function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error
}
