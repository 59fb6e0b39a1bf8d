import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Bounds } from '../../service/stores/bounded.ts'
import { isMissingObject, isMissingUpload, storeError, unusable } from './bucket-errors.ts'
import type { BucketSettings } from '../settings.ts'
import { withoutWarnings } from '../warnings.ts'
import { partsOf, type Part } from './parts.ts'

/** The smallest part that stores accept, except for the last. Each upload holds twice as much in memory. */
const PART_BYTES = 5 * 2 ** 20
/** Milliseconds within which the store's response must begin. */
export const ANSWER_MS = 20_000
const CONNECT_MS = 5_000

export interface BucketOptions {
  /** Called with the cause of a failure, which callers don't get. */
  readonly onFailure?: (operation: string, cause: unknown) => void
  /** How often to try a request that the store fails to answer. */
  readonly attempts?: number
}

interface ListedObject {
  readonly key: string
  /** When it was written, in milliseconds since 1970 by the store's clock. */
  readonly changedAt: number
}

/** A running upload. */
interface Upload {
  readonly key: string
  readonly signal: AbortSignal | undefined
  /** Set once a multipart upload has begun. */
  id: string | undefined
  /** Whether the last request was sent, so that the object may exist. */
  ending: boolean
}

interface LinkOptions {
  readonly expiresInSeconds: number
  /** Headers of the store's response. */
  readonly contentType: string
  readonly contentDisposition: string
}

interface ReadOptions {
  /** The first byte, and the one after the last. */
  readonly range?: { readonly start: number; readonly end: number }
  readonly signal?: AbortSignal
}

/**
 * A bucket of an S3-compatible store. Requests are retried if the store doesn't answer or answers with 5xx. Calls
 * reject with `UnavailableError` if the store fails, `QuotaExceededError` if it's full, or the signal's reason.
 */
export class Bucket {
  private readonly client: S3Client
  /** Signs URLs, without sending anything; null if only the server can reach the store. */
  private readonly signer: S3Client | null
  private readonly bucket: string
  private readonly settings: BucketSettings
  private readonly onFailure: NonNullable<BucketOptions['onFailure']>
  /** Keys that this process is writing. */
  private readonly writing = new Set<string>()

  constructor(settings: BucketSettings, { onFailure = () => undefined, attempts = 4 }: BucketOptions = {}) {
    this.settings = settings
    this.bucket = settings.bucket
    this.onFailure = onFailure
    const options: S3ClientConfig = {
      region: settings.region,
      forcePathStyle: settings.pathStyle,
      maxAttempts: attempts,
      // Parts have an MD5, which every store checks. Not all stores support the client's newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        throwOnRequestTimeout: true,
        socketTimeout: ANSWER_MS,
      },
      ...(settings.credentials === null ? {} : { credentials: settings.credentials }),
    }
    const clientAt = (endpoint: string | null): S3Client =>
      // The client warns about the Node version that its later versions will need.
      withoutWarnings(() => new S3Client({ ...options, ...(endpoint === null ? {} : { endpoint }) }))
    this.client = clientAt(settings.endpoint)
    this.signer = settings.publicEndpoint === null ? null : clientAt(settings.publicEndpoint)
  }

  /**
   * Tries every operation that the server needs.
   * @throws {SettingsError} that says what is wrong, and which setting to change
   */
  async check(): Promise<void> {
    const all = { Bucket: this.bucket }
    const one = { ...all, Key: `checks/${crypto.randomUUID()}` }
    try {
      await this.client.send(new ListObjectsV2Command({ ...all, MaxKeys: 1 }))
      await this.client.send(new ListMultipartUploadsCommand({ ...all, MaxUploads: 1 }))
      await this.client.send(new PutObjectCommand({ ...one, Body: 'x' }))
      await this.client.send(new HeadObjectCommand(one))
      await this.client.send(new DeleteObjectCommand(one))
    } catch (error) {
      throw unusable(this.settings, error)
    }
  }

  /**
   * Stores a stream under a key, completely or not at all. At most two parts are in memory, and the stream is read no
   * faster than the store accepts it.
   * @returns its size in bytes
   * @throws {TooLargeError} as soon as more than `maxBytes` have been read
   */
  async put(key: string, body: ReadableStream<Uint8Array> | null, { maxBytes, signal }: Bounds): Promise<number> {
    signal?.throwIfAborted()
    const upload: Upload = { key, signal, id: undefined, ending: false }
    this.writing.add(key)
    try {
      return await this.upload(upload, partsOf(body, { size: PART_BYTES, maxBytes, signal }))
    } catch (error) {
      // The store may have carried out a request whose response was lost. What can't be removed now is swept later.
      if (upload.id !== undefined) await this.abortUpload(key, upload.id).catch(() => undefined)
      if (upload.ending) await this.remove(key).catch(() => undefined)
      throw error
    } finally {
      this.writing.delete(key)
    }
  }

  /** @returns the object's size in bytes; undefined if it doesn't exist */
  async size(key: string): Promise<number | undefined> {
    try {
      const { ContentLength } = await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }))
      return ContentLength ?? 0
    } catch (error) {
      if (isMissingObject(error)) return undefined
      throw this.failure('HeadObject', error)
    }
  }

  /** An object's bytes as they arrive; undefined if it doesn't exist. */
  async read(key: string, { range, signal }: ReadOptions = {}): Promise<AsyncIterable<Uint8Array> | undefined> {
    const command = new GetObjectCommand({
      Bucket: this.bucket,
      Key: key,
      ...(range ? { Range: `bytes=${range.start}-${range.end - 1}` } : {}),
    })
    try {
      const { Body, ContentLength } = await this.client.send(command, signal ? { abortSignal: signal } : {})
      if (range && ContentLength !== range.end - range.start) throw new Error(`${ContentLength} bytes came of a range`)
      return this.bytesOf(Body as Readable, ContentLength, signal)
    } catch (error) {
      if (isMissingObject(error)) return undefined
      throw this.failure('GetObject', error, signal)
    }
  }

  /** A signed URL to get an object directly from the store; null if nobody could reach it. */
  async link(key: string, { expiresInSeconds, contentType, contentDisposition }: LinkOptions): Promise<string | null> {
    if (!this.signer) return null
    const command = new GetObjectCommand({
      Bucket: this.bucket,
      Key: key,
      ResponseContentType: contentType,
      ResponseContentDisposition: contentDisposition,
      ResponseCacheControl: 'private, no-store',
    })
    try {
      return await getSignedUrl(this.signer, command, { expiresIn: expiresInSeconds })
    } catch (error) {
      throw this.failure('GetObject', error)
    }
  }

  async remove(key: string): Promise<void> {
    await this.sent('DeleteObject', () =>
      this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key })).catch((error: unknown) => {
        if (!isMissingObject(error)) throw error
      }),
    )
  }

  /** Objects with a key prefix, in the order of their keys. At most one page is in memory. */
  async *list(prefix: string): AsyncGenerator<ListedObject, void, undefined> {
    let token: string | undefined
    do {
      const ContinuationToken = token
      const page = await this.sent('ListObjectsV2', () =>
        this.client.send(new ListObjectsV2Command({ Bucket: this.bucket, Prefix: prefix, ContinuationToken })),
      )
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        yield { key: Key, changedAt: LastModified?.getTime() ?? Number.POSITIVE_INFINITY }
      }
      token = page.NextContinuationToken
    } while (token !== undefined)
  }

  /**
   * Removes the parts of unfinished uploads with a key prefix.
   * @param before uploads that began later are kept; milliseconds since 1970 by the store's clock
   */
  async sweepUploads(prefix: string, before: number): Promise<void> {
    let at: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | null = {}
    while (at) {
      const list: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
        Bucket: this.bucket,
        Prefix: prefix,
        ...at,
      })
      const page = await this.sent('ListMultipartUploads', () => this.client.send(list))
      for (const { Key = '', UploadId = '', Initiated } of page.Uploads ?? []) {
        const begun = Initiated?.getTime() ?? Number.POSITIVE_INFINITY
        if (begun <= before && !this.writing.has(Key)) await this.abortUpload(Key, UploadId)
      }
      const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
      at = IsTruncated && KeyMarker !== undefined ? { KeyMarker, ...(UploadIdMarker ? { UploadIdMarker } : {}) } : null
    }
  }

  close(): void {
    this.client.destroy()
    this.signer?.destroy()
  }

  private async upload(upload: Upload, parts: AsyncIterable<Part>): Promise<number> {
    const { key, signal } = upload
    const target = { Bucket: this.bucket, Key: key }
    const abort = signal ? { abortSignal: signal } : {}
    let size = 0
    const done: { ETag: string | undefined; PartNumber: number }[] = []
    for await (const { bytes, last } of parts) {
      size += bytes.byteLength
      const body = { Body: bytes, ContentMD5: createHash('md5').update(bytes).digest('base64') }
      if (last && upload.id === undefined) {
        upload.ending = true
        const whole = new PutObjectCommand({ ...target, ...body })
        await this.sent('PutObject', () => this.client.send(whole, abort), signal)
        return size
      }
      upload.id ??= await this.beginUpload(upload)
      const PartNumber = done.length + 1
      const part = new UploadPartCommand({ ...target, ...body, UploadId: upload.id, PartNumber })
      const { ETag } = await this.sent('UploadPart', () => this.client.send(part, abort), signal)
      done.push({ ETag, PartNumber })
    }
    signal?.throwIfAborted()
    upload.ending = true
    const whole = new CompleteMultipartUploadCommand({
      ...target,
      UploadId: upload.id,
      MultipartUpload: { Parts: done },
    })
    await this.sent(
      'CompleteMultipartUpload',
      () =>
        this.client.send(whole, abort).catch(async (error: unknown) => {
          // This was a retry, and the first attempt had succeeded.
          if (!isMissingUpload(error) || (await this.size(key)) !== size) throw error
        }),
      signal,
    )
    return size
  }

  private async beginUpload({ key, signal }: Upload): Promise<string> {
    const begin = new CreateMultipartUploadCommand({ Bucket: this.bucket, Key: key })
    const abort = signal ? { abortSignal: signal } : {}
    const { UploadId } = await this.sent('CreateMultipartUpload', () => this.client.send(begin, abort), signal)
    if (UploadId === undefined) throw this.failure('CreateMultipartUpload', new Error('no upload’s id came'))
    return UploadId
  }

  private async abortUpload(key: string, uploadId: string): Promise<void> {
    const target = { Bucket: this.bucket, Key: key, UploadId: uploadId }
    await this.sent('AbortMultipartUpload', () =>
      this.client.send(new AbortMultipartUploadCommand(target)).catch((error: unknown) => {
        if (!isMissingUpload(error)) throw error
      }),
    )
  }

  /** Checks that all bytes arrive, and translates errors of the stream like those of requests. */
  private async *bytesOf(body: Readable, length?: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const stop = (): void => void body.destroy(signal?.reason as Error)
    signal?.addEventListener('abort', stop, { once: true })
    let left = length ?? 0
    try {
      signal?.throwIfAborted()
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        left -= chunk.byteLength
        yield chunk
      }
      if (length !== undefined && left !== 0) throw new Error(`${length - left} of ${length} bytes came`)
    } catch (error) {
      throw this.failure('GetObject', error, signal)
    } finally {
      signal?.removeEventListener('abort', stop)
      body.destroy()
    }
  }

  private async sent<T>(operation: string, send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    try {
      return await send()
    } catch (error) {
      throw this.failure(operation, error, signal)
    }
  }

  /** Reports a failure. @returns the error to throw */
  failure(operation: string, error: unknown, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason
    this.onFailure(operation, error)
    return storeError(error)
  }
}
