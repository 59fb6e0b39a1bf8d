import type { IDBPTransaction } from 'idb'
import { Listeners } from '../../lib/store.ts'
import { type Broadcast, openBroadcast } from '../../lib/windows.ts'
import { createAdmission } from './admission.ts'
import type {
  DatasetRecord,
  ObjectRecord,
  ReadTransaction,
  Records,
  StoreName,
  Stores,
  WriteTransaction,
} from '../ports.ts'
import {
  createDatasetCache,
  REVISIONS,
  reviseDatasets,
  scopeOf,
  unreviseDatasets,
  type DatasetCache,
  type Mode,
} from './records-cache.ts'
import { IS_OVER } from './over.ts'
import { connectRecords, type ConnectionOptions } from './records-connection.ts'

export interface IndexedRecords extends Records {
  /**
   * Calls back after commits that changed datasets, keys or workspaces, here or in another tab, except for relaxed
   * writes (when a key was last used).
   */
  onChange(listener: (stores: StoreName[]) => void): () => void
  close(): void
}

const DATABASE = 'rowhouse-service'

/** Records in IndexedDB, shared by all pages and workers of this origin. */
export function openRecords(options: Partial<ConnectionOptions> = {}): IndexedRecords {
  const name = options.name ?? DATABASE
  const connection = connectRecords({ ...options, name })
  const changes = shareChanges(name)
  const cache = createDatasetCache(() => connection.begin([REVISIONS], 'readwrite', 'relaxed'))

  const records: IndexedRecords = {
    async read(stores, work) {
      const transaction = await connection.begin(scopeOf(stores), 'readonly')
      // The result is final, even before the browser has completed the transaction.
      return settle(transaction, () => work(access(transaction, cache)))
    },
    async write(stores, work, { durability = 'strict' } = {}) {
      const transaction = await connection.begin(scopeOf(stores), 'readwrite', durability)
      const changed = new Set<StoreName>()
      const result = await settle(transaction, () => work(writeAccess(transaction, cache, changed)))
      commit(transaction)
      await transaction.done
      if (durability === 'strict') changes.tell([...changed])
      return result
    },
    admit: (request) => admit(request),
    onChange: (listener) => changes.listen(listener),
    close() {
      connection.close()
      changes.close()
    },
  }
  const admit = createAdmission(records)
  return records
}

/** Runs `work`. If it rejects, the transaction is aborted. */
async function settle<T, M extends Mode>(
  transaction: IDBPTransaction<unknown, string[], M>,
  work: () => Promise<T>,
): Promise<T> {
  const done = transaction.done
  done.catch(() => {})
  try {
    return await work()
  } catch (error) {
    try {
      transaction.abort()
    } catch {
      // It has ended already, by a failed request or a full disk.
    }
    await done.catch(() => {})
    // After a quota error, requests fail as cancelled. The transaction has the cause.
    throw transaction.error?.name === 'QuotaExceededError' ? transaction.error : error
  }
}

/** Without an explicit commit, the browser would first report every single write. */
function commit(transaction: IDBPTransaction<unknown, string[], 'readwrite'>): void {
  try {
    transaction.commit()
  } catch {
    // It has ended already; `done` has the outcome.
  }
}

function access(transaction: IDBPTransaction<unknown, string[], Mode>, cache: DatasetCache | null): ReadTransaction {
  const ask = <S extends StoreName>(store: S, question: string, load: () => Promise<Stores[S][]>) =>
    store === 'datasets' && cache
      ? (cache.read(transaction, question, load as () => Promise<DatasetRecord[]>) as Promise<readonly Stores[S][]>)
      : load()
  const get = <S extends StoreName>(store: S, id: string): Promise<Stores[S] | undefined> =>
    transaction.objectStore(store).get(id)
  return {
    get,
    async some(store, ids) {
      const found = await Promise.all(ids.map((id) => get(store, id)))
      return found.filter((record) => record !== undefined)
    },
    beginning: (store, text) => transaction.objectStore(store).getAll(IDBKeyRange.bound(text, `${text}\uffff`)),
    count: (store) => transaction.objectStore(store).count(),
    async objectBytes(workspaceId) {
      const objects: ObjectRecord[] = await transaction.objectStore('objects').index('workspaceId').getAll(workspaceId)
      return objects.reduce((bytes, { size }) => bytes + size, 0)
    },
    all: (store) => ask(store, 'all', () => transaction.objectStore(store).getAll()),
    by(store, index, value) {
      const load = () =>
        transaction
          .objectStore(store)
          .index(index)
          .getAll(value as IDBValidKey)
      // A single record can be read as fast as the token.
      return typeof value === 'string' ? ask(store, `${index} ${value}`, load) : load()
    },
  }
}

function writeAccess(
  transaction: IDBPTransaction<unknown, string[], 'readwrite'>,
  cache: DatasetCache,
  changed: Set<StoreName>,
): WriteTransaction {
  // Changes of this transaction aren't in the cache.
  const reading = (store: StoreName) => access(transaction, changed.has(store) ? null : cache)
  const change = (store: StoreName) => {
    changed.add(store)
    return transaction.objectStore(store)
  }
  let revised = false
  const revise = (store: StoreName, mark: typeof reviseDatasets): void => {
    if (store !== 'datasets' || revised) return
    revised = true
    mark(transaction)
  }
  return {
    ...access(transaction, null),
    all: (store) => reading(store).all(store),
    by: (store, index, value) => reading(store).by(store, index, value),
    async put(store, record) {
      revise(store, reviseDatasets)
      await change(store).put(record)
    },
    remove(store, id) {
      revise(store, unreviseDatasets)
      return change(store).delete(id)
    },
    clear(store) {
      revise(store, unreviseDatasets)
      return change(store).clear()
    },
    async removeOver(store, now) {
      const isOver = IS_OVER[store] as (record: Stores[typeof store], now: number) => boolean
      const over = (await reading(store).all(store)).filter((record) => isOver(record, now))
      await Promise.all(over.map(({ id }) => change(store).delete(id)))
      return over
    },
  }
}

/** Stores that screens show. The others change with every upload or request. */
const ANNOUNCED: ReadonlySet<StoreName> = new Set(['workspaces', 'keys', 'datasets'])

/** Notifies listeners here and in other tabs of changes in the database `name`. */
function shareChanges(name: string): Broadcast<StoreName[]> {
  const listeners = new Listeners<[StoreName[]]>()
  let others: Broadcast<StoreName[]> | null = null
  const open = (): Broadcast<StoreName[]> => {
    if (others) return others
    others = openBroadcast<StoreName[]>(`${name}-changes`)
    others.listen(listeners.tell)
    return others
  }

  return {
    tell(stores) {
      const announced = stores.filter((store) => ANNOUNCED.has(store))
      if (announced.length === 0) return
      open().tell(announced)
      listeners.tell(announced)
    },
    listen(listener) {
      open()
      // A listener's error must not affect the change.
      return listeners.add((stores) => queueMicrotask(() => listener(stores)))
    },
    close() {
      others?.close()
      others = null
    },
  }
}
