import type { BatchBuffers } from '../../arrow/buffer-types.ts'
import type { FormatId } from '../../../contract/formats.ts'
import type { ReadSettings } from '../../../tables/plan.ts'
import { fromBuffers, toBuffers } from '../../arrow/buffers.ts'
import type { Channel } from '../../channel/channel.ts'
import { batchBytes } from '../../formats/shared/output-batches.ts'
import type { EngineContext, InspectionHelper, OutputTable, ReadBatch, WriteResult } from '../../formats/types.ts'
import type { ConversionThread, FoundRows, OutputRequest, OutputWriter, ReadBackRequest } from '../output-writer.ts'
import type { TableRequest } from '../read-table.ts'

/**
 * Calls from a conversion's worker to its second thread, which writes while the worker reads, and reads while it
 * compares.
 */
export interface WriterThreadCalls {
  open: { request: OutputRequest; result: { id: string } }
  begin: { request: OutputTable; result: void }
  write: { request: BatchBuffers; result: void }
  finish: { request: null; result: WriteResult }
  commit: { request: null; result: File }
  /** Discards an opened output by its id. */
  discard: { request: string; result: void }
  /** Streams a table's batches. */
  read: {
    request: { file: File; table: TableRequest }
    item: Omit<ReadBatch, 'batch'> & { readonly buffers: BatchBuffers }
    result: void
  }
  /** Reads back a written table, or some parts of its file. */
  findRows: { request: ReadBackRequest; result: FoundRows }
  /** Inspects the rest of a file. */
  inspectRest: {
    request: { format: FormatId; file: File; settings: ReadSettings; from: number }
    result: unknown
  }
}

/** Batches in transit between the threads: several, since formats write them in runs; two where they're large. */
const AHEAD = 6
const LARGE_BYTES = 8 * 1024 * 1024

/**
 * The second thread of a conversion or inspection. It writes while the first one reads, and reads while that one
 * compares.
 */
export class WriterThread implements InspectionHelper, ConversionThread {
  private readonly channel: Channel<WriterThreadCalls>
  private readonly signal: AbortSignal

  constructor(channel: Channel<WriterThreadCalls>, signal: AbortSignal) {
    this.channel = channel
    this.signal = signal
  }

  /**
   * Releases the thread, with its code loaded, for the next conversion. It's closed if it may be busy, or holds too
   * much memory.
   */
  end(): void {
    if (this.signal.aborted || this.channel.busy || this.channel.outgrown) this.channel.close()
  }

  private call<N extends keyof WriterThreadCalls>(
    name: N,
    request: WriterThreadCalls[N]['request'],
    transfer: Transferable[] = [],
  ): Promise<WriterThreadCalls[N]['result']> {
    return this.channel.call(name, request, { signal: this.signal, transfer })
  }

  inspectRest(format: FormatId, file: File, settings: ReadSettings, from: number): Promise<unknown> {
    return this.call('inspectRest', { format, file, settings, from })
  }

  /** Begins an output that this thread writes. Only writing waits until it's open. */
  openOutput({ jobId, target, options, inMemory = false }: OutputRequest): OutputWriter {
    const underway: Promise<unknown>[] = []
    /** It's awaited by a later call; until then, its failure is ignored. */
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
        await drain(batchBytes(batch) > LARGE_BYTES ? 1 : AHEAD - 1)
        const { buffers, transfer } = toBuffers(batch)
        void send(this.call('write', buffers, transfer))
      },
      finish: async () => {
        await drain(0)
        return this.call('finish', null)
      },
      commit: () => this.call('commit', null),
      discard: async () => {
        const id = await opening.catch(() => null)
        if (id === null) return
        // Without the signal, so that it works after a cancellation, too.
        await this.channel.call('discard', id).catch((error: unknown) => {
          if (!this.channel.closed) throw error
        })
      },
    }
  }

  findRows(request: ReadBackRequest, signal: AbortSignal): Promise<FoundRows> {
    return this.channel.call('findRows', request, { signal })
  }

  /** `readTable`, a few batches ahead, since this thread may take long to process one. */
  async *readTable(
    file: File,
    table: TableRequest,
    { signal }: EngineContext,
  ): AsyncGenerator<ReadBatch, void, undefined> {
    for await (const { buffers, ...rest } of this.channel.stream(
      'read',
      { file, table },
      { signal, highWaterMark: AHEAD },
    )) {
      yield { ...rest, batch: fromBuffers(buffers, table.columns) }
    }
  }
}
