import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { IncomingQuery, IncomingTable } from '../session/handover.ts'

/** Takes files from one screen to another. */
interface Handover {
  /** Waiting to become tables of a dataset. */
  readonly incoming: readonly IncomingTable[]
  readonly onConsumed: () => void
  /** Goes to Datasets, with these to begin a new one. */
  readonly publish: (tables: readonly IncomingTable[]) => void
  /** Waiting to be queried. */
  readonly queries: readonly IncomingQuery[]
  readonly onQueriesConsumed: () => void
  /** Goes to SQL, with this to be queried. */
  readonly query: (incoming: IncomingQuery) => void
  /** Goes to Convert, with these in its queue. */
  readonly convert: (files: readonly File[]) => void
}

const HandoverContext = createContext<Handover | null>(null)
const NONE: readonly IncomingTable[] = []
const NO_QUERIES: readonly IncomingQuery[] = []

export function HandoverProvider({
  onConvert,
  children,
}: {
  readonly onConvert: (files: readonly File[]) => Promise<void>
  readonly children: ReactNode
}) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const away = !pathname.startsWith('/datasets')
  const awayFromSql = !pathname.startsWith('/sql')
  const [incoming, setIncoming] = useState(NONE)
  const [queries, setQueries] = useState(NO_QUERIES)
  const onConsumed = useCallback(() => setIncoming(NONE), [])
  const publish = useCallback(
    (tables: readonly IncomingTable[]) => {
      setIncoming((old) => [...old, ...tables])
      // A dialog that's open there stays as it is.
      if (away) void navigate('/datasets')
    },
    [navigate, away],
  )
  const onQueriesConsumed = useCallback(() => setQueries(NO_QUERIES), [])
  const query = useCallback(
    (incomingQuery: IncomingQuery) => {
      setQueries((old) => [...old, incomingQuery])
      // A saved query's page takes files as the tabs do.
      if (awayFromSql) void navigate('/sql')
    },
    [navigate, awayFromSql],
  )
  const convert = useCallback(
    (files: readonly File[]) => {
      void navigate('/convert')
      void onConvert(files)
    },
    [navigate, onConvert],
  )
  const value = useMemo(
    () => ({ incoming, onConsumed, publish, queries, onQueriesConsumed, query, convert }),
    [incoming, onConsumed, publish, queries, onQueriesConsumed, query, convert],
  )
  return <HandoverContext value={value}>{children}</HandoverContext>
}

/** @throws {Error} outside of `HandoverProvider` */
export function useHandover(): Handover {
  const handover = use(HandoverContext)
  if (!handover) throw new Error('there is no HandoverProvider above')
  return handover
}
