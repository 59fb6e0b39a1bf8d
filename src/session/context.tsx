import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { RateLimit } from '../api/client.ts'
import { Store, type Readable } from '../lib/store.ts'
import { refetch } from './refetch.ts'
import type { ChangeTopic, Session, SessionState, SessionStore } from './session.ts'

/** Without a session there's no answer yet, and so no limit. */
const NONE: Readable<RateLimit | null> = new Store(null)

const SessionContext = createContext<SessionStore | null>(null)

/** Query keys for the service begin with the workspace and the topic: `[workspaceId, 'datasets', ...]`. */
export function topicKey(session: Session, topic: ChangeTopic, ...rest: readonly unknown[]): readonly unknown[] {
  return ['service', session.workspaceId, topic, ...rest]
}

/** Provides the session, and refetches what another tab has changed. */
export function SessionProvider({ store, children }: { readonly store: SessionStore; readonly children: ReactNode }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false, staleTime: 30_000 } } }),
  )
  useEffect(
    () =>
      store.onChange((topic) => {
        refetch(queries, { predicate: ({ queryKey }) => queryKey[0] === 'service' && queryKey[2] === topic })
      }),
    [store, queries],
  )
  return (
    <SessionContext value={store}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </SessionContext>
  )
}

/** @throws {Error} outside `SessionProvider` */
export function useSessionStore(): SessionStore {
  const store = use(SessionContext)
  if (!store) throw new Error('there is no SessionProvider above')
  return store
}

export function useSessionState(): SessionState {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.snapshot)
}

/** The rate limit in the service's last answer; null if there's no answer or no session yet. */
export function useRateLimit(): RateLimit | null {
  const state = useSessionState()
  const api = state.status === 'ready' ? state.session.api : null
  const { subscribe, snapshot } = api?.rateLimit ?? NONE
  return useSyncExternalStore(subscribe, snapshot)
}

/**
 * The session, for screens that are only shown while there is one.
 * @throws {Error} if there's none
 */
export function useSession(): Session {
  const state = useSessionState()
  if (state.status !== 'ready') throw new Error('there is no session yet: show the screen behind SessionGate')
  return state.session
}
