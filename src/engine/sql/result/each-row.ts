import type { ResultSet } from '../session-types.ts'
import { Yielder } from '../../../lib/yielding.ts'

/** Milliseconds of work between two pauses. */
const SLICE = 8

/**
 * Goes over a result's rows in slices that leave the page free.
 * @param take returns false to stop
 * @throws the signal's reason
 */
export async function eachRow(
  set: ResultSet,
  signal: AbortSignal,
  take: (row: number) => boolean | void,
): Promise<void> {
  const yielder = new Yielder(signal, SLICE)
  for (let row = 0; row < set.rowCount; row++) {
    if (yielder.due) await yielder.yield()
    if (take(row) === false) break
  }
  signal.throwIfAborted()
}
