import type { Issue } from '../../contract/errors.ts'
import { SERVICE_FORMATS } from '../../contract/limits.ts'
import { ServiceError } from '../failures.ts'
import type { Principal } from '../http.ts'
import type { ReadTransaction } from '../ports.ts'
import { listOf } from '../../lib/counts.ts'
import { foldName } from '../../lib/names.ts'

/** 400 for fields whose form is right and whose value isn't, all of them at once. */
export function invalidRequest(issues: readonly Issue[]): ServiceError {
  return new ServiceError('INVALID_REQUEST', sentenceOf(issues), { details: { issues } })
}

/** 400 for a content type or a format that the service doesn't know. */
export function unsupportedFormat(issues: readonly Issue[]): ServiceError {
  const supported = `It supports ${listOf(SERVICE_FORMATS)}.`
  return new ServiceError('UNSUPPORTED_FORMAT', `${sentenceOf(issues)} ${supported}`, {
    details: { supported: [...SERVICE_FORMATS], issues },
  })
}

/** The first of the issues; those of no field are the body's. */
function sentenceOf(issues: readonly Issue[]): string {
  const [first] = issues
  const sentence = first ? `${first.path || 'The body'} ${first.message}.` : 'The request is not valid.'
  return sentence + (issues.length > 1 ? ` ${issues.length - 1} more in “details.issues”.` : '')
}

/** What's wrong with a body's `workspace_id`: it has to be the key's own. */
export function workspaceIssues(principal: Principal, workspaceId: string): Issue[] {
  return workspaceId.toLowerCase() === principal.workspace.id.toLowerCase()
    ? []
    : [{ path: 'workspace_id', message: 'must be the workspace of the API key' }]
}

export function datasetNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no dataset with this id that the API key may read.')
}

/**
 * Names of a workspace's datasets are compared without case.
 * @param except the dataset that may have it
 * @throws {ServiceError} 409 when another dataset has the name
 */
export async function refuseTakenName(
  transaction: ReadTransaction,
  dataset: { readonly workspaceId: string; readonly name: string; readonly except?: string },
): Promise<void> {
  const nameKey = foldName(dataset.name)
  const [taken] = await transaction.by('datasets', 'name', [dataset.workspaceId, nameKey])
  if (taken && taken.id !== dataset.except) {
    throw new ServiceError('CONFLICT', `The workspace has a dataset named “${taken.name}”. Choose another name.`)
  }
}
