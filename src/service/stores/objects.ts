import { privateFiles } from '../../lib/private-files.ts'
import type { Objects } from '../ports.ts'
import { createOpfsObjects } from './objects-opfs.ts'
import { IndexedFiles } from '../../lib/indexed-db/indexed-files.ts'
import { bounded } from './bounded.ts'

/** Objects in this browser's best storage. All pages and workers of an origin choose the same. */
export function createBrowserObjects(): Objects {
  let choosing: Promise<Objects> | null = null
  const chosen = (): Promise<Objects> => {
    choosing ??= canStream().then((can) => (can ? createOpfsObjects() : createIndexedObjects()))
    return choosing
  }
  return {
    put: async (...request) => (await chosen()).put(...request),
    get: async (blobId) => (await chosen()).get(blobId),
    remove: async (blobId) => (await chosen()).remove(blobId),
    sweep: async (keep) => (await chosen()).sweep(keep),
  }
}

async function canStream(): Promise<boolean> {
  if (!('FileSystemFileHandle' in globalThis) || !('createWritable' in FileSystemFileHandle.prototype)) return false
  return (await privateFiles()) !== null
}

const DATABASE = 'rowhouse-object-files'
/** How long a new blob without a record is protected from sweeps. */
const NAMED_WITHIN_MS = 60_000

/**
 * Objects in IndexedDB, for browsers without an origin private file system (private windows, WebKitGTK) or without
 * streams that write to it. Bytes are collected in memory first.
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
        // After the clock was set back, the blob seems to be from the future.
        if (!kept.has(id) && Math.abs(Date.now() - at) >= NAMED_WITHIN_MS) await files.remove(id)
      }
    },
  }
}
