import type { RequestParts } from '../../../contract/snippets/index.ts'

/** What came back, read to its end or to `MAX_BYTES`. */
export interface Outcome {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly milliseconds: number
  readonly text: string
  /** Whether the answer went on after `text`. */
  readonly cut: boolean
}

/** More than a page can show; an answer of 10,000 wide rows is read no further. */
export const MAX_BYTES = 32 * 1024 * 1024

/**
 * Sends one request with the key, once: what it answers is shown as it is, errors too.
 * @throws {TypeError} when nothing answers; the signal's reason when it's aborted
 */
export async function send(request: RequestParts, key: string, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now()
  const response = await fetch(request.url, {
    method: request.method,
    headers: { 'X-API-Key': key, ...(request.body === null ? {} : { 'Content-Type': 'application/json' }) },
    ...(request.body === null ? {} : { body: request.body }),
    // The key is the credential; nothing else goes along, and no answer is an older one.
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
  const reader = response.body?.getReader()
  if (!reader) return { text, cut: false }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), cut: false }
    text += decoder.decode(value, { stream: true })
    size += value.length
    if (size > MAX_BYTES) {
      await reader.cancel()
      return { text, cut: true }
    }
  }
}

/** JSON with two spaces an indent; other text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
