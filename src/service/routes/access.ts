import { ServiceError } from '../failures.ts'
import type { Principal } from '../http.ts'
import type { DatasetRecord } from '../ports.ts'
import { datasetNotFound } from './refusals.ts'

/** A key's scopes cover the datasets of its workspace. Public datasets can be read with any key. */
export function canRead(principal: Principal, dataset: DatasetRecord): boolean {
  return dataset.visibility === 'public' || hasScope(principal, dataset, 'read')
}

/** Writing doesn't imply reading, or the other way round. */
function canWrite(principal: Principal, dataset: DatasetRecord): boolean {
  return hasScope(principal, dataset, 'write')
}

function hasScope({ key, workspace }: Principal, dataset: DatasetRecord, right: 'read' | 'write'): boolean {
  if (dataset.workspaceId !== workspace.id) return false
  return key.scopes.includes(`datasets:*:${right}`) || key.scopes.includes(`datasets:${dataset.id}:${right}`)
}

/** @throws {ServiceError} 404 if it doesn't exist, or the key mustn't know of it */
export function readable(principal: Principal, dataset: DatasetRecord | undefined): DatasetRecord {
  if (!dataset || !canRead(principal, dataset)) throw datasetNotFound()
  return dataset
}

/** @throws {ServiceError} 403 if the key may only read it, 404 if not even that */
export function writable(principal: Principal, dataset: DatasetRecord | undefined): DatasetRecord {
  if (dataset && canWrite(principal, dataset)) return dataset
  const { name } = readable(principal, dataset)
  throw new ServiceError('FORBIDDEN', `The API key may read “${name}”, but not change it.`)
}
