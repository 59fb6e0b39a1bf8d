import type { DBSchema, IDBPObjectStore, StoreNames, StoreValue } from 'idb'
import { databaseOpener, type Upgrade } from '../../../lib/indexed-db/database.ts'
import type { Output } from '../../../engine/client.ts'
import type { JobResult } from '../model/job.ts'
import type { Recipe } from '../../../tables/recipes/recipe.ts'
import type { JobRecord } from '../model/records.ts'

interface Schema extends DBSchema {
  jobs: { key: string; value: JobRecord }
  recipes: { key: string; value: Recipe }
  sources: { key: string; value: KeptSource }
}

/** Opens a job's file again after a reload. */
export interface KeptSource {
  /** The job's id. */
  readonly id: string
  /** A copy of a small file, or a handle to the file on disk. */
  readonly source: CopiedFile | FileSystemFileHandle | File
}

/** A file's bytes, since WebKit's private sessions can't store files in a database. */
export interface CopiedFile {
  readonly name: string
  readonly type: string
  readonly lastModified: number
  readonly bytes: ArrayBuffer
}

/** Records written or deleted per task, so that the page isn't blocked. */
const AT_ONCE = 50
const NAME = 'rowhouse-convert'
const VERSION = 3

/** The Convert screen's stored jobs and recipes. The engine stores the files. */
export type ConvertDatabase = ReturnType<typeof createDatabase>

/** Opens the database on first use. Calls reject if the browser forbids it or the disk is full. */
export function createDatabase() {
  const database = databaseOpener<Schema>(NAME, VERSION, upgrade)
  /** Changes the current record in one transaction; does nothing if it's gone. */
  const changeOne = async <N extends 'jobs' | 'recipes'>(
    name: N,
    id: string,
    change: (record: StoreValue<Schema, N>) => StoreValue<Schema, N>,
  ): Promise<void> => {
    const { store, done } = (await database()).transaction(name, 'readwrite')
    const record = await store.get(id)
    if (record) await store.put(change(record))
    await done
  }
  const putAll = async <N extends StoreNames<Schema>>(
    name: N,
    all: readonly StoreValue<Schema, N>[],
  ): Promise<void> => {
    const { store, done } = (await database()).transaction(name, 'readwrite')
    await Promise.all([inBatches(all, (value) => store.put(value)), done])
  }
  const removeAll = async (name: StoreNames<Schema>, ids: readonly string[]): Promise<void> => {
    const { store, done } = (await database()).transaction(name, 'readwrite')
    await Promise.all([inBatches(ids, (id) => store.delete(id)), done])
  }
  return {
    jobs: async () => (await database()).getAll('jobs'),
    changeJob: (id: string, change: (record: JobRecord) => JobRecord) => changeOne('jobs', id, change),
    putJobs: (records: readonly JobRecord[]) => putAll('jobs', records),
    removeJobs: (ids: readonly string[]) => removeAll('jobs', ids),
    sources: async (ids: readonly string[]): Promise<KeptSource[]> => {
      const { store } = (await database()).transaction('sources')
      return (await Promise.all(ids.map((id) => store.get(id)))).filter((source) => source !== undefined)
    },
    /** Ids of the jobs with stored sources. */
    sourceIds: async () => (await database()).getAllKeys('sources'),
    putSources: (sources: readonly KeptSource[]) => putAll('sources', sources),
    removeSources: (ids: readonly string[]) => removeAll('sources', ids),
    recipes: async () => (await database()).getAll('recipes'),
    putRecipe: async (recipe: Recipe): Promise<void> => {
      await (await database()).put('recipes', recipe)
    },
    changeRecipe: (id: string, change: (recipe: Recipe) => Recipe) => changeOne('recipes', id, change),
    removeRecipe: async (id: string): Promise<void> => (await database()).delete('recipes', id),
  }
}

async function inBatches<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(work))
}

const upgrade: Upgrade<Schema> = (database, from, _, transaction) => {
  if (from < 1) {
    database.createObjectStore('jobs', { keyPath: 'id' })
    database.createObjectStore('recipes', { keyPath: 'id' })
  }
  if (from < 2) database.createObjectStore('sources', { keyPath: 'id' })
  if (from < 3) void renameRejectedFiles(transaction.objectStore('jobs'))
}

/** Until version 3 the property for rejected rows' files had another name. */
async function renameRejectedFiles(
  jobs: IDBPObjectStore<Schema, ('jobs' | 'recipes' | 'sources')[], 'jobs', 'versionchange'>,
): Promise<void> {
  for (let cursor = await jobs.openCursor(); cursor; cursor = await cursor.continue()) {
    const { result } = cursor.value
    if (!result || !('quarantine' in result)) continue
    const { quarantine, ...rest } = result as JobResult & { readonly quarantine: Output | null }
    await cursor.update({ ...cursor.value, result: { ...rest, rejectedFile: quarantine } })
  }
}
