import { TooLargeError } from '../ports.ts'

export interface Bounds {
  readonly maxBytes: number
  /** Cancels the body at once. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A body's chunks. Leaving the loop early cancels the body.
 * @throws {TooLargeError} as soon as it exceeds `maxBytes`
 * @throws the signal's reason
 */
export async function* bounded(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, signal }: Bounds,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  signal?.throwIfAborted()
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>> | null)?.getReader()
  if (!reader) return
  const cancel = (reason: unknown): Promise<void> => reader.cancel(reason).catch(() => undefined) // The body itself may have failed.
  const stop = (): void => void cancel(signal?.reason)
  signal?.addEventListener('abort', stop)
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal?.throwIfAborted()
      if (done) return
      size += value.byteLength
      if (size > maxBytes) throw new TooLargeError(maxBytes)
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    await cancel(undefined)
  }
}
