import { useNow } from '../../ui/hooks/use-now.ts'
import { waitWords } from '../shared/problem.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DatasetChange, DatasetDetails, DatasetSummary } from '../../api/client.ts'
import { PLAN_LIMITS } from '../../contract/limits.ts'
import { topicKey, useRateLimit, useSession } from '../../session/context.tsx'
import { refetch } from '../../session/refetch.ts'
import type { Session } from '../../session/session.ts'
import { toEntry, type Entry } from './model/filters.ts'

const toEntries = (datasets: readonly DatasetSummary[]): Entry[] => datasets.map(toEntry)

/** All datasets that the key may read, as lines of the list. */
export function useEntries() {
  const session = useSession()
  return useQuery({
    queryKey: topicKey(session, 'datasets', 'list'),
    queryFn: ({ signal }) => session.api.listDatasets({ tables: true, signal }),
    select: toEntries,
  })
}

export const datasetKey = (session: Session, id: string): readonly unknown[] =>
  topicKey(session, 'datasets', 'details', id)

export function useDataset(id: string) {
  const session = useSession()
  return useQuery({
    queryKey: datasetKey(session, id),
    queryFn: ({ signal }) => session.api.getDataset(id, { signal }),
  })
}

/** Changes a dataset, and updates the screens with the result. */
export function useUpdateDataset(id: string) {
  const session = useSession()
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: (change: DatasetChange) => session.api.updateDataset(id, change),
    onSuccess: async (dataset: DatasetDetails | null) => {
      const queryKey = datasetKey(session, id)
      // What began to be read before the change would replace it.
      await queries.cancelQueries({ queryKey })
      if (dataset) queries.setQueryData(queryKey, dataset)
      refetch(queries, { queryKey: topicKey(session, 'datasets', 'list') })
    },
  })
}

export function useDeleteDataset(id: string) {
  const session = useSession()
  const queries = useQueryClient()
  return useMutation({
    networkMode: 'always',
    mutationFn: () => session.api.deleteDataset(id),
    onSuccess: () => {
      // Queries about a deleted dataset must not be repeated.
      const list = topicKey(session, 'datasets', 'list')
      queries.setQueryData<readonly DatasetSummary[]>(list, (old) => old?.filter((dataset) => dataset.id !== id))
      refetch(queries, { queryKey: list })
    },
  })
}

const PLANS = new Set<number>(Object.values(PLAN_LIMITS).map(({ hour }) => hour))

/** Why the service can't be queried now, if the plan's limit is exhausted; null if it isn't. */
export function useLimitReason(): string | null {
  const rate = useRateLimit()
  const now = useNow()
  // The answer has the tightest window, but only the plan's, which counts all requests, affects datasets.
  if (!rate || rate.remaining > 0 || !PLANS.has(rate.limit) || rate.reset.getTime() <= now) return null
  return `This hour’s ${rate.limit} requests are used up. ${waitWords(Math.ceil((rate.reset.getTime() - now) / 1000))}`
}
