import { privateFiles } from '../../lib/private-files.ts'
import { adoptFile } from '../convert/adopt.ts'
import { Channel } from '../channel/channel.ts'
import type { CallContext, Role } from '../channel/serve.ts'
import { convertFile, WORTH_A_THREAD } from '../convert/convert.ts'
import { inspectFile, previewTable } from '../convert/inspect.ts'
import { FileSystemOutputs, MemoryOutputs, type OutputStorage } from '../storage/output.ts'
import type { ConvertProgress, ConvertResult } from '../protocol.ts'
import { FileSystemTables, MemoryTables } from '../storage/tables.ts'
import type { WriterThreadCalls } from '../writer-thread/calls.ts'
import { WriterThread } from '../writer-thread/writer-thread.ts'
import type { ConvertCalls } from './calls.ts'

/** @param startWorker a worker with this one's script */
export function openConvert(startWorker: (name: string) => Worker): Role<ConvertCalls> {
  let thread: Channel<WriterThreadCalls> | null = null
  /** One second thread serves all calls, one after another: it's started once, and has warmed up. */
  const secondThread = (): Channel<WriterThreadCalls> => {
    if (!thread || thread.closed) thread = new Channel(startWorker, 'writer')
    return thread
  }
  const threadFor =
    (signal: AbortSignal): (() => WriterThread) =>
    () =>
      new WriterThread(secondThread(), signal)

  return {
    handlers: {
      inspect: ({ file, ...request }, call) => {
        const progress = ({ bytes, rows }: { readonly bytes: number; readonly rows: number }): void =>
          call.progress({ bytes, rows, totalBytes: file.size })
        const context = { signal: call.signal, progress }
        if (file.size < WORTH_A_THREAD) return inspectFile(file, request, context)
        // Also for formats that are inspected in one thread: the conversion finds it started.
        secondThread()
        return inspectFile(file, request, { ...context, startHelper: threadFor(call.signal) })
      },
      preview: ({ file, plan, table }, { signal }) => previewTable(file, plan, table, signal),
      convert: ({ file, ...request }, call) =>
        withOutputs(call, (context) => {
          const isShared = context.storage instanceof FileSystemOutputs && file.size >= WORTH_A_THREAD
          return convertFile(file, request, {
            ...context,
            ...(isShared ? { startThread: threadFor(call.signal) } : {}),
          })
        }),
      adopt: ({ file, ...request }, call) => withOutputs(call, (context) => adoptFile(file, request, context)),
      ingest: async ({ file, folder, ...request }, call) => {
        const storage = (await privateFiles()) ? new FileSystemTables(folder) : new MemoryTables()
        const { ingestFile } = await import('../convert/ingest.ts')
        const result = await ingestFile(file, request, {
          signal: call.signal,
          progress: call.progress,
          storage,
          ...(file.size >= WORTH_A_THREAD ? { startThread: threadFor(call.signal) } : {}),
        })
        const stored = storage instanceof MemoryTables ? storage.files.get(result.fileId) : undefined
        return stored ? { ...result, stored } : result
      },
    },
  }
}

interface OutputContext {
  readonly signal: AbortSignal
  readonly progress: (progress: ConvertProgress) => void
  readonly storage: OutputStorage
}

/** Where there's no private file system, outputs go to the page with the result, and it keeps them. */
async function withOutputs(
  call: CallContext<{ readonly progress: ConvertProgress }>,
  work: (context: OutputContext) => Promise<ConvertResult>,
): Promise<ConvertCalls['convert']['result']> {
  const storage = (await privateFiles()) ? new FileSystemOutputs() : new MemoryOutputs()
  const result = await work({ signal: call.signal, progress: call.progress, storage })
  return storage instanceof MemoryOutputs ? { ...result, files: storage.files } : result
}
