import { formatCount } from '../../lib/counts.ts'
import type { Operation } from '../../contract/operations.ts'
import type { Plan } from '../../contract/schemas.ts'
import { type Principal, ServiceError } from '../http.ts'
import { endOf, hashKey, isKey } from '../keys.ts'
import type { ReadTransaction, Records, StoreName, WriteTransaction } from '../ports.ts'
import { isOutOfSpace } from '../unavailable.ts'
import { counterId, remainingOf, tightest, usedOf, windowsOf, type WindowState } from './windows.ts'

type Admission =
  | { readonly principal: Principal; readonly window: WindowState | undefined }
  | { readonly refusal: ServiceError; readonly window: WindowState | undefined }

const STORES: readonly StoreName[] = ['keys', 'workspaces', 'counters']
/** What a caller without a valid key is told of: the windows of the smallest plan, unused. Nothing is counted for them. */
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

/** Whose a key was when it was last used. */
interface Owner {
  readonly keyId: string
  readonly workspaceId: string
  readonly plan: Plan
}

export interface Admitter {
  /**
   * Lets a request in: whose key it carries, and whether there's room in all windows that it counts against. One
   * transaction, because the limits hold for requests of all tabs together. A request that finds a window full counts
   * against none.
   */
  admit(headers: Headers, operation: Operation, now: number): Promise<Admission>
  /** The window to tell of in an answer that counts against none, such as one of a path that there isn't. */
  peek(headers: Headers, now: number): Promise<WindowState | undefined>
}

export function createAdmitter(records: Records): Admitter {
  const owners = new Map<string, Owner>()
  return {
    async admit(headers, operation, now) {
      const hash = await hashOf(headers)
      if (hash instanceof ServiceError) return { refusal: hash, window: nobodysWindow(operation, now) }
      const enter = (transaction: ReadTransaction) => entryOf(transaction, { owners, hash, operation, now })
      try {
        return await records.write(
          STORES,
          async (transaction) => {
            const entry = await enter(transaction)
            return 'refusal' in entry ? entry : count(transaction, entry, now)
          },
          { durability: 'relaxed' },
        )
      } catch (error) {
        if (!isOutOfSpace(error)) throw error
        // To count is to write. Who is refused for a full disk couldn't delete what fills it.
        return records.read(STORES, async (transaction) => {
          const entry = await enter(transaction)
          return 'refusal' in entry ? entry : { principal: entry.principal, window: tightest(entry.windows) }
        })
      }
    },
    async peek(headers, now) {
      const hash = await hashOf(headers)
      if (hash instanceof ServiceError) return nobodysWindow(null, now)
      return records.read(STORES, async (transaction) => {
        const caller = await callerOf(transaction, { owners, hash, endpoints: [], now })
        return caller instanceof ServiceError ? nobodysWindow(null, now) : tightest(caller.windows)
      })
    },
  }
}

/** Who calls, and what of the windows is used. */
interface Caller {
  readonly principal: Principal
  readonly windows: readonly WindowState[]
}

type Entry = Extract<Admission, { refusal: unknown }> | Caller

interface Entering {
  readonly owners: Map<string, Owner>
  readonly hash: string
  readonly operation: Operation
  readonly now: number
}

async function entryOf(transaction: ReadTransaction, { operation, ...entering }: Entering): Promise<Entry> {
  const { now } = entering
  const caller = await callerOf(transaction, { ...entering, endpoints: [endpointOf(operation)] })
  if (caller instanceof ServiceError) return { refusal: caller, window: nobodysWindow(operation, now) }
  const full = tightest(caller.windows.filter((window) => remainingOf(window) === 0))
  return full ? { refusal: rateLimited(full, now), window: full } : caller
}

function count(transaction: WriteTransaction, { principal, windows }: Caller, now: number): Admission {
  const { key } = principal
  const counted = windows.map((window) => ({ ...window, used: window.used + 1 }))
  const writing = [
    transaction.put('keys', { ...key, lastUsedAt: now }),
    ...counted.map((window) => {
      const { start, used } = window
      return transaction.put('counters', { id: counterId(key.id, window), start, count: used })
    }),
  ]
  // One that fails fails the transaction, which says so. Waiting for each takes a round to the disk more.
  for (const write of writing) write.catch(() => undefined)
  return { principal, window: tightest(counted) }
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

interface Asked {
  readonly owners: Map<string, Owner>
  readonly hash: string
  /** Whose windows are asked for beside the plan's. */
  readonly endpoints: readonly string[]
  readonly now: number
}

/**
 * Whose key it is. What depends on the key is asked for together with it, as if it were still whose it was last time:
 * each round to the disk and back takes about a millisecond. What turns out to be another's is asked for again.
 */
async function callerOf(
  transaction: ReadTransaction,
  { owners, hash, endpoints, now }: Asked,
): Promise<Caller | ServiceError> {
  const last = owners.get(hash)
  const used = (keyId: string, plan: Plan) => usedOf(transaction, keyId, windowsOf(plan, endpoints, now))
  const [[key], lastWorkspace, lastWindows] = await Promise.all([
    transaction.by('keys', 'hash', hash),
    last && transaction.get('workspaces', last.workspaceId),
    last && used(last.keyId, last.plan),
  ])
  const workspace =
    key?.workspaceId === last?.workspaceId
      ? lastWorkspace
      : key && (await transaction.get('workspaces', key.workspaceId))
  if (!key || !workspace) return unauthorized('The API key is not valid. Check it, or make a new one in the settings.')
  const end = endOf(key, now)
  if (end) return unauthorized(end === 'revoked' ? 'The API key was revoked.' : 'The API key has expired.')
  const same = key.id === last?.keyId && workspace.plan === last.plan
  const windows = (same && lastWindows) || (await used(key.id, workspace.plan))
  owners.set(hash, { keyId: key.id, workspaceId: workspace.id, plan: workspace.plan })
  return { principal: { key, workspace }, windows }
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
