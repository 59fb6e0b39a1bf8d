import { createContext, use } from 'react'
import type { IncomingTable } from '../../session/handover.ts'
import type { SqlServices } from './services.ts'

/** What components of the SQL screen use: its services, and the way to other screens. */
export interface Sql extends SqlServices {
  /** Opens Datasets to publish tables. */
  readonly publish: (tables: readonly IncomingTable[]) => void
  /** Opens files: scripts as tabs, others as local tables. */
  readonly addFiles: (files: readonly File[]) => void
}

export const SqlContext = createContext<Sql | null>(null)

/** @throws {Error} outside of the SQL screen */
export function useSql(): Sql {
  const sql = use(SqlContext)
  if (!sql) throw new Error('the SQL screen isn’t above')
  return sql
}
