import type { DBSchema, IDBPDatabase, IDBPObjectStore, StoreNames } from 'idb'
import { isFullDisk } from '../../lib/full-disk.ts'
import { databaseOpener, type Upgrade } from '../../lib/indexed-db/database.ts'
import { type Broadcast, openBroadcast } from '../../lib/windows.ts'
import type { HistoryEntry, LocalTableRecord, SavedQuery, SqlTab } from './types.ts'

interface Schema extends DBSchema {
  tabs: { key: string; value: SqlTab }
  history: { key: string; value: HistoryEntry; indexes: { startedAt: number } }
  saved: { key: string; value: SavedQuery }
  locals: { key: string; value: LocalTableRecord }
}

const NAME = 'rowhouse-sql'
const VERSION = 2

/** Size of the history; the oldest entries are removed. */
export const MOST_HISTORY = 1000

/**
 * The SQL screen's IndexedDB: tabs, history, saved queries and local tables. Local tables' rows are in the engine's
 * files.
 */
export type SqlDatabase = ReturnType<typeof createSqlDatabase>

export type SavedChange = Partial<Omit<SavedQuery, 'id'>>

/** Records to add. `tabs` and `locals` depend on those that exist. */
interface Added {
  readonly tabs: (all: readonly SqlTab[]) => readonly SqlTab[]
  readonly saved: readonly SavedQuery[]
  readonly history: readonly HistoryEntry[]
  readonly locals: (all: readonly LocalTableRecord[]) => readonly LocalTableRecord[]
}

interface LocalChange {
  readonly put?: readonly LocalTableRecord[]
  /** Ids. */
  readonly remove?: readonly string[]
}

/** Opens the database on first use. Calls reject if the browser forbids it or the disk is full. */
export function createSqlDatabase(name: string = NAME) {
  const database = databaseOpener<Schema>(name, VERSION, upgrade)
  return {
    ...tabCalls(database),
    ...historyCalls(database),
    ...savedCalls(database),
    ...localCalls(database),
    /** Adds all in one transaction, replacing records with the same ids. */
    addAll: async (added: Added) => addAll(await database(), added),
  }
}

type Database = () => Promise<IDBPDatabase<Schema>>

function tabCalls(database: Database) {
  return {
    tabs: async () => (await database()).getAll('tabs'),
    tab: async (id: string) => (await database()).get('tabs', id),
    /** Stores a tab unless a newer version is there. Returns the stored version. */
    async putTab(tab: SqlTab): Promise<SqlTab> {
      const transaction = (await database()).transaction('tabs', 'readwrite')
      const there = await transaction.store.get(tab.id)
      if (there && there.updatedAt > tab.updatedAt) {
        await transaction.done
        return there
      }
      await Promise.all([transaction.store.put(tab), transaction.done])
      return tab
    },
    /** Removes this or an older version of a tab. A newer version stays, and is returned. */
    async removeTab({ id, updatedAt }: SqlTab): Promise<SqlTab | null> {
      const transaction = (await database()).transaction('tabs', 'readwrite')
      const there = await transaction.store.get(id)
      const later = there && there.updatedAt > updatedAt ? there : null
      if (!later) await transaction.store.delete(id)
      await transaction.done
      return later
    },
  }
}

function historyCalls(database: Database) {
  return {
    /** Latest first. */
    history: async () => (await (await database()).getAllFromIndex('history', 'startedAt')).toReversed(),
    async putHistory(entries: readonly HistoryEntry[]): Promise<void> {
      const opened = await database()
      // In its own transaction, which commits at once: the page may be left as soon as rows are shown.
      const adding = opened.transaction('history', 'readwrite')
      const puts = entries.map((entry) => adding.store.put(entry))
      adding.commit()
      await Promise.all([...puts, adding.done])
      const trimming = opened.transaction('history', 'readwrite')
      await trim(trimming.store)
      await trimming.done
    },
    async clearHistory(): Promise<HistoryEntry[]> {
      const transaction = (await database()).transaction('history', 'readwrite')
      const all = await transaction.store.getAll()
      await Promise.all([transaction.store.clear(), transaction.done])
      return all
    },
  }
}

async function trim<Names extends ArrayLike<StoreNames<Schema>>>(
  store: IDBPObjectStore<Schema, Names, 'history', 'readwrite'>,
): Promise<void> {
  let over = (await store.count()) - MOST_HISTORY
  let cursor = over > 0 ? await store.index('startedAt').openCursor() : null
  for (; cursor && over > 0; over--) {
    await cursor.delete()
    cursor = await cursor.continue()
  }
}

function savedCalls(database: Database) {
  return {
    saved: async () => (await database()).getAll('saved'),
    putSaved: async (query: SavedQuery): Promise<void> => {
      await (await database()).put('saved', query)
    },
    /**
     * Changes the stored query, whatever other windows do. Returns null if it was removed meanwhile, and doesn't
     * restore it.
     */
    async changeSaved(id: string, change: SavedChange): Promise<SavedQuery | null> {
      const transaction = (await database()).transaction('saved', 'readwrite')
      const there = await transaction.store.get(id)
      const changed = there ? { ...there, ...change } : null
      await Promise.all([changed ? transaction.store.put(changed) : undefined, transaction.done])
      return changed
    },
    removeSaved: async (id: string): Promise<void> => (await database()).delete('saved', id),
  }
}

function localCalls(database: Database) {
  return {
    locals: async () => (await database()).getAll('locals'),
    /** Changes local tables in one transaction, given all of them, whatever other windows do. */
    async changeLocals(change: (all: readonly LocalTableRecord[]) => LocalChange): Promise<void> {
      const transaction = (await database()).transaction('locals', 'readwrite')
      try {
        const { put = [], remove = [] } = change(await transaction.store.getAll())
        const writes = [
          ...put.map((record) => transaction.store.put(record)),
          ...remove.map((id) => transaction.store.delete(id)),
        ]
        await Promise.all([...writes, transaction.done])
      } catch (error) {
        throw undone(transaction, error)
      }
    },
  }
}

async function addAll(database: IDBPDatabase<Schema>, { tabs, saved, history, locals }: Added): Promise<void> {
  const transaction = database.transaction(['tabs', 'saved', 'history', 'locals'], 'readwrite')
  const stores = {
    tabs: transaction.objectStore('tabs'),
    saved: transaction.objectStore('saved'),
    history: transaction.objectStore('history'),
    locals: transaction.objectStore('locals'),
  }
  try {
    for (const tab of tabs(await stores.tabs.getAll())) await stores.tabs.put(tab)
    for (const query of saved) await stores.saved.put(query)
    for (const entry of history) await stores.history.put(entry)
    await trim(stores.history)
    for (const table of locals(await stores.locals.getAll())) await stores.locals.put(table)
    await transaction.done
  } catch (error) {
    throw undone(transaction, error)
  }
}

/**
 * Aborts a failed transaction, so that nothing of it is kept.
 * @returns why it failed: the transaction's own error, such as a full disk, rather than that it has ended
 */
function undone(
  transaction: { readonly done: Promise<void>; readonly error: DOMException | null; abort(): void },
  error: unknown,
): unknown {
  const reason = transaction.error ?? error
  transaction.done.catch(() => undefined)
  try {
    transaction.abort()
  } catch {
    // It had ended already.
  }
  return reason
}

const upgrade: Upgrade<Schema> = (database, from) => {
  if (from < 1) {
    database.createObjectStore('tabs', { keyPath: 'id' })
    database.createObjectStore('history', { keyPath: 'id' }).createIndex('startedAt', 'startedAt')
    database.createObjectStore('saved', { keyPath: 'id' })
  }
  if (from < 2) database.createObjectStore('locals', { keyPath: 'id' })
}

/** Explains to the person why something couldn't be stored, and what to do. */
export function keepProblem(error: unknown): string {
  if (isFullDisk(error)) {
    return 'This browser’s storage is full. Remove datasets, local files or conversions that you no longer need.'
  }
  return 'This browser provides no storage right now. Copy what matters to you before you close the page.'
}

/** A change in the database. */
export type Change =
  | { readonly kind: 'tab'; readonly id: string }
  | { readonly kind: 'history' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'local' }

/** Announces changes to the other windows of this browser, and receives theirs. */
export type Channel = Pick<Broadcast<Change>, 'tell' | 'listen'>

export const createChannel = (name = 'rowhouse-sql'): Channel => openBroadcast(name)
