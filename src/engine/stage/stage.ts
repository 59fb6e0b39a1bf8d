import type { FormatId } from '../../contract/formats.ts'
import type { ReadSettings } from '../../tables/plan.ts'
import type { EngineError } from '../errors.ts'
import type { EngineContext, FilePart, InspectionHelper, ReadBatch } from '../formats/types.ts'
import type { OutputRequest, OutputWriter } from '../convert/output-writer.ts'
import type { PartResult, PartsTask, PartsWorker } from '../parts/task.ts'
import type { TableRequest } from '../convert/read-table.ts'
import { fromPlain } from '../rpc.ts'
import { died, hung, SILENCE } from '../worker-lost.ts'
import type { FromStage, StageCall, StageCalls, ToStage } from './protocol.ts'
import { fromWire, toWire } from './wire.ts'

/** Batches that may be on their way between the threads: one that is worked on and one that waits, so that neither does. */
const AHEAD = 2

/** Rows that were written elsewhere may wait longer: that thread works on parts of its own before it gets to them. */
const ROWS_AHEAD = 6

/** Milliseconds that a silent one is given to be heard after all, in case it was this thread that was busy. */
const DOUBT = 2000

interface Waiting {
  resolve(result: never): void
  reject(error: unknown): void
}

/** The second thread of a conversion or an inspection. It ends with it, or is left for the next. */
export class Stage implements InspectionHelper {
  private readonly worker: Worker
  private readonly waiting = new Map<number, Waiting>()
  private readonly signal: AbortSignal
  private readonly listening = new AbortController()
  private readonly abort = (): void => this.worker.postMessage({ type: 'abort' } satisfies ToStage)
  private lost: EngineError | null = null
  private nextId = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly silence: number
  private readonly leaveTo: ((thread: Worker) => void) | undefined

  /**
   * @param silence in milliseconds, for tests
   * @param leaveTo given the thread at the end, where it's good for more; without it the thread ends
   */
  constructor(worker: Worker, signal: AbortSignal, silence = SILENCE, leaveTo?: (thread: Worker) => void) {
    this.worker = worker
    this.signal = signal
    this.silence = silence
    this.leaveTo = leaveTo
    const on = { signal: this.listening.signal }
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<FromStage>) => {
        if (this.lost) return
        this.watch()
        if ('alive' in data) return
        const call = this.waiting.get(data.id)
        this.waiting.delete(data.id)
        if ('error' in data) call?.reject(signal.aborted ? signal.reason : fromPlain(data.error))
        else call?.resolve(data.result as never)
      },
      on,
    )
    worker.addEventListener('error', (event) => this.lose(died(event)), on)
    worker.addEventListener('messageerror', (event) => this.lose(died(event)), on)
    if (signal.aborted) this.abort()
    else signal.addEventListener('abort', this.abort, { once: true })
  }

  end(): void {
    const thread = this.leaveTo ? this.release() : null
    if (thread) this.leaveTo?.(thread)
    else this.terminate()
  }

  private terminate(): void {
    this.leave()
    this.worker.terminate()
  }

  /**
   * Ends it and leaves its thread, which has loaded and warmed up what the next one needs. Null, and the thread is gone,
   * where it may still be busy, or was lost.
   */
  release(): Worker | null {
    if (this.lost || this.signal.aborted || this.waiting.size > 0) {
      this.terminate()
      return null
    }
    this.leave()
    return this.worker
  }

  private leave(): void {
    clearTimeout(this.timer)
    this.listening.abort()
    this.signal.removeEventListener('abort', this.abort)
  }

  private watch(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = setTimeout(() => this.lose(hung(this.silence)), DOUBT)
    }, this.silence)
  }

  private lose(error: EngineError): void {
    clearTimeout(this.timer)
    this.lost = error
    for (const call of this.waiting.values()) call.reject(error)
    this.waiting.clear()
  }

  private call<N extends StageCall>(
    name: N,
    request: StageCalls[N]['request'],
    transfer: Transferable[] = [],
  ): Promise<StageCalls[N]['result']> {
    if (this.lost) return Promise.reject(this.lost)
    const id = this.nextId++
    if (this.timer === undefined) this.watch()
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.worker.postMessage({ type: 'call', id, name, request } satisfies ToStage, transfer)
    })
  }

  inspectRest(format: FormatId, file: File, settings: ReadSettings, from: number): Promise<unknown> {
    return this.call('inspectRest', { format, file, settings, from })
  }

  /** Begins an output that this thread fills. Nothing waits until it's open but what is written to it. */
  openOutput({ jobId, target, options, inMemory = false }: OutputRequest): OutputWriter {
    const underway: Promise<unknown>[] = []
    /** It's awaited with a later call, and until then its failure is nobody's. */
    const send = <T>(call: Promise<T>): Promise<T> => {
      call.catch(() => undefined)
      underway.push(call)
      return call
    }
    const drain = async (left: number): Promise<void> => {
      while (underway.length > left) await underway.shift()
    }
    let opened: string | null = null
    const opening = send(this.call('open', { jobId, target, options, inMemory }).then(({ id }) => (opened = id)))
    return {
      get id() {
        if (opened === null) throw new Error('the output isn’t open yet')
        return opened
      },
      begin: (table) => {
        void send(this.call('begin', table))
        return Promise.resolve()
      },
      write: async (batch) => {
        await drain(AHEAD - 1)
        const { wire, transfer } = toWire(batch)
        void send(this.call('write', wire, transfer))
      },
      appendRows: async (index, rows) => {
        await drain(ROWS_AHEAD)
        const transfer = rows.pieces.map(({ buffer }) => buffer as ArrayBuffer)
        void send(this.call('rows', { index, rows }, transfer))
      },
      finish: async () => {
        await drain(0)
        return this.call('finish', null)
      },
      commit: () => this.call('commit', null),
      discard: async () => {
        const id = await opening.catch(() => null)
        if (id === null) return
        await this.call('discard', id).catch((error: unknown) => {
          if (!this.lost) throw error
        })
      },
    }
  }

  /** Begins the work on a file's parts, as far as they're left to this thread. */
  openParts(task: PartsTask): PartsWorker {
    const opening = this.call('parts', task)
    // Told by the first part: what comes behind a call that failed fails, too.
    opening.catch(() => undefined)
    return { run: (part) => this.runPart(part), state: () => this.call('partsState', null) }
  }

  private runPart({ index, from, bytes }: FilePart): Promise<PartResult> {
    // A copy: the parts before and behind it are in the same buffer.
    const own = bytes.slice()
    return this.call('part', { index, from, bytes: own }, [own.buffer])
  }

  /** `readTable`, a few batches ahead: this thread may be busy for as long as it takes to read one. */
  async *readTable(
    file: File,
    request: TableRequest,
    context: EngineContext,
  ): AsyncGenerator<ReadBatch, void, undefined> {
    await this.call('read', { file, table: request })
    const next = (): Promise<StageCalls['next']['result']> => {
      const coming = this.call('next', null)
      // It's awaited later, and until then its failure is nobody's.
      coming.catch(() => undefined)
      return coming
    }
    const ahead = Array.from({ length: AHEAD }, next)
    for (;;) {
      const read = await ahead.shift()
      context.signal.throwIfAborted()
      if (!read) return
      ahead.push(next())
      const { wire, ...rest } = read
      yield { ...rest, batch: fromWire(wire, request.columns) }
    }
  }
}
