import { ApiError, type ApiErrorCode } from '../../../api/errors.ts'
import { EngineError } from '../../../engine/client.ts'
import type { Receipt } from '../../../tables/receipt.ts'

/** What went wrong, as the page tells it and the record keeps it. Plain data. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly place: string | null
  readonly remedy: string | null
  /** Of a conversion that read back otherwise than it was written. */
  readonly receipts: readonly Receipt[]
}

export function toFailure(error: unknown): Failure {
  if (error instanceof EngineError) {
    return {
      code: error.code,
      message: error.message,
      place: error.place ?? null,
      remedy: error.remedy ?? null,
      receipts: receiptsIn(error.details),
    }
  }
  if (error instanceof ApiError) {
    return {
      code: error.code,
      message: error.message,
      place: error.requestId ? `request ${error.requestId}` : null,
      remedy: remedyOf(error),
      receipts: [],
    }
  }
  return {
    code: 'internal',
    message: error instanceof Error && error.message ? error.message : 'Something failed that shouldn’t have.',
    place: null,
    remedy: 'Try again. If it comes back, reload the page: finished files are kept.',
    receipts: [],
  }
}

const REMEDIES: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  UNAUTHORIZED: 'Check the key in Settings, or convert it in this browser.',
  FORBIDDEN: 'Check the key in Settings, or convert it in this browser.',
  unreachable: 'Check the connection, or convert it in this browser.',
  SERVICE_UNAVAILABLE: 'Try again in a moment, or convert it in this browser.',
}

function remedyOf({ code, retryAfter }: ApiError): string {
  if (code === 'RATE_LIMITED' && retryAfter !== null) {
    const wait = retryAfter < 90 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`
    return `Try again in ${wait}, or convert it in this browser.`
  }
  return REMEDIES[code] ?? 'Convert it in this browser instead, or try again.'
}

function receiptsIn(details: unknown): Receipt[] {
  const list = Array.isArray(details) ? details : [details]
  return list.filter(isReceipt)
}

function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'verdict' in value && 'differences' in value
}
