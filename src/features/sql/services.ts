import type { CreateSqlSession, EngineClient, ParameterValue } from '../../engine/client.ts'
import type { Session, SessionStore } from '../../session/session.ts'
import { toast } from '../../ui/toasts.ts'
import type { SqlTab } from './types.ts'
import { Runner } from './results/runner.ts'
import type { Part } from './results/types.ts'
import { createLocalServices, type LocalServices } from './local/services.ts'
import { Catalog } from './local/catalog.ts'
import { createChannel, createSqlDatabase } from './database.ts'
import { createDrafts, TabsStore } from './tabs/tabs.ts'
import { HistoryStore, SavedStore } from './tabs/records.ts'

/** What the SQL screen works with: made once, outside React. What runs goes on while other screens are looked at. */
export interface SqlServices {
  readonly engine: EngineClient
  readonly tabs: TabsStore
  readonly history: HistoryStore
  readonly saved: SavedStore
  readonly catalog: Catalog
  readonly local: LocalServices
  /** A tab's engine; made when it's first asked for. */
  readonly runner: (tabId: string) => Runner
  /** The name of the tab that was last looked at in this window. */
  readonly lastTab: () => string | null
  /** Its place in the row, from 0: when it's closed, the one that comes to stand there is next. */
  readonly lastPlace: () => number
  readonly noteTab: (id: string, place: number) => void
  /** Runs a part of a tab as it stands. */
  readonly run: (tab: SqlTab, part: Part) => Promise<void>
  readonly newId: () => string
}

interface SqlServicesOptions {
  readonly engine: EngineClient
  readonly session: SessionStore
  readonly createSession: CreateSqlSession
}

export function createSqlServices({ engine, session, createSession }: SqlServicesOptions): SqlServices {
  const database = createSqlDatabase()
  const channel = createChannel()
  const newId = (): string => crypto.randomUUID()
  const runners = new Map<string, Runner>()
  const tabs: TabsStore = new TabsStore({
    database,
    channel,
    drafts: createDrafts(),
    now: Date.now,
    newId,
    onOverwritten: (mine) =>
      toast({
        title: `“${mine.title}” was changed in another window`,
        description: 'What you had typed here can be had as a tab of its own.',
        action: {
          label: 'Open mine',
          run: () => void tabs.add({ ...mine, id: newId(), title: `${mine.title} (mine)` }, mine.id),
        },
      }),
    onRemoved(id) {
      runners.get(id)?.close()
      runners.delete(id)
    },
  })
  const history = new HistoryStore(database, channel)
  const local = createLocalServices({ engine })
  const catalog = new Catalog({
    session: () => session.ready(),
    onSession: (listener) => session.subscribe(listener),
    onDatasets: (listener) => session.onChange((topic) => (topic === 'datasets' ? listener() : undefined)),
    local: local.tables,
  })
  catalog.subscribe(() => {
    for (const runner of runners.values()) void runner.useTables()
  })
  const runner = (tabId: string): Runner => {
    const known = runners.get(tabId)
    if (known) return known
    const made = new Runner({
      createSession,
      tables: () => catalog.sessionTables(),
      service: () => serviceOf(session),
      onRan: (entry) => void history.add({ ...entry, id: newId() }),
      now: Date.now,
    })
    runners.set(tabId, made)
    return made
  }
  keepWhatIsTyped(tabs)
  return {
    engine,
    tabs,
    history,
    saved: new SavedStore(database, channel),
    catalog,
    local,
    runner,
    ...lastTabOf(),
    run({ id, text, where, parameters, view }, part) {
      // What is asked for now is its rows.
      if (view === 'plan') tabs.change(id, { view: 'grid' })
      return runner(id).run({ text, part, where, parameters })
    },
    newId,
  }
}

function serviceOf(store: SessionStore): { api: Session['api']; isHere: boolean } | null {
  const state = store.snapshot()
  return state.status === 'ready' ? { api: state.session.api, isHere: state.session.local !== null } : null
}

function keepWhatIsTyped(tabs: TabsStore): void {
  addEventListener('pagehide', () => tabs.leave())
  addEventListener('pageshow', () => tabs.comeBack())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void tabs.flush()
  })
}

const LAST_TAB = 'rowhouse-sql-tab'

/** Each window has its own; a new one begins where the last one was. */
function lastTabOf(): Pick<SqlServices, 'lastTab' | 'lastPlace' | 'noteTab'> {
  let last: string | null = null
  let at = 0
  return {
    lastTab() {
      try {
        return last ?? sessionStorage.getItem(LAST_TAB) ?? localStorage.getItem(LAST_TAB)
      } catch {
        return last
      }
    },
    lastPlace: () => at,
    noteTab(id, place) {
      last = id
      at = place
      try {
        sessionStorage.setItem(LAST_TAB, id)
        localStorage.setItem(LAST_TAB, id)
      } catch {
        // The next visit begins with the first tab.
      }
    },
  }
}

/** A tab's parameters with one of them changed, or (null) without it. */
export function withParameter(
  parameters: Readonly<Record<string, ParameterValue>>,
  name: string,
  value: ParameterValue | null,
): Readonly<Record<string, ParameterValue>> {
  const others = Object.entries(parameters).filter(([each]) => each.toLowerCase() !== name.toLowerCase())
  return Object.fromEntries(value ? [...others, [name, value]] : others)
}
