import { concatBytes } from '../../lib/bytes.ts'
import { bounded, type Bounds } from '../../service/stores/bounded.ts'

/** A piece of a stream, as a store takes it. */
export interface Part {
  readonly bytes: Uint8Array
  readonly last: boolean
}

/**
 * A stream in pieces of exactly `size` bytes, but for the last, which is empty only where it's the only one. The next piece
 * is read while the one before is worked on, and no further. What breaks the stream, or ends its reading, cancels it.
 * @throws {TooLargeError} as soon as more than `maxBytes` came
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
    // One byte more shows that there is another part.
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
      next.catch(() => undefined) // It's awaited when this part is done with.
      yield part
    }
  } finally {
    leaving.abort(signal?.reason)
  }
}
