import { formatCount } from '../../lib/counts.ts'
import type { Operation } from '../../contract/operations.ts'
import { ServiceError } from '../failures.ts'
import type { Principal } from '../http.ts'
import { endOf, hashKey, isKey } from '../keys.ts'
import type { Admission, Records, WindowState } from '../ports.ts'
import { isOutOfSpace } from '../failures.ts'
import { remainingOf, tightest, windowsOf } from './windows.ts'

interface Admitted {
  readonly principal: Principal
  readonly window: WindowState | undefined
  /** The time that it goes by: where several servers share their records, the same for all of them. */
  readonly now: number
}

/** What a caller without a valid key sees: the windows of the smallest plan, unused. Nothing is counted for them. */
const NOBODYS_PLAN = 'free'

/** By which an operation's windows are called: both path prefixes are one. */
function endpointOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}

/** The window to tell a caller of who isn't known (yet). */
export function nobodysWindow(operation: Operation | null, now: number): WindowState | undefined {
  const windows = windowsOf(NOBODYS_PLAN, operation ? [endpointOf(operation)] : [], now)
  return tightest(windows.map((window) => ({ ...window, used: 0 })))
}

export interface Admitter {
  /**
   * Lets a request in: whose key it carries, and whether there's room in all windows that it counts against. A request
   * that finds a window full counts against none.
   */
  admit(
    headers: Headers,
    operation: Operation,
    now: number,
  ): Promise<Admitted | { readonly refusal: ServiceError; readonly window: WindowState | undefined }>
  /** The window to tell of in an answer that counts against none, such as one of a path that there isn't. */
  peek(headers: Headers, now: number): Promise<WindowState | undefined>
}

export function createAdmitter(records: Records): Admitter {
  return {
    async admit(headers, operation, now) {
      const hash = await hashOf(headers)
      if (hash instanceof ServiceError) return { refusal: hash, window: nobodysWindow(operation, now) }
      const request = { hash, endpoint: endpointOf(operation), now }
      const admission = await records.admit({ ...request, counts: true }).catch((error: unknown) => {
        if (!isOutOfSpace(error)) throw error
        // To count is to write. Who is refused for a full disk couldn't delete what fills it.
        return records.admit({ ...request, counts: false })
      })
      const caller = callerOf(admission)
      if (caller instanceof ServiceError) return { refusal: caller, window: nobodysWindow(operation, admission.now) }
      const { key, workspace, windows } = caller
      const full = admission.counted ? undefined : tightest(windows.filter((window) => remainingOf(window) === 0))
      if (full) return { refusal: rateLimited(full, admission.now), window: full }
      return { principal: { key, workspace }, window: tightest(windows), now: admission.now }
    },
    async peek(headers, now) {
      const hash = await hashOf(headers)
      if (hash instanceof ServiceError) return nobodysWindow(null, now)
      const admission = await records.admit({ hash, endpoint: null, now, counts: false })
      const caller = callerOf(admission)
      return caller instanceof ServiceError ? nobodysWindow(null, admission.now) : tightest(caller.windows)
    },
  }
}

function callerOf({ caller, now }: Admission): NonNullable<Admission['caller']> | ServiceError {
  if (!caller) return unauthorized('The API key is not valid. Check it, or make a new one in the settings.')
  const end = endOf(caller.key, now)
  if (end === null) return caller
  const what = end === 'revoked' ? 'was revoked' : 'has expired'
  return unauthorized(`The API key ${what}. Use another one, or make a new one in the settings.`)
}

/** What each answer says of the rate limits. */
export function rateLimitHeaders(window: WindowState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(window.limit),
    'X-RateLimit-Remaining': String(remainingOf(window)),
    'X-RateLimit-Reset': String(window.end),
  }
}

/** @throws {ServiceError} 403 when the operation always needs a scope that the key hasn't */
export function requireScope({ key }: Principal, { scope }: Operation): void {
  if (scope === null || key.scopes.includes(scope)) return
  throw new ServiceError('FORBIDDEN', `The API key lacks the scope “${scope}”.`, { details: { scope } })
}

async function hashOf(headers: Headers): Promise<string | ServiceError> {
  try {
    return await hashKey(keyOf(headers))
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

function rateLimited({ limit, name, end, endpoint }: WindowState, now: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(end - now / 1000))
  const which = endpoint === null ? 'The plan' : `“${endpoint}”`
  return new ServiceError(
    'RATE_LIMITED',
    `${which} allows ${formatCount(limit)} requests per ${name}. Try again in ${formatCount(seconds)} s.`,
    { details: { limit, window: name, retry_after: seconds }, headers: { 'Retry-After': String(seconds) } },
  )
}

/**
 * The API key that a request carries, in `X-API-Key` or as `Authorization: Bearer`.
 * @throws {ServiceError} 401 when there's none, it can't be one, or the two headers disagree
 */
function keyOf(headers: Headers): string {
  const plain = headers.get('X-API-Key')
  const bearer = bearerOf(headers.get('Authorization'))
  const key = plain ?? bearer
  if (key === null) {
    throw unauthorized('Send an API key, in the header “X-API-Key” or as “Authorization: Bearer <key>”.')
  }
  if (bearer !== null && bearer !== key) {
    throw unauthorized('“X-API-Key” and “Authorization” carry different API keys. Send one of them.')
  }
  if (!isKey(key))
    throw unauthorized('The API key is not valid: one begins with “sk_live_”, and is 51 characters long.')
  return key
}

/** @throws never: schemes other than Bearer aren't ours to judge */
function bearerOf(authorization: string | null): string | null {
  const [, token] = /^Bearer(?:$|\s+(.*))/i.exec(authorization?.trim() ?? '') ?? []
  return token ?? (/^Bearer$/i.test(authorization?.trim() ?? '') ? '' : null)
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer realm="Rowhouse"' } })
}
