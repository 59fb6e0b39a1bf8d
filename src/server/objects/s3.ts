import type { Bucket } from './bucket.ts'
import type { FileCache } from './cache.ts'
import { ID, UNNAMED_FOR, type ServerObjects } from './objects.ts'
import { Readers } from './readers.ts'
import { RemoteBlob } from './remote-blob.ts'

/** What keys of objects begin with. */
const PREFIX = 'objects/'

interface BucketObjectsOptions {
  readonly bucket: Bucket
  /** Where processes find the files that they work on. */
  readonly cache: FileCache
  /** Milliseconds that bytes which no record names are safe from sweeps: another server may be about to name them. */
  readonly unnamedFor?: number
}

/** Objects in an S3-compatible store. */
export function createBucketObjects({ bucket, cache, unnamedFor = UNNAMED_FOR }: BucketObjectsOptions): ServerObjects {
  /** What this process writes, or has written for a record that isn't there yet. */
  const unnamed = new Set<string>()
  const readers = new Readers()
  const remove = async (blobId: string): Promise<void> => {
    await bucket.remove(PREFIX + blobId)
    cache.remove(blobId)
  }

  return {
    async put(body, { maxBytes, signal }) {
      const blobId = crypto.randomUUID()
      unnamed.add(blobId)
      try {
        return { blobId, size: await bucket.put(PREFIX + blobId, body, { maxBytes, signal }) }
      } catch (error) {
        await body?.cancel(error).catch(() => undefined) // It may be what failed.
        throw error
      } finally {
        setTimeout(() => unnamed.delete(blobId), unnamedFor).unref()
      }
    },
    async get(blobId) {
      if (!ID.test(blobId) || readers.isRemoved(blobId)) return undefined
      const size = await bucket.size(PREFIX + blobId)
      if (size === undefined) return undefined
      const blob = new RemoteBlob(bucket, PREFIX + blobId, { end: size })
      readers.add(blobId, blob)
      return blob
    },
    async remove(blobId) {
      if (!ID.test(blobId)) return
      if (!readers.removeLater(blobId, () => remove(blobId))) await remove(blobId)
    },
    async sweep(keepers) {
      const before = Date.now() - unnamedFor
      await bucket.sweepUploads(PREFIX, before)
      const found = await bucket.list(PREFIX)
      if (found.length === 0) return
      const kept = await keepers()
      for (const { key, changedAt } of found) {
        const blobId = key.slice(PREFIX.length)
        if (changedAt <= before && !kept.has(blobId) && !unnamed.has(blobId)) await remove(blobId)
      }
    },
    link(blobId, { expiresAt, ...link }) {
      const expiresInSeconds = Math.floor((expiresAt - Date.now()) / 1000)
      // The store knows whole seconds, and none at all isn't one.
      return expiresInSeconds < 1 ? Promise.resolve(null) : bucket.link(PREFIX + blobId, { ...link, expiresInSeconds })
    },
    async withFile(blob, use, signal) {
      if (!(blob instanceof RemoteBlob)) throw new Error('not an object of this store')
      const { key } = blob
      const file = async (place: string | undefined) => {
        if (place === undefined) throw bucket.failure('GetObject', new Error('it was removed while it was worked on'))
        return use(place)
      }
      return cache.use(key.slice(PREFIX.length), () => bucket.read(key), file, signal)
    },
  }
}
