import type { Bucket } from './bucket.ts'
import type { FileCache } from './cache.ts'
import type { ObjectStore } from './objects.ts'
import { RemoteBlob } from './remote-blob.ts'

/** The prefix of objects' keys. */
const PREFIX = 'objects/'

/**
 * Objects in an S3-compatible store.
 * @param cache holds copies of objects for worker processes, which need files
 */
export function bucketStore(bucket: Bucket, cache: FileCache): ObjectStore {
  const remove = async (blobId: string): Promise<void> => {
    await bucket.remove(PREFIX + blobId)
    cache.remove(blobId)
  }
  return {
    put: (blobId, body, bounds) => bucket.put(PREFIX + blobId, body, bounds),
    async open(blobId) {
      const size = await bucket.size(PREFIX + blobId)
      return size === undefined ? undefined : new RemoteBlob(bucket, PREFIX + blobId, { start: 0, end: size })
    },
    remove,
    async *list(before) {
      await bucket.sweepUploads(PREFIX, before)
      for await (const { key, changedAt } of bucket.list(PREFIX)) {
        const blobId = key.slice(PREFIX.length)
        yield { blobId, changedAt, remove: () => remove(blobId) }
      }
    },
    link(blobId, { expiresAt, ...link }) {
      const expiresInSeconds = Math.floor((expiresAt - Date.now()) / 1000)
      // Stores count whole seconds, and require at least one.
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
