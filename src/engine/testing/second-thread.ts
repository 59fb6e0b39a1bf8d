import type { Column } from '../../tables/types.ts'
import type { ConvertStage } from '../convert/convert.ts'
import type { FilePart } from '../formats/types.ts'
import { MemoryOutputs, type OutputStorage } from '../storage/output.ts'
import { openOutput, type OutputWriter } from '../convert/output-writer.ts'
import type { PartsWorker } from '../parts/task.ts'
import { openTask } from '../parts/workers.ts'
import { readTable } from '../convert/read-table.ts'
import { fromPlain, toPlain } from '../rpc.ts'
import { fromWire, toWire } from '../stage/wire.ts'

/* A conversion's second thread, in this one. Tests only. */

export interface SecondThread {
  readonly signal?: AbortSignal
  readonly storage?: OutputStorage
  /** Called before each part that is left to the thread: to take its time, or to fail. */
  readonly beforePart?: (part: FilePart) => Promise<void> | void
  readonly end?: () => void
}

/** Calls that may be on their way before what is written waits. */
const AHEAD = 6

/** Does the other thread's work here: what would cross is cloned, and calls are answered one after another. */
export function secondThread({
  signal = new AbortController().signal,
  storage = new MemoryOutputs(),
  beforePart,
  end = () => undefined,
}: SecondThread = {}): ConvertStage {
  const context = { signal, progress: () => undefined }
  let queue: Promise<unknown> = Promise.resolve()
  const call = <Q, R>(request: Q, answer: (request: Q) => Promise<R>, transfer: Transferable[] = []): Promise<R> => {
    const crossed = structuredClone(request, { transfer })
    const result = queue.then(async () => {
      try {
        return await answer(crossed)
      } catch (error) {
        throw signal.aborted ? signal.reason : fromPlain(structuredClone(toPlain(error)))
      }
    })
    queue = result.catch(() => undefined)
    return result
  }
  let output: OutputWriter | null = null
  let columns: readonly Column[] = []
  const opened = (): OutputWriter => {
    if (!output) throw new Error('no output is open')
    return output
  }
  return {
    openOutput: (request) => {
      const underway: Promise<unknown>[] = []
      const drain = async (left: number): Promise<void> => {
        while (underway.length > left) await underway.shift()
      }
      /** Waits only where much is on its way; a failure is told later. */
      const send = (sent: Promise<unknown>): Promise<void> => {
        sent.catch(() => undefined)
        underway.push(sent)
        return drain(AHEAD)
      }
      void send(call(request, async (asked) => (output = await openOutput(asked, storage, context))))
      return {
        get id() {
          return opened().id
        },
        begin: (table) =>
          send(
            call(table, (begun) => {
              columns = begun.columns
              return opened().begin(begun)
            }),
          ),
        write: (batch) => {
          const { wire, transfer } = toWire(batch)
          return send(call(wire, (crossed) => opened().write(fromWire(crossed, columns)), transfer))
        },
        appendRows: (index, rows) => {
          const transfer = rows.pieces.map(({ buffer }) => buffer as ArrayBuffer)
          return send(call({ index, rows }, (crossed) => opened().appendRows(crossed.index, crossed.rows), transfer))
        },
        finish: async () => {
          await drain(0)
          return call(null, async () => structuredClone(await opened().finish()))
        },
        commit: () => call(null, () => opened().commit()),
        discard: () => call(null, async () => output?.discard()),
      }
    },
    openParts: (task) => {
      let parts: PartsWorker | null = null
      const opening = call(task, async (asked) => {
        parts = await openTask(asked, context)
      })
      const begun = async (): Promise<PartsWorker> => {
        await opening
        if (!parts) throw new Error('no parts are worked on')
        return parts
      }
      opening.catch(() => undefined)
      const run = async (part: FilePart) => {
        await beforePart?.(part)
        const { written, ...result } = await (await begun()).run(part)
        if (written) await opened().appendRows(part.index, written)
        return structuredClone(result)
      }
      return {
        run: ({ index, from, bytes }) => {
          const own = bytes.slice()
          return call({ index, from, bytes: own }, run, [own.buffer])
        },
        state: () => call(null, async () => structuredClone(await (await begun()).state())),
      }
    },
    readTable: (file, request, reading) => readTable(file, structuredClone(request), reading),
    end,
  }
}
