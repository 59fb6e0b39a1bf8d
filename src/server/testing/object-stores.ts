import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Bucket } from '../objects/bucket.ts'
import { FileCache } from '../objects/cache.ts'
import { fileStore } from '../objects/files.ts'
import { createObjects, type ServerObjects } from '../objects/objects.ts'
import { bucketStore } from '../objects/s3.ts'
import { bucketTableFiles } from '../tables/bucket-table-files.ts'
import { localTableFiles, type TableFiles } from '../tables/table-files.ts'
import { startS3 } from './s3.ts'

/* All kinds of stores that a server may have, to run the same tests on each. */

export interface TestStore {
  /** Opens it like another server. */
  readonly objects: () => Promise<ServerObjects>
  readonly tables: () => Promise<TableFiles>
  /** Names of all stored objects and tables, including those being written. */
  readonly names: () => Promise<string[]>
  /** Makes everything older whose name contains `part`. */
  readonly age: (milliseconds: number, part?: string) => Promise<void>
  readonly close: () => Promise<void>
}

const newFolder = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'rowhouse-store-'))

/** @param unnamedFor milliseconds */
async function files(unnamedFor?: number): Promise<TestStore> {
  const folder = await newFolder()
  const found = async () => (await readdir(folder, { recursive: true, withFileTypes: true })).map((entry) => entry)
  return {
    objects: async () => createObjects(fileStore(path.join(folder, 'objects')), unnamedFor),
    tables: async () => localTableFiles(path.join(folder, 'tables')),
    names: async () => (await found()).filter((entry) => entry.isFile()).map(({ name }) => name),
    async age(milliseconds, part = '') {
      const at = new Date(Date.now() - milliseconds)
      for (const { parentPath, name } of await found()) {
        const place = path.join(parentPath, name)
        if (place.includes(part)) await utimes(place, at, at)
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const CACHE_BYTES = 2 ** 20

async function s3(unnamedFor = 3_600_000): Promise<TestStore> {
  const store = await startS3()
  const folder = await newFolder()
  const buckets: Bucket[] = []
  const opened = async (): Promise<{ bucket: Bucket; cache: FileCache; own: string }> => {
    const bucket = new Bucket(store.settings)
    buckets.push(bucket)
    const own = path.join(folder, crypto.randomUUID())
    return { bucket, own, cache: await FileCache.open(path.join(own, 'cache'), CACHE_BYTES) }
  }
  return {
    objects: async () => {
      const { bucket, cache } = await opened()
      return createObjects(bucketStore(bucket, cache), unnamedFor)
    },
    tables: async () => {
      const { own, ...parts } = await opened()
      return bucketTableFiles({ ...parts, folder: path.join(own, 'making'), unnamedFor })
    },
    names: async () => {
      const unfinished = store.unfinished() > 0 ? ['unfinished'] : []
      return [...store.keys().map((key) => path.posix.basename(key)), ...unfinished]
    },
    age: async (milliseconds, part) => store.age(milliseconds, part),
    async close() {
      for (const bucket of buckets) bucket.close()
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const TEST_STORES = [
  ['files', files],
  ['S3', s3],
] as const
