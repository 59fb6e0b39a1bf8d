import type { Column } from '../../tables/types.ts'
import { readerOf } from '../formats/registry.ts'
import { FileSystemOutputs, MemoryOutputs } from '../storage/output.ts'
import { openOutput, type OutputWriter } from '../convert/output-writer.ts'
import type { PartsWorker } from '../parts/task.ts'
import { openTask } from '../parts/workers.ts'
import { readTable } from '../convert/read-table.ts'
import { toPlain } from '../rpc.ts'
import type { ReadBatch } from '../formats/types.ts'
import type { FromStage, StageCall, StageCalls, ToStage } from './protocol.ts'
import { fromWire, toWire } from './wire.ts'

declare const self: DedicatedWorkerGlobalScope

const controller = new AbortController()
const context = { signal: controller.signal, progress: () => undefined }

const outputs = new Map<string, OutputWriter>()
let output: OutputWriter | null = null
let columns: readonly Column[] = []
let parts: PartsWorker | null = null
let reading: AsyncIterator<ReadBatch> | null = null

type Handlers = {
  [N in StageCall]: (request: StageCalls[N]['request'], transfer: Transferable[]) => Promise<StageCalls[N]['result']>
}

const HANDLERS: Handlers = {
  open: async (request) => {
    output = await openOutput(request, request.inMemory ? new MemoryOutputs() : new FileSystemOutputs(), context)
    outputs.set(output.id, output)
    return { id: output.id }
  },
  begin: (table) => {
    columns = table.columns
    return opened().begin(table)
  },
  write: (wire) => opened().write(fromWire(wire, columns)),
  finish: () => opened().finish(),
  commit: () => opened().commit(),
  discard: async (id) => outputs.get(id)?.discard(),
  read: ({ file, table }) => {
    reading = readTable(file, table, context)[Symbol.asyncIterator]()
    return Promise.resolve()
  },
  parts: async (task) => {
    parts = null
    parts = await openTask(task, context)
  },
  part: async (part) => {
    if (!parts) throw new Error('no parts are worked on')
    const { written, ...result } = await parts.run(part)
    if (written) await opened().appendRows(part.index, written)
    return result
  },
  partsState: () => (parts ? parts.state() : Promise.reject(new Error('no parts are worked on'))),
  rows: ({ index, rows }) => opened().appendRows(index, rows),
  inspectRest: async ({ format, file, settings, from }) =>
    (await (await readerOf(format)).inspectRest?.(file, settings, from, context)) ?? null,
  next: async (_, transfer) => {
    const next = await reading?.next()
    if (!next || next.done) return null
    const { batch, ...rest } = next.value
    const { wire, transfer: buffers } = toWire(batch)
    transfer.push(...buffers)
    return { wire, ...rest }
  },
}

function opened(): OutputWriter {
  if (!output) throw new Error('no output is open')
  return output
}

const ALIVE_INTERVAL = 1000
setInterval(() => self.postMessage({ alive: true } satisfies FromStage), ALIVE_INTERVAL)

/** Calls are answered one after another, in the order in which they came. */
let queue: Promise<void> = Promise.resolve()

self.addEventListener('message', ({ data }: MessageEvent<ToStage>) => {
  if (data.type === 'abort') {
    controller.abort(new DOMException('The operation was cancelled.', 'AbortError'))
    return
  }
  const { id, name, request } = data
  queue = queue.then(async () => {
    const transfer: Transferable[] = []
    try {
      const result = await HANDLERS[name](request as never, transfer)
      self.postMessage({ id, result } satisfies FromStage, transfer)
    } catch (error) {
      self.postMessage({ id, error: toPlain(error) } satisfies FromStage)
    }
  })
})
