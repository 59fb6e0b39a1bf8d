import type { Issue } from '../../contract/errors.ts'
import { SERVICE_FORMATS } from '../../contract/limits.ts'
import { ServiceError } from '../failures.ts'
import type { DatasetRecord, ReadTransaction } from '../ports.ts'
import { foldName } from '../../lib/names.ts'
import { listOf } from '../../lib/text.ts'

/** 400 for well-formed fields with invalid values, all at once. */
export function invalidRequest(issues: readonly Issue[]): ServiceError {
  return new ServiceError('INVALID_REQUEST', sentenceOf(issues), { details: { issues } })
}

/** 400 for an unsupported content type or format. */
export function unsupportedFormat(issues: readonly Issue[]): ServiceError {
  const supported = `It supports ${listOf(SERVICE_FORMATS)}.`
  return new ServiceError('UNSUPPORTED_FORMAT', `${sentenceOf(issues)} ${supported}`, {
    details: { supported: [...SERVICE_FORMATS], issues },
  })
}

/** A sentence about the first issue. An issue without a field is about the body. */
function sentenceOf(issues: readonly Issue[]): string {
  const [first] = issues
  const sentence = first ? `${first.path || 'The body'} ${first.message}.` : 'The request is not valid.'
  return sentence + (issues.length > 1 ? ` ${issues.length - 1} more in “details.issues”.` : '')
}

export function datasetNotFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no dataset with this id that the API key may read.')
}

/**
 * Refuses a name that another dataset of the workspace has, ignoring case.
 * @param except the dataset that may have it
 * @param isAsked whether a dataset is the one that the request asks for: then the refusal has its id
 * @throws {ServiceError} 409
 */
export async function refuseTakenName(
  transaction: ReadTransaction,
  dataset: { readonly workspaceId: string; readonly name: string; readonly except?: string },
  isAsked: (taken: DatasetRecord) => Promise<boolean> = async () => false,
): Promise<void> {
  const nameKey = foldName(dataset.name)
  const [taken] = await transaction.by('datasets', 'name', [dataset.workspaceId, nameKey])
  if (taken && taken.id !== dataset.except) {
    const message = `The workspace has a dataset named “${taken.name}”. Choose another name.`
    throw new ServiceError('CONFLICT', message, (await isAsked(taken)) ? { details: { dataset_id: taken.id } } : {})
  }
}
