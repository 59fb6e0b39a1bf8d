import { useCallback, useEffect, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { createSqlSession, type EngineClient } from '../../engine/client.ts'
import { useSessionStore } from '../../session/context.tsx'
import type { IncomingQuery, IncomingTable } from '../../session/handover.ts'
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
  const addFiles = useCallback(
    (files: readonly File[]) => {
      const scripts = files.filter(isSqlFile)
      const tables = files.filter((file) => !isSqlFile(file))
      void made.tabs.load().then(() => openSqlFiles(scripts, made.tabs, (id) => void navigate(`/sql/${id}`)))
      if (tables.length > 0) void made.local.imports.add(tables)
    },
    [made, navigate],
  )
  const sql = useMemo((): Sql => ({ ...made, publish: onPublish, addFiles }), [made, onPublish, addFiles])
  useEffect(() => {
    if (incoming.length === 0) return
    onConsumed()
    addFiles(incoming.flatMap((each) => (each.kind === 'files' ? each.files : [])))
    void made.tabs.load().then(() => {
      const added = incoming.flatMap((each) =>
        each.kind === 'statement' ? [made.tabs.add({ title: each.title, text: each.text })] : [],
      )
      const last = added.at(-1)
      if (!last) return
      void navigate(`/sql/${last.id}`)
      for (const tab of added) void made.run(tab, { kind: 'all' })
    })
  }, [incoming, onConsumed, addFiles, made, navigate])
  return (
    <SqlContext value={sql}>
      <SqlScreen />
    </SqlContext>
  )
}
