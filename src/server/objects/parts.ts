import { TooLargeError } from '../../service/ports.ts'

/** A piece of a stream, as a store takes it. */
export interface Part {
  readonly bytes: Uint8Array
  readonly last: boolean
}

interface PartsOptions {
  /** Of each part but the last, in bytes. */
  readonly size: number
  /** Of all. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

/**
 * A stream in pieces of exactly so many bytes, but the last, which may be empty where it's the only one. The next one is
 * read while the one before is worked on, and no further. What breaks the stream, or ends its reading, cancels it.
 * @throws {TooLargeError} as soon as more than `maxBytes` came
 */
export async function* partsOf(
  body: ReadableStream<Uint8Array> | null,
  { size, maxBytes, signal }: PartsOptions,
): AsyncGenerator<Part, void, undefined> {
  if (!body) {
    yield { bytes: new Uint8Array(0), last: true }
    return
  }
  const reader = body.getReader()
  const stop = (): void => void reader.cancel(signal?.reason).catch(() => undefined)
  signal?.addEventListener('abort', stop)
  let left = new Uint8Array(0)
  let total = 0

  const read = async (): Promise<Part> => {
    const chunks = [left]
    let filled = left.byteLength
    // One byte more tells that there's another part.
    while (filled <= size) {
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return { bytes: joined(chunks, filled), last: true }
      chunks.push(value as Uint8Array<ArrayBuffer>)
      filled += value.byteLength
      total += value.byteLength
      if (total > maxBytes) throw new TooLargeError(maxBytes)
    }
    const whole = joined(chunks, filled)
    left = whole.slice(size)
    return { bytes: whole.subarray(0, size), last: false }
  }

  let ended = false
  try {
    signal?.throwIfAborted()
    let next = read()
    for (;;) {
      const part = await next
      if (part.last) {
        ended = true
        yield part
        return
      }
      next = read()
      next.catch(() => undefined) // It's awaited when this part is done with.
      yield part
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    if (!ended) await reader.cancel(signal?.reason).catch(() => undefined) // It may be what failed.
    reader.releaseLock()
  }
}

function joined(chunks: readonly Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
