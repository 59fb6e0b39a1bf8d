import type { Fingerprinter } from '../fingerprint/fingerprint.ts'
import type { Cutter, EngineContext, FilePart } from '../../formats/types.ts'
import type { WriterThread } from '../writer-thread.ts'
import { inBothThreads } from './share.ts'
import { splitFile } from './split.ts'
import type { PartResult, PrintTask } from './task.ts'
import { openPrint } from './workers.ts'

/**
 * Takes the fingerprint of a written file in this thread and another, each reading parts of its own.
 * @param cuts bytes at which rows begin, in rising order
 * @returns the columns' names in the file, where it has some
 */
export async function printInParts(
  file: File,
  cuts: readonly number[],
  task: PrintTask,
  {
    fingerprinter,
    thread,
  }: { readonly fingerprinter: Fingerprinter; readonly thread: Pick<WriterThread, 'openParts'> },
  context: EngineContext,
): Promise<readonly string[] | undefined> {
  const here = await openPrint(task, fingerprinter, context)
  const there = thread.openParts(task)
  let names: readonly string[] | undefined
  let rows = 0
  const settle = (part: FilePart, result: PartResult): Promise<void> => {
    names ??= result.names
    rows += result.rows
    context.progress({ rows, bytes: part.from + part.bytes.length })
    return Promise.resolve()
  }
  const parts = splitFile(file, cutAt(cuts), context)
  const { fingerprint } = await inBothThreads(parts, (part) => here.run(part), there, settle)
  fingerprinter.merge(fingerprint)
  context.signal.throwIfAborted()
  return names
}

/** The next of some known places, wherever the bytes begin in the file. */
function cutAt(cuts: readonly number[]): Cutter {
  let next = 0
  return (bytes, near, from) => {
    while (next < cuts.length && cuts[next] < from + near) next++
    return next < cuts.length && cuts[next] <= from + bytes.length ? cuts[next] - from : -1
  }
}
