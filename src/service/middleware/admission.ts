import { formatCount } from '../../lib/counts.ts'
import type { Operation } from '../../contract/operations.ts'
import { ServiceError, isOutOfSpace } from '../failures.ts'
import type { Principal } from '../http.ts'
import { endOf, hashKey, isKey } from '../keys.ts'
import type { Admission, Caller, Records, WindowState } from '../ports.ts'
import { remainingOf, tightest, windowsOf } from './windows.ts'

interface Admitted {
  readonly principal: Principal
  readonly window: WindowState | undefined
  /** The current time, which is the same for all servers that share records. */
  readonly now: number
}

/** Clients without a valid key are shown the unused windows of the smallest plan. Nothing is counted for them. */
const NOBODYS_PLAN = 'free'

/** Key of an operation's windows, the same for both path prefixes. */
function endpointOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}

/** The window to report to a client that isn't authenticated (yet). */
export function nobodysWindow(operation: Operation | null, now: number): WindowState | undefined {
  const windows = windowsOf(NOBODYS_PLAN, operation ? [endpointOf(operation)] : [], now)
  return tightest(windows.map((window) => ({ ...window, used: 0 })))
}

export interface Admitter {
  /**
   * Authenticates a request and counts it against all of its rate limit windows. If a window is full, it isn't counted
   * against any.
   */
  admit(
    headers: Headers,
    operation: Operation,
    now: number,
  ): Promise<Admitted | { readonly refusal: ServiceError; readonly window: WindowState | undefined }>
  /** The window to report in responses that don't count, for example for an unknown path. */
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
        // Counting writes, which fails on a full disk. Refusing the request would prevent deleting what fills it.
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

function callerOf({ caller, now }: Admission): Caller | ServiceError {
  if (!caller) return unauthorized('The API key is not valid. Check it, or make a new one in the settings.')
  const end = endOf(caller.key, now)
  if (end === null) return caller
  const what = end === 'revoked' ? 'was revoked' : 'has expired'
  return unauthorized(`The API key ${what}. Use another one, or make a new one in the settings.`)
}

export function rateLimitHeaders(window: WindowState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(window.limit),
    'X-RateLimit-Remaining': String(remainingOf(window)),
    'X-RateLimit-Reset': String(window.end),
  }
}

/** @throws {ServiceError} 403 if the operation always requires a scope that the key doesn't have */
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
 * The API key in `X-API-Key` or `Authorization: Bearer`.
 * @throws {ServiceError} 401 if it's missing or malformed, or if the headers differ
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

/** Null for schemes other than Bearer, which aren't meant for us. */
function bearerOf(authorization: string | null): string | null {
  const [, token] = /^Bearer(?:$|\s+(.*))/i.exec(authorization?.trim() ?? '') ?? []
  return token ?? (/^Bearer$/i.test(authorization?.trim() ?? '') ? '' : null)
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer realm="Rowhouse"' } })
}
