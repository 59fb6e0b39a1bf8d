import type { ApiKey, Workspace } from '../../contract/schemas.ts'
import type { KeyRecord, WorkspaceRecord } from '../ports.ts'

export function viewWorkspace({ id, name, slug, plan, createdAt }: WorkspaceRecord): Workspace {
  return { id, name, slug, plan, created_at: instant(createdAt) }
}

/** All that there's to show of a key: the key itself isn't kept. */
export function viewKey(key: KeyRecord): ApiKey {
  const { id, name, scopes, last4 } = key
  return {
    id,
    name,
    scopes: [...scopes],
    last4,
    created_at: instant(key.createdAt),
    last_used_at: nullable(key.lastUsedAt),
    expires_at: nullable(key.expiresAt),
    revoked_at: nullable(key.revokedAt),
  }
}

function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

function nullable(milliseconds: number | null): string | null {
  return milliseconds === null ? null : instant(milliseconds)
}
