import { openDB, unwrap, type DBSchema, type IDBPDatabase, type OpenDBCallbacks } from 'idb'

/** This page's open transactions. */
const running = new Set<IDBTransaction>()
let listens = false
/** Whether the page was left and isn't shown again yet. */
let left = false

/**
 * Aborts a database's transactions when this page is left, and those that begin later, until the page is shown again.
 * When a page is left during a transaction, WebKit 2.50 keeps the transaction open, and every other one on the same
 * stores then waits, on all pages, until the browser quits. Other browsers end such transactions.
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
    // The caller first makes a request, which then fails.
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
    // It's already being committed.
  }
}

/** One step per version, since a browser may have any earlier one. */
export type Upgrade<Schema extends DBSchema> = NonNullable<OpenDBCallbacks<Schema>['upgrade']>

/**
 * Opens a database on first use, and again after it was closed, by the browser or because another tab wants to upgrade
 * or delete it. A failed attempt is repeated at the next call.
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
