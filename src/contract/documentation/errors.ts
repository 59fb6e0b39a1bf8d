import type { ERROR_STATUS, ErrorCode } from '../errors.ts'
import { SERVICE_FORMATS } from '../limits.ts'
import type { ErrorExample } from './operations.ts'

interface ErrorDocumentation {
  /** When it's returned. */
  readonly description: string
  readonly example: ErrorExample
}

/** What each error code means for any operation. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorDocumentation>> = {
  INVALID_REQUEST: {
    description: 'Fields are missing or wrong; `details.issues` names all of them at once.',
    example: {
      message: 'The body must be a JSON object.',
      details: { issues: [{ path: '', message: 'must be a JSON object' }] },
    },
  },
  UNSUPPORTED_FORMAT: {
    description: 'A format that the service doesn’t know; `details.supported` lists those that it does.',
    example: {
      message:
        'source_format must be a format that the service supports. It supports csv, tsv, json, xlsx and parquet.',
      details: {
        supported: [...SERVICE_FORMATS],
        issues: [{ path: 'source_format', message: 'must be a format that the service supports' }],
      },
    },
  },
  UNAUTHORIZED: {
    description: 'The key is missing, unknown, expired or revoked, or the request has two different keys.',
    example: { message: 'The request has no API key. Send it as “X-API-Key” or “Authorization: Bearer”.' },
  },
  FORBIDDEN: {
    description: 'The key is valid but lacks the scope.',
    example: { message: 'The API key lacks the scope datasets:*:write.' },
  },
  NOT_FOUND: {
    description: 'It doesn’t exist, or the key may not know of it.',
    example: { message: 'There is no dataset with this id that the API key may read.' },
  },
  METHOD_NOT_ALLOWED: {
    description: 'The path doesn’t support the method; `Allow` lists those that it does.',
    example: { message: 'PUT isn’t possible here; GET and POST are.' },
  },
  QUERY_TIMEOUT: {
    description: 'The query ran longer than `timeout_seconds` and was stopped.',
    example: { message: 'The query was stopped after 30 seconds.' },
  },
  CONFLICT: {
    description: 'The name is taken.',
    example: { message: 'There already is a dataset named “Sales 2026” in this workspace.' },
  },
  PAYLOAD_TOO_LARGE: {
    description: 'The body is larger than the service accepts.',
    example: { message: 'The body is larger than 8 MB.' },
  },
  RATE_LIMITED: {
    description:
      'A rate limit is reached; `details` says which, and `Retry-After` how long to wait. The request didn’t count against any.',
    example: {
      message: 'The API key has made its 10 requests of this minute. Try again in 42 seconds.',
      details: { limit: 10, window: 'minute', retry_after: 42 },
    },
  },
  INTERNAL_ERROR: {
    description: 'Something went wrong in the service. Quote `meta.request_id` when you ask for help.',
    example: { message: 'Something went wrong in the service.' },
  },
  SERVICE_UNAVAILABLE: {
    description:
      'A temporary failure; `Retry-After` says when to try again. If the disk is full, nothing of the request is stored.',
    example: { message: 'The service can’t do this at the moment. Try again in a few seconds.' },
  },
}

/** Names of statuses; several codes may have the same one. */
export const STATUS_NAMES: Readonly<Record<(typeof ERROR_STATUS)[ErrorCode], string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Timeout',
  409: 'Conflict',
  413: 'Payload too large',
  429: 'Rate limited',
  500: 'Internal error',
  503: 'Unavailable',
}
