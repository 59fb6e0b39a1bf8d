import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Objects, Records } from '../../service/ports.ts'
import type { IndexedRecords } from '../../service/stores/records-idb.ts'
import type { TestTables } from '../../service/testing/tables.ts'
import { Bucket } from '../objects/bucket.ts'
import { FileCache } from '../objects/cache.ts'
import { fileStore } from '../objects/files.ts'
import { createObjects } from '../objects/objects.ts'
import { bucketStore } from '../objects/s3.ts'
import type { Database } from '../records/database.ts'
import { openPostgres } from '../records/postgres.ts'
import { createRecords } from '../records/records.ts'
import { cleared, newPglite } from '../records/testing.ts'
import { bucketTableFiles } from '../tables/bucket-table-files.ts'
import { localTableFiles, type TableFiles } from '../tables/table-files.ts'
import { createServerTables, type ServerTables } from '../tables/tables.ts'
import { startS3 } from './s3.ts'
import { scriptOf } from './server.ts'

/* A server's stores for the service's tests. The tests of a process share what is slow to start. */

const folder = path.join(inject('folder'), randomUUID())
const postgresUrl = inject('postgresUrl')
const CACHE_BYTES = 64 * 2 ** 20

const databases: Promise<Database>[] = []

async function newDatabase(): Promise<Database> {
  if (postgresUrl === null) return newPglite()
  const name = `contract_${randomUUID().replaceAll('-', '')}`
  const first = openPostgres(postgresUrl)
  await first.use((connection) => connection.exec(`CREATE DATABASE ${name}`))
  await first.close()
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return openPostgres(url.href)
}

/** The number of databases that the current test has opened. */
let opened = 0

export function openRecords(): IndexedRecords {
  const which = opened++
  onTestFinished(() => {
    opened = 0
  })
  // Emptied one after the other: a test that doesn't use its database may end before it has been emptied, and the next
  // test's records would be removed, too.
  databases[which] = (databases[which] ?? newDatabase()).then(cleared)
  const opening = databases[which].then((database) => createRecords(database))
  const read: Records['read'] = async (...request) => (await opening).read(...request)
  const write: Records['write'] = async (...request) => (await opening).write(...request)
  const admit: Records['admit'] = async (...request) => (await opening).admit(...request)
  return { read, write, admit, onChange: () => () => undefined, close: () => undefined }
}

interface Store {
  readonly bucket: Bucket
  readonly cache: FileCache
}

async function openBucket(): Promise<Store> {
  const { settings } = await startS3()
  return {
    bucket: new Bucket(settings),
    cache: await FileCache.open(path.join(folder, 'cache', randomUUID()), CACHE_BYTES),
  }
}

let bucket: Promise<Store> | null = null

export function openObjects(): Objects {
  if (postgresUrl === null) return createObjects(fileStore(path.join(folder, randomUUID())), 0)
  bucket ??= openBucket()
  const opening = bucket.then((store) => createObjects(bucketStore(store.bucket, store.cache), 0))
  return {
    put: async (...request) => (await opening).put(...request),
    get: async (...request) => (await opening).get(...request),
    remove: async (...request) => (await opening).remove(...request),
    sweep: async (...request) => (await opening).sweep(...request),
  }
}

async function openTableFiles(): Promise<TableFiles> {
  if (postgresUrl === null) return localTableFiles(path.join(folder, 'tables'))
  return bucketTableFiles({ ...(await openBucket()), folder: path.join(folder, 'making'), unnamedFor: 0 })
}

let tables: Promise<readonly [ServerTables, TableFiles]> | null = null

async function startTables(): Promise<readonly [ServerTables, TableFiles]> {
  const files = await openTableFiles()
  const made = createServerTables({
    files,
    workFolder: path.join(folder, 'work'),
    script: path.join(path.dirname(scriptOf()), 'process.js'),
    // With more, processes would be started and ended again and again.
    processes: 1,
    withFile,
    unnamedFor: 0,
  })
  return [made, files]
}

/** Accepts any blob, since tests create some themselves. */
async function withFile<T>(blob: Blob, use: (place: string) => Promise<T>): Promise<T> {
  const place = path.join(folder, 'sources', randomUUID())
  await mkdir(path.dirname(place), { recursive: true })
  await writeFile(place, new Uint8Array(await blob.arrayBuffer()))
  try {
    return await use(place)
  } finally {
    await rm(place, { force: true })
  }
}

/** Tables that the tests of a process share. Each test sees only its own files. */
export function openTables(): TestTables {
  tables ??= startTables()
  const opening = tables
  const files = new Set<string>()
  const forget = async (): Promise<void> => {
    const [, places] = await opening
    const there = new Set<string | null>()
    for await (const creation of places.creations()) for (const { fileId } of creation.files) there.add(fileId)
    for (const fileId of files) if (!there.has(fileId)) files.delete(fileId)
  }
  return {
    files,
    whileCreating: async (...request) => (await opening)[0].whileCreating(...request),
    async ingest(...request) {
      const table = await (await opening)[0].ingest(...request)
      files.add(table.fileId)
      return table
    },
    query: async (...request) => (await opening)[0].query(...request),
    convert: async (...request) => (await opening)[0].convert(...request),
    async remove(fileId) {
      await (await opening)[0].remove(fileId)
      await forget()
    },
    async sweep(keep) {
      await (await opening)[0].sweep(keep)
      await forget()
    },
  }
}
