import { chunksOf } from '../lib/streams.ts'
import type { Answer } from './answer.ts'
import { ApiError } from './errors.ts'

/** Sends a file to a signed URL. Rejects with `ApiError` (`unreachable`) or the signal's reason. */
export type UploadTransport = (upload: {
  readonly url: string
  readonly body: Blob
  readonly contentType: string
  readonly signal: AbortSignal
  /** Bytes sent so far. */
  readonly onProgress: (sent: number) => void
}) => Promise<Answer>

/** Uploads by `XMLHttpRequest`: the one way to see how much is sent, where a server is at the other end. */
export const xhrUpload: UploadTransport = ({ url, body, contentType, signal, onProgress }) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const request = new XMLHttpRequest()
    const stop = (): void => request.abort()
    const settle = (act: () => void) => () => {
      signal.removeEventListener('abort', stop)
      act()
    }
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', contentType)
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded))
    request.addEventListener(
      'load',
      settle(() => resolve({ status: request.status, headers: headersOf(request), text: request.responseText })),
    )
    request.addEventListener(
      'error',
      settle(() => reject(unreachable(url))),
    )
    request.addEventListener(
      'abort',
      settle(() => reject((signal.reason as Error | undefined) ?? unreachable(url))),
    )
    signal.addEventListener('abort', stop, { once: true })
    request.send(body)
  })

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}

/**
 * Reads a body to its end.
 * @param onProgress gets the bytes so far, and of how many; null where the answer doesn't say
 * @throws the signal's reason, or what broke the stream
 */
export async function readBlob(
  response: Response,
  onProgress: ((received: number, total: number | null) => void) | undefined,
): Promise<Blob> {
  const type = response.headers.get('Content-Type') ?? ''
  const length = response.headers.get('Content-Length')
  // Of a compressed answer the length is another than the bytes' that come out.
  const total = length === null || response.headers.has('Content-Encoding') ? null : Number(length)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  onProgress?.(0, total)
  for await (const chunk of response.body ? chunksOf(response.body) : []) {
    chunks.push(chunk)
    received += chunk.length
    onProgress?.(received, total)
  }
  return new Blob(chunks, { type })
}

/** So long a transfer may stand still, in milliseconds: a connection that is lost need not say so. */
const STALLED_AFTER = 60_000

/**
 * Runs a transfer, and ends it when it has stood still for a minute.
 * @param transfer gets a signal that ends it, and is to call `heard` whenever it moves
 * @throws {ApiError} `unreachable` when it stood still; the signal's reason; what `transfer` throws
 */
export async function endWhenStalled<T>(
  url: string,
  signal: AbortSignal | undefined,
  transfer: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(stalledAt(url)), STALLED_AFTER)
  }
  heard()
  try {
    return await transfer(signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal, heard)
  } finally {
    clearTimeout(timer)
  }
}

function stalledAt(url: string): ApiError {
  return new ApiError(
    'unreachable',
    `Nothing has moved for a minute between this page and ${hostOf(url)}. Check the connection, and try again.`,
    { status: 0, requestId: null },
  )
}

/** No answer at all. */
export function unreachable(url: string, cause?: unknown): ApiError {
  return new ApiError(
    'unreachable',
    `${hostOf(url)} can’t be reached. Check the connection and the address; a service on another host has to allow ` +
      'this page (CORS).',
    { status: 0, requestId: null, cause },
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'The service'
}
