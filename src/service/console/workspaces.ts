import { freeSlug, isReserved, slugOf } from '../../contract/slugs.ts'
import { ServiceError } from '../failures.ts'
import { success } from '../http.ts'
import type { Ports, ReadTransaction, WorkspaceRecord, WriteTransaction } from '../ports.ts'
import { invalidRequest } from '../routes/refusals.ts'
import type { ConsoleHandlers } from '../call.ts'
import { viewWorkspace } from '../views.ts'

type WorkspaceHandlers = Pick<
  ConsoleHandlers,
  'listWorkspaces' | 'createWorkspace' | 'updateWorkspace' | 'deleteWorkspace'
>

export function workspaceHandlers(ports: Ports): WorkspaceHandlers {
  const { records } = ports
  return {
    async listWorkspaces({ context, now }) {
      const workspaces = await records.read(['workspaces'], (transaction) => transaction.all('workspaces'))
      const oldestFirst = workspaces.toSorted((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1))
      return success(context, now, { workspaces: oldestFirst.map(viewWorkspace) })
    },

    async createWorkspace({ context, body: { name, slug, plan }, now }) {
      const workspace = await records.write(['workspaces'], async (transaction) => {
        if (slug !== undefined) await refuseSlug(transaction, slug)
        const made: WorkspaceRecord = {
          id: crypto.randomUUID(),
          name,
          slug: slug ?? (await freeSlug(slugOf(name), (other) => isTaken(transaction, other))),
          plan,
          createdAt: now,
        }
        await transaction.put('workspaces', made)
        return made
      })
      return success(context, now, { workspace: viewWorkspace(workspace) }, 201)
    },

    async updateWorkspace({ context, params, body: { name, slug, plan }, now }) {
      const workspace = await records.write(['workspaces'], async (transaction) => {
        const known = await findWorkspace(transaction, params.workspaceId)
        if (slug !== undefined && slug !== known.slug) await refuseSlug(transaction, slug)
        const changed = { ...known, name: name ?? known.name, slug: slug ?? known.slug, plan: plan ?? known.plan }
        await transaction.put('workspaces', changed)
        return changed
      })
      return success(context, now, { workspace: viewWorkspace(workspace) })
    },

    async deleteWorkspace({ context, params: { workspaceId }, now }) {
      const left = await records.write(
        ['workspaces', 'keys', 'datasets', 'objects', 'counters'],
        async (transaction) => {
          const known = await findWorkspace(transaction, workspaceId)
          if ((await transaction.count('workspaces')) === 1) {
            throw new ServiceError('CONFLICT', 'This is the only workspace. Create another one, then delete this.')
          }
          return removeWorkspace(transaction, known)
        },
      )
      await removeBytes(ports, left)
      return success(context, now, { id: workspaceId, deleted: true })
    },
  }
}

/** @throws {ServiceError} 404 */
export async function findWorkspace(transaction: ReadTransaction, id: string): Promise<WorkspaceRecord> {
  const workspace = await transaction.get('workspaces', id)
  if (!workspace) throw new ServiceError('NOT_FOUND', 'There is no workspace with this id.')
  return workspace
}

async function isTaken(transaction: ReadTransaction, slug: string): Promise<boolean> {
  return (await transaction.by('workspaces', 'slug', slug)).length > 0
}

/** @throws {ServiceError} 400 or 409 */
async function refuseSlug(transaction: ReadTransaction, slug: string): Promise<void> {
  if (isReserved(slug)) throw invalidRequest([{ path: 'slug', message: 'is a name of the query engine’s own' }])
  if (await isTaken(transaction, slug)) {
    throw new ServiceError('CONFLICT', `Another workspace has the slug “${slug}”. Choose another one.`)
  }
}

interface Bytes {
  readonly fileIds: readonly string[]
  readonly blobIds: readonly string[]
}

/** Removes all records of a workspace. Returns the bytes to remove from the other ports. */
async function removeWorkspace(transaction: WriteTransaction, { id }: WorkspaceRecord): Promise<Bytes> {
  const keys = await transaction.by('keys', 'workspaceId', id)
  const datasets = await transaction.by('datasets', 'workspaceId', id)
  const objects = await transaction.by('objects', 'workspaceId', id)
  const counters = await Promise.all(keys.map((key) => transaction.beginning('counters', `${key.id} `)))
  await Promise.all([
    transaction.remove('workspaces', id),
    ...keys.map((key) => transaction.remove('keys', key.id)),
    ...datasets.map((dataset) => transaction.remove('datasets', dataset.id)),
    ...objects.map((object) => transaction.remove('objects', object.id)),
    ...counters.flat().map((counter) => transaction.remove('counters', counter.id)),
  ])
  return {
    fileIds: datasets.flatMap(({ tables }) => tables.map(({ fileId }) => fileId)),
    blobIds: objects.flatMap(({ blobId }) => blobId ?? []),
  }
}

/** Removes bytes that no record refers to any more. What fails now is left to the next sweep. */
async function removeBytes({ objects, tables, log }: Ports, { fileIds, blobIds }: Bytes): Promise<void> {
  const removed = await Promise.allSettled([
    ...fileIds.map((fileId) => tables.remove(fileId)),
    ...blobIds.map((blobId) => objects.remove(blobId)),
  ])
  for (const result of removed) {
    if (result.status === 'rejected') log('bytes of a deleted workspace are left to the next sweep', result.reason)
  }
}
