import type { IDBPTransaction } from 'idb'
import { RecentMap } from '../../lib/recent-map.ts'
import type { DatasetRecord, StoreName } from '../ports.ts'

/** Questions whose answers are kept at once. */
const MANY = 64

/** Datasets that were read, and how far changes to them were followed. */
export interface Followed {
  readonly records: readonly DatasetRecord[]
  /** The number of the last change, and a token of the last removal; null where changes have no numbers. */
  readonly upTo: { readonly change: number; readonly removal: string } | null
}

/** Datasets that were read, for as long as they are what they were: whoever asks tells by a token. */
export class KnownDatasets {
  private readonly answers = new RecentMap<string, Followed & { readonly token: string }>(MANY)

  /**
   * What `load` finds, or what it found when the datasets had this token: the same list then.
   * @param load is given what was found last, when the token was another one
   */
  async read(
    token: string,
    question: string,
    load: (before: Followed | undefined) => Promise<Followed>,
  ): Promise<readonly DatasetRecord[]> {
    const before = this.answers.get(question)
    if (before?.token === token) return before.records
    const found = await load(before)
    this.answers.set(question, { ...found, token })
    return found.records
  }
}

/**
 * Holds one record: a token that's another one after each change, and none once datasets were removed. It's in the
 * scope of whatever datasets are in.
 */
export const REVISIONS = 'datasetRevisions'
const ID = 'datasets'

export type Mode = 'readonly' | 'readwrite'

type Transaction<M extends Mode> = IDBPTransaction<unknown, string[], M>

/** The stores that a transaction has to be begun over. */
export function scopeOf(stores: readonly StoreName[]): string[] {
  return stores.includes('datasets') ? [...stores, REVISIONS] : [...stores]
}

/** Says, in the transaction that adds or changes datasets, that what was read of them before isn't what's there. */
export function reviseDatasets(transaction: Transaction<'readwrite'>): void {
  const put = transaction.objectStore(REVISIONS).put({ id: ID, token: crypto.randomUUID() })
  // It fails with the transaction, which says so itself.
  put.catch(() => {})
}

/** The same in a transaction that only removes, and that has to work on a full disk. */
export function unreviseDatasets(transaction: Transaction<'readwrite'>): void {
  const removal = transaction.objectStore(REVISIONS).delete(ID)
  removal.catch(() => {})
}

export interface DatasetCache {
  /** What `load` finds, or what it found when the datasets were as they are in this transaction. */
  read(
    transaction: Transaction<Mode>,
    question: string,
    load: () => Promise<DatasetRecord[]>,
  ): Promise<readonly DatasetRecord[]>
}

/**
 * Reading a thousand datasets takes the browser 30 ms, reading whether they are the same 1. (To count them takes 3.)
 * States are compared within the transaction, so that what other tabs commit counts at once.
 * @param beginRevision begins a transaction over `REVISIONS`
 */
export function createDatasetCache(beginRevision: () => Promise<Transaction<'readwrite'>>): DatasetCache {
  const known = new KnownDatasets()
  let beginning = false

  /** Whoever finds no token leaves one, for what is read next. */
  const begin = async (): Promise<void> => {
    if (beginning) return
    beginning = true
    try {
      const transaction = await beginRevision()
      transaction.done.catch(() => {}) // It's awaited below.
      if ((await tokenOf(transaction)) === null) reviseDatasets(transaction)
      await transaction.done
    } catch {
      // Then it's read again each time, until a change leaves one.
    } finally {
      beginning = false
    }
  }

  return {
    async read(transaction, question, load) {
      const token = await tokenOf(transaction)
      if (token !== null) return known.read(token, question, async () => ({ records: await load(), upTo: null }))
      const records = await load()
      void begin()
      return records
    },
  }
}

async function tokenOf(transaction: Transaction<Mode>): Promise<string | null> {
  const revision = (await transaction.objectStore(REVISIONS).get(ID)) as { readonly token: string } | undefined
  return revision?.token ?? null
}
