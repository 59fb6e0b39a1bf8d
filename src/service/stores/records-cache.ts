import type { IDBPTransaction } from 'idb'
import type { DatasetRecord, StoreName } from '../ports.ts'
import type { Mode } from './records-connection.ts'

/** Holds one record: which state the datasets are in. It's in the scope of every transaction that they are in. */
export const REVISIONS = 'datasetRevisions'
const ID = 'datasets'

type Transaction<M extends Mode> = IDBPTransaction<unknown, string[], M>

/** The stores that a transaction has to be begun over. */
export function scopeOf(stores: readonly StoreName[]): string[] {
  return stores.includes('datasets') ? [...stores, REVISIONS] : [...stores]
}

/** Says, in the transaction that changes datasets, that what was read of them before isn't what's there. */
export function reviseDatasets(transaction: Transaction<'readwrite'>): void {
  const put = transaction.objectStore(REVISIONS).put({ id: ID, token: crypto.randomUUID() })
  // It fails with the transaction, which says so itself.
  put.catch(() => {})
}

export interface DatasetCache {
  /** What `load` finds, or what it found when the datasets were as they are in this transaction. */
  read(transaction: Transaction<Mode>, question: string, load: () => Promise<DatasetRecord[]>): Promise<DatasetRecord[]>
}

/**
 * Reading a thousand datasets takes the browser 30 ms, reading whether they are the same 1. Tokens are compared within
 * the transaction, so that what other tabs commit counts at once.
 */
export function createDatasetCache(): DatasetCache {
  let known: { readonly token: string; readonly answers: Map<string, DatasetRecord[]> } | null = null
  return {
    async read(transaction, question, load) {
      const revision = (await transaction.objectStore(REVISIONS).get(ID)) as { readonly token: string } | undefined
      const hit = revision && revision.token === known?.token ? known.answers.get(question) : undefined
      if (hit) return [...hit]
      const records = await load()
      if (!revision) return records
      if (known?.token !== revision.token) known = { token: revision.token, answers: new Map() }
      known.answers.set(question, records)
      return [...records]
    },
  }
}
