import { foldName } from '../../../lib/names.ts'
import type { Call } from '../../call.ts'
import type { DatasetRecord, Ports, StoreName, WriteTransaction } from '../../ports.ts'
import { writable } from '../access.ts'
import { refuseTakenName } from '../refusals.ts'

/**
 * Changes a dataset as the body of a `PATCH` says, in one transaction.
 * @param tables gives the tables that it has then, from those that it has
 * @throws {ServiceError} with nothing changed
 */
export function change(
  { records }: Ports,
  { principal, params, body, now }: Pick<Call<'updateDataset'>, 'principal' | 'params' | 'body' | 'now'>,
  tables: (
    transaction: WriteTransaction,
    dataset: DatasetRecord,
  ) => Promise<DatasetRecord['tables']> | DatasetRecord['tables'] = (_, dataset) => dataset.tables,
  stores: readonly StoreName[] = ['datasets'],
): Promise<DatasetRecord> {
  const { name, description, visibility, tags } = body
  return records.write(stores, async (transaction) => {
    const dataset = writable(principal, await transaction.get('datasets', params.datasetId))
    const made = await tables(transaction, dataset)
    if (made === dataset.tables && [name, description, visibility, tags].every((value) => value === undefined))
      return dataset
    if (name !== undefined) {
      await refuseTakenName(transaction, { workspaceId: dataset.workspaceId, name, except: dataset.id })
    }
    const changed: DatasetRecord = {
      ...dataset,
      ...(name === undefined ? {} : { name, nameKey: foldName(name) }),
      description: description ?? dataset.description,
      visibility: visibility ?? dataset.visibility,
      tags: tags ?? dataset.tags,
      updatedAt: Math.max(now, dataset.updatedAt), // A clock may have been put back.
      tables: made,
    }
    await transaction.put('datasets', changed)
    return changed
  })
}
