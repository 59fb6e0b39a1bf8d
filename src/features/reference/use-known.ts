import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DatasetSummary } from '../../api/client.ts'
import { topicKey } from '../../session/context.tsx'
import type { Session } from '../../session/session.ts'
import { exampleSql, type Known } from './model/drafts.ts'

const NONE: readonly DatasetSummary[] = []

/** What forms are filled in with, and the datasets that they offer. Without an answer they offer none. */
export function useKnown(session: Session): { readonly known: Known; readonly datasets: readonly DatasetSummary[] } {
  const { data = NONE } = useQuery({
    queryKey: topicKey(session, 'datasets', 'reference'),
    queryFn: ({ signal }) => session.api.listDatasets({ tables: true, signal }),
  })
  const { workspaceId, slug } = session
  const known = useMemo(() => ({ workspaceId, sql: exampleSql(slug, data) }), [workspaceId, slug, data])
  return { known, datasets: data }
}
