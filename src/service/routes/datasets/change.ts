import { foldName } from '../../../lib/names.ts'
import type { Call } from '../../call.ts'
import type { DatasetRecord, Ports, StoreName, WriteTransaction } from '../../ports.ts'
import { writable } from '../access.ts'
import { refuseTakenName } from '../refusals.ts'

/**
 * Applies the changes of a `PATCH` body to a dataset in one transaction.
 * @param tables computes the new tables from the current ones
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
      updatedAt: Math.max(now, dataset.updatedAt), // The clock may have been set back.
      tables: made,
    }
    await transaction.put('datasets', changed)
    return changed
  })
}
