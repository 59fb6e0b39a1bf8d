import { openDB, unwrap, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from 'idb'
import { abortWhenLeft } from './left-transactions.ts'

/** One step a version: a browser may come from any of them. */
export type Upgrade<Schema extends DBSchema> = NonNullable<OpenDBCallbacks<Schema>['upgrade']>

/**
 * Opens a database at the first need, and again after it was closed: by the browser, or for another tab that wants a newer
 * version of it or removes it. What failed is tried again at the next call.
 */
export function databaseOpener<Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: Upgrade<Schema>,
): () => Promise<IDBPDatabase<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null
  const forget = (): void => {
    opened = null
  }
  const open = async (): Promise<IDBPDatabase<Schema>> => {
    const database = await openDB<Schema>(name, version, {
      upgrade,
      blocking: (_current, _blocked, event) => {
        forget()
        ;(event.target as IDBDatabase).close()
      },
      terminated: forget,
    })
    abortWhenLeft(unwrap(database))
    return database
  }
  return () => {
    opened ??= open().catch((error: unknown) => {
      forget()
      throw error
    })
    return opened
  }
}
