import type { Bucket } from './bucket.ts'

/**
 * An object of a bucket as a blob: nothing of it is read before it's asked for, and then just the part that is. It's to be
 * read, not to be made part of another blob or a file, which would take it for an empty one.
 */
export class RemoteBlob extends Blob {
  private readonly bucket: Bucket
  readonly key: string
  private readonly start: number
  private readonly end: number
  /** Whose lifetime tells whether somebody still reads. */
  private readonly whole: RemoteBlob | null

  /** @param end one after the last byte */
  constructor(bucket: Bucket, key: string, { start = 0, end, whole = null }: Part) {
    super()
    this.bucket = bucket
    this.key = key
    this.start = start
    this.end = end
    this.whole = whole
  }

  override get size(): number {
    return this.end - this.start
  }

  override slice(from = 0, to = this.size): Blob {
    const within = (at: number): number => this.start + Math.min(Math.max(at < 0 ? this.size + at : at, 0), this.size)
    const start = within(from)
    return new RemoteBlob(this.bucket, this.key, {
      start,
      end: Math.max(start, within(to)),
      whole: this.whole ?? this,
    })
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const { bucket, start, end, size } = this
    const stop = new AbortController()
    let reading: AsyncIterator<Uint8Array> | null = null
    let left = size
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      if (left === 0) {
        controller.close()
        return
      }
      reading ??= await this.open({ start, end, signal: stop.signal })
      const { done, value } = await reading.next()
      if (done) throw bucket.failure('GetObject', new Error('it has become shorter'))
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

  private async open({
    signal,
    ...range
  }: {
    readonly start: number
    readonly end: number
    readonly signal: AbortSignal
  }): Promise<AsyncIterator<Uint8Array>> {
    const bytes = await this.bucket.read(this.key, { range, signal })
    if (!bytes) throw this.bucket.failure('GetObject', new Error('it was removed while it was read'))
    return bytes[Symbol.asyncIterator]()
  }
}

interface Part {
  readonly start?: number
  readonly end: number
  readonly whole?: RemoteBlob | null
}
