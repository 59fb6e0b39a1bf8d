import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from './http/log.ts'
import { Bucket } from './objects/bucket.ts'
import type { BucketSettings } from './settings.ts'
import { FileCache } from './objects/cache.ts'
import { createObjects, UNNAMED_FOR } from './objects/objects.ts'
import { bucketStore } from './objects/s3.ts'
import type { Handover } from './worker-user.ts'
import type { Places } from './places.ts'
import { bucketTableFiles } from './tables/bucket-table-files.ts'

interface BucketPlacesOptions {
  /** Folder for cached copies. */
  readonly folder: string
  /** Size limit of the cache. */
  readonly cacheBytes: number
  /** Passes files between the server and its processes. */
  readonly hands: Handover
  readonly log: Log
}

/**
 * Stores objects and tables in a bucket.
 * @throws {SettingsError} if the bucket can't be used
 */
export async function openBucketPlaces(
  settings: BucketSettings,
  { folder, cacheBytes, hands, log }: BucketPlacesOptions,
): Promise<Places> {
  const bucket = new Bucket(settings, {
    onFailure: (operation, cause) => log('warn', 'the object store failed', { operation }, cause),
  })
  await bucket.check()
  const making = path.join(folder, 'making')
  await rm(making, { recursive: true, force: true })
  await mkdir(making, { recursive: true })
  const cache = await FileCache.open(path.join(folder, 'files'), cacheBytes)
  const keyOf = (id: string): string => `stores/${id}`
  return {
    objects: createObjects(bucketStore(bucket, cache)),
    tableFiles: bucketTableFiles({ bucket, cache, folder: making, hands, unnamedFor: UNNAMED_FOR }),
    marks: {
      put: async (id) => {
        await bucket.put(keyOf(id), null, { maxBytes: 0 })
      },
      has: async (id) => (await bucket.size(keyOf(id))) !== undefined,
    },
    close: () => bucket.close(),
  }
}
