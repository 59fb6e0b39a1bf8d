import type { CreateDatasetData } from '../../../contract/schemas.ts'
import { ulid } from '../../../lib/ulid.ts'
import type { Call, Handler, Deps } from '../../call.ts'
import { ServiceError, success } from '../../http.ts'
import { foldName } from '../../../lib/names.ts'
import type { DatasetRecord, Ports } from '../../ports.ts'
import { invalidRequest, workspaceIssues, refuseTakenName } from '../refusals.ts'
import { createdView } from '../../views.ts'
import { ingestAll, type Outcome } from './ingest.ts'
import { findSources, type Source } from './sources.ts'

/**
 * `POST /datasets`: loads each upload as a table. Nobody sees the dataset before all outcomes are known and its record
 * is written, in one transaction; until then its files are of a creation, which a sweep removes when it was cut off.
 */
export function createDataset({ ports, signer }: Deps): Handler<'createDataset'> {
  return async (call) => {
    const { context, principal, body, signal, now, baseUrl } = call
    const workspaceId = principal.workspace.id
    const { sources, issues } = await findSources(ports, signer, workspaceId, body.tables)
    const all = [...workspaceIssues(principal, body.workspace_id), ...issues]
    if (all.length > 0) throw invalidRequest(all)
    await ports.records.read(['datasets'], (transaction) =>
      refuseTakenName(transaction, { workspaceId, name: body.dataset_name }),
    )

    const id = ulid(now)
    const { dataset, outcomes } = await ports.tables.whileCreating(id, async () => {
      const loaded: string[] = []
      try {
        const done = await ingestAll(ports, id, sources, loaded, signal)
        for (const outcome of done) {
          if ('cause' in outcome) ports.log(`${context.get('requestId')} a table did not load`, outcome.cause)
        }
        if (loaded.length === 0) throw noneLoaded(done)
        signal.throwIfAborted()
        return { dataset: await commit(ports, call, id, done), outcomes: done }
      } catch (error) {
        await discard(ports, id, loaded)
        throw error
      }
    })
    const data: CreateDatasetData = { dataset: createdView(dataset), ...report(outcomes) }
    return success(context, ports.clock.now(), data, 201, { Location: `${baseUrl}/public/v1/datasets/${id}` })
  }
}

/** Writes the dataset, and that its uploads are used, at once. */
async function commit(
  { records, clock }: Ports,
  { principal, body }: Call<'createDataset'>,
  id: string,
  outcomes: readonly Outcome[],
): Promise<DatasetRecord> {
  const workspaceId = principal.workspace.id
  const loaded = outcomes.flatMap((outcome) => ('table' in outcome ? [outcome] : []))
  const createdAt = clock.now()
  const dataset: DatasetRecord = {
    id,
    workspaceId,
    name: body.dataset_name,
    nameKey: foldName(body.dataset_name),
    description: body.description ?? '',
    visibility: body.visibility,
    tags: body.tags,
    createdAt,
    updatedAt: createdAt,
    tables: loaded.map(({ table }) => table),
  }
  await records.write(['workspaces', 'datasets', 'objects'], async (transaction) => {
    if (!(await transaction.get('workspaces', workspaceId))) {
      throw new ServiceError('CONFLICT', 'The workspace was deleted while the tables were loading.')
    }
    await refuseTakenName(transaction, { workspaceId, name: dataset.name })
    await transaction.put('datasets', dataset)
    for (const { source } of loaded) {
      const object = await transaction.get('objects', source.object.id)
      // What was uploaded anew in the meantime isn't what was loaded: that one is still to be used.
      if (object?.blobId !== source.object.blobId || object.consumedAt !== null) continue
      await transaction.put('objects', { ...object, consumedAt: createdAt })
    }
  })
  return dataset
}

/** Removes the tables of a creation that failed. What can't be removed now is left to the sweep. */
async function discard(ports: Ports, id: string, fileIds: readonly string[]): Promise<void> {
  try {
    // A transaction that failed to tell may have been committed nonetheless: then the files are a dataset's.
    const known = await ports.records.read(['datasets'], (transaction) => transaction.get('datasets', id))
    if (known) return
    await Promise.all(fileIds.map((fileId) => ports.tables.remove(fileId)))
  } catch (error) {
    ports.log('tables of a creation that failed stay for the sweep', error)
  }
}

function noneLoaded(outcomes: readonly Outcome[]): ServiceError {
  const message = outcomes.length === 1 ? 'The table did not load' : 'None of the tables loaded'
  // One that another try may load is no bad table.
  const mayLoad = outcomes.some((outcome) => 'error' in outcome && outcome.error.code === 'SERVICE_UNAVAILABLE')
  return new ServiceError(
    mayLoad ? 'SERVICE_UNAVAILABLE' : 'INVALID_REQUEST',
    `${message}, so no dataset was created.`,
    {
      details: report(outcomes),
    },
  )
}

function report(outcomes: readonly Outcome[]): Pick<CreateDatasetData, 'summary' | 'tables'> {
  const successful = outcomes.filter((outcome) => 'table' in outcome).length
  return {
    summary: { total: outcomes.length, successful, failed: outcomes.length - successful },
    tables: outcomes.map((outcome) =>
      'table' in outcome
        ? {
            ...result(outcome.source, 'success'),
            rows_ingested: outcome.table.rowCount,
            schema: outcome.table.schema.map(({ name, type }) => ({ name, type })),
          }
        : { ...result(outcome.source, 'failed'), error: outcome.error },
    ),
  }
}

const result = <S extends 'success' | 'failed'>(source: Source, status: S) => ({
  table_name: source.name,
  status,
  rows_ingested: 0,
  schema: [],
})
