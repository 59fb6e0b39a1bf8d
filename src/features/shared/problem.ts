import { ApiError } from '../../api/errors.ts'
import { EngineError } from '../../engine/client.ts'
import { isFullDisk } from '../../lib/full-disk.ts'
import { formatDuration } from '../../ui/format.ts'
import { capitalized } from '../../lib/text.ts'

/** What went wrong, in words for the person. Plain data. */
export interface Problem {
  readonly message: string
  /** What to do next. */
  readonly remedy: string | null
  /** Where in the file it went wrong. */
  readonly place?: string | null
  /** The id to quote to support. */
  readonly requestId?: string | null
}

interface Wording {
  /** How to retry; “Try again” by default. */
  readonly again?: string
  /** An alternative to waiting: “, or in this browser”. */
  readonly instead?: string
}

export function problem(message: string, remedy: string | null = null, requestId: string | null = null): Problem {
  return { message, remedy, requestId }
}

/** A problem as one text, if there's no room for more. */
export function inWords(found: Problem | null): string | null {
  if (!found) return null
  const { message, remedy, requestId } = found
  return [message, remedy, requestId ? `Request id: ${requestId}.` : null].filter(Boolean).join(' ')
}

/** Whether something couldn't be stored in this browser for lack of space. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof EngineError) return error.code === 'out-of-space'
  return error instanceof DOMException && isFullDisk(error)
}

/**
 * Explains an error. Errors of the service, of the engine, and our other errors with a code have their own
 * explanations.
 * @param what what failed: “The list wasn’t loaded”; null if the screen already says it
 */
export function explain(error: unknown, what: string | null, wording: Wording = {}): Problem {
  if (error instanceof ApiError) return explainApi(error, what, wording)
  if (error instanceof EngineError)
    return { ...problem(error.message, error.remedy ?? null), place: error.place ?? null }
  if (error instanceof Error && 'tag' in error) return problem(error.message)
  const detail = error instanceof Error && error.message ? `: ${error.message.replace(/\.?$/, '.')}` : '.'
  return problem(`${what ?? 'It failed'}${detail}`, `${wording.again ?? AGAIN}. If it comes back, reload the page.`)
}

function explainApi(error: ApiError, what: string | null, wording: Wording): Problem {
  const { again = AGAIN, instead = '' } = wording
  const say = (message: string, remedy: string | null): Problem =>
    problem(what === null ? capitalized(message) : `${what}: ${message}`, remedy, error.requestId)
  const passOn = (message: string): Problem =>
    problem(what === null ? message : `${what}: ${message.replace(/\.?$/, '.')}`, null, error.requestId)
  switch (error.code) {
    case 'RATE_LIMITED':
      return say('the limit of requests is used up.', waitWords(error.retryAfter, wording))
    case 'FORBIDDEN':
      // If no scope is missing, for example because a URL has expired, another key wouldn't help.
      if (error.details['scope'] === undefined) return passOn(error.message)
      return say('the API key isn’t allowed to do this.', 'Use a key with the scope for it, in Settings.')
    case 'UNAUTHORIZED':
      return say('the API key isn’t valid any more.', 'Choose another key in Settings.')
    case 'unreachable':
      return say(
        BROKEN.get(error.details['reason']) ?? 'the service doesn’t answer.',
        `Check the connection, then ${again.toLowerCase()}${instead}.`,
      )
    case 'SERVICE_UNAVAILABLE':
      if (error.details['reason'] === 'out_of_space' || saysWhenAgain(error.message)) return passOn(error.message)
      return say(UNAVAILABLE.get(error.status) ?? ownWords(error.message), `${again} in a moment${instead}.`)
    case 'unexpected':
      if (error.requestId !== null) return say('the service failed.', `${again}. If it comes back, ${QUOTE}.`)
      return say(
        `what answered isn’t the service, or a version that Rowhouse doesn’t know (status ${error.status}).`,
        `${again}. If it comes back, check the base URL in Settings, and what is in between: a proxy, or a page to sign in.`,
      )
    case 'INTERNAL_ERROR':
      return say('the service failed.', `${again}. If it comes back, ${error.requestId === null ? TELL : QUOTE}.`)
    case 'INVALID_REQUEST': {
      const issues = error.issues.map(({ path, message }) => (path ? `${path} ${message}` : message))
      return passOn(issues.join('; ') || error.message)
    }
    case 'UNSUPPORTED_FORMAT':
    case 'NOT_FOUND':
    case 'METHOD_NOT_ALLOWED':
    case 'QUERY_TIMEOUT':
    case 'CONFLICT':
    case 'PAYLOAD_TOO_LARGE':
      return passOn(error.message)
  }
}

const AGAIN = 'Try again'
const QUOTE = 'quote the request id to support'
const TELL = 'tell whoever runs the service'

/** The meaning of a gateway's own answers, by status. */
const UNAVAILABLE: ReadonlyMap<number, string> = new Map([
  [502, 'the service is away: a proxy before it answered instead (502).'],
  [504, 'the service took too long: a proxy before it gave up waiting (504).'],
])

/** What happened to a connection, by the client's reason. */
const BROKEN: ReadonlyMap<unknown, string> = new Map([
  ['stalled', 'nothing has been sent or received for minutes.'],
  ['cut-off', 'the connection broke off.'],
  ['cancelled', 'it was cancelled before the service answered.'],
  ['kept', 'it was done before it could be cancelled, and couldn’t be undone.'],
])

/** The service's message without its advice, which is replaced here by ours. */
const ownWords = (message: string): string => message.replace(/\s*Try again in a moment\.$/, '').replace(/\.?$/, '.')
const saysWhenAgain = (message: string): boolean => /\btry again\b/i.test(ownWords(message))

/** @param seconds until a retry makes sense; null if unknown */
export function waitWords(seconds: number | null, { again = AGAIN, instead = '' }: Wording = {}): string {
  const when = seconds === null ? 'later' : `in ${formatDuration(Math.max(1, seconds) * 1000)}`
  return `${again} ${when}${instead}.`
}
