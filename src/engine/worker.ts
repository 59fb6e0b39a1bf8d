import { adoptFile } from './convert/adopt.ts'
import { convertFile, WORTH_A_STAGE } from './convert/convert.ts'
import { inspectFile, previewTable } from './convert/inspect.ts'
import { FileSystemOutputs, MemoryOutputs, type OutputStorage } from './storage/output.ts'
import { privateFiles } from '../lib/private-files.ts'
import type { AdoptRequest, ConvertProgress, ConvertRequest, InspectRequest, PreviewRequest } from './protocol.ts'
import { Stage } from './stage/stage.ts'
import type { IngestProgress } from './storage/table-types.ts'
import { FileSystemTables, MemoryTables } from './storage/tables.ts'
import { toPlain, type Calls, type FromWorker, type ToWorker } from './rpc.ts'
import { warmUp } from './warm-up.ts'

declare const self: DedicatedWorkerGlobalScope

/** Progress goes out at most this often, in milliseconds. */
const PROGRESS_INTERVAL = 100
const ALIVE_INTERVAL = 1000
/**
 * A worker that took in more than this is thrown away behind the call, and so is its second thread: their heaps never
 * shrink. Below, the conversion that follows an inspection begins with code that is loaded and warm. So does what follows
 * the conversion of a small file; behind that of a larger one all is thrown away. Bytes.
 */
const SPENT_AFTER = 256 * 1024 * 1024

let running: AbortController | null = null
/** Aborted by the first call. */
const wanted = new AbortController()
let warming: Promise<void> = Promise.resolve()
/** A second thread that nothing runs in. */
let spare: Worker | null = null

self.addEventListener('message', (event: MessageEvent<ToWorker>) => {
  const message = event.data
  if (message.type === 'abort') {
    running?.abort(new DOMException('The operation was cancelled.', 'AbortError'))
    return
  }
  if (message.type === 'warm') {
    warming = warm()
    return
  }
  wanted.abort()
  void answer(message)
})

async function answer(call: Extract<ToWorker, { type: 'call' }>): Promise<void> {
  const controller = new AbortController()
  running = controller
  const alive = setInterval(() => post({ type: 'alive' }), ALIVE_INTERVAL)
  try {
    await warming
    const result = await run(call, controller.signal)
    post({
      type: 'result',
      result,
      spent: call.file.size > (call.name === 'convert' || call.name === 'adopt' ? WORTH_A_STAGE : SPENT_AFTER),
    })
  } catch (error) {
    // Whatever the failure left behind, nobody else gets it.
    post({ type: 'error', error: toPlain(error), spent: true })
  } finally {
    clearInterval(alive)
    running = null
  }
}

function post(message: FromWorker): void {
  self.postMessage(message)
}

async function run(
  { name, file, request }: Extract<ToWorker, { type: 'call' }>,
  signal: AbortSignal,
): Promise<Calls[typeof name]['result']> {
  switch (name) {
    case 'inspect': {
      const progress = thinned<{ bytes: number; rows: number }>(({ bytes, rows }) => {
        post({ type: 'progress', progress: { bytes, rows, totalBytes: file.size } })
      })
      if (file.size < WORTH_A_STAGE) return inspectFile(file, request as InspectRequest, { signal, progress })
      // Also for formats that are inspected in one thread: the conversion finds it started.
      if (!spare) keepSpare(stageWorker())
      const startHelper = (): Stage => startStage(signal, file.size <= SPENT_AFTER)
      return inspectFile(file, request as InspectRequest, { signal, progress, startHelper })
    }
    case 'preview': {
      const { plan, table } = request as PreviewRequest
      return previewTable(file, plan, table, signal)
    }
    case 'adopt': {
      const storage = await outputs()
      const progress = thinned<ConvertProgress>((value) => post({ type: 'progress', progress: value }))
      const result = await adoptFile(file, request as AdoptRequest, { signal, progress, storage })
      return storage instanceof MemoryOutputs ? { ...result, files: storage.files } : result
    }
    case 'convert': {
      const storage = await outputs()
      const progress = thinned<ConvertProgress>((value) => post({ type: 'progress', progress: value }))
      const isStaged = storage instanceof FileSystemOutputs && file.size >= WORTH_A_STAGE
      const staged = isStaged ? { startStage: () => startStage(signal, false) } : {}
      const context = { signal, progress, storage, ...staged }
      const result = await convertFile(file, request as ConvertRequest, context)
      return storage instanceof MemoryOutputs ? { ...result, files: storage.files } : result
    }
    case 'ingest': {
      const { folder, ...loading } = request as Calls['ingest']['request']
      const storage = (await privateFiles()) ? new FileSystemTables(folder) : new MemoryTables()
      const progress = thinned<IngestProgress>((value) => post({ type: 'progress', progress: value }))
      const { ingestFile } = await import('./convert/ingest.ts')
      const staged =
        file.size >= WORTH_A_STAGE ? { startStage: () => startStage(signal, file.size <= SPENT_AFTER) } : {}
      const context = { signal, progress, storage, ...staged }
      const result = await ingestFile(file, loading, context)
      const stored = storage instanceof MemoryTables ? storage.files.get(result.fileId) : undefined
      return stored ? { ...result, stored } : result
    }
  }
}

/** Where there's no private file system, outputs go to the page with the result, and it keeps them. */
async function outputs(): Promise<OutputStorage> {
  return (await privateFiles()) ? new FileSystemOutputs() : new MemoryOutputs()
}

/** @param keep whether its thread is left for what comes next: a conversion, or a dataset's next file */
function startStage(signal: AbortSignal, keep: boolean): Stage {
  const thread = spare ?? stageWorker()
  spare = null
  return new Stage(thread, signal, undefined, keep ? keepSpare : undefined)
}

/** Keeps a thread until it's needed, unless it dies meanwhile: when its script can't be loaded, above all. */
function keepSpare(thread: Worker): void {
  if (spare) {
    thread.terminate()
    return
  }
  spare = thread
  const leave = (): void => {
    if (spare === thread) spare = null
  }
  thread.addEventListener('error', leave, { once: true })
}

async function warm(): Promise<void> {
  const never = new AbortController().signal
  const start = (): Stage => startStage(never, true)
  try {
    await warmUp({ wanted: wanted.signal, startHelper: start, startStage: start })
  } catch {
    // Whoever wants something is told what is the matter.
  }
}

function stageWorker(): Worker {
  return new Worker(new URL('./stage/worker.ts', import.meta.url), { type: 'module', name: 'engine stage' })
}

function thinned<T>(send: (value: T) => void): (value: T) => void {
  let last = 0
  return (value) => {
    const now = performance.now()
    if (now - last < PROGRESS_INTERVAL) return
    last = now
    send(value)
  }
}
