import type { RecordBatch as WasmBatch, WriterProperties } from 'parquet-wasm/esm'
import type { ByteSink } from '../../../lib/sink.ts'
import { guarded, type ParquetLibrary } from './wasm.ts'

/** Size of the slices written to the sink. */
const SLICE = 4 * 1024 * 1024

/**
 * Runs the library's encoder: batches are pushed in, and bytes are written to the sink. A push is settled when the
 * encoder has consumed its batches, so that at most one run of batches is waiting.
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

  /** @throws the error of the encoder or the sink */
  async push(batches: readonly WasmBatch[]): Promise<void> {
    if (batches.length === 0) return
    this.waiting.push(...batches)
    const taken = new Promise<void>((resolve) => {
      this.taken = resolve
    })
    this.wake?.()
    await Promise.race([taken, this.pumping])
  }

  /** Ends the file after writing all of its bytes to the sink. */
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

  /** Frees batches that won't be consumed. */
  private release(): void {
    for (const batch of this.waiting) batch.free()
    this.waiting = []
    this.ended = true
    this.wake?.()
  }
}
