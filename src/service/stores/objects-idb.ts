import { IndexedFiles } from '../../lib/indexed-files.ts'
import type { Objects } from '../ports.ts'
import { bounded } from './bounded.ts'

const DATABASE = 'rowhouse-object-files'
/** How long a new blob is safe from sweeps without a record that names it. */
const NAMED_WITHIN_MS = 60_000

/**
 * Objects in IndexedDB, where the browser gives no private file system (private windows, WebKitGTK) or none that can be
 * written to by streams: bytes are gathered in memory before they're kept.
 */
export function createIndexedObjects(name = DATABASE): Objects {
  const files = new IndexedFiles(name)
  return {
    async put(body, bounds) {
      const parts: Uint8Array<ArrayBuffer>[] = []
      for await (const chunk of bounded(body, bounds)) parts.push(chunk)
      const blobId = crypto.randomUUID()
      const blob = new Blob(parts)
      await files.put(blobId, blob)
      return { blobId, size: blob.size }
    },
    async get(blobId) {
      return (await files.get(blobId)) ?? undefined
    },
    remove: (blobId) => files.remove(blobId),
    async sweep(keep) {
      const found = await files.list()
      if (found.length === 0) return
      const kept = await keep()
      for (const { id, at } of found) {
        // A clock that was set back makes it look as if it came from the future.
        if (!kept.has(id) && Math.abs(Date.now() - at) >= NAMED_WITHIN_MS) await files.remove(id)
      }
    },
  }
}
