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
    let isSending = false
    const settle = (act: () => void) => () => {
      signal.removeEventListener('abort', stop)
      act()
    }
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', contentType)
    request.upload.addEventListener('progress', (event) => {
      isSending ||= event.loaded > 0
      onProgress(event.loaded)
    })
    request.addEventListener(
      'load',
      settle(() => resolve({ status: request.status, headers: headersOf(request), text: request.responseText })),
    )
    request.addEventListener(
      'error',
      settle(() => reject(isSending ? cutOff(url) : unreachable(url))),
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

/**
 * Reads an answer's text to its end.
 * @param heard called with each part of it
 * @throws what broke the stream
 */
export async function readText(response: Response, heard: () => void): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ? chunksOf(response.body) : []) {
    heard()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * So long a transfer, or the answer to a call, may stand still, in milliseconds: a connection that is lost need not say
 * so. A server asks a silent object store for 80 s before it answers that there's none.
 */
const STALLED_AFTER = 120_000
/** So long an answer may take that a service has to work for: a query waits for its turn, large files are loaded. */
export const LONG_WORK = 30 * 60_000

/**
 * Runs a transfer, and ends it when it has stood still for two minutes.
 * @param transfer gets a signal that ends it, and is to call `heard` whenever it moves
 * @param after milliseconds that it may stand still
 * @throws {ApiError} `unreachable` when it stood still; the signal's reason; what `transfer` throws
 */
export async function endWhenStalled<T>(
  url: string,
  signal: AbortSignal | undefined,
  transfer: (signal: AbortSignal, heard: () => void) => Promise<T>,
  after = STALLED_AFTER,
): Promise<T> {
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(stalledAt(url, after)), after)
  }
  heard()
  try {
    return await transfer(signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal, heard)
  } finally {
    clearTimeout(timer)
  }
}

function stalledAt(url: string, after: number): ApiError {
  return noAnswer(
    `Nothing has moved for ${after / 60_000} minutes between this page and ${hostOf(url)}. Check the connection, and try again.`,
    { details: { reason: 'stalled' } },
  )
}

/** An answer or an upload that had begun. */
export function cutOff(url: string, cause?: unknown): ApiError {
  return noAnswer(`The connection to ${hostOf(url)} broke off. Check it, and try again.`, {
    details: { reason: 'cut-off' },
    cause,
  })
}

/** No answer at all. */
export function unreachable(url: string, cause?: unknown): ApiError {
  return noAnswer(
    `${hostOf(url)} can’t be reached. Check the connection and the address; a service on another host has to allow ` +
      'this page (CORS).',
    { cause },
  )
}

function noAnswer(
  message: string,
  fields: { readonly details?: { readonly reason: string }; readonly cause?: unknown },
) {
  return new ApiError('unreachable', message, { status: 0, requestId: null, ...fields })
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'The service'
}
