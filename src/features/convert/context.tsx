import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import type { IncomingFile, IncomingTable } from '../../session/handover.ts'
import type { Job } from './model/job.ts'
import type { Recipe } from '../../tables/recipes/recipe.ts'
import { partsOf, stateOf, type JobRecord, type StoredState } from './model/records.ts'
import { JOBS_KEY, RECIPES_KEY, type ConvertServices } from './store/services.ts'
import { isAside } from '../../tables/combine/asides.ts'
import { useStore } from '../../ui/hooks/use-store.ts'

const Context = createContext<ConvertServices | null>(null)

const PublishContext = createContext<Publish>(() => undefined)
const QueryContext = createContext<QueryFiles>(() => undefined)

/** Passes files to Datasets. */
type Publish = (tables: readonly IncomingTable[]) => void

/** Passes files to SQL. */
type QueryFiles = (files: readonly IncomingFile[]) => void

export function ConvertProvider({
  services,
  onPublish,
  onQuery,
  children,
}: {
  readonly services: ConvertServices
  readonly onPublish: Publish
  readonly onQuery: QueryFiles
  readonly children: ReactNode
}) {
  return (
    <Context value={services}>
      <PublishContext value={onPublish}>
        <QueryContext value={onQuery}>
          <QueryClientProvider client={services.queries}>{children}</QueryClientProvider>
        </QueryContext>
      </PublishContext>
    </Context>
  )
}

export function usePublish(): Publish {
  return useContext(PublishContext)
}

export function useQueryFiles(): QueryFiles {
  return useContext(QueryContext)
}

export function useConvert(): ConvertServices {
  const services = useContext(Context)
  if (!services) throw new Error('ConvertProvider is missing')
  return services
}

/** This tab's jobs. */
export function useJobs(): readonly Job[] {
  const { store } = useConvert()
  return useStore(store)
}

/** Whether a job's file is a text about the others, which "Convert all" leaves out. */
export function useIsAside(job: Job): boolean {
  const { store } = useConvert()
  return useStore(store, (jobs) => isAside(job, jobs))
}

/** Whether there's only one job. Then its next step is the page's main action, instead of that of all jobs. */
export function useIsOnly(): boolean {
  const { store } = useConvert()
  return useStore(store, (jobs) => jobs.length === 1)
}

export interface StoredJob {
  readonly record: JobRecord
  readonly state: StoredState
  /** Whether its file can be opened again. */
  readonly reopens: boolean
}

/** Jobs of earlier visits and of other tabs, the latest first; null until they're loaded. */
export function useStoredJobs(): readonly StoredJob[] | null {
  const { storedJobs } = useConvert()
  const live = useJobs()
  const { data, isError } = useQuery({ queryKey: JOBS_KEY, queryFn: storedJobs })
  const ids = useMemo(() => new Set(live.map((job) => job.id)), [live])
  return useMemo(() => {
    if (isError) return []
    if (!data) return null
    const parts = new Set(partsOf(data.records, data.records, data.alive))
    return data.records
      .filter((record) => !ids.has(record.id) && !parts.has(record))
      .sort((a, b) => b.addedAt - a.addedAt)
      .map((record) => ({ record, state: stateOf(record, data.alive), reopens: data.sources.has(record.id) }))
  }, [data, isError, ids])
}

const NONE: readonly Recipe[] = []

export function useRecipes(): readonly Recipe[] {
  const { recipes } = useConvert()
  return useQuery({ queryKey: RECIPES_KEY, queryFn: recipes }).data ?? NONE
}
