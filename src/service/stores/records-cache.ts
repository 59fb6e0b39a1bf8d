import type { IDBPTransaction } from 'idb'
import type { DatasetRecord, StoreName } from '../ports.ts'
import type { Mode } from './records-connection.ts'

/** Holds one record: a token that's another one after each change. It's in the scope of whatever datasets are in. */
export const REVISIONS = 'datasetRevisions'
const ID = 'datasets'

type Transaction<M extends Mode> = IDBPTransaction<unknown, string[], M>

/** The stores that a transaction has to be begun over. */
export function scopeOf(stores: readonly StoreName[]): string[] {
  return stores.includes('datasets') ? [...stores, REVISIONS] : [...stores]
}

/**
 * Says, in the transaction that adds or changes datasets, that what was read of them before isn't what's there. One
 * that only removes says nothing, for it has to work on a full disk: there their number tells.
 */
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
 * Reading a thousand datasets takes the browser 30 ms, reading whether they are the same 1. States are compared within
 * the transaction, so that what other tabs commit counts at once.
 */
export function createDatasetCache(): DatasetCache {
  let known: { readonly state: string; readonly answers: Map<string, DatasetRecord[]> } | null = null
  return {
    async read(transaction, question, load) {
      const state = await stateOf(transaction)
      const hit = state !== null && state === known?.state ? known.answers.get(question) : undefined
      if (hit) return [...hit]
      const records = await load()
      if (state === null) return records
      if (known?.state !== state) known = { state, answers: new Map() }
      known.answers.set(question, records)
      return [...records]
    },
  }
}

/** Two states with one token differ by removals alone, and so in number. Null where no token was ever written. */
async function stateOf(transaction: Transaction<Mode>): Promise<string | null> {
  const [revision, count] = await Promise.all([
    transaction.objectStore(REVISIONS).get(ID) as Promise<{ readonly token: string } | undefined>,
    transaction.objectStore('datasets').count(),
  ])
  return revision ? `${revision.token} ${count}` : null
}
