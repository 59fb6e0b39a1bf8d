import type { CreateDatasetData } from '../../../contract/schemas.ts'
import { ulid } from '../../../lib/ulid.ts'
import type { Call, Handler, Deps } from '../../call.ts'
import { ServiceError } from '../../failures.ts'
import { success } from '../../http.ts'
import { foldName } from '../../../lib/names.ts'
import type { DatasetRecord, Ports, ReadTransaction } from '../../ports.ts'
import { invalidRequest, refuseTakenName } from '../refusals.ts'
import { createdView } from '../../views.ts'
import type { Outcome } from './ingest.ts'
import { consume } from '../object-records.ts'
import { load, loadedOf, report, refusedTables } from './load.ts'
import { findSources, type Source } from './sources.ts'

/**
 * `POST /datasets`: loads each upload as a table. The dataset becomes visible when its record is written, in one
 * transaction, after all outcomes are known. Until then its files belong to a creation, which a sweep removes if it was
 * interrupted.
 */
export function createDataset(deps: Deps): Handler<'createDataset'> {
  const { ports } = deps
  return async (call) => {
    const { context, principal, body, now, baseUrl } = call
    const workspaceId = principal.workspace.id
    const { sources, issues } = await findSources(deps, workspaceId, 'tables', body.tables)
    if (issues.length > 0) throw invalidRequest(issues)
    await ports.records.read(['datasets', 'objects'], (transaction) => refuseTaken(transaction, call, sources))

    const id = ulid(now)
    const { made: dataset, outcomes } = await load(ports, call, { creationId: id, datasetId: id, sources }, (done) => {
      if (loadedOf(done).length === 0) throw noneLoaded(done)
      return commit(ports, call, id, sources, done)
    })
    const data: CreateDatasetData = { dataset: createdView(dataset), ...report(outcomes) }
    return success(context, ports.clock.now(), data, 201, { Location: `${baseUrl}/public/v1/datasets/${id}` })
  }
}

/** Writes the dataset, and that its uploads were used, in one transaction. */
async function commit(
  { records, clock }: Ports,
  call: Call<'createDataset'>,
  id: string,
  sources: readonly Source[],
  outcomes: readonly Outcome[],
): Promise<DatasetRecord> {
  const { principal, body } = call
  const workspaceId = principal.workspace.id
  const loaded = loadedOf(outcomes)
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
    await refuseTaken(transaction, call, sources)
    await transaction.put('datasets', dataset)
    for (const { source } of loaded) await consume(transaction, source.object, createdAt)
  })
  return dataset
}

/**
 * Refuses a taken name. Browsers and proxies send a request again when its connection breaks off: if the dataset was
 * made by the same request before, the refusal has its id.
 * @throws {ServiceError} 409
 */
function refuseTaken(
  transaction: ReadTransaction,
  { principal, body }: Call<'createDataset'>,
  sources: readonly Source[],
): Promise<void> {
  const named = { workspaceId: principal.workspace.id, name: body.dataset_name }
  return refuseTakenName(transaction, named, async ({ name, description, visibility, tags, createdAt }) => {
    const asked = [body.dataset_name, body.description ?? '', body.visibility, body.tags]
    if (JSON.stringify(asked) !== JSON.stringify([name, description, visibility, tags])) return false
    const uploads = await Promise.all(sources.map(({ object }) => transaction.get('objects', object.id)))
    return uploads.some((upload) => upload?.consumedAt === createdAt)
  })
}

function noneLoaded(outcomes: readonly Outcome[]): ServiceError {
  const message = outcomes.length === 1 ? 'The table did not load' : 'None of the tables loaded'
  return refusedTables(`${message}, so no dataset was created.`, outcomes)
}
