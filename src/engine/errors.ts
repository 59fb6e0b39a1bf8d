/** What can go wrong in the engine. */
export type EngineErrorCode =
  /** No bytes, or no table in them. */
  | 'empty-file'
  /** Not a format that we read; `message` says what it seems to be. */
  | 'unsupported-format'
  /** Begins like the format, but is damaged or truncated. */
  | 'corrupt-file'
  | 'password-protected'
  /** Exceeds a limit: an archive bomb, more columns than the target allows, a file above a format's maximum. */
  | 'too-large'
  /** Bytes that aren't text in any encoding that we know. */
  | 'not-text'
  /** The target can't hold a value or a column type. */
  | 'unwritable'
  /** The disk, or the browser's share of it, is full. */
  | 'out-of-space'
  | 'out-of-memory'
  /** The file was changed or removed after it was added. */
  | 'file-changed'
  /** Reading back the output gave other values than the source. */
  | 'verification'
  /** The worker died or stopped answering. */
  | 'worker-lost'
  /** Code of the app couldn't be fetched: no network, or the service worker was stopped meanwhile. */
  | 'not-loaded'
  /** A plan that can't be run: an unknown type, two columns with the same name. */
  | 'invalid-plan'
  /** An error in a statement, found before or while it ran. `details`: `{line, column}`, from 1. */
  | 'sql-error'
  /** More than one statement, or one that isn't allowed, such as one that doesn't only read. */
  | 'sql-not-allowed'
  /** A table that the caller doesn't have. `details`: `{table}`, as written in the statement. */
  | 'unknown-table'
  /** The statement took longer than its time limit. */
  | 'sql-timeout'
  | 'internal'

interface EngineErrorFields {
  /** Where in the file: "line 20,481", "sheet “Q3”, cell B7", "byte 1,204". */
  readonly place?: string | undefined
  /** What to do next. */
  readonly remedy?: string | undefined
  readonly cause?: unknown
  /** Plain data for the page, such as a receipt that doesn't match. */
  readonly details?: unknown
}

/** Except for cancellations (`AbortError`), the engine throws only these. Workers send them to the page. */
export class EngineError extends Error {
  readonly tag = 'EngineError'
  readonly code: EngineErrorCode
  readonly place: string | undefined
  readonly remedy: string | undefined
  readonly details: unknown

  constructor(code: EngineErrorCode, message: string, fields: EngineErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = 'EngineError'
    this.code = code
    this.place = fields.place
    this.remedy = fields.remedy
    this.details = fields.details
  }

  /** A copy with another message or other fields. */
  with({ message = this.message, ...fields }: EngineErrorFields & { readonly message?: string }): EngineError {
    const { code, place, remedy, details, cause } = this
    return new EngineError(code, message, { place, remedy, details, cause, ...fields })
  }
}

/** @param cause why the browser couldn't fetch it */
export function notLoaded(cause: unknown): EngineError {
  return new EngineError('not-loaded', 'A part of the app couldn’t be loaded.', {
    remedy: 'Check the connection, then try again.',
    cause,
  })
}

/** For a file that could be read before and can't be any more. */
export function fileChanged(cause: unknown): EngineError {
  return new EngineError('file-changed', 'The file can’t be read any more: it was changed, moved or removed.', {
    remedy: 'Add the file again.',
    cause,
  })
}
