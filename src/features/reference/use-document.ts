import { asError } from '../../lib/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { openApiDocument, serverUrls } from '../../contract/openapi.ts'
import type { Session } from '../../session/session.ts'
import { readDocument, type ReferenceDocument } from './model/document.ts'
import { useMemo } from 'react'
import type { DatasetSummary } from '../../api/client.ts'
import { topicKey } from '../../session/context.tsx'
import { exampleSql, type Known } from './model/drafts.ts'

export interface LoadedDocument {
  readonly document: ReferenceDocument
  /** The document as received. */
  readonly source: unknown
  /** Why it isn't the service's own; null if it is. */
  readonly instead: string | null
}

/** The service's OpenAPI document, or ours if the service has none that can be read. */
export function useDocument(session: Session): LoadedDocument | null {
  const { data } = useQuery({
    queryKey: ['reference', session.apiBaseUrl],
    staleTime: Infinity,
    queryFn: ({ signal }) => load(session, signal),
  })
  return data ?? null
}

async function load(session: Session, signal: AbortSignal): Promise<LoadedDocument> {
  let instead = 'It publishes one that isn’t an OpenAPI 3 document.'
  try {
    const source = await session.api.openApi({ signal })
    const document = readDocument(source)
    if (document) return { document, source, instead: null }
  } catch (error) {
    signal.throwIfAborted()
    instead = asError(error).message
  }
  const source = openApiDocument(serverUrls(session.apiBaseUrl))
  const document = readDocument(source)
  if (!document) throw new Error('the contract’s own document can’t be read')
  return { document, source, instead }
}

const NONE: readonly DatasetSummary[] = []

/** Values to fill in forms, and the datasets to choose from, which are empty without an answer. */
export function useKnown(session: Session): { readonly known: Known; readonly datasets: readonly DatasetSummary[] } {
  const { data = NONE } = useQuery({
    queryKey: topicKey(session, 'datasets', 'reference'),
    queryFn: ({ signal }) => session.api.listDatasets({ tables: true, signal }),
  })
  const { workspaceId, slug } = session
  const known = useMemo(() => ({ workspaceId, sql: exampleSql(slug, data) }), [workspaceId, slug, data])
  return { known, datasets: data }
}
