import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Records } from '../service/ports.ts'
import type { Log } from './http/log.ts'
import { fileStore } from './objects/files.ts'
import { createObjects, type ServerObjects } from './objects/objects.ts'
import { SettingsError } from './options.ts'
import type { Settings } from './settings.ts'
import { handover, type WorkerUser } from './worker-user.ts'
import { localTableFiles, type TableFiles } from './tables/table-files.ts'

/** A server's storage of objects and tables. */
export interface Places {
  readonly objects: ServerObjects
  readonly tableFiles: TableFiles
  /** Ids that identify this storage. */
  readonly marks: Marks
  close(): void
}

/** Marks distinguish storages. They are never removed. */
interface Marks {
  put(id: string): Promise<void>
  has(id: string): Promise<boolean>
}

/** @throws {SettingsError} if the bucket can't be used */
export async function openPlaces(
  { data, bucket: settings, cacheBytes }: Settings,
  { log, user }: { readonly log: Log; readonly user: WorkerUser | null },
): Promise<Places> {
  const hands = handover(user)
  if (!settings) {
    const markOf = (id: string): string => `store-${id}`
    return {
      objects: createObjects(fileStore(path.join(data, 'objects'))),
      tableFiles: localTableFiles(path.join(data, 'tables'), hands),
      marks: {
        put: (id) => writeFile(path.join(data, markOf(id)), ''),
        has: async (id) => (await readdir(data)).includes(markOf(id)),
      },
      close: () => undefined,
    }
  }
  // Loaded on demand: the client is large, and most servers have no bucket.
  const { openBucketPlaces } = await import('./bucket-places.ts')
  return openBucketPlaces(settings, { folder: path.join(data, 'cache'), cacheBytes, hands, log })
}

const SECRET = 'store'

/**
 * Ensures that all servers of a database use the same storage, by a mark whose id is in the records and in the storage.
 * @returns the mark
 * @throws {SettingsError} if this is another storage
 */
export async function requireSamePlace(records: Records, marks: Marks, { bucket, data }: Settings): Promise<string> {
  const known = (): Promise<string | undefined> =>
    records.read(['secrets'], async (transaction) => textOf(await transaction.get('secrets', SECRET)))
  if ((await known()) === undefined) {
    // The mark is written before the record, so that a server that starts at the same moment finds both.
    const id = crypto.randomUUID()
    await marks.put(id)
    await records.write(['secrets'], async (transaction) => {
      if (await transaction.get('secrets', SECRET)) return
      await transaction.put('secrets', { id: SECRET, value: new TextEncoder().encode(id) })
    })
  }
  const mark = (await known()) ?? ''
  if (await marks.has(mark)) return mark
  const place = bucket ? `the bucket “${bucket.bucket}” ($S3_BUCKET)` : `the folder ${data} (--data)`
  const advice = bucket
    ? 'Start it with the bucket or folder that the database’s other servers use.'
    : 'Several servers of one database need one bucket ($S3_BUCKET), or one folder that all of them have.'
  throw new SettingsError(`The database’s objects and tables aren’t in ${place}, but elsewhere. ${advice}`)
}

function textOf(secret: { readonly value: Uint8Array } | undefined): string | undefined {
  return secret && new TextDecoder().decode(secret.value)
}
