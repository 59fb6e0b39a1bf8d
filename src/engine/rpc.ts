import { isAbort } from '../lib/abort.ts'
import { EngineError, type EngineErrorCode } from './errors.ts'
import type {
  AdoptRequest,
  ConvertProgress,
  ConvertRequest,
  ConvertResult,
  InspectProgress,
  InspectRequest,
  InspectResult,
  Preview,
  PreviewRequest,
} from './protocol.ts'
import type { IngestProgress, IngestRequest, StoredTable } from './storage/table-types.ts'

/** What the worker can be asked: request, progress and result of each call. */
export interface Calls {
  inspect: { request: InspectRequest; progress: InspectProgress; result: InspectResult }
  preview: { request: PreviewRequest; progress: never; result: Preview }
  /** A result's files are in the private file system, or in `files` where there is none, for the page to keep. */
  convert: { request: ConvertRequest; progress: ConvertProgress; result: ConvertResult & { files?: Map<string, File> } }
  /** As of `convert`. */
  adopt: { request: AdoptRequest; progress: ConvertProgress; result: ConvertResult & { files?: Map<string, File> } }
  /** A table's file is in the private file system, or in `stored` where there is none. */
  ingest: {
    request: IngestRequest & { readonly folder: string }
    progress: IngestProgress
    result: StoredTable & { stored?: File }
  }
}
export type CallName = keyof Calls

export type ToWorker =
  | {
      readonly type: 'call'
      readonly name: CallName
      readonly file: File
      readonly request: Calls[CallName]['request']
    }
  | { readonly type: 'abort' }
  /** There's nothing else to do: what is needed for a call can be loaded, and run until it's fast. */
  | { readonly type: 'warm' }

export type FromWorker =
  | { readonly type: 'progress'; readonly progress: Calls[CallName]['progress'] }
  | { readonly type: 'result'; readonly result: Calls[CallName]['result']; readonly spent: boolean }
  | { readonly type: 'error'; readonly error: PlainError; readonly spent: boolean }
  /** Sent every second while a call runs: silence means that the worker hangs. */
  | { readonly type: 'alive' }

export interface PlainError {
  readonly aborted: boolean
  readonly code: EngineErrorCode
  readonly message: string
  readonly place?: string
  readonly remedy?: string
  readonly details?: unknown
  /** The causes' texts, outermost first, for the report that a person can copy. */
  readonly causes: readonly string[]
}

/** An error as it crosses: errors of our own whole, others as `internal` with their text. */
export function toPlain(error: unknown): PlainError {
  const causes: string[] = []
  for (let cause = error instanceof EngineError ? error.cause : error; cause instanceof Error; cause = cause.cause) {
    causes.push(cause.stack ?? String(cause))
    if (causes.length === 5) break
  }
  if (isAbort(error)) return { aborted: true, code: 'internal', message: 'cancelled', causes: [] }
  const known = asKnown(error)
  return {
    aborted: false,
    code: known.code,
    message: known.message,
    ...(known.place === undefined ? {} : { place: known.place }),
    ...(known.remedy === undefined ? {} : { remedy: known.remedy }),
    ...(known.details === undefined ? {} : { details: known.details }),
    causes,
  }
}

function asKnown(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  if (error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError')) {
    return new EngineError('file-changed', 'The file was changed, moved or removed since it was added.', {
      remedy: 'Add the file again.',
      cause: error,
    })
  }
  const text = error instanceof Error ? error.message : String(error)
  if (error instanceof RangeError && /array buffer|array length|string length|allocation/i.test(text)) {
    return new EngineError('out-of-memory', 'The file needs more memory than this tab can have.', {
      remedy: 'Split the file, or leave out the columns with the longest values.',
      cause: error,
    })
  }
  return new EngineError('internal', `Something went wrong that shouldn’t have: ${text}`, {
    remedy: 'Try again. If it stays, report it with the details.',
    cause: error,
  })
}

export function fromPlain(plain: PlainError): unknown {
  if (plain.aborted) return new DOMException('The operation was cancelled.', 'AbortError')
  return new EngineError(plain.code, plain.message, {
    ...(plain.place === undefined ? {} : { place: plain.place }),
    ...(plain.remedy === undefined ? {} : { remedy: plain.remedy }),
    ...(plain.details === undefined ? {} : { details: plain.details }),
    ...(plain.causes.length > 0 ? { cause: new Error(plain.causes.join('\n\ncaused by ')) } : {}),
  })
}
