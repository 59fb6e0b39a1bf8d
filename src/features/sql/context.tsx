import { createContext, use, useSyncExternalStore } from 'react'
import type { IncomingTable } from '../../session/handover.ts'
import type { LocalTableRecord } from './model/types.ts'
import type { CatalogState } from './store/catalog.ts'
import type { SqlServices } from './store/services.ts'
import type { TabsState } from './store/tabs.ts'
import type { RunState } from './run/types.ts'

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
  return useSyncExternalStore(tabs.subscribe, tabs.snapshot)
}

/** What a tab runs and shows. */
export function useRun(tabId: string): RunState {
  const { runner } = useSql()
  const { subscribe, snapshot } = runner(tabId)
  return useSyncExternalStore(subscribe, snapshot)
}

const NO_TABLES: RunState['temporary'] = []
const never = (): (() => void) => () => undefined

/** Temporary tables that a tab's statements have made. */
export function useTemporary(tabId: string | null): RunState['temporary'] {
  const { runner } = useSql()
  const run = tabId === null ? null : runner(tabId)
  return useSyncExternalStore(run?.subscribe ?? never, () => run?.snapshot().temporary ?? NO_TABLES)
}

export function useCatalog(): CatalogState {
  const { catalog } = useSql()
  return useSyncExternalStore(catalog.subscribe, catalog.snapshot)
}

/** Tables of files that were dropped in. */
export function useLocalTables(): readonly LocalTableRecord[] {
  const { local } = useSql()
  return useSyncExternalStore(local.tables.subscribe, local.tables.snapshot)
}
