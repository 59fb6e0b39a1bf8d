import type { IDBPTransaction } from 'idb'
import type { Records, StoreName, WriteTransaction } from '../ports.ts'
import { shareChanges } from './records-changes.ts'
import { connectRecords, type ConnectionOptions, type Mode } from './records-connection.ts'

export interface IndexedRecords extends Records {
  /**
   * Calls back when datasets, keys or workspaces were changed and committed, here or in another tab. Relaxed writes
   * (when a key was last used) aren't told.
   */
  onChange(listener: (stores: StoreName[]) => void): () => void
  close(): void
}

const DATABASE = 'rowhouse-service'

/** Records in IndexedDB: shared by all pages and workers of this origin. */
export function openRecords(options: Partial<ConnectionOptions> = {}): IndexedRecords {
  const name = options.name ?? DATABASE
  const connection = connectRecords({ ...options, name })
  const changes = shareChanges(name)

  return {
    async read(stores, work) {
      const transaction = await connection.begin(stores, 'readonly')
      return settle(transaction, () => work(access(transaction)))
    },
    async write(stores, work, { durability = 'strict' } = {}) {
      const transaction = await connection.begin(stores, 'readwrite', durability)
      const changed = new Set<StoreName>()
      const result = await settle(transaction, () => work(writeAccess(transaction, changed)))
      if (durability === 'strict') changes.tell(changed)
      return result
    },
    onChange: (listener) => changes.listen(listener),
    close() {
      connection.close()
      changes.close()
    },
  }
}

/** Runs `work` and waits for the commit. What either rejects leaves nothing changed. */
async function settle<T, M extends Mode>(
  transaction: IDBPTransaction<unknown, string[], M>,
  work: () => Promise<T>,
): Promise<T> {
  const done = transaction.done
  done.catch(() => {})
  let result: T
  try {
    result = await work()
  } catch (error) {
    try {
      transaction.abort()
    } catch {
      // It's over already: a request that failed, or the full disk, ended it.
    }
    await done.catch(() => {})
    // The requests of a transaction that the disk had no room for fail as cancelled; the transaction knows why.
    throw transaction.error?.name === 'QuotaExceededError' ? transaction.error : error
  }
  await done
  return result
}

function access(transaction: IDBPTransaction<unknown, string[], Mode>): Pick<WriteTransaction, 'get' | 'all' | 'by'> {
  return {
    get: (store, id) => transaction.objectStore(store).get(id),
    all: (store) => transaction.objectStore(store).getAll(),
    by: (store, index, value) => transaction.objectStore(store).index(index).getAll(value),
  }
}

function writeAccess(
  transaction: IDBPTransaction<unknown, string[], 'readwrite'>,
  changed: Set<StoreName>,
): WriteTransaction {
  const change = (store: StoreName) => {
    changed.add(store)
    return transaction.objectStore(store)
  }
  return {
    ...access(transaction),
    async put(store, record) {
      await change(store).put(record)
    },
    remove: (store, id) => change(store).delete(id),
    clear: (store) => change(store).clear(),
  }
}
