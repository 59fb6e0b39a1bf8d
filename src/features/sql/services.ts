import {
  createSqlSession,
  type EngineClient,
  type KeptStore,
  createTableStore,
  LOCAL_TABLES_FOLDER,
} from '../../engine/client.ts'
import type { Session, SessionStore } from '../../session/session.ts'
import { toast } from '../../ui/overlays/toasts.ts'
import type { SqlTab, LocalTableRecord } from './types.ts'
import { Runner } from './results/runner.ts'
import type { Part } from './results/types.ts'
import { Catalog } from './local/catalog.ts'
import { createChannel, createSqlDatabase, type Channel, type SqlDatabase } from './database.ts'
import { createDrafts, TabsStore } from './tabs/tabs.ts'
import { HistoryStore, SavedStore } from './tabs/records.ts'
import { storedText } from '../../lib/stored-text.ts'
import { quoteReference } from '../../lib/duckdb-sql/index.ts'
import { announce } from '../../ui/overlays/announce.tsx'
import { plural } from '../../ui/format.ts'
import { guardLeaving } from '../../ui/leaving.ts'
import { Imports } from './local/imports.ts'
import { createKeptStore } from './local/kept.ts'
import { sampleNotes } from './local/samples.ts'
import { LocalTables } from './local/tables.ts'
import { storedMade } from './results/stored-made.ts'

/**
 * Services of the SQL screen. Created once, outside React, so that statements keep running while other screens are
 * shown.
 */
export interface SqlServices {
  readonly engine: EngineClient
  readonly tabs: TabsStore
  readonly history: HistoryStore
  readonly saved: SavedStore
  readonly catalog: Catalog
  readonly local: LocalServices
  /** A tab's runner, created on first use. */
  readonly runner: (tabId: string) => Runner
  /** Closes a runner and frees its memory. */
  readonly release: (tabId: string) => void
  /** Id of the tab that was last shown in this window. */
  readonly lastTab: () => string | null
  /** Its index among the tabs, from 0: when it's closed, the tab that moves there is shown next. */
  readonly lastPlace: () => number
  readonly noteTab: (id: string, place: number) => void
  /** Runs a part of a tab's text. */
  readonly run: (tab: SqlTab, part: Part) => Promise<void>
  readonly newId: () => string
}

export function createSqlServices(engine: EngineClient, session: SessionStore): SqlServices {
  const database = createSqlDatabase()
  const channel = createChannel()
  const newId = (): string => crypto.randomUUID()
  const runners = new Map<string, Runner>()
  const release = (tabId: string): void => {
    runners.get(tabId)?.close()
    runners.delete(tabId)
  }
  const tabs: TabsStore = new TabsStore({
    database,
    channel,
    drafts: createDrafts(),
    now: Date.now,
    newId,
    onOverwritten: (mine) =>
      toast({
        title: `“${mine.title}” was changed in another window`,
        description: 'What you had typed here can be opened as a tab of its own.',
        action: {
          label: 'Open mine',
          run: () => void tabs.add({ ...mine, id: newId(), title: `${mine.title} (mine)` }, mine.id),
        },
      }),
    onRemoved: release,
  })
  const history = new HistoryStore(database, channel)
  const local = createLocalServices(engine, database, channel, newId)
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
    const samples = sampleNotes(() => local.tables.snapshot())
    const made = new Runner({
      createSession: () => createSqlSession(local.kept),
      tables: () => catalog.sessionTables(),
      mayBeElsewhere: (written) => catalog.mayBeElsewhere(written),
      around: () => ({
        service: serviceOf(session),
        samples,
        arriving(written) {
          const found = local.imports.arriving(written)
          const over = async (id: string): Promise<void> => {
            await local.imports.whenOver(id)
            await made.useTables()
          }
          return found && { name: found.file.name, over: over(found.id) }
        },
      }),
      // Only tabs remember this: a saved query's page runs all of its statements again.
      made: tabs.find(tabId) ? storedMade(tabId) : { read: () => null, write: () => undefined },
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
    release,
    ...lastTabOf(),
    run({ id, text, where, parameters, view }, part) {
      // The person now wants the rows.
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

/** Per window. A new window starts with the last value of any. */
function lastTabOf(): Pick<SqlServices, 'lastTab' | 'lastPlace' | 'noteTab'> {
  const ofWindow = storedText(LAST_TAB, () => sessionStorage)
  const ofAnyWindow = storedText(LAST_TAB, () => localStorage)
  let at = 0
  return {
    lastTab: () => ofWindow.read() ?? ofAnyWindow.read(),
    lastPlace: () => at,
    noteTab(id, place) {
      at = place
      ofWindow.write(id)
      ofAnyWindow.write(id)
    },
  }
}

/**
 * Local tables and their imports. Created once, outside React, so that imports continue while other screens are shown.
 */
export interface LocalServices {
  readonly tables: LocalTables
  readonly imports: Imports
  /** Storage of persistent tables. */
  readonly kept: KeptStore
}

function createLocalServices(
  engine: EngineClient,
  records: SqlDatabase,
  channel: Channel,
  newId: () => string,
): LocalServices {
  const files = createTableStore({ folder: LOCAL_TABLES_FOLDER })
  const tables = new LocalTables({ files, records, channel, toast, now: Date.now, newId })
  const imports = new Imports({ engine, files, tables, newId, now: Date.now, onDone: sayDone })
  guardLeaving(imports.subscribe, imports.isBusy)
  const kept = createKeptStore({ files, records, changed: () => tables.changed(), now: Date.now, newId })
  return { tables, imports, kept }
}

interface Done {
  readonly file: File
  readonly made: readonly LocalTableRecord[]
  readonly leftOut: number
  readonly missing: readonly string[]
}

/** Imports that finish within this time, in milliseconds, are announced together. */
const TOGETHER = 600
let untold: Done[] = []
let telling: ReturnType<typeof setTimeout> | undefined

function sayDone(
  ...[file, made, leftOut, missing]: [Done['file'], Done['made'], Done['leftOut'], Done['missing']]
): void {
  if (made.length === 0) return
  untold.push({ file, made, leftOut, missing })
  clearTimeout(telling)
  telling = setTimeout(() => {
    const done = untold
    untold = []
    tell(done)
  }, TOGETHER)
}

function tell(done: readonly Done[]): void {
  const made = done.flatMap((one) => one.made)
  const [first] = made
  if (!first) return
  const what = done.length === 1 ? `“${done[0]?.file.name}”` : `${done.length} files`
  const title =
    made.length === 1
      ? `${what} added as ${quoteReference(['local', first.name])}`
      : `${what} added as ${plural(made.length, 'local table')}`
  const rows = plural(
    sum(made, ({ rowCount }) => rowCount ?? 0),
    'row',
  )
  const leftOut = sum(done, (one) => one.leftOut)
  const single = done.length === 1 && made.length === 1
  const where = made.every(({ onDisk }) => onDisk)
    ? `${single ? 'It’s' : 'They’re'} read from your disk: nothing was copied.`
    : `${single ? 'It stays' : 'They stay'} in this browser.`
  const kept = leftOut > 0 ? `${rows}; ${plural(leftOut, 'row')} left out.` : `${rows}. ${where}`
  const missing = done.flatMap((one) => one.missing)
  const description = [kept, ...missing].join(' ')
  toast({ title, description, tone: missing.length > 0 ? 'bad' : 'good' })
  announce(`${title}. ${description}`)
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0)
