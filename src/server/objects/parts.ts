import { concatBytes } from '../../lib/bytes.ts'
import { bounded, type Bounds } from '../../service/stores/bounded.ts'

export interface Part {
  readonly bytes: Uint8Array
  readonly last: boolean
}

/**
 * Splits a stream into parts of exactly `size` bytes, except for the last, which is empty only if the stream is. While
 * a part is processed, only the next one is read. If the caller stops early or anything fails, the stream is cancelled.
 * @throws {TooLargeError} as soon as more than `maxBytes` have been read
 */
export async function* partsOf(
  body: ReadableStream<Uint8Array> | null,
  { size, maxBytes, signal }: Bounds & { readonly size: number },
): AsyncGenerator<Part, void, undefined> {
  const leaving = new AbortController()
  const chunks = bounded(body, {
    maxBytes,
    signal: signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal,
  })
  let left = new Uint8Array(0)
  const read = async (): Promise<Part> => {
    const parts = [left]
    let filled = left.byteLength
    // Reads at least one byte more to know whether there's another part.
    while (filled <= size) {
      const { done, value } = await chunks.next()
      if (done) return { bytes: concatBytes(parts), last: true }
      parts.push(value)
      filled += value.byteLength
    }
    const whole = concatBytes(parts)
    left = whole.slice(size)
    return { bytes: whole.subarray(0, size), last: false }
  }
  try {
    for (let next = read(); ;) {
      const part = await next
      if (part.last) {
        yield part
        return
      }
      next = read()
      next.catch(() => undefined) // It's awaited after this part has been processed.
      yield part
    }
  } finally {
    leaving.abort(signal?.reason)
  }
}
