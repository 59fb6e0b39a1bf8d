import { untilAborted } from '../../lib/abort.ts'
import { privateFiles } from '../../lib/private-files.ts'
import { defaultOptions } from '../../tables/plan.ts'
import { adoptFile } from './adopt.ts'
import { Channel } from '../channel/channel.ts'
import type { CallContext, Role } from '../channel/serve.ts'
import { convertFile, WORTH_A_THREAD } from './convert.ts'
import { checkTable, inspectFile, previewTable, sourceRows } from './inspect.ts'
import { FileSystemOutputs } from '../storage/file-outputs.ts'
import { MemoryOutputs, type OutputStorage } from '../storage/output.ts'
import type { EngineContext } from '../formats/types.ts'
import { readBytes } from '../io/read-bytes.ts'
import { isOutgrown } from '../io/wasm-memory.ts'
import { compiledKernel } from '../kernel/kernel.ts'
import type { ConvertProgress, ConvertResult } from './protocol.ts'
import type { InspectProgress, ConvertCalls } from './calls.ts'
import { FileSystemTables, MemoryTables } from '../storage/tables.ts'
import { verifyAgain } from './verify-again.ts'
import { type WriterThreadCalls, WriterThread } from './writer-thread/writer-thread.ts'
import { formatOfSignature } from '../formats/registry.ts'
import { planFrom } from '../../tables/edits.ts'

/** @param startWorker starts a worker with the same script */
export function openConvert(startWorker: (name: string) => Worker): Role<ConvertCalls> {
  let thread: Channel<WriterThreadCalls> | null = null
  /** One second thread serves all calls in turn, so that it's started and warmed up only once. */
  const secondThread = (): Channel<WriterThreadCalls> => {
    if (!thread || thread.closed) thread = new Channel(startWorker, 'writer', { shared: compiledKernel() })
    return thread
  }
  const threadFor =
    (signal: AbortSignal): (() => WriterThread) =>
    () =>
      new WriterThread(secondThread(), signal)
  /** A second thread if there's enough work for it. */
  const shared = ({ storage }: OutputContext, size: number, { signal }: { readonly signal: AbortSignal }) =>
    storage instanceof FileSystemOutputs && size >= WORTH_A_THREAD ? { startThread: threadFor(signal) } : {}

  return {
    handlers: {
      warmUp: (_, { signal }) => warmUp(signal),
      inspect: ({ file, mostRows, ...request }, call) => {
        const context = { ...progressOf(file, call), mostRows }
        if (file.size < WORTH_A_THREAD) return inspectFile(file, request, context)
        // Also for formats that are inspected in one thread, so that it's ready for the conversion.
        secondThread()
        return inspectFile(file, request, { ...context, startHelper: threadFor(call.signal) })
      },
      database: async ({ file }, { signal }) => {
        const head = await readBytes(file, 0, 16)
        return formatOfSignature(head) === 'duckdb'
          ? (await import('../formats/duckdb/reader.ts')).listTables(file, signal)
          : null
      },
      preview: ({ file, plan, table }, { signal }) => previewTable(file, plan, table, signal),
      source: ({ file, ...request }, { signal }) => sourceRows(file, request, signal),
      check: ({ file, plan, table }, call) => checkTable(file, plan, table, progressOf(file, call)),
      sample: async ({ files, ...request }, { signal }) => {
        const { sampleTables } = await import('./shape/sample.ts')
        return sampleTables(files, request, signal)
      },
      tryRows: async (request, { signal }) => (await import('./mend.ts')).tryRows(request, signal),
      convert: ({ file, ...request }, call) =>
        withOutputs(call, (context) => convertFile(file, request, { ...context, ...shared(context, file.size, call) })),
      combine: ({ files, ...request }, call) =>
        withOutputs(call, async (context) => {
          const { combineFiles } = await import('./combine.ts')
          const size = files.reduce((sum, file) => sum + file.size, 0)
          return combineFiles(files, request, { ...context, ...shared(context, size, call) })
        }),
      hash: async ({ file }, call) => {
        const { sha256Of } = await import('../io/sha256.ts')
        const progress = (bytes: number): void => call.progress({ bytes, totalBytes: file.size })
        return sha256Of(file, { signal: call.signal, progress })
      },
      verify: ({ file, receipts }, call) => verifyAgain(file, receipts, progressOf(file, call)),
      adopt: ({ file, ...request }, call) => withOutputs(call, (context) => adoptFile(file, request, context)),
      ingest: async ({ file, folder, ...request }, call) => {
        const storage = (await privateFiles()) ? new FileSystemTables(folder) : new MemoryTables()
        const { ingestFile } = await import('./stored/ingest.ts')
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
    outgrown: isOutgrown,
  }
}

/** Reports how much of a file has been read. */
function progressOf(file: File, call: CallContext<{ readonly progress: InspectProgress }>): EngineContext {
  const progress: EngineContext['progress'] = (read) => call.progress({ ...read, totalBytes: file.size })
  return { signal: call.signal, progress }
}

/** Milliseconds before warming up, so that it doesn't delay the page's loading or a file dropped at once. */
const REST = 1000
/** Browsers optimize code only after it has run several times. */
const ROUNDS = 5
const ROWS = 2000

/** Inspects and converts a small table in memory, so that code is loaded and compiled before the first real one. */
async function warmUp(signal: AbortSignal): Promise<void> {
  await untilAborted(new Promise((resolve) => setTimeout(resolve, REST)), signal)
  const row = (_: unknown, i: number): string =>
    `${i},0${i},"Name, ${i}",${i / 7},${i}.25,2024-01-${10 + (i % 20)},2024-01-01 12:00:${10 + (i % 50)},${i % 2 === 0},${i % 5 === 0 ? '' : `note ${i}`}`
  const rows = ['id,code,name,ratio,amount,day,at,active,note', ...Array.from({ length: ROWS }, row)]
  const file = new File([rows.join('\n')], 'warm-up.csv')
  const context = { signal, progress: () => undefined }
  for (let round = 0; round < ROUNDS; round++) {
    const { inspection } = await inspectFile(file, {}, context)
    const target = { target: 'parquet', options: defaultOptions('parquet') } as const
    const request = { jobId: 'warm-up', plan: planFrom(inspection), ...target }
    await convertFile(file, request, { ...context, storage: new MemoryOutputs() })
  }
}

interface OutputContext {
  readonly signal: AbortSignal
  readonly progress: (progress: ConvertProgress) => void
  readonly storage: OutputStorage
}

/** Without a private file system, outputs are sent to the page with the result. */
async function withOutputs(
  call: CallContext<{ readonly progress: ConvertProgress }>,
  work: (context: OutputContext) => Promise<ConvertResult>,
): Promise<ConvertCalls['convert']['result']> {
  const storage = (await privateFiles()) ? new FileSystemOutputs() : new MemoryOutputs()
  const result = await work({ signal: call.signal, progress: call.progress, storage })
  return storage instanceof MemoryOutputs ? { ...result, files: storage.files } : result
}
