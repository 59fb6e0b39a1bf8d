import { ApiError } from '../../../api/errors.ts'
import type { Scope } from '../../../contract/schemas.ts'
import { EngineError } from '../../../engine/client.ts'
import { formatDuration } from '../../../ui/format.ts'

/** What went wrong, for the person. Plain data. */
export interface Problem {
  readonly message: string
  /** What to do next. */
  readonly remedy: string | null
  /** To quote to support. */
  readonly requestId: string | null
}

export function problem(message: string, remedy: string | null = null, requestId: string | null = null): Problem {
  return { message, remedy, requestId }
}

/** An error of the service or the engine in words. `what` is what failed: "The list wasn’t loaded". */
export function explain(error: unknown, what: string): Problem {
  if (error instanceof ApiError) return explainApi(error, what)
  if (error instanceof EngineError) {
    const place = error.place ? ` (${error.place})` : ''
    return problem(`${error.message}${place}`, error.remedy ?? null)
  }
  const detail = error instanceof Error ? error.message : ''
  return problem(`${what}${detail ? `: ${detail}` : ''}.`, 'Try again. If it comes back, reload the page.')
}

function explainApi(error: ApiError, what: string): Problem {
  const say = (message: string, remedy: string | null): Problem => problem(message, remedy, error.requestId)
  switch (error.code) {
    case 'RATE_LIMITED':
      return say(`${what}: the limit of requests is used up.`, waitWords(error.retryAfter))
    case 'FORBIDDEN':
      return say(`${what}: the API key isn’t allowed to do this.`, 'Use a key with the scope for it, in Settings.')
    case 'UNAUTHORIZED':
      return say(`${what}: the API key isn’t valid any more.`, 'Choose another key in Settings.')
    case 'unreachable':
      return say(`${what}: the service doesn’t answer.`, 'Check the connection, then try again.')
    case 'SERVICE_UNAVAILABLE':
      if (error.details['reason'] === 'out_of_space') return say(sentence(what, error.message), null)
      return say(`${what}: the service is busy.`, 'Try again in a moment.')
    case 'unexpected':
    case 'INTERNAL_ERROR':
      return say(`${what}: the service failed.`, 'Try again. If it comes back, quote the request id to support.')
    case 'INVALID_REQUEST': {
      const issues = error.issues.map(({ path, message }) => (path ? `${path} ${message}` : message))
      return say(issues.length > 0 ? `${what}: ${issues.join('; ')}.` : sentence(what, error.message), null)
    }
    case 'UNSUPPORTED_FORMAT':
    case 'NOT_FOUND':
    case 'METHOD_NOT_ALLOWED':
    case 'QUERY_TIMEOUT':
    case 'CONFLICT':
    case 'PAYLOAD_TOO_LARGE':
      return say(sentence(what, error.message), null)
  }
}

const sentence = (what: string, message: string): string => `${what}: ${message.replace(/\.?$/, '.')}`

export function waitWords(seconds: number | null): string {
  return seconds === null ? 'Try again later.' : `Try again in ${formatDuration(Math.max(1, seconds) * 1000)}.`
}

export const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_FOUND'

/* Scopes: null is a key whose scopes can't be known, which is let try. */

export function canCreate(scopes: readonly Scope[] | null): boolean {
  return scopes === null || scopes.includes('datasets:*:write')
}

export function canWrite(scopes: readonly Scope[] | null, id: string): boolean {
  return canCreate(scopes) || (scopes?.includes(`datasets:${id}:write`) ?? false)
}

export const NO_CREATE =
  'This API key can’t create datasets: it lacks the scope datasets:*:write. Choose another key in Settings.'
export const NO_WRITE =
  'This API key can read this dataset, but not change it. Choose a key with write scope in Settings.'
