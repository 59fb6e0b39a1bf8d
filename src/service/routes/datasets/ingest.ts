import type { ErrorCode } from '../../../contract/errors.ts'
import { TablesError, UnavailableError, type Ports, type TableRecord } from '../../ports.ts'
import { INTERNAL, isOutOfSpace } from '../../failures.ts'
import { codeOf, messageOf } from '../tables-errors.ts'
import type { Source } from './sources.ts'

/** What became of one table. */
export type Outcome = Loaded | Failed
export interface Loaded {
  readonly source: Source
  readonly table: TableRecord
}
interface Failed {
  readonly source: Source
  readonly error: { readonly code: ErrorCode; readonly message: string }
  /** Of a failure that nobody foresaw: for the log. */
  readonly cause?: unknown
}

/** Loads run side by side: as many as there are jobs at once in the engine. */
const LANES = 2

/**
 * Loads each source as a table of its own, in the order given. What doesn't load is an outcome, a fault of the
 * engine's too; what keeps all of them from loading rejects, and then nothing is under way any more.
 * @param loaded gains each table's file as soon as it's there, so that the caller can remove it
 * @throws the signal's reason
 */
export async function ingestAll(
  ports: Ports,
  creationId: string,
  sources: readonly Source[],
  loaded: string[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const outcomes: Outcome[] = []
  const waiting = sources.entries()
  const lane = async (): Promise<void> => {
    for (const [index, source] of waiting) {
      either.throwIfAborted()
      const outcome = await ingestOne(ports, creationId, source, either)
      if ('table' in outcome) loaded.push(outcome.table.fileId)
      outcomes[index] = outcome
    }
  }
  const settled = await Promise.allSettled(
    Array.from({ length: LANES }, () =>
      lane().catch((error: unknown) => {
        stop.abort(error) // The first one's error is what the other lane ends with too.
        throw error
      }),
    ),
  )
  signal.throwIfAborted()
  for (const { status } of settled) if (status === 'rejected') throw stop.signal.reason
  return outcomes
}

async function ingestOne(ports: Ports, creationId: string, source: Source, signal: AbortSignal): Promise<Outcome> {
  const { blobId, format, filename } = source.object
  const blob = await ports.objects.get(blobId)
  if (!blob) {
    return { source, error: { code: 'INVALID_REQUEST', message: 'The upload isn’t there any more. Upload it again.' } }
  }
  const load = (): ReturnType<Ports['tables']['ingest']> =>
    ports.tables.ingest(
      blob,
      { creationId, format, filename, ...(source.onto ? { onto: source.onto.fileId } : {}) },
      signal,
    )
  try {
    // An engine that was lost in the middle of it says nothing of the file.
    const ingested = await load().catch((error: unknown) =>
      error instanceof TablesError && error.code === 'unavailable' ? load() : Promise.reject(error),
    )
    return { source, table: { ...ingested, name: source.name, description: source.description } }
  } catch (error) {
    signal.throwIfAborted()
    // Neither would the next one load, nor would what has loaded be all.
    if (error instanceof UnavailableError || isOutOfSpace(error)) throw error
    if (error instanceof TablesError) return { source, error: { code: codeOf(error), message: messageOf(error) } }
    return { source, error: { code: 'INTERNAL_ERROR', message: INTERNAL }, cause: error }
  }
}
