import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { topicKey, useSession } from '../../../session/context.tsx'

/** Names of datasets by their ids, which is what scopes hold. */
export function useDatasetNames(): ReadonlyMap<string, string> {
  const session = useSession()
  const { data } = useQuery({
    queryKey: topicKey(session, 'datasets', 'settings', 'names'),
    queryFn: ({ signal }) => session.api.listDatasets({ signal }),
    enabled: session.console !== null,
  })
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}
