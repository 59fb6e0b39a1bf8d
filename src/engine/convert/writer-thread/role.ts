import { Semaphore } from '../../../lib/semaphore.ts'
import type { Column } from '../../../tables/types.ts'
import { fromBuffers, toBuffers } from '../../arrow/buffers.ts'
import type { CallContext, Handlers, Role } from '../../channel/serve.ts'
import { readerOf } from '../../formats/registry.ts'
import { isOutgrown } from '../../io/wasm-memory.ts'
import { FileSystemOutputs } from '../../storage/file-outputs.ts'
import { MemoryOutputs, type OutputStorage } from '../../storage/output.ts'
import { useCompiledKernel } from '../../kernel/kernel.ts'
import { openOutput, type OutputWriter } from '../output-writer.ts'
import { readTable } from '../read-table.ts'
import { findRows } from '../verify.ts'
import type { WriterThreadCalls } from './writer-thread.ts'

const storageOf = (inMemory: boolean): OutputStorage => (inMemory ? new MemoryOutputs() : new FileSystemOutputs())

/**
 * @param kernel as compiled by the first thread
 * @param openStorage storage of the outputs; for tests
 */
export function openWriterThread({
  kernel,
  openStorage = storageOf,
}: {
  readonly kernel?: WebAssembly.Module
  readonly openStorage?: (inMemory: boolean) => OutputStorage
}): Role<WriterThreadCalls> {
  if (kernel) useCompiledKernel(kernel)
  /** For work that outlives the call that began it. The thread of a cancelled conversion isn't reused. */
  const cancelled = new AbortController()
  const context = { signal: cancelled.signal, progress: () => undefined }
  const outputs = new Map<string, OutputWriter>()
  let output: OutputWriter | null = null
  let columns: readonly Column[] = []

  const opened = (): OutputWriter => {
    if (!output) throw new Error('no output is open')
    return output
  }
  const handlers: Handlers<WriterThreadCalls> = {
    open: async (request) => {
      output = await openOutput(request, openStorage(request.inMemory ?? false), context)
      outputs.set(output.id, output)
      return { id: output.id }
    },
    begin: (table) => {
      columns = table.columns
      return opened().begin(table)
    },
    write: (buffers) => opened().write(fromBuffers(buffers, columns)),
    finish: () => opened().finish(),
    commit: () => opened().commit(),
    discard: (id) => outputs.get(id)?.discard(),
    read: async ({ file, table }, call) => {
      for await (const { batch, ...rest } of readTable(file, table, { ...context, signal: call.signal })) {
        const { buffers, transfer } = toBuffers(batch)
        await call.send({ buffers, ...rest }, 1, transfer)
      }
    },
    findRows: (request, call) => findRows(request, { ...context, signal: call.signal }),
    inspectRest: async ({ format, file, settings, from }) =>
      (await (await readerOf(format)).inspectRest?.(file, settings, from, context)) ?? null,
  }
  return { handlers: inOrder(handlers, cancelled), outgrown: isOutgrown }
}

/**
 * Handles calls one after another, in order. Cancelling one of them cancels everything open in the thread, except that
 * reading may be stopped before its end.
 */
function inOrder(handlers: Handlers<WriterThreadCalls>, cancelled: AbortController): Handlers<WriterThreadCalls> {
  const turns = new Semaphore(1)
  const ordered = Object.entries(handlers).map(([name, handler]) => {
    const answer = handler as (request: unknown, call: CallContext<never>) => unknown
    return [
      name,
      (request: unknown, call: CallContext<never>) => {
        const cancel = (): void => cancelled.abort(call.signal.reason)
        if (name !== 'read' && name !== 'findRows') {
          if (call.signal.aborted) cancel()
          else call.signal.addEventListener('abort', cancel, { once: true })
        }
        return turns.run(async () => answer(request, call))
      },
    ]
  })
  return Object.fromEntries(ordered) as Handlers<WriterThreadCalls>
}
