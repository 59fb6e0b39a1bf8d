import { ApiError } from '../../../api/errors.ts'
import { EngineError } from '../../../engine/client.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import { explain, type Problem } from '../../shared/problem.ts'

/** What went wrong, as shown on the page and stored in the record. Plain data. */
export interface Failure extends Problem {
  readonly code: string
  /** Receipts of a conversion that read back differently than written. */
  readonly receipts: readonly Receipt[]
}

export function toFailure(error: unknown): Failure {
  const known = error instanceof EngineError || error instanceof ApiError
  return {
    ...explain(error, null, { instead: ', or convert it in this browser' }),
    code: known ? error.code : 'internal',
    receipts: error instanceof EngineError ? receiptsIn(error.details) : [],
  }
}

/** Whether the file can't be read any more, so that a retry would fail, too. */
export const isUnreadable = ({ code }: Failure): boolean => code === 'file-changed'

function receiptsIn(details: unknown): Receipt[] {
  const list = Array.isArray(details) ? details : [details]
  return list.filter(isReceipt)
}

function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'verdict' in value && 'differences' in value
}

export const READING_CANCELLED: Failure = {
  code: 'cancelled',
  message: 'Reading was cancelled.',
  place: null,
  remedy: 'Retry to read the file, or remove it.',
  receipts: [],
}
