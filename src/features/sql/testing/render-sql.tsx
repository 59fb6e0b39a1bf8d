import 'fake-indexeddb/auto'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { Store } from '../../../lib/store.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { SqlContext, type Sql } from '../context.tsx'
import { createSqlDatabase } from '../database.ts'
import { IDLE, type RunState } from '../results/types.ts'
import { HistoryStore, SavedStore } from '../tabs/records.ts'
import { TabsStore } from '../tabs/tabs.ts'

/** Context for the screen's parts, with a database of its own and without an engine. */
export async function fakeSql(titles: readonly string[] = []) {
  const database = createSqlDatabase(`test-${crypto.randomUUID()}`)
  const channel = { tell: () => undefined, listen: () => () => undefined }
  const tabs = new TabsStore({
    database,
    channel,
    drafts: { put: () => undefined, take: () => [] },
    now: Date.now,
    newId: () => crypto.randomUUID(),
    onOverwritten: () => undefined,
    onRemoved: () => undefined,
  })
  await tabs.load()
  for (const title of titles) tabs.add({ id: title, title, text: `SELECT '${title}'` })
  const runs = new Map<string, Store<RunState>>()
  const runner = (id: string): Store<RunState> => {
    const run = runs.get(id) ?? new Store(IDLE)
    runs.set(id, run)
    return run
  }
  const saved = new SavedStore(database, channel)
  const history = new HistoryStore(database, channel)
  return { database, tabs, runner, saved, history, newId: () => crypto.randomUUID() }
}

/** Renders a part of the screen. */
export function setupSql(sql: Partial<Awaited<ReturnType<typeof fakeSql>>>, element: ReactElement) {
  return setup(
    <MemoryRouter>
      <SqlContext value={sql as unknown as Sql}>{element}</SqlContext>
    </MemoryRouter>,
  )
}
