import { useCallback, useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { createSqlSession, type EngineClient } from '../../engine/client.ts'
import { useSessionStore } from '../../session/context.tsx'
import type { IncomingFile, IncomingQuery, IncomingTable } from '../../session/handover.ts'
import type { SessionStore } from '../../session/session.ts'
import { SqlContext, type Sql } from './context.tsx'
import { isSqlFile, openSqlFiles } from './share/files.ts'
import { SqlScreen } from './SqlScreen.tsx'
import { createSqlServices, type SqlServices } from './store/services.ts'

export interface SqlRootProps {
  /** The app's one engine. */
  readonly engine: EngineClient
  /** What another screen hands over, to be queried. */
  readonly incoming: readonly IncomingQuery[]
  /** Called when it was taken. */
  readonly onConsumed: () => void
  /** Takes tables to Datasets. */
  readonly onPublish: (tables: readonly IncomingTable[]) => void
}

/** The page's one set of services: what runs goes on while another screen is looked at. */
let services: SqlServices | null = null

function servicesOf(engine: EngineClient, session: SessionStore): SqlServices {
  services ??= createSqlServices({ engine, session, createSession: createSqlSession })
  return services
}

/** The SQL screen, with what it works with. It stands inside the router and the session. */
export function SqlRoot({ engine, incoming, onConsumed, onPublish }: SqlRootProps) {
  const session = useSessionStore()
  const [made] = useState(() => servicesOf(engine, session))
  const navigate = useNavigate()
  const open = useCallback((id: string) => void navigate(`/sql/${encodeURIComponent(id)}`), [navigate])
  const take = useCallback(
    (files: readonly IncomingFile[]) => {
      const scripts = files.filter(({ file }) => isSqlFile(file)).map(({ file }) => file)
      const tables = files.filter(({ file }) => !isSqlFile(file))
      const plans = new Map(tables.flatMap(({ file, plan }) => (plan ? [[file, plan] as const] : [])))
      if (scripts.length > 0) void made.tabs.load().then(() => openSqlFiles(scripts, made.tabs, open))
      if (tables.length > 0) void made.local.imports.add(tables.map(({ file }) => file), plans) // prettier-ignore
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
  useEffect(() => {
    if (incoming.length === 0) return
    onConsumed()
    take(incoming.flatMap((each) => (each.kind === 'files' ? each.files : [])))
    const statements = incoming.filter((each) => each.kind === 'statement')
    if (statements.length === 0) return
    void made.tabs.load().then(() => {
      for (const { title, text } of statements) {
        const tab = made.tabs.add({ title, text })
        open(tab.id)
        void made.run(tab, { kind: 'all' })
      }
    })
  }, [incoming, onConsumed, take, made, open])
  return (
    <SqlContext value={sql}>
      <SqlScreen />
    </SqlContext>
  )
}
