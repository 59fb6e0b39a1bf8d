import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { useMatch, useNavigate } from 'react-router'
import type { DatasetDetails, DatasetSummary } from '../../api/client.ts'
import type { EngineClient } from '../../engine/client.ts'
import { topicKey, useSession } from '../../session/context.tsx'
import type { IncomingTable, Reading } from '../../session/handover.ts'
import { refetch } from '../../session/refetch.ts'
import { plural } from '../../ui/format.ts'
import { guardLeaving } from '../../ui/leaving.ts'
import { toast } from '../../ui/overlays/toasts.ts'
import { useStore } from '../../ui/hooks/use-store.ts'
import { foldName } from './model/names.ts'
import { datasetKey } from './queries.ts'
import { useIncoming } from '../shared/use-incoming.ts'
import { keepAddedFiles } from './store/added-files.ts'
import { CreationStore, type Created, type Creation } from './store/creation.ts'
import { UnfinishedStore } from './store/unfinished.ts'

interface Datasets {
  readonly engine: EngineClient
  readonly creation: CreationStore
  /** What a reload of the page ended. */
  readonly unfinished: UnfinishedStore
  /** Passes files to Convert, with the settings made here for reading them. */
  readonly onConvertFiles: ((files: readonly File[], reading: Reading) => void) | null
  /** Opens SQL and runs a statement there. */
  readonly onQuery: ((title: string, sql: string) => void) | null
}

const Context = createContext<Datasets | null>(null)

export interface DatasetsProviderProps {
  /** The app's only engine. */
  readonly engine: EngineClient
  /** Files to add: to the dataset whose page they were dropped on, or to a new one. */
  readonly incoming?: readonly IncomingTable[]
  /** Called with those that have been added. */
  readonly onConsumed?: (taken: readonly IncomingTable[]) => void
  /** Passes files to Convert, with the settings made here for reading them. */
  readonly onConvertFiles?: (files: readonly File[], reading: Reading) => void
  /** Opens SQL and runs a statement there. */
  readonly onQuery?: (title: string, sql: string) => void
  readonly children: ReactNode
}

const NONE: readonly IncomingTable[] = []

/** Keeps what outlives the screens: the dataset that's being created. Must be inside the router and the session. */
export function DatasetsProvider(props: DatasetsProviderProps) {
  const { engine, incoming = NONE, onConsumed, onConvertFiles, onQuery, children } = props
  const session = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const page = useMatch('/datasets/:id')?.params.id
  const [latest] = useState(() => ({ session, navigate }))
  useEffect(() => {
    Object.assign(latest, { session, navigate })
  })
  const [creation] = useState(
    () =>
      new CreationStore({
        engine,
        session: () => latest.session,
        newId: () => crypto.randomUUID(),
        added: keepAddedFiles(),
        takenNames: () => {
          const known = queries.getQueryData<readonly DatasetSummary[]>(topicKey(latest.session, 'datasets', 'list'))
          return new Set(known?.map(({ name }) => foldName(name)))
        },
        onCreated: (created) => {
          refetch(queries, { queryKey: topicKey(latest.session, 'datasets') })
          const open = (): void => void latest.navigate(`/datasets/${encodeURIComponent(created.id)}`)
          // If the person has gone to another screen, they stay there and see a toast.
          if (!isWaitedFor()) return tell(created, open)
          tell(created, null)
          void latest.navigate(`/datasets/${encodeURIComponent(created.id)}`, { replace: true })
        },
      }),
  )
  const [value] = useState<Datasets>(() => ({
    engine,
    creation,
    unfinished: new UnfinishedStore(creation),
    onConvertFiles: onConvertFiles ?? null,
    onQuery: onQuery ?? null,
  }))
  useEffect(() => guardLeaving(creation.subscribe, creation.isDirty), [creation])
  useIncoming(incoming, onConsumed, (tables) => {
    const shown = page && queries.getQueryData<DatasetDetails>(datasetKey(session, page))
    // If a dataset is already being created, the files are added to that instead.
    if (shown) creation.begin({ id: shown.id, name: shown.name, tables: shown.tables })
    creation.add(tables)
    void navigate(creationPath(creation.snapshot()))
  })
  return <Context value={value}>{children}</Context>
}

/** The page with the dialog for a creation. */
export function creationPath({ draft: { into } }: Creation): string {
  return into ? `/datasets/${encodeURIComponent(into.id)}?add` : '/datasets?new'
}

/** Whether the dialog is still open. */
function isWaitedFor(): boolean {
  const params = new URLSearchParams(location.search)
  return params.has('new') || params.has('add')
}

function tell({ name, isAdded, tables, rows, notes, problem }: Created, open: (() => void) | null): void {
  const action = open ? { action: { label: 'Open', run: open } } : {}
  if (problem) {
    toast({ title: problem.message, description: problem.remedy, tone: 'bad', ...action })
    return
  }
  const counted = isAdded
    ? `${plural(rows, 'row')} of ${plural(tables, 'file')}`
    : `${plural(tables, 'table')}, ${plural(rows, 'row')}`
  const description = notes.length > 0 ? notes.slice(0, 3).join(' ') : counted
  toast({
    title: isAdded ? `Added to “${name}”` : `“${name}” was created`,
    description,
    ...(notes.length > 0 ? {} : { tone: 'good' }),
    ...action,
  })
}

/** @throws {Error} outside `DatasetsProvider` */
export function useDatasets(): Datasets {
  const datasets = use(Context)
  if (!datasets) throw new Error('DatasetsProvider is missing')
  return datasets
}

export function useCreation(): Creation {
  const { creation } = useDatasets()
  return useStore(creation)
}
