import { ServiceError } from '../../http.ts'
import type { ReadTransaction } from '../../ports.ts'
import { foldName } from '../../names.ts'

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
  const others = await transaction.by('datasets', 'workspaceId', dataset.workspaceId)
  const taken = others.find((other) => other.nameKey === nameKey && other.id !== dataset.except)
  if (taken) {
    throw new ServiceError('CONFLICT', `The workspace has a dataset named “${taken.name}”. Choose another name.`)
  }
}
