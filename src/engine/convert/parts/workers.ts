import { checkpoint } from '../../../lib/abort.ts'
import { Fingerprinter } from '../fingerprint/fingerprint.ts'
import { readerOf, writerOf } from '../../formats/registry.ts'
import type { EngineContext, FilePart, PartReading, ReadBatch } from '../../formats/types.ts'
import { MemorySink } from '../../../lib/sink.ts'
import { TableTransfer } from '../transfer.ts'
import type { CarryTask, PartsTask, PartsWorker, PrintTask } from './task.ts'

/** What works on parts in this thread. */
export async function openTask(task: PartsTask, context: EngineContext): Promise<PartsWorker> {
  if (task.kind === 'print') {
    const columns = task.request.columns.map(({ source, type }) => ({ name: source, type }))
    return openPrint(task, new Fingerprinter(columns), context)
  }
  const transfer = new TableTransfer(task.planned, await writerOf(task.target), task.options)
  return openCarry(task, transfer, context)
}

/** @param transfer takes in what is carried */
export async function openCarry(
  { source, planned, target, options }: CarryTask,
  transfer: TableTransfer,
  context: EngineContext,
): Promise<PartsWorker> {
  const sink = new MemorySink()
  const writer = (await writerOf(target)).openRows?.(sink, options, quiet(context))
  if (!writer) throw new Error(`${target} rows can't be written on their own`)
  await writer.begin({ name: '', columns: transfer.columns })
  const { table, columns } = planned
  const request = { settings: source.settings, table: table.name, columns, checksums: true }
  const reading = (await partsOf(source.format)).open(request, quiet(context))
  return {
    run: async (part) => {
      const read = await drain(reading, part, context, ({ batch, checksums }) => {
        transfer.takeSums(checksums)
        return writer.write(transfer.take(batch))
      })
      await writer.finish()
      return { ...read, written: { count: read.rows, pieces: sink.take() } }
    },
    state: () => Promise.resolve(transfer.state),
  }
}

/** @param fingerprinter takes in what is read */
export async function openPrint(
  { format, request }: PrintTask,
  fingerprinter: Fingerprinter,
  context: EngineContext,
): Promise<PartsWorker> {
  const reading = (await partsOf(format)).open(request, quiet(context))
  return {
    run: (part) => drain(reading, part, context, ({ batch }) => fingerprinter.add(batch)),
    state: () => Promise.resolve({ fingerprint: fingerprinter.state, changed: [] }),
  }
}

async function partsOf(format: CarryTask['target']): Promise<PartReading> {
  const { parts } = await readerOf(format)
  if (!parts) throw new Error(`${format} can't be read in parts`)
  return parts
}

async function drain(
  reading: ReturnType<PartReading['open']>,
  part: FilePart,
  context: EngineContext,
  take: (batch: ReadBatch) => Promise<void> | void,
) {
  const rejected = []
  let rows = 0
  let names: readonly string[] | undefined
  for await (const batch of reading(part)) {
    rejected.push(...batch.rejected)
    rows += batch.batch.numRows
    names ??= batch.names
    await take(batch)
    await checkpoint(context.signal)
  }
  return { rows, rejected, ...(names && part.index === 0 ? { names } : {}) }
}

/** Progress is told of whole parts. */
function quiet({ signal }: EngineContext): EngineContext {
  return { signal, progress: () => undefined }
}
