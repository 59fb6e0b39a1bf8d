import type { ApiKey, Scope } from '../../../contract/schemas.ts'
import { listOf } from '../../../ui/format.ts'
import { capitalized } from '../../../lib/text.ts'

/* A key's rights: as chosen, as scopes, and in words. */

export interface Access {
  readonly read: boolean
  readonly write: boolean
}

export interface Choice {
  /** For all datasets of the workspace, including future ones. */
  readonly all: Access
  /** For single datasets, by id. */
  readonly datasets: ReadonlyMap<string, Access>
}

export const NO_ACCESS: Access = { read: false, write: false }
export const NOTHING: Choice = { all: NO_ACCESS, datasets: new Map() }

/** The scopes of a choice, without those implied by others. */
export function scopesOf({ all, datasets }: Choice): Scope[] {
  const scopes: Scope[] = []
  if (all.read) scopes.push('datasets:*:read')
  if (all.write) scopes.push('datasets:*:write')
  for (const [id, { read, write }] of datasets) {
    if (read && !all.read) scopes.push(`datasets:${id}:read`)
    if (write && !all.write) scopes.push(`datasets:${id}:write`)
  }
  return scopes
}

export function choiceOf(scopes: readonly Scope[]): Choice {
  let all = NO_ACCESS
  const datasets = new Map<string, Access>()
  for (const scope of scopes) {
    const [, id = '', right] = scope.split(':')
    const given = right === 'write' ? { write: true } : { read: true }
    if (id === '*') all = { ...all, ...given }
    else datasets.set(id, { ...(datasets.get(id) ?? NO_ACCESS), ...given })
  }
  return { all, datasets }
}

export function withAccess(choice: Choice, id: string, access: Access): Choice {
  const datasets = new Map(choice.datasets)
  if (access.read || access.write) datasets.set(id, access)
  else datasets.delete(id)
  return { ...choice, datasets }
}

function rights({ read, write }: Access, readsAll = false): string {
  if (read && write) return 'reads and writes'
  return read ? 'reads' : readsAll ? 'writes' : 'writes, but doesn’t read,'
}

/** "Reads all datasets; writes “Sales”." Deleted datasets are called that. */
export function describeScopes(scopes: readonly Scope[], nameOf: (id: string) => string | undefined): string {
  const { all, datasets } = choiceOf(scopes)
  const parts: string[] = []
  if (all.read || all.write) parts.push(`${rights(all)} all datasets`)
  const byRights = new Map<string, string[]>()
  for (const [id, access] of datasets) {
    const what = rights(access, all.read)
    byRights.set(what, [...(byRights.get(what) ?? []), id])
  }
  for (const [what, ids] of byRights) {
    const names = ids.map(nameOf).filter((name) => name !== undefined)
    const gone = ids.length - names.length
    const shown = names.slice(0, 3).map((name) => `“${name}”`)
    if (names.length > 3) shown.push(`${names.length - 3} more`)
    if (gone > 0) shown.push(gone === 1 ? 'a deleted dataset' : `${gone} deleted datasets`)
    parts.push(`${what} ${listOf(shown)}`)
  }
  return capitalized(parts.join('; ')) || 'Nothing'
}

/** Milliseconds within which a browser may have sent a request twice. */
const TWICE_MS = 5 * 60_000

/**
 * Whether a key was made by the same request as `made`, which a browser sends again by itself when its connection
 * breaks off. Then nobody has the text of the first one.
 */
export function isTwin(key: ApiKey, made: ApiKey): boolean {
  const apart = Math.abs(Date.parse(key.created_at) - Date.parse(made.created_at))
  const same = ({ name, scopes }: ApiKey): string => JSON.stringify([name, scopes])
  return (
    key.id !== made.id &&
    same(key) === same(made) &&
    apart < TWICE_MS &&
    key.last_used_at === null &&
    key.revoked_at === null
  )
}

export type KeyState = 'active' | 'ending' | 'expired' | 'revoked'

/** Keys that expire sooner are marked. */
const SOON_MS = 7 * 86_400_000

export function stateOfKey({ revoked_at, expires_at }: ApiKey, now: number): KeyState {
  // Revoking takes effect at once, so clocks don't matter.
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  const left = Date.parse(expires_at) - now
  return left <= 0 ? 'expired' : left <= SOON_MS ? 'ending' : 'active'
}
