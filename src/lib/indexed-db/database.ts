import { openDB, unwrap, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from 'idb'

/** Those of this page that haven't ended. */
const running = new Set<IDBTransaction>()
let listens = false
/** Whether the page was left, and isn't back. */
let left = false

/**
 * Aborts a database's transactions when this page is left, and what begins after that, until the page is back. Of a page
 * that is left in the middle of them WebKit 2.50 leaves them open, and whatever wants the same stores then waits for them, in every
 * page, until the browser ends. Other browsers end them.
 */
export function abortWhenLeft(database: IDBDatabase): void {
  if (!('document' in globalThis)) return
  const vendor = Reflect.get(navigator, 'vendor') as string | undefined
  if (vendor?.startsWith('Apple') !== true) return
  const begin = database.transaction.bind(database)
  database.transaction = (...request) => {
    const transaction = begin(...request)
    const ended = (): void => void running.delete(transaction)
    transaction.addEventListener('complete', ended)
    transaction.addEventListener('abort', ended)
    running.add(transaction)
    // Whoever begins it makes a request first, which then fails.
    if (left) queueMicrotask(() => abort(transaction))
    return transaction
  }
  if (listens) return
  listens = true
  addEventListener('pagehide', () => {
    left = true
    for (const transaction of running) abort(transaction)
  })
  addEventListener('pageshow', () => {
    left = false
  })
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It's being committed.
  }
}

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
