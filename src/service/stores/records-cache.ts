import type { IDBPTransaction } from 'idb'
import { RecentMap } from '../../lib/recent-map.ts'
import type { DatasetRecord, StoreName } from '../ports.ts'

/** Number of cached queries. */
const MANY = 64

/** Cached datasets, and up to which change they are current. */
export interface Followed {
  readonly records: readonly DatasetRecord[]
  /** Number of the last change and token of the last removal; null if changes aren't numbered. */
  readonly upTo: { readonly change: number; readonly removal: string } | null
}

/** Caches datasets by a token that changes with them. */
export class KnownDatasets {
  private readonly answers = new RecentMap<string, Followed & { readonly token: string }>(MANY)

  /**
   * Returns the cached result for the same token, as the same list, or the result of `load`.
   * @param load gets the previous result if the token has changed
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
 * Store with one record: a token that changes with the datasets, and is missing after a removal. It belongs to the
 * scope of every transaction on datasets.
 */
export const REVISIONS = 'datasetRevisions'
const ID = 'datasets'

export type Mode = 'readonly' | 'readwrite'

type Transaction<M extends Mode> = IDBPTransaction<unknown, string[], M>

/** All stores that a transaction needs. */
export function scopeOf(stores: readonly StoreName[]): string[] {
  return stores.includes('datasets') ? [...stores, REVISIONS] : [...stores]
}

/** Invalidates cached datasets, in the transaction that adds or changes datasets. */
export function reviseDatasets(transaction: Transaction<'readwrite'>): void {
  const put = transaction.objectStore(REVISIONS).put({ id: ID, token: crypto.randomUUID() })
  // It fails with the transaction, which reports it.
  put.catch(() => {})
}

/** The same for a transaction that only removes, which must work on a full disk. */
export function unreviseDatasets(transaction: Transaction<'readwrite'>): void {
  const removal = transaction.objectStore(REVISIONS).delete(ID)
  removal.catch(() => {})
}

export interface DatasetCache {
  /** The cached result if the datasets are unchanged in this transaction, else the result of `load`. */
  read(
    transaction: Transaction<Mode>,
    question: string,
    load: () => Promise<DatasetRecord[]>,
  ): Promise<readonly DatasetRecord[]>
}

/**
 * Caches datasets: reading a thousand takes the browser 30 ms, comparing a token 1 ms (counting them 3 ms). The token
 * is read in the transaction, so that commits of other tabs are seen at once.
 * @param beginRevision begins a transaction on `REVISIONS`
 */
export function createDatasetCache(beginRevision: () => Promise<Transaction<'readwrite'>>): DatasetCache {
  const known = new KnownDatasets()
  let beginning = false

  /** Creates a missing token for later reads. */
  const begin = async (): Promise<void> => {
    if (beginning) return
    beginning = true
    try {
      const transaction = await beginRevision()
      transaction.done.catch(() => {}) // Awaited below.
      if ((await tokenOf(transaction)) === null) reviseDatasets(transaction)
      await transaction.done
    } catch {
      // Without a token, each read loads the datasets, until a change creates one.
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
