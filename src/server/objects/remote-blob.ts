import type { Bucket } from './bucket.ts'
import { LazyBlob, type Span } from './lazy-blob.ts'

/** An object in a bucket. */
export class RemoteBlob extends LazyBlob {
  private readonly bucket: Bucket
  readonly key: string
  /** Keeps the blob that this is a slice of alive, since the object isn't removed while that exists. */
  private readonly whole: RemoteBlob | null

  constructor(bucket: Bucket, key: string, span: Span, whole: RemoteBlob | null = null) {
    super(span)
    this.bucket = bucket
    this.key = key
    this.whole = whole
  }

  protected override async read(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const bytes = await this.bucket.read(this.key, { range: this.span, signal })
    if (!bytes) throw this.bucket.failure('GetObject', new Error('it was removed while it was read'))
    return bytes
  }

  protected override part(span: Span): Blob {
    return new RemoteBlob(this.bucket, this.key, span, this.whole ?? this)
  }

  protected override tooShort(): unknown {
    return this.bucket.failure('GetObject', new Error('it has become shorter'))
  }
}
