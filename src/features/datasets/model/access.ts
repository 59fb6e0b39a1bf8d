import type { Scope } from '../../../contract/schemas.ts'

/* Whether scopes allow it. If they're unknown (null), we let the service decide. */

export function canCreate(scopes: readonly Scope[] | null): boolean {
  return scopes === null || scopes.includes('datasets:*:write')
}

export function canWrite(scopes: readonly Scope[] | null, id: string): boolean {
  return canCreate(scopes) || (scopes?.includes(`datasets:${id}:write`) ?? false)
}

export const NO_ADD =
  'This API key can’t add to datasets: it lacks the scope datasets:*:write. Choose another key in Settings.'
export const NO_CREATE =
  'This API key can’t create datasets: it lacks the scope datasets:*:write. Choose another key in Settings.'
export const NO_WRITE =
  'This API key can read this dataset, but not change it. Choose a key with write scope in Settings.'
