import type { Scope } from '../../contract/schemas.ts'
import { ServiceError } from '../failures.ts'
import { success } from '../http.ts'
import { endOf, makeKey, newestFirst } from '../keys.ts'
import type { KeyRecord, Ports, ReadTransaction } from '../ports.ts'
import { invalidRequest } from '../routes/refusals.ts'
import type { ConsoleHandlers } from '../call.ts'
import { viewKey } from '../views.ts'
import { findWorkspace } from './workspaces.ts'

type KeyHandlers = Pick<ConsoleHandlers, 'listApiKeys' | 'createApiKey' | 'rotateApiKey' | 'revokeApiKey'>

export function keyHandlers({ records }: Ports): KeyHandlers {
  return {
    async listApiKeys({ context, params, now }) {
      const keys = await records.read(['workspaces', 'keys'], async (transaction) => {
        const { id } = await findWorkspace(transaction, params.workspaceId)
        return transaction.by('keys', 'workspaceId', id)
      })
      return success(context, now, { api_keys: keys.toSorted(newestFirst).map(viewKey) })
    },

    async createApiKey({ context, params, body, now }) {
      const expiresAt = typeof body.expires_at === 'string' ? Date.parse(body.expires_at) : null
      const made = await makeKey({
        workspaceId: params.workspaceId,
        name: body.name,
        scopes: [...new Set(body.scopes)],
        createdAt: now,
        expiresAt,
      })
      await records.write(['workspaces', 'datasets', 'keys'], async (transaction) => {
        await findWorkspace(transaction, params.workspaceId)
        const issues = await scopeIssues(transaction, params.workspaceId, body.scopes)
        if (expiresAt !== null && !(expiresAt > now)) {
          issues.push({ path: 'expires_at', message: 'must be in the future' })
        }
        if (issues.length > 0) throw invalidRequest(issues)
        await transaction.put('keys', made.record)
      })
      return success(context, now, { api_key: viewKey(made.record), key: made.key }, 201)
    },

    async rotateApiKey({ context, params: { keyId }, body, now }) {
      const old = await records.read(['keys'], (transaction) => findKey(transaction, keyId))
      const made = await makeKey({ ...rotated(old), createdAt: now })
      await records.write(['keys'], async (transaction) => {
        const known = await findKey(transaction, keyId)
        const end = endOf(known, now)
        if (end) {
          throw new ServiceError('CONFLICT', `The API key is ${end}: there is nothing to rotate. Create a new one.`)
        }
        await transaction.put('keys', retired(known, now, body.grace_seconds))
        await transaction.put('keys', made.record)
      })
      return success(context, now, { api_key: viewKey(made.record), key: made.key }, 201)
    },

    async revokeApiKey({ context, params: { keyId }, now }) {
      await records.write(['keys'], async (transaction) => {
        const known = await findKey(transaction, keyId)
        if (known.revokedAt === null) await transaction.put('keys', { ...known, revokedAt: now })
      })
      return success(context, now, { id: keyId, revoked: true })
    },
  }
}

/** @throws {ServiceError} 404 */
async function findKey(transaction: ReadTransaction, id: string): Promise<KeyRecord> {
  const key = await transaction.get('keys', id)
  if (!key) throw new ServiceError('NOT_FOUND', 'There is no API key with this id.')
  return key
}

/** The new key has the old one's rights and expiry, so that rotation can't extend them. */
function rotated({
  workspaceId,
  name,
  scopes,
  expiresAt,
}: KeyRecord): Omit<Parameters<typeof makeKey>[0], 'createdAt'> {
  return { workspaceId, name, scopes, expiresAt }
}

/** Without a grace period, the key is revoked, which holds even if the clock is set back. */
function retired(key: KeyRecord, now: number, graceSeconds: number): KeyRecord {
  if (graceSeconds === 0) return { ...key, revokedAt: now }
  return { ...key, expiresAt: Math.min(key.expiresAt ?? Number.POSITIVE_INFINITY, now + graceSeconds * 1000) }
}

/** Scopes must refer to datasets of the workspace. */
async function scopeIssues(
  transaction: ReadTransaction,
  workspaceId: string,
  scopes: readonly Scope[],
): Promise<{ path: string; message: string }[]> {
  const named = scopes.map((scope) => scope.split(':')[1] ?? '')
  const datasets = await transaction.some('datasets', named)
  const known = new Set(['*', ...datasets.filter((dataset) => dataset.workspaceId === workspaceId).map(({ id }) => id)])
  return named.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `scopes[${index}]`, message: 'names a dataset that isn’t in this workspace' }],
  )
}
