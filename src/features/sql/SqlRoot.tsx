import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { EngineClient } from '../../engine/client.ts'
import { useSessionStore } from '../../session/context.tsx'
import type { IncomingFile, IncomingQuery, IncomingTable } from '../../session/handover.ts'
import type { ImportPlan } from '../../tables/plan.ts'
import { quoteReference } from '../../lib/duckdb-sql/index.ts'
import { useIncoming } from '../shared/use-incoming.ts'
import { SqlContext, type Sql } from './context.tsx'
import { type LocalServices, createSqlServices, type SqlServices } from './services.ts'
import type { LocalTableRecord } from './types.ts'
import { isSqlFile, openSqlFiles } from './tabs/sql-files.ts'
import { SqlScreen } from './SqlScreen.tsx'

export interface SqlRootProps {
  /** The app's only engine. */
  readonly engine: EngineClient
  /** Queries from other screens, to be opened here. */
  readonly incoming: readonly IncomingQuery[]
  /** Called with those that were taken over. */
  readonly onConsumed: (taken: readonly IncomingQuery[]) => void
  /** Opens Datasets to publish these tables. */
  readonly onPublish: (tables: readonly IncomingTable[]) => void
}

const SavedPage = lazy(async () => ({ default: (await import('./saved/SavedPage.tsx')).SavedPage }))

/** Shared by the whole page, so that statements keep running while another screen is shown. */
let services: SqlServices | null = null

/** The SQL screen with its services. Must be inside the router and the session. */
export function SqlRoot({ engine, incoming, onConsumed, onPublish }: SqlRootProps) {
  const session = useSessionStore()
  const [made] = useState(() => (services ??= createSqlServices(engine, session)))
  const navigate = useNavigate()
  const { query } = useParams()
  // Whether new tables may be shown in a tab, because the person is still here.
  const here = useRef(true)
  useEffect(() => {
    here.current = query === undefined
    return () => {
      here.current = false
    }
  }, [query])
  const open = useCallback(
    (id: string) => {
      // Tell the screen, which looks for a tab to show as soon as tabs are read, and might choose the last one.
      made.noteTab(id, made.tabs.snapshot().tabs?.findIndex((tab) => tab.id === id) ?? 0)
      void navigate(`/sql/${encodeURIComponent(id)}`)
    },
    [made, navigate],
  )
  const take = useCallback(
    (files: readonly IncomingFile[]) => {
      const scripts = files.filter(({ file }) => isSqlFile(file)).map(({ file }) => file)
      const tables = files.filter(({ file }) => !isSqlFile(file))
      const plans = new Map(tables.flatMap(({ file, plan }) => (plan ? [[file, plan] as const] : [])))
      if (scripts.length > 0) void made.tabs.load().then(() => openSqlFiles(scripts, made.tabs, open))
      if (tables.length === 0) return
      const since = Date.now()
      void importFiles(made.local, tables, plans).then(async (record) => {
        await made.tabs.load()
        if (record && here.current && !isInUse(made, since)) open(showFirstRows(made, record))
      })
    },
    [made, open],
  )
  const sql = useMemo(
    (): Sql => ({
      ...made,
      publish: onPublish,
      addFiles: (files) => take(files.map((file) => ({ file, plan: null }))),
    }),
    [made, onPublish, take],
  )
  useIncoming(incoming, onConsumed, (queries) => {
    take(queries.flatMap((each) => (each.kind === 'files' ? each.files : [])))
    const statements = queries.filter((each) => each.kind === 'statement')
    if (statements.length === 0) return
    void made.tabs.load().then(() => {
      for (const { kind: _, ...statement } of statements) {
        const tab = made.tabs.add(statement)
        open(tab.id)
        if (tab.text !== '') void made.run(tab, { kind: 'all' })
      }
    })
  })
  return (
    <SqlContext value={sql}>
      {query === undefined ? (
        <SqlScreen />
      ) : (
        <Suspense fallback={<div aria-busy />}>
          <SavedPage id={query} />
        </Suspense>
      )}
    </SqlContext>
  )
}

/** Loads files as local tables. Returns the table if there's exactly one. */
async function importFiles(
  { imports, tables }: LocalServices,
  incoming: readonly IncomingFile[],
  plans: ReadonlyMap<File, ImportPlan>,
): Promise<LocalTableRecord | null> {
  await tables.load().catch(() => undefined)
  const before = new Set(tables.snapshot().map(({ id }) => id))
  await imports.add(
    incoming.map(({ file }) => file),
    plans,
  )
  const names = new Set(incoming.map(({ file }) => file.name))
  const [only, ...others] = tables
    .snapshot()
    .filter(({ id, source, sample }) => !sample && !before.has(id) && names.has(source.name))
  return only && others.length === 0 ? only : null
}

/** Whether the shown tab runs something, or something was typed or opened since. */
function isInUse({ tabs, lastTab, runner }: SqlServices, since: number): boolean {
  const shown = lastTab()
  if (shown !== null && runner(shown).isBusy) return true
  return (tabs.snapshot().tabs ?? []).some(({ text, updatedAt }) => text !== '' && updatedAt > since)
}

/** Queries a table's first rows, in the shown tab if it's empty, else in a new one. */
function showFirstRows({ tabs, lastTab, run }: SqlServices, { name }: LocalTableRecord): string {
  const last = lastTab()
  const shown = last === null ? null : tabs.find(last)
  const change = { title: name, text: `SELECT * FROM ${quoteReference(['local', name])} LIMIT 100` }
  const tab = shown?.text === '' ? shown : tabs.add(change)
  tabs.change(tab.id, change)
  void run(tabs.find(tab.id) ?? tab, { kind: 'all' })
  return tab.id
}
