import type { Operation } from '../../contract/operations.ts'
import { ServiceError, type Principal } from '../http.ts'
import { endOf, hashKey } from '../keys.ts'
import type { ReadTransaction, Records, StoreName, WriteTransaction } from '../ports.ts'
import { keyOf, unauthorized } from './credentials.ts'
import { isOutOfSpace } from './failures.ts'
import { counterId, remainingOf, tightest, usedOf, windowsOf, type WindowState } from './windows.ts'

export type Admission =
  | { readonly principal: Principal; readonly window: WindowState | undefined }
  | { readonly refusal: ServiceError; readonly window: WindowState | undefined }

const STORES: readonly StoreName[] = ['keys', 'workspaces', 'counters']
/** What a caller without a valid key is told of: the windows of the smallest plan, unused. Nothing is counted for them. */
const NOBODYS_PLAN = 'free'

/** By which an operation's windows are called: both path prefixes are one. */
export function endpointOf({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`
}

/** The window to tell a caller of who isn't known (yet). */
export function nobodysWindow(operation: Operation | null, now: number): WindowState | undefined {
  const windows = windowsOf(NOBODYS_PLAN, operation ? [endpointOf(operation)] : [], now)
  return tightest(windows.map((window) => ({ ...window, used: 0 })))
}

/**
 * Lets a request in: whose key it carries, and whether there's room in all windows that it counts against. One
 * transaction, because the limits hold for requests of all tabs together. A request that finds a window full counts
 * against none.
 */
export async function admit(records: Records, headers: Headers, operation: Operation, now: number): Promise<Admission> {
  const hash = await hashOf(headers)
  if (hash instanceof ServiceError) return { refusal: hash, window: nobodysWindow(operation, now) }
  const enter = (transaction: ReadTransaction) => entryOf(transaction, hash, operation, now)
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
}

type Entry =
  | Extract<Admission, { refusal: unknown }>
  | { readonly principal: Principal; readonly windows: readonly WindowState[] }

async function entryOf(transaction: ReadTransaction, hash: string, operation: Operation, now: number): Promise<Entry> {
  const principal = await principalOf(transaction, hash, now)
  if (principal instanceof ServiceError) return { refusal: principal, window: nobodysWindow(operation, now) }
  const windows = windowsOf(principal.workspace.plan, [endpointOf(operation)], now)
  const states = await usedOf(transaction, principal.key.id, windows)
  const full = tightest(states.filter((window) => remainingOf(window) === 0))
  return full ? { refusal: rateLimited(full, now), window: full } : { principal, windows: states }
}

async function count(
  transaction: WriteTransaction,
  { principal, windows }: Exclude<Entry, { refusal: unknown }>,
  now: number,
): Promise<Admission> {
  const { key } = principal
  const counted = windows.map((window) => ({ ...window, used: window.used + 1 }))
  await Promise.all([
    transaction.put('keys', { ...key, lastUsedAt: now }),
    ...counted.map((window) => {
      const { start, used } = window
      return transaction.put('counters', { id: counterId(key.id, window), start, count: used })
    }),
  ])
  return { principal, window: tightest(counted) }
}

/** The window to tell of in an answer that counts against none, such as one of a path that there isn't. */
export async function peek(records: Records, headers: Headers, now: number): Promise<WindowState | undefined> {
  const hash = await hashOf(headers)
  if (hash instanceof ServiceError) return nobodysWindow(null, now)
  return records.read(STORES, async (transaction) => {
    const principal = await principalOf(transaction, hash, now)
    if (principal instanceof ServiceError) return nobodysWindow(null, now)
    return tightest(await usedOf(transaction, principal.key.id, windowsOf(principal.workspace.plan, [], now)))
  })
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

async function principalOf(transaction: ReadTransaction, hash: string, now: number): Promise<Principal | ServiceError> {
  const [key] = await transaction.by('keys', 'hash', hash)
  const workspace = key && (await transaction.get('workspaces', key.workspaceId))
  if (!key || !workspace) return unauthorized('The API key is not valid. Check it, or make a new one in the settings.')
  const end = endOf(key, now)
  if (end) return unauthorized(end === 'revoked' ? 'The API key was revoked.' : 'The API key has expired.')
  return { key, workspace }
}

function rateLimited({ limit, name, end, endpoint }: WindowState, now: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(end - now / 1000))
  const which = endpoint === null ? 'The plan' : `“${endpoint}”`
  return new ServiceError(
    'RATE_LIMITED',
    `${which} allows ${limit.toLocaleString('en-US')} requests per ${name}. Try again in ${seconds.toLocaleString('en-US')} s.`,
    { details: { limit, window: name, retry_after: seconds }, headers: { 'Retry-After': String(seconds) } },
  )
}
