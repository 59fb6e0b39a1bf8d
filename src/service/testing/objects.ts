import { type Objects, TooLargeError } from '../ports.ts'

/** Objects in memory: gone with the process. */
export function createMemoryObjects(): Objects {
  const blobs = new Map<string, Blob>()
  return {
    async put(body, { maxBytes, signal }) {
      const parts: Uint8Array<ArrayBuffer>[] = []
      let size = 0
      const sink = new WritableStream<Uint8Array>({
        write(chunk) {
          size += chunk.byteLength
          if (size > maxBytes) throw new TooLargeError(maxBytes)
          parts.push(new Uint8Array(chunk))
        },
      })
      signal?.throwIfAborted()
      await body?.pipeTo(sink, signal ? { signal } : {})
      const blobId = crypto.randomUUID()
      blobs.set(blobId, new Blob(parts))
      return { blobId, size }
    },
    get: async (blobId) => blobs.get(blobId),
    async remove(blobId) {
      blobs.delete(blobId)
    },
    async sweep(keep) {
      // What comes while `keep` is asked wasn't there before it.
      const before = [...blobs.keys()]
      const kept = await keep()
      for (const blobId of before) if (!kept.has(blobId)) blobs.delete(blobId)
    },
  }
}
