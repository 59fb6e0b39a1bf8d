/**
 * What can go wrong with a file, as values that cross from the worker to the page. `place` says where in the file,
 * `remedy` what to do next; both are for people.
 */
export type EngineErrorCode =
  /** No bytes, or no table in them. */
  | 'empty-file'
  /** Not a format that we read; `message` names what it seems to be. */
  | 'unsupported-format'
  /** Begins like the format, but is damaged or truncated. */
  | 'corrupt-file'
  | 'password-protected'
  /** A limit that protects the tab: archive bombs, more columns than the target holds, a file above a format's maximum. */
  | 'too-large'
  /** Bytes that aren't text in any encoding that we know. */
  | 'not-text'
  /** The target can't hold a value or a shape. */
  | 'unwritable'
  /** The disk, or the share of it that the browser gives, is full. */
  | 'out-of-space'
  | 'out-of-memory'
  /** The file on disk changed or went away after it was added. */
  | 'file-changed'
  /** The output, read back, differs from what was read. */
  | 'verification'
  /** The worker died or stopped answering. */
  | 'worker-lost'
  /** A part of the app couldn't be fetched: no network, or the service worker was stopped meanwhile. */
  | 'not-loaded'
  /** A plan that can't be run: unknown type, two columns of one name. */
  | 'invalid-plan'
  /** A statement that isn't SQL, or that the engine refused while it ran. `details`: `{line, column}`, from 1. */
  | 'sql-error'
  /** More than one statement, or one that does more than read. */
  | 'sql-not-allowed'
  /** A table that doesn't exist for the caller. `details`: `{table}`, as it was written. */
  | 'unknown-table'
  /** It took longer than its time limit. */
  | 'sql-timeout'
  | 'internal'

export interface EngineErrorFields {
  /** Where in the file: "line 20,481", "sheet “Q3”, cell B7", "byte 1,204". */
  readonly place?: string | undefined
  /** What to do next. */
  readonly remedy?: string | undefined
  readonly cause?: unknown
  /** Plain data for the page, such as a receipt that doesn't match. */
  readonly details?: unknown
}

/** The one error that leaves the engine, cancellations (`AbortError`) aside. */
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

  /** The same error with some of it said otherwise. */
  with({ message = this.message, ...fields }: EngineErrorFields & { readonly message?: string }): EngineError {
    const { code, place, remedy, details, cause } = this
    return new EngineError(code, message, { place, remedy, details, cause, ...fields })
  }
}

/** @param cause why the browser didn't get it */
export function notLoaded(cause: unknown): EngineError {
  return new EngineError('not-loaded', 'A part of the app couldn’t be loaded.', {
    remedy: 'Check the connection, then try again.',
    cause,
  })
}

/** A file that could be read once and can't any more. */
export function fileChanged(cause: unknown): EngineError {
  return new EngineError('file-changed', 'The file can’t be read any more: it was changed, moved or removed.', {
    remedy: 'Add the file again.',
    cause,
  })
}
