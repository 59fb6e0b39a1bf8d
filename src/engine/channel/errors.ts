import { asError } from '../../lib/errors.ts'
import { isAbort } from '../../lib/abort.ts'
import { EngineError, notLoaded, type EngineErrorCode } from '../errors.ts'

/** An error in the form sent between threads. */
export interface SerializedError {
  readonly aborted: boolean
  readonly code: EngineErrorCode
  readonly message: string
  readonly place?: string | undefined
  readonly remedy?: string | undefined
  readonly details?: unknown
  /** Messages of the causes, outermost first, for the report that people can copy. */
  readonly causes: readonly string[]
}

/** Our own errors keep all fields; others become `internal` with their message. */
export function serializeError(error: unknown): SerializedError {
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
    place: known.place,
    remedy: known.remedy,
    details: known.details,
    causes,
  }
}

/**
 * Errors of Chromium, Firefox and WebKit for a module or WebAssembly that couldn't be fetched. Workers only fetch parts
 * of the app.
 */
const UNFETCHED =
  /dynamically imported module|importing a module script failed|failed to fetch|network ?error|load failed/i

function asKnown(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  if (error instanceof DOMException && (error.name === 'NotFoundError' || error.name === 'NotReadableError')) {
    return new EngineError('file-changed', 'The file was changed, moved or removed since it was added.', {
      remedy: 'Add the file again.',
      cause: error,
    })
  }
  const text = asError(error).message
  if (error instanceof TypeError && UNFETCHED.test(text)) return notLoaded(error)
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

/** Recreates the error with its type, fields and causes. */
export function deserializeError(error: SerializedError): unknown {
  if (error.aborted) return new DOMException('The operation was cancelled.', 'AbortError')
  return new EngineError(error.code, error.message, {
    ...error,
    cause: error.causes.length > 0 ? new Error(error.causes.join('\n\ncaused by ')) : undefined,
  })
}

const AGAIN = 'Try again: a new one is started.'

/** @param event the worker's `error` or `messageerror` */
export function workerDied(event: Event): EngineError {
  const text = 'message' in event && typeof event.message === 'string' ? `: ${event.message}` : ''
  return new EngineError('worker-lost', `The background worker stopped${text}.`, {
    remedy: `${AGAIN} If it stops at the same file, the file may be damaged or too large.`,
  })
}

/** @param silence in milliseconds */
export function workerHung(silence: number): EngineError {
  const seconds = Math.round(silence / 1000)
  return new EngineError(
    'worker-lost',
    `The background worker hasn’t answered for ${seconds} seconds and was stopped.`,
    {
      remedy: `${AGAIN} If it hangs at the same file, the file may be damaged or too large.`,
    },
  )
}

/** The error of calls whose worker was terminated because another call didn't stop. */
export function endedWithAnother(): EngineError {
  return new EngineError(
    'worker-lost',
    'The worker was stopped together with a statement that didn’t stop by itself.',
    {
      remedy: AGAIN,
    },
  )
}
