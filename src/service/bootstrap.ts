import { makeKey } from './keys.ts'
import type { Ports, WorkspaceRecord } from './ports.ts'

export interface FirstRun {
  readonly workspace: WorkspaceRecord
  /** For the app itself. It isn't kept: nobody can tell it again. */
  readonly key: string
}

/** Makes the first workspace and a key to it; null when there's a workspace. Of tabs that come at once one makes them. */
export async function bootstrap({ records, clock }: Pick<Ports, 'records' | 'clock'>): Promise<FirstRun | null> {
  const now = clock.now()
  const workspace: WorkspaceRecord = {
    id: crypto.randomUUID(),
    name: 'My workspace',
    slug: 'my_workspace',
    plan: 'business',
    createdAt: now,
  }
  const { record, key } = await makeKey({
    workspaceId: workspace.id,
    name: 'Rowhouse',
    scopes: ['datasets:*:read', 'datasets:*:write'],
    createdAt: now,
    expiresAt: null,
  })
  const isFirst = await records.write(['workspaces', 'keys'], async (transaction) => {
    if ((await transaction.all('workspaces')).length > 0) return false
    await transaction.put('workspaces', workspace)
    await transaction.put('keys', record)
    return true
  })
  return isFirst ? { workspace, key } : null
}
