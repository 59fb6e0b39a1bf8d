import { checkpoint } from '../../../lib/abort.ts'
import { movedBehind } from '../../../tables/plan.ts'
import { BATCH_REJECTED } from '../../columns/batch-builder.ts'
import type { EngineContext, Cutter, FilePart } from '../../formats/types.ts'
import { readerOf, writerOf } from '../../formats/registry.ts'
import { countLines } from '../../io/lines.ts'
import type { OutputWriter } from '../output-writer.ts'
import type { RejectedRows } from '../rejected-rows.ts'
import type { WriterThread } from '../writer-thread.ts'
import type { TableTransfer } from '../transfer.ts'
import { inBothThreads } from './share.ts'
import type { CarryTask, PartResult, Source } from './task.ts'
import { splitFile } from './split.ts'
import { openCarry } from './workers.ts'

/** Where a file can be cut, when two threads can carry its parts: rows can be told by themselves, and written so. */
export async function carryCutter({ format, settings }: Source, target: CarryTask['target']): Promise<Cutter | null> {
  const { parts } = await readerOf(format)
  const writer = await writerOf(target)
  return parts && writer.openRows ? parts.cutter(settings) : null
}

interface Carrying {
  readonly transfer: TableTransfer
  readonly output: OutputWriter
  readonly rejectedRows: RejectedRows
  readonly thread: Pick<WriterThread, 'openParts'>
}

/**
 * Carries a table in parts, in this thread and in the one that holds the output: each reads, checks and writes parts of
 * its own, so that hardly more than finished text goes from one to the other.
 */
export async function carryInParts(
  file: File,
  cut: Cutter,
  task: CarryTask,
  { transfer, output, rejectedRows, thread }: Carrying,
  context: EngineContext,
): Promise<void> {
  const here = await openCarry(task, transfer, context)
  const there = thread.openParts(task)
  const lines = { upTo: 0, count: 0 }
  const settle = async (part: FilePart, { rows, rejected }: PartResult): Promise<void> => {
    if (rejected.length > 0) {
      lines.count += await countLines(file, lines.upTo, part.from)
      lines.upTo = part.from
      const before = transfer.rows + transfer.rejectedCount
      const placed = rejected.map((row) => movedBehind(row, before, lines.count))
      for (let at = 0; at < placed.length; at += BATCH_REJECTED) {
        await rejectedRows.add(
          { file: file.name, table: task.planned.table.name },
          placed.slice(at, at + BATCH_REJECTED),
        )
        await checkpoint(context.signal)
      }
    }
    transfer.rows += rows
    transfer.rejectedCount += rejected.length
    context.progress({ rows: transfer.rows, bytes: part.from + part.bytes.length })
  }
  const carryHere = async (part: FilePart): Promise<PartResult> => {
    const { written, ...result } = await here.run(part)
    if (written) await output.appendRows(part.index, written)
    return result
  }
  transfer.merge(await inBothThreads(splitFile(file, cut, context), carryHere, there, settle))
  context.signal.throwIfAborted()
}
