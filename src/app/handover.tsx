import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { IncomingQuery, IncomingTable, Reading } from '../session/handover.ts'

/** Passes files and statements from one screen to another. */
interface Handover {
  /** Waiting to be added to a dataset. */
  readonly incoming: readonly IncomingTable[]
  readonly onConsumed: (taken: readonly IncomingTable[]) => void
  /** Opens Datasets with these tables for a new dataset. */
  readonly publish: (tables: readonly IncomingTable[]) => void
  /** Waiting to be queried. */
  readonly queries: readonly IncomingQuery[]
  readonly onQueriesConsumed: (taken: readonly IncomingQuery[]) => void
  /** Opens SQL to query this. */
  readonly query: (incoming: IncomingQuery) => void
  /** Opens Convert and adds these files to its queue, with the settings made for reading them. */
  readonly convert: (files: readonly File[], reading?: Reading) => void
}

const HandoverContext = createContext<Handover | null>(null)
const NONE: readonly IncomingTable[] = []
const NO_QUERIES: readonly IncomingQuery[] = []

const without =
  <T,>(taken: readonly T[]) =>
  (all: readonly T[]): readonly T[] =>
    all.filter((each) => !taken.includes(each))

export function HandoverProvider({
  onConvert,
  children,
}: {
  readonly onConvert: (files: readonly File[], reading?: Reading) => Promise<void>
  readonly children: ReactNode
}) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const away = !pathname.startsWith('/datasets')
  const awayFromSql = !pathname.startsWith('/sql')
  const [incoming, setIncoming] = useState(NONE)
  const [queries, setQueries] = useState(NO_QUERIES)
  // Others may have come since.
  const onConsumed = useCallback((taken: readonly IncomingTable[]) => setIncoming(without(taken)), [])
  const publish = useCallback(
    (tables: readonly IncomingTable[]) => {
      setIncoming((old) => [...old, ...tables])
      // If Datasets is already open, its dialog stays open, too.
      if (away) void navigate('/datasets')
    },
    [navigate, away],
  )
  const onQueriesConsumed = useCallback((taken: readonly IncomingQuery[]) => setQueries(without(taken)), [])
  const query = useCallback(
    (incomingQuery: IncomingQuery) => {
      setQueries((old) => [...old, incomingQuery])
      // A saved query's page accepts files, like the tabs.
      if (awayFromSql) void navigate('/sql')
    },
    [navigate, awayFromSql],
  )
  const convert = useCallback(
    (files: readonly File[], reading?: Reading) => {
      void navigate('/convert')
      void onConvert(files, reading)
    },
    [navigate, onConvert],
  )
  const value = useMemo(
    () => ({ incoming, onConsumed, publish, queries, onQueriesConsumed, query, convert }),
    [incoming, onConsumed, publish, queries, onQueriesConsumed, query, convert],
  )
  return <HandoverContext value={value}>{children}</HandoverContext>
}

/** @throws {Error} outside `HandoverProvider` */
export function useHandover(): Handover {
  const handover = use(HandoverContext)
  if (!handover) throw new Error('there is no HandoverProvider above')
  return handover
}
