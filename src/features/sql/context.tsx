import { createContext, use } from 'react'
import { Store } from '../../lib/store.ts'
import { useStore } from '../../ui/use-store.ts'
import type { IncomingTable } from '../../session/handover.ts'
import type { LocalTableRecord } from './types.ts'
import type { CatalogState } from './local/catalog.ts'
import type { SqlServices } from './services.ts'
import type { TabsState } from './tabs/tabs.ts'
import { IDLE, type RunState } from './results/types.ts'

/** What the screen's parts reach: the services, and the way to other screens. */
export interface Sql extends SqlServices {
  /** Takes tables to Datasets, to become a dataset. */
  readonly publish: (tables: readonly IncomingTable[]) => void
  /** Takes files in: scripts become tabs, the others local tables. */
  readonly addFiles: (files: readonly File[]) => void
}

const Context = createContext<Sql | null>(null)

export const SqlContext = Context

/** @throws {Error} outside of the SQL screen */
export function useSql(): Sql {
  const sql = use(Context)
  if (!sql) throw new Error('the SQL screen isn’t above')
  return sql
}

export function useTabs(): TabsState {
  const { tabs } = useSql()
  return useStore(tabs)
}

/** What a tab runs and shows. */
export function useRun(tabId: string): RunState {
  return useStore(useSql().runner(tabId))
}

const NOTHING = new Store(IDLE)

/** Temporary tables that a tab's statements have made. */
export function useTemporary(tabId: string | null): RunState['temporary'] {
  const { runner } = useSql()
  return useStore(tabId === null ? NOTHING : runner(tabId), ({ temporary }) => temporary)
}

export function useCatalog(): CatalogState {
  const { catalog } = useSql()
  return useStore(catalog)
}

/** Tables of files that were dropped in. */
export function useLocalTables(): readonly LocalTableRecord[] {
  const { local } = useSql()
  return useStore(local.tables)
}
