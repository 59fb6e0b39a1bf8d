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
  private readonly input: WritableStreamDefaultWriter<WasmBatch>
  private readonly pumping: Promise<void>
  /** Ends the encoder's input without the batches that it hasn't consumed. */
  private stop = (): void => undefined

  constructor(library: ParquetLibrary, sink: ByteSink, properties: WriterProperties, signal: AbortSignal) {
    const start = (controller: TransformStreamDefaultController<WasmBatch>): void => {
      this.stop = () => controller.terminate()
    }
    const { readable, writable } = new TransformStream<WasmBatch, WasmBatch>({ start }, {}, { highWaterMark: 0 })
    this.input = writable.getWriter()
    this.pumping = this.pump(library, readable, properties, sink, signal)
    this.pumping.catch(() => this.stop())
  }

  /** @throws the error of the encoder or the sink */
  async push(batches: readonly WasmBatch[]): Promise<void> {
    for (const batch of batches) {
      await Promise.race([this.pumping, this.input.write(batch).catch(() => this.pumping)])
    }
  }

  /** Ends the file after writing all of its bytes to the sink. */
  async end(): Promise<void> {
    this.input.close().catch(() => undefined)
    await this.pumping
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
      this.stop()
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
}
