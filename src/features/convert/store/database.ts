import type { DBSchema, IDBPDatabase, IDBPObjectStore } from 'idb'
import { abortWhenLeft } from '../../../lib/left-transactions.ts'
import type { Output } from '../../../engine/client.ts'
import type { JobResult } from '../model/job.ts'
import type { Recipe } from '../../../tables/recipes/recipe.ts'
import type { JobRecord } from '../model/records.ts'

interface Schema extends DBSchema {
  jobs: { key: string; value: JobRecord }
  recipes: { key: string; value: Recipe }
  sources: { key: string; value: KeptSource }
}

/** What opens a job's file again after a reload. */
export interface KeptSource {
  /** The job's. */
  readonly id: string
  /** A copy of a small file, or what leads to the file on disk. */
  readonly source: CopiedFile | FileSystemFileHandle | File
}

/** A file's bytes: WebKit's private sessions refuse files in a database. */
export interface CopiedFile {
  readonly name: string
  readonly type: string
  readonly lastModified: number
  readonly bytes: ArrayBuffer
}

const NAME = 'rowhouse-convert'
const VERSION = 3

/** What is kept of the Convert screen: jobs and recipes. The files themselves are the engine's. */
export interface ConvertDatabase {
  jobs(): Promise<JobRecord[]>
  /** Changes a record as it stands now, in one transaction; does nothing when it's gone. */
  changeJob(id: string, change: (record: JobRecord) => JobRecord): Promise<void>
  putJobs(records: readonly JobRecord[]): Promise<void>
  removeJobs(ids: readonly string[]): Promise<void>
  sources(ids: readonly string[]): Promise<KeptSource[]>
  /** Ids of the jobs that sources are kept of. */
  sourceIds(): Promise<string[]>
  putSources(sources: readonly KeptSource[]): Promise<void>
  removeSources(ids: readonly string[]): Promise<void>
  recipes(): Promise<Recipe[]>
  putRecipe(recipe: Recipe): Promise<void>
  removeRecipe(id: string): Promise<void>
}

/** Opens the database on first use. Calls reject where the browser forbids it or the disk is full. */
export function createDatabase(): ConvertDatabase {
  let opened: Promise<IDBPDatabase<Schema>> | null = null
  const database = (): Promise<IDBPDatabase<Schema>> => {
    opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    })
    return opened
  }
  return {
    jobs: async () => (await database()).getAll('jobs'),
    changeJob: async (id, change) => {
      const transaction = (await database()).transaction('jobs', 'readwrite')
      const record = await transaction.store.get(id)
      if (record) await transaction.store.put(change(record))
      await transaction.done
    },
    putJobs: async (records) => {
      const transaction = (await database()).transaction('jobs', 'readwrite')
      await Promise.all([...records.map((record) => transaction.store.put(record)), transaction.done])
    },
    removeJobs: async (ids) => {
      const transaction = (await database()).transaction('jobs', 'readwrite')
      await Promise.all([...ids.map((id) => transaction.store.delete(id)), transaction.done])
    },
    sources: async (ids) => {
      const { store } = (await database()).transaction('sources')
      return (await Promise.all(ids.map((id) => store.get(id)))).filter((source) => source !== undefined)
    },
    sourceIds: async () => (await database()).getAllKeys('sources'),
    putSources: async (sources) => {
      const transaction = (await database()).transaction('sources', 'readwrite')
      await Promise.all([...sources.map((source) => transaction.store.put(source)), transaction.done])
    },
    removeSources: async (ids) => {
      const transaction = (await database()).transaction('sources', 'readwrite')
      await Promise.all([...ids.map((id) => transaction.store.delete(id)), transaction.done])
    },
    recipes: async () => (await database()).getAll('recipes'),
    putRecipe: async (recipe) => {
      await (await database()).put('recipes', recipe)
    },
    removeRecipe: async (id) => (await database()).delete('recipes', id),
  }
}

async function open(): Promise<IDBPDatabase<Schema>> {
  const { openDB, unwrap } = await import('idb')
  const opened = await openDB<Schema>(NAME, VERSION, {
    upgrade(database, from, _, transaction) {
      // One step a version: a browser may come from any of them.
      if (from < 1) {
        database.createObjectStore('jobs', { keyPath: 'id' })
        database.createObjectStore('recipes', { keyPath: 'id' })
      }
      if (from < 2) database.createObjectStore('sources', { keyPath: 'id' })
      if (from < 3) void renameRejectedFiles(transaction.objectStore('jobs'))
    },
    // A newer tab wants another version: let it, this one opens again when it next needs to.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  abortWhenLeft(unwrap(opened))
  return opened
}

/** Until version 3 the file of rejected rows was called otherwise. */
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
