import type { CreateDatasetData } from '../../../contract/schemas.ts'
import type { Call } from '../../call.ts'
import { ServiceError } from '../../failures.ts'
import type { Ports } from '../../ports.ts'
import { ingestAll, type Loaded, type Outcome } from './ingest.ts'
import type { Source } from './sources.ts'

interface Loading {
  /** Id under which the files are created. If interrupted, a sweep removes them. */
  readonly creationId: string
  readonly datasetId: string
  readonly sources: readonly Source[]
}

/**
 * Loads uploads as tables, and lets `commit` write the record once all outcomes are known. If that throws, the files
 * are removed.
 */
export async function load<T>(
  ports: Ports,
  { context, signal }: Pick<Call<'createDataset'>, 'context' | 'signal'>,
  { creationId, datasetId, sources }: Loading,
  commit: (outcomes: readonly Outcome[]) => Promise<T>,
): Promise<{ readonly made: T; readonly outcomes: readonly Outcome[] }> {
  return ports.tables.whileCreating(creationId, async () => {
    const loaded: string[] = []
    try {
      const outcomes = await ingestAll(ports, creationId, sources, loaded, signal)
      for (const outcome of outcomes) {
        if ('cause' in outcome) ports.log(`${context.get('requestId')} a table did not load`, outcome.cause)
      }
      signal.throwIfAborted()
      return { made: await commit(outcomes), outcomes }
    } catch (error) {
      await discard(ports, datasetId, loaded)
      throw error
    }
  })
}

/** Removes the tables of a failed creation. What fails now is left to the sweep. */
async function discard(ports: Ports, datasetId: string, fileIds: readonly string[]): Promise<void> {
  try {
    // The transaction may have been committed without confirming it: then the files belong to a dataset.
    const known = await ports.records.read(['datasets'], (transaction) => transaction.get('datasets', datasetId))
    if (known?.tables.some(({ fileId }) => fileIds.includes(fileId))) return
    await Promise.all(fileIds.map((fileId) => ports.tables.remove(fileId)))
  } catch (error) {
    ports.log('tables of a creation that failed stay for the sweep', error)
  }
}

export const loadedOf = (outcomes: readonly Outcome[]): Loaded[] =>
  outcomes.flatMap((outcome) => ('table' in outcome ? [outcome] : []))

/** The response if tables couldn't be loaded, with each outcome: 503 if a retry may succeed, else 400. */
export function refusedTables(message: string, outcomes: readonly Outcome[]): ServiceError {
  const mayLoad = outcomes.some((outcome) => 'error' in outcome && outcome.error.code === 'SERVICE_UNAVAILABLE')
  return new ServiceError(mayLoad ? 'SERVICE_UNAVAILABLE' : 'INVALID_REQUEST', message, { details: report(outcomes) })
}

/** The outcomes for the response. */
export function report(outcomes: readonly Outcome[]): Pick<CreateDatasetData, 'summary' | 'tables'> {
  const successful = loadedOf(outcomes).length
  return {
    summary: { total: outcomes.length, successful, failed: outcomes.length - successful },
    tables: outcomes.map((outcome) =>
      'table' in outcome
        ? {
            ...result(outcome.source, 'success'),
            rows_ingested: outcome.table.rowCount - (outcome.source.onto?.rowCount ?? 0),
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
