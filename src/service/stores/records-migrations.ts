import type { IDBPDatabase, IDBPTransaction } from 'idb'
import { REVISIONS } from './records-cache.ts'

/** One step of the database's versions, from the one before it. Runs inside of the upgrade's transaction. */
export type Migration = (
  database: IDBPDatabase,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
) => void | Promise<void>

/** The database's version is how many there are. A step that was released is never changed: add another. */
export const MIGRATIONS: readonly Migration[] = [
  (database) => {
    const store = (name: string) => database.createObjectStore(name, { keyPath: 'id' })
    store('workspaces').createIndex('slug', 'slug', { unique: true })
    const keys = store('keys')
    keys.createIndex('hash', 'hash', { unique: true })
    keys.createIndex('workspaceId', 'workspaceId')
    const datasets = store('datasets')
    datasets.createIndex('workspaceId', 'workspaceId')
    datasets.createIndex('visibility', 'visibility')
    datasets.createIndex('name', ['workspaceId', 'nameKey'], { unique: true })
    store(REVISIONS)
    store('objects').createIndex('workspaceId', 'workspaceId')
    store('counters')
    store('secrets')
  },
]
