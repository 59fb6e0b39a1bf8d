import { createContext, use } from 'react'
import type { IncomingTable } from '../../session/handover.ts'
import type { SqlServices } from './services.ts'

/** What the screen's parts reach: the services, and the way to other screens. */
export interface Sql extends SqlServices {
  /** Takes tables to Datasets, to become a dataset. */
  readonly publish: (tables: readonly IncomingTable[]) => void
  /** Takes files in: scripts become tabs, the others local tables. */
  readonly addFiles: (files: readonly File[]) => void
}

export const SqlContext = createContext<Sql | null>(null)

/** @throws {Error} outside of the SQL screen */
export function useSql(): Sql {
  const sql = use(SqlContext)
  if (!sql) throw new Error('the SQL screen isn’t above')
  return sql
}
