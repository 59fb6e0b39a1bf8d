import type { Objects } from '../ports.ts'
import { bounded } from '../stores/bounded.ts'

/** Objects in memory. */
export function createMemoryObjects(): Objects {
  const blobs = new Map<string, Blob>()
  return {
    async put(body, bounds) {
      const parts: Uint8Array<ArrayBuffer>[] = []
      for await (const chunk of bounded(body, bounds)) parts.push(new Uint8Array(chunk))
      const blobId = crypto.randomUUID()
      const blob = new Blob(parts)
      blobs.set(blobId, blob)
      return { blobId, size: blob.size }
    },
    get: async (blobId) => blobs.get(blobId),
    async remove(blobId) {
      blobs.delete(blobId)
    },
    async sweep(keep) {
      // Objects that are added while `keep` runs must stay.
      const before = [...blobs.keys()]
      const kept = await keep()
      for (const blobId of before) if (!kept.has(blobId)) blobs.delete(blobId)
    },
  }
}
