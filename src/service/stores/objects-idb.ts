import { openDB, type DBSchema, type IDBPDatabase } from 'idb'
import { TooLargeError, type Objects } from '../ports.ts'

interface Schema extends DBSchema {
  blobs: { key: string; value: { readonly blob: Blob; readonly at: number } }
}

const DATABASE = 'rowhouse-objects'
/** How long a new blob is safe from sweeps without a record that names it. */
const NAMED_WITHIN_MS = 60_000

/**
 * Objects in IndexedDB, where the browser gives no private file system (private windows, WebKitGTK) or none that can be
 * written to by streams: bytes are gathered in memory before they're kept.
 */
export function createIndexedObjects(name = DATABASE): Objects {
  let opening: Promise<IDBPDatabase<Schema>> | null = null
  const open = (): Promise<IDBPDatabase<Schema>> => {
    opening ??= openDB<Schema>(name, 1, {
      upgrade: (database) => void database.createObjectStore('blobs'),
      // It's to be removed, or brought to a newer version.
      blocking(_, __, event) {
        ;(event.target as IDBDatabase).close()
        opening = null
      },
      terminated: () => (opening = null),
    }).catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }

  return {
    async put(body, { maxBytes, signal }) {
      signal?.throwIfAborted()
      const parts: Uint8Array<ArrayBuffer>[] = []
      let size = 0
      const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
        write(chunk) {
          size += chunk.byteLength
          if (size > maxBytes) throw new TooLargeError(maxBytes)
          parts.push(chunk)
        },
      })
      await (body as ReadableStream<Uint8Array<ArrayBuffer>> | null)?.pipeTo(sink, signal ? { signal } : {})
      const blobId = crypto.randomUUID()
      const database = await open()
      await database.put('blobs', { blob: new Blob(parts), at: Date.now() }, blobId)
      return { blobId, size }
    },
    async get(blobId) {
      return (await (await open()).get('blobs', blobId))?.blob
    },
    async remove(blobId) {
      await (await open()).delete('blobs', blobId)
    },
    async sweep(keep) {
      const database = await open()
      const found = await database.getAllKeys('blobs')
      if (found.length === 0) return
      const kept = await keep()
      const { store, done } = database.transaction('blobs', 'readwrite')
      for (const blobId of found) {
        if (kept.has(blobId)) continue
        const entry = await store.get(blobId)
        // A clock that was set back makes it look as if it came from the future.
        if (entry && Math.abs(Date.now() - entry.at) >= NAMED_WITHIN_MS) await store.delete(blobId)
      }
      await done
    },
  }
}
