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

/** The least that a store takes as a part that isn't the last. Twice as much is in memory for each upload. */
const PART_BYTES = 5 * 2 ** 20
/** The store's answer begins within this. */
export const ANSWER_MS = 20_000
const CONNECT_MS = 5_000

export interface BucketOptions {
  /** Called with what failed, by the operation's name: callers don't learn why. */
  readonly onFailure?: (operation: string, cause: unknown) => void
  /** How often a request is tried that the store fails to answer. */
  readonly attempts?: number
}

interface ListedObject {
  readonly key: string
  /** When it was written, by the store's clock, in milliseconds since 1970. */
  readonly changedAt: number
}

/** An upload that runs. */
interface Upload {
  readonly key: string
  readonly signal: AbortSignal | undefined
  /** Of one in several parts, once it was begun. */
  id: string | undefined
  /** The object may be there from now on. */
  ending: boolean
}

interface LinkOptions {
  readonly expiresInSeconds: number
  /** What the store's answer is to have. */
  readonly contentType: string
  readonly contentDisposition: string
}

interface ReadOptions {
  /** First byte, and the one after the last. */
  readonly range?: { readonly start: number; readonly end: number }
  readonly signal?: AbortSignal
}

/**
 * A bucket of an S3-compatible store. Requests that the store doesn't answer, or answers with 5xx, are tried again.
 * All reject with `UnavailableError` when the store fails, `QuotaExceededError` when it's full, the signal's reason when
 * that was aborted.
 */
export class Bucket {
  private readonly client: S3Client
  /** Signs addresses; null where nobody but the server reaches the store. It sends nothing. */
  private readonly signer: S3Client | null
  private readonly bucket: string
  private readonly settings: BucketSettings
  private readonly onFailure: NonNullable<BucketOptions['onFailure']>
  /** Keys that this process writes to now. */
  private readonly writing = new Set<string>()

  constructor(settings: BucketSettings, { onFailure = () => undefined, attempts = 4 }: BucketOptions = {}) {
    this.settings = settings
    this.bucket = settings.bucket
    this.onFailure = onFailure
    const options: S3ClientConfig = {
      region: settings.region,
      forcePathStyle: settings.pathStyle,
      maxAttempts: attempts,
      // Parts carry their MD5, which every store checks; not every one knows newer sums.
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
      // It tells whoever runs a server which Node its later versions will want.
      withoutWarnings(() => new S3Client({ ...options, ...(endpoint === null ? {} : { endpoint }) }))
    this.client = clientAt(settings.endpoint)
    this.signer = settings.publicEndpoint === null ? null : clientAt(settings.publicEndpoint)
  }

  /**
   * Tries all that the server needs of it.
   * @throws {SettingsError} that says what is wrong, and with which setting
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
   * Keeps a stream under a key: whole or not at all. No more than two parts of it are in memory, and it's read no faster
   * than the store takes it.
   * @returns its size in bytes
   * @throws {TooLargeError} as soon as more than `maxBytes` came
   */
  async put(key: string, body: ReadableStream<Uint8Array> | null, { maxBytes, signal }: Bounds): Promise<number> {
    signal?.throwIfAborted()
    const upload: Upload = { key, signal, id: undefined, ending: false }
    this.writing.add(key)
    try {
      return await this.upload(upload, partsOf(body, { size: PART_BYTES, maxBytes, signal }))
    } catch (error) {
      // What can't be removed now is swept. An answer may have been lost where the request wasn't.
      if (upload.id !== undefined) await this.abortUpload(key, upload.id).catch(() => undefined)
      if (upload.ending) await this.remove(key).catch(() => undefined)
      throw error
    } finally {
      this.writing.delete(key)
    }
  }

  /** @returns the object's size in bytes; undefined when there's none */
  async size(key: string): Promise<number | undefined> {
    try {
      const { ContentLength } = await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }))
      return ContentLength ?? 0
    } catch (error) {
      if (isMissingObject(error)) return undefined
      throw this.failure('HeadObject', error)
    }
  }

  /** An object's bytes as they come; undefined when there's none. */
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

  /** Where whoever has this address gets an object from the store itself; null where nobody can. */
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

  /** All objects whose keys begin so, in the order of their keys; no more than a page of them is in memory. */
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
   * Removes the parts of uploads that were begun before a moment and never ended, of keys that begin so.
   * @param before by the store's clock, in milliseconds since 1970
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
          // It was tried again, and is there since the first time.
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

  /** The body's bytes, all of them; an error that breaks it off becomes the same as one of a request. */
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

  /** Tells of a failure. @returns what is to be thrown */
  failure(operation: string, error: unknown, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason
    this.onFailure(operation, error)
    return storeError(error)
  }
}
