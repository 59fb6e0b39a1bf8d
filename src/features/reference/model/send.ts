import { chunksOf } from '../../../lib/streams.ts'
import type { RequestParts } from '../../../contract/snippets/index.ts'

/** The answer, read completely or up to `MAX_BYTES`. */
export interface Outcome {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly milliseconds: number
  readonly text: string
  /** Whether the answer continued after `text`. */
  readonly cut: boolean
}

/** More than a page can show. Larger answers, such as 10,000 wide rows, are cut. */
export const MAX_BYTES = 32 * 1024 * 1024

/**
 * Sends a request with the key, once. Every answer is a result, including errors.
 * @throws {TypeError} if there's no answer; the signal's reason if it's aborted
 */
export async function send(request: RequestParts, key: string, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now()
  const response = await fetch(request.url, {
    method: request.method,
    headers: { 'X-API-Key': key, ...(request.body === null ? {} : { 'Content-Type': 'application/json' }) },
    ...(request.body === null ? {} : { body: request.body }),
    // Only the key authenticates, so no cookies are sent, and no cached answers are used.
    credentials: 'omit',
    cache: 'no-store',
    signal,
  })
  const { text, cut } = await readText(response)
  return {
    status: response.status,
    headers: Array.from(response.headers),
    milliseconds: performance.now() - started,
    text,
    cut,
  }
}

async function readText(response: Response): Promise<{ readonly text: string; readonly cut: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of response.body ? chunksOf(response.body) : []) {
    text += decoder.decode(chunk, { stream: true })
    size += chunk.length
    if (size > MAX_BYTES) return { text, cut: true }
  }
  return { text: text + decoder.decode(), cut: false }
}

/** JSON indented by two spaces; other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
