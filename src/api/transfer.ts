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

/** Uploads with `XMLHttpRequest`, the only way to follow the progress of an upload to a server. */
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
 * Reads a whole body.
 * @param onProgress receives the bytes so far, and the total, or null if the answer doesn't state it
 * @throws the signal's reason, or the stream's error
 */
export async function readBlob(
  response: Response,
  onProgress: ((received: number, total: number | null) => void) | undefined,
): Promise<Blob> {
  const type = response.headers.get('Content-Type') ?? ''
  const length = response.headers.get('Content-Length')
  // For a compressed answer, the header has the compressed length.
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
 * Reads an answer's whole text.
 * @param heard called for each chunk
 * @throws the stream's error
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
 * Milliseconds that a transfer or an answer may stall, since a lost connection may go unnoticed. A server waits up to
 * 80 s for a silent object store before it reports that.
 */
const STALLED_AFTER = 120_000
/**
 * Milliseconds that an answer may take if the service has to work for it: queries wait in a queue, and large files are
 * loaded.
 */
export const LONG_WORK = 30 * 60_000

/**
 * Runs a transfer, and ends it when it has stalled for two minutes.
 * @param transfer receives a signal that ends it, and must call `heard` whenever data moves
 * @param after milliseconds that it may stall
 * @throws {ApiError} `unreachable` if it stalled; the signal's reason; whatever `transfer` throws
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

/** The error for an answer or an upload that broke off. */
export function cutOff(url: string, cause?: unknown): ApiError {
  return noAnswer(`The connection to ${hostOf(url)} broke off. Check it, and try again.`, {
    details: { reason: 'cut-off' },
    cause,
  })
}

/** The error for a call without any answer. */
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
