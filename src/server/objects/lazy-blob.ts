/** A range of bytes, without the one at `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * A blob whose bytes are read only on demand, and only the range that is needed. Don't make it part of another blob or
 * file, which would take it for an empty one.
 */
export abstract class LazyBlob extends Blob {
  protected readonly span: Span

  constructor(span: Span) {
    super()
    this.span = span
  }

  /** The span's bytes as they arrive. Any beyond the span's size aren't read. */
  protected abstract read(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** The same object with another span. */
  protected abstract part(span: Span): Blob
  /** The error to throw if fewer bytes arrive. */
  protected abstract tooShort(): unknown

  override get size(): number {
    return this.span.end - this.span.start
  }

  override slice(from = 0, to = this.size): Blob {
    const within = (at: number): number =>
      this.span.start + Math.min(Math.max(at < 0 ? this.size + at : at, 0), this.size)
    const start = within(from)
    return this.part({ start, end: Math.max(start, within(to)) })
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const stop = new AbortController()
    let reading: AsyncIterator<Uint8Array> | null = null
    let left = this.size
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      if (left === 0) {
        controller.close()
        return
      }
      reading ??= (await this.read(stop.signal))[Symbol.asyncIterator]()
      const { done, value } = await reading.next()
      if (done) throw this.tooShort()
      left -= value.byteLength
      controller.enqueue(value)
      if (left === 0) controller.close()
    }
    const cancel = async (reason: unknown): Promise<void> => {
      stop.abort(reason)
      await reading?.return?.().catch(() => undefined)
    }
    return new ReadableStream({ pull, cancel }, { highWaterMark: 0 }) as ReadableStream<Uint8Array<ArrayBuffer>>
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return new Response(this.stream()).arrayBuffer()
  }

  override text(): Promise<string> {
    return new Response(this.stream()).text()
  }
}
