import type { ErrorCode } from '../../../contract/errors.ts'
import { TablesError, UnavailableError, type Ports, type TableRecord } from '../../ports.ts'
import { INTERNAL, isOutOfSpace } from '../../failures.ts'
import { codeOf, messageOf } from '../tables-errors.ts'
import type { Source } from './sources.ts'

/** The outcome for one table. */
export type Outcome = Loaded | Failed
export interface Loaded {
  readonly source: Source
  readonly table: TableRecord
}
interface Failed {
  readonly source: Source
  readonly error: { readonly code: ErrorCode; readonly message: string }
  /** For unexpected failures, to be logged. */
  readonly cause?: unknown
}

/** Number of parallel loads, which is that of the engine's jobs. */
const LANES = 2

/**
 * Loads sources as tables, and returns the outcomes in order. A table that can't be loaded is an outcome, also if the
 * engine is at fault. Problems that affect all tables reject, after everything has stopped.
 * @param loaded receives each table's file as soon as it exists, so that the caller can remove it
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
        stop.abort(error) // The other loads reject with the first error.
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
    // Retry if the engine was lost, which isn't the file's fault.
    const ingested = await load().catch((error: unknown) =>
      error instanceof TablesError && error.code === 'unavailable' ? load() : Promise.reject(error),
    )
    return { source, table: { ...ingested, name: source.name, description: source.description } }
  } catch (error) {
    signal.throwIfAborted()
    // The other tables couldn't be loaded either.
    if (error instanceof UnavailableError || isOutOfSpace(error)) throw error
    if (error instanceof TablesError) return { source, error: { code: codeOf(error), message: messageOf(error) } }
    return { source, error: { code: 'INTERNAL_ERROR', message: INTERNAL }, cause: error }
  }
}
