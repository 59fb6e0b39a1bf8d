import { ApiError } from '../../api/errors.ts'
import { explain, problem, type Problem } from '../shared/problem.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { ConsoleClient } from '../../api/console.ts'
import type { ApiKey, UsageData, Workspace } from '../../contract/schemas.ts'
import { topicKey, useSession } from '../../session/context.tsx'
import { refetch } from '../../session/refetch.ts'
import type { ChangeTopic } from '../../session/session.ts'

const NONE = new Error('no console')

interface Asked<T> {
  /** Null until it's loaded. */
  readonly data: T | null
  readonly error: Problem | null
}

function useAsked<T>(
  topic: ChangeTopic,
  what: string,
  ask: (console: ConsoleClient, workspaceId: string, signal: AbortSignal) => Promise<T>,
  refetchInterval: number | false = false,
): Asked<T> {
  const session = useSession()
  const { console, workspaceId } = session
  const { data, error } = useQuery({
    queryKey: topicKey(session, topic, 'settings', what),
    queryFn: ({ signal }) => (console ? ask(console, workspaceId, signal) : Promise.reject(NONE)),
    enabled: console !== null,
    refetchInterval,
  })
  return { data: data ?? null, error: error && !data ? explainConsole(error) : null }
}

export function useWorkspaces(): Asked<Workspace[]> {
  return useAsked('workspaces', 'workspaces', (console, _, signal) => console.workspaces({ signal }))
}

export function useApiKeys(): Asked<ApiKey[]> {
  return useAsked('keys', 'keys', (console, workspaceId, signal) => console.apiKeys(workspaceId, { signal }))
}

/** Refetched while shown, because every program's requests change it. */
export function useUsage(): Asked<UsageData> {
  return useAsked('datasets', 'usage', (console, workspaceId, signal) => console.usage(workspaceId, { signal }), 10_000)
}

/** A workspace's usage, even if it isn't open. */
export function useUsageOf(id: string): Asked<UsageData> {
  return useAsked('datasets', `usage of ${id}`, (console, _, signal) => console.usage(id, { signal }))
}

/** If a server's console refuses a request, the operator's token is wrong. Other errors are explained as usual. */
function explainConsole(error: Error): Problem {
  if (error instanceof ApiError && error.code === 'UNAUTHORIZED') {
    const remedy = 'Enter the current one under Connection.'
    return problem('The operator’s token isn’t accepted any more.', remedy, error.requestId)
  }
  return explain(error, null)
}

function withRemedy(found: Problem, remedy: string | null): Problem {
  return remedy === null ? found : { ...found, remedy }
}

interface Action<A, T> {
  /** Resolves with null if it failed; then `error` has the reason. */
  readonly run: (argument: A) => Promise<T | null>
  readonly busy: boolean
  readonly error: Problem | null
}

/**
 * An action that changes the service's data: runs it, reports the result, and refetches these topics.
 * @param remedyFor what to do about an error, if it's something else than usual
 */
export function useAction<A, T>(
  work: (argument: A) => Promise<T>,
  topics: readonly ChangeTopic[] = [],
  remedyFor: (error: Error) => string | null = () => null,
): Action<A, T> {
  const queries = useQueryClient()
  const { mutateAsync, isPending, error } = useMutation({ mutationFn: work, networkMode: 'always' })
  const run = useCallback(
    async (argument: A): Promise<T | null> => {
      try {
        return await mutateAsync(argument)
      } catch {
        return null
      } finally {
        refetch(queries, {
          predicate: ({ queryKey }) => queryKey[0] === 'service' && topics.includes(queryKey[2] as ChangeTopic),
        })
      }
    },
    // oxlint-disable-next-line react/exhaustive-deps -- topics are written in the call, and never change
    [mutateAsync, queries],
  )
  return { run, busy: isPending, error: error ? withRemedy(explainConsole(error), remedyFor(error)) : null }
}

/** Names of datasets by id, since scopes contain ids. */
export function useDatasetNames(): ReadonlyMap<string, string> {
  const session = useSession()
  const { data } = useQuery({
    queryKey: topicKey(session, 'datasets', 'settings', 'names'),
    queryFn: ({ signal }) => session.api.listDatasets({ signal }),
    enabled: session.console !== null,
  })
  return useMemo(() => new Map((data ?? []).map(({ id, name }) => [id, name])), [data])
}
