import type { RecordBatch as WasmBatch, WriterProperties } from 'parquet-wasm/esm'
import type { ByteSink } from '../../../lib/sink.ts'
import { guarded, type ParquetLibrary } from './wasm.ts'

/** Slices of this size go to the sink. */
const SLICE = 4 * 1024 * 1024

/**
 * Drives the library's encoder: batches are pushed in, bytes go to the sink. A push is settled when the encoder has
 * taken what it was given, so that no more than one run of batches waits.
 */
export class ParquetPump {
  private waiting: WasmBatch[] = []
  private ended = false
  private wake: (() => void) | undefined
  private taken: (() => void) | undefined
  private readonly pumping: Promise<void>

  constructor(library: ParquetLibrary, sink: ByteSink, properties: WriterProperties, signal: AbortSignal) {
    const input = new ReadableStream<WasmBatch>({ pull: (controller) => this.pull(controller) }, { highWaterMark: 0 })
    this.pumping = this.pump(library, input, properties, sink, signal)
    this.pumping.catch(() => this.release())
  }

  /** @throws whatever the encoder or the sink failed with */
  async push(batches: readonly WasmBatch[]): Promise<void> {
    if (batches.length === 0) return
    this.waiting.push(...batches)
    const taken = new Promise<void>((resolve) => {
      this.taken = resolve
    })
    this.wake?.()
    await Promise.race([taken, this.pumping])
  }

  /** Ends the file: all of its bytes are then in the sink. */
  async end(): Promise<void> {
    this.ended = true
    this.wake?.()
    await this.pumping
  }

  private async pull(controller: ReadableStreamDefaultController<WasmBatch>): Promise<void> {
    while (this.waiting.length === 0 && !this.ended) {
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
    const batch = this.waiting.shift()
    if (batch) controller.enqueue(batch)
    else controller.close()
    if (this.waiting.length === 0) this.taken?.()
  }

  private async pump(
    library: ParquetLibrary,
    input: ReadableStream<WasmBatch>,
    properties: WriterProperties,
    sink: ByteSink,
    signal: AbortSignal,
  ): Promise<void> {
    const place = 'writing'
    const output = await guarded(
      place,
      () => library.transformParquetStream(input, properties) as Promise<ReadableStream<Uint8Array>>,
    )
    const reader = output.getReader()
    const onAbort = (): void => {
      reader.cancel(signal.reason).catch(() => undefined)
      this.release()
    }
    signal.addEventListener('abort', onAbort)
    try {
      for (;;) {
        const { done, value } = await guarded(place, () => reader.read())
        signal.throwIfAborted()
        if (done) return
        for (let at = 0; at < value.length; at += SLICE) await sink.write(value.subarray(at, at + SLICE))
      }
    } catch (error) {
      reader.cancel(error).catch(() => undefined)
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Lets go of the batches that nobody will take. */
  private release(): void {
    for (const batch of this.waiting) batch.free()
    this.waiting = []
    this.ended = true
    this.wake?.()
  }
}
