import { formatBytes } from '../../lib/bytes.ts'
import { bodyOf } from '../../lib/streams.ts'
import { ServiceError } from '../failures.ts'
import { isEncoded } from '../http.ts'
import { TooLargeError, type ObjectRecord, type StoragePorts } from '../ports.ts'
import type { Verdict } from '../signing.ts'

/** Ignoring them could replace a file against its owner's wish. */
const CONDITIONS = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'] as const

interface UploadOptions {
  readonly signal: AbortSignal
  /** Size of the body; null if unknown. */
  readonly length: number | null
  readonly onProgress: ((sent: number) => void) | undefined
}

/**
 * Stores an object's bytes, completely or not at all. They are written beside existing bytes, and replace these at the
 * end.
 */
export async function upload(
  { clock, records, objects }: StoragePorts,
  request: Request,
  { objectId, contentType, maxBytes }: Extract<Verdict, { ok: true }>,
  { signal, length, onProgress }: UploadOptions,
): Promise<Response> {
  const tooLarge = () =>
    new ServiceError(
      'PAYLOAD_TOO_LARGE',
      `The file is larger than ${formatBinary(maxBytes)}, the most that is taken.`,
      {
        details: { max_bytes: maxBytes },
      },
    )
  const inUse = () =>
    new ServiceError('CONFLICT', 'This upload is in use already. Ask for a new URL to upload another file.')
  const invalid = (message: string) => new ServiceError('INVALID_REQUEST', message)
  const sentType = request.headers.get('Content-Type')
  if (!isSameType(sentType ?? '', contentType)) {
    throw invalid(`The URL was signed for the content type “${contentType}”. Send it as “Content-Type”.`)
  }
  if (request.headers.has('Content-Range')) {
    throw invalid('Parts of a file can’t be uploaded. Send the whole file, without “Content-Range”.')
  }
  if (isEncoded(request.headers)) {
    throw invalid('Encoded bytes can’t be uploaded. Send the file itself, without “Content-Encoding”.')
  }
  const condition = CONDITIONS.find((name) => request.headers.has(name))
  if (condition !== undefined) {
    throw invalid(`Conditions aren’t checked: a second upload replaces the first. Send it without “${condition}”.`)
  }
  if (length !== null && length > maxBytes) throw tooLarge()
  const record = await records.read(['objects'], (transaction) => transaction.get('objects', objectId))
  if (!record) throw new ServiceError('NOT_FOUND', 'What this URL was made for is gone. Ask for a new one.')
  if (record.consumedAt !== null) throw inUse()

  let blob: { readonly blobId: string; readonly size: number }
  try {
    const body = (await bodyOf(request).catch(broken)) ?? new Blob().stream()
    blob = await objects.put(counted(body, length, onProgress), { maxBytes, signal })
  } catch (error) {
    if (error instanceof TooLargeError) throw tooLarge()
    if (signal.aborted) throw invalid('The upload was cancelled. Nothing is kept of it.')
    if (error instanceof BrokenBodyError) {
      throw invalid('The upload broke off. Nothing is kept of it: send the file again.')
    }
    throw error
  }

  const { blobId, size } = blob
  const replaced = await records
    .write(['objects'], async (transaction): Promise<ObjectRecord | null> => {
      const current = await transaction.get('objects', objectId)
      if (!current || current.consumedAt !== null) return null
      await transaction.put('objects', { ...current, blobId, size, uploadedAt: clock.now() })
      return current
    })
    .catch(async (error: unknown) => {
      await objects.remove(blobId)
      throw error
    })
  if (!replaced) {
    await objects.remove(blobId)
    throw inUse()
  }
  if (replaced.blobId !== null) await objects.remove(replaced.blobId)
  return new Response(null, { status: 200, headers: { ETag: `"${blobId}"`, 'Cache-Control': 'no-store' } })
}

class BrokenBodyError extends Error {
  override readonly name = 'BrokenBodyError'
}

/**
 * The body's bytes. Reports progress, and fails if their number isn't as declared. Errors of reading can be told from
 * those of writing.
 */
function counted(
  body: ReadableStream<Uint8Array>,
  length: number | null,
  onProgress: ((sent: number) => void) | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let sent = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch(broken)
        if (!done) {
          sent += value.byteLength
          onProgress?.(sent)
          controller.enqueue(value)
        } else if (length === null || sent === length) controller.close()
        else broken(`${sent} of ${length} bytes came`)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function broken(cause: unknown): never {
  throw new BrokenBodyError('the body broke off', { cause })
}

/** Whether the sent content type is the signed one, including its charset, which is UTF-8 by default. */
function isSameType(sent: string, signed: string): boolean {
  const [own, wanted] = [mediaType(sent), mediaType(signed)]
  return own.type === wanted.type && (own.charset === wanted.charset || own.charset === (wanted.charset ?? 'utf-8'))
}

function mediaType(text: string): { readonly type: string; readonly charset: string | undefined } {
  const [type = '', ...parameters] = text.toLowerCase().split(';')
  const charset = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(each)?.[1]).find(Boolean)
  return { type: type.trim(), charset }
}

/** The service's limits are in binary units: 52,428,800 bytes are “50 MB”. */
function formatBinary(bytes: number): string {
  return bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MB` : formatBytes(bytes)
}
