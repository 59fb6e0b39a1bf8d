/** A stream's chunks, one by one, since Safari can't iterate streams. Leaving the loop early cancels the stream. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Ignored, since the stream itself may have failed.
    await reader.cancel().catch(() => undefined)
  }
}

/** A request's body; null if it has none. Firefox has no `Request.body`, so there it's first read as a whole. */
export async function bodyOf(request: Request): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null> {
  // The types claim that it's always there.
  const body = request.body as typeof request.body | undefined
  if (body !== undefined) return body
  const blob = await request.blob()
  return blob.size === 0 ? null : blob.stream()
}

/** A stream of a generator's values. The generator only runs as far as the stream is read. */
export function streamOf<T>(generator: AsyncGenerator<T, void, undefined>): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await generator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await generator.return()
    },
  })
}
