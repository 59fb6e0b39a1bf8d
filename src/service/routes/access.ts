import { ServiceError } from '../failures.ts'
import type { Principal } from '../http.ts'
import type { DatasetRecord } from '../ports.ts'
import { datasetNotFound } from './refusals.ts'

/** Scopes reach the datasets of the key's own workspace; a public dataset can be read with any key. */
export function canRead(principal: Principal, dataset: DatasetRecord): boolean {
  return dataset.visibility === 'public' || hasScope(principal, dataset, 'read')
}

/** Writing doesn't imply reading, nor the other way round. */
function canWrite(principal: Principal, dataset: DatasetRecord): boolean {
  return hasScope(principal, dataset, 'write')
}

function hasScope({ key, workspace }: Principal, dataset: DatasetRecord, right: 'read' | 'write'): boolean {
  if (dataset.workspaceId !== workspace.id) return false
  return key.scopes.includes(`datasets:*:${right}`) || key.scopes.includes(`datasets:${dataset.id}:${right}`)
}

/** @throws {ServiceError} 404 for one that isn't there, and for one that the key may not know of */
export function readable(principal: Principal, dataset: DatasetRecord | undefined): DatasetRecord {
  if (!dataset || !canRead(principal, dataset)) throw datasetNotFound()
  return dataset
}

/** @throws {ServiceError} 403 when the key may read it only, 404 when not even that */
export function writable(principal: Principal, dataset: DatasetRecord | undefined): DatasetRecord {
  if (dataset && canWrite(principal, dataset)) return dataset
  const { name } = readable(principal, dataset)
  throw new ServiceError('FORBIDDEN', `The API key may read “${name}”, but not change it.`)
}
