import { ApiError } from '../../../api/errors.ts'
import { EngineError, type TextRange } from '../../../engine/client.ts'
import { formatDuration } from '../../../ui/format.ts'
import { offsetOf, wordAt } from './text.ts'

/** What went wrong with a statement, for the person. */
export interface Problem {
  readonly message: string
  /** What to do next. */
  readonly remedy: string | null
  /** To quote to support. */
  readonly requestId: string | null
  /** Where in the tab's text. */
  readonly range: TextRange | null
  /** Names that may have been meant. */
  readonly suggestions: readonly string[]
}

export function problem(message: string, remedy: string | null = null, more: Partial<Problem> = {}): Problem {
  return { message, remedy, requestId: null, range: null, suggestions: [], ...more }
}

/** An error of the engine or the service in words. `statement` is what was run, `from` where it begins in the text. */
export function explain(error: unknown, statement: string, from: number): Problem {
  if (error instanceof EngineError) {
    return problem(error.message, error.remedy ?? null, {
      range: rangeOf(error.details, statement, from),
      suggestions: suggestionsOf(error.details),
    })
  }
  if (error instanceof ApiError) return explainApi(error, statement, from)
  const detail = error instanceof Error && error.message ? `: ${error.message.replace(/\.?$/, '.')}` : '.'
  return problem(`The statement couldn’t be run${detail}`, 'Run it again. If it comes back, reload the page.')
}

function explainApi(error: ApiError, statement: string, from: number): Problem {
  const { requestId } = error
  switch (error.code) {
    case 'RATE_LIMITED': {
      const wait = error.retryAfter
      const when = wait === null ? 'later' : `in ${formatDuration(Math.max(1, wait) * 1000)}`
      return problem('The service’s limit of requests is used up.', `Run it again ${when}, or in this browser.`)
    }
    case 'UNAUTHORIZED':
      return problem('The API key isn’t valid any more.', 'Choose another key in Settings.', { requestId })
    case 'FORBIDDEN':
      return problem(
        'The API key isn’t allowed to read these tables.',
        'Use a key with the scope for it, in Settings.',
        { requestId },
      )
    case 'unreachable':
      return problem('The service doesn’t answer.', 'Check the connection, then run it again.')
    case 'SERVICE_UNAVAILABLE':
      return problem('The service is busy.', 'Run it again in a moment.', { requestId })
    case 'unexpected':
    case 'INTERNAL_ERROR':
      return problem('The service failed.', 'Run it again. If it comes back, quote the request id to support.', {
        requestId,
      })
    case 'INVALID_REQUEST':
    case 'UNSUPPORTED_FORMAT':
    case 'NOT_FOUND':
    case 'METHOD_NOT_ALLOWED':
    case 'QUERY_TIMEOUT':
    case 'CONFLICT':
    case 'PAYLOAD_TOO_LARGE': {
      const issues = error.issues.map(({ message }) => message).join('; ')
      return problem(issues || error.message, null, { requestId, range: rangeOf(error.details, statement, from) })
    }
  }
}

/** From `{from, to}` or from `{line, column}`, both within the statement. */
function rangeOf(details: unknown, statement: string, from: number): TextRange | null {
  if (typeof details !== 'object' || details === null) return null
  const { from: begin, to: end, line, column } = details as Readonly<Record<string, unknown>>
  if (typeof begin === 'number' && typeof end === 'number') return { from: from + begin, to: from + end }
  if (typeof line !== 'number' || typeof column !== 'number') return null
  const offset = offsetOf(statement, line, column)
  if (offset === null) return null
  const word = wordAt(statement, offset)
  return { from: from + word.from, to: from + word.to }
}

function suggestionsOf(details: unknown): readonly string[] {
  if (typeof details !== 'object' || details === null) return []
  const { suggestions } = details as Readonly<Record<string, unknown>>
  return Array.isArray(suggestions) ? suggestions.filter((each): each is string => typeof each === 'string') : []
}
