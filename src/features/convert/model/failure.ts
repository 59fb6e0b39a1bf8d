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
  return {
    code: 'internal',
    message: error instanceof Error && error.message ? error.message : 'Something failed that shouldn’t have.',
    place: null,
    remedy: 'Try again. If it comes back, reload the page: finished files are kept.',
    receipts: [],
  }
}

function receiptsIn(details: unknown): Receipt[] {
  const list = Array.isArray(details) ? details : [details]
  return list.filter(isReceipt)
}

function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'verdict' in value && 'differences' in value
}
