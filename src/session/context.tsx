import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, use, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { RateLimit } from '../api/client.ts'
import { Store, type Readable } from '../lib/store.ts'
import type { ChangeTopic, Session, SessionState, SessionStore } from './session.ts'

/** What there is without a session: no answer had a limit yet. */
const NONE: Readable<RateLimit | null> = new Store(null)

const SessionContext = createContext<SessionStore | null>(null)

/** Keys of everything that's asked of the service begin with the workspace and the topic: `[workspaceId, 'datasets', ...]`. */
export function topicKey(session: Session, topic: ChangeTopic, ...rest: readonly unknown[]): readonly unknown[] {
  return ['service', session.workspaceId, topic, ...rest]
}

/** Gives the screens below it the session, and asks again for what another tab has changed. */
export function SessionProvider({ store, children }: { readonly store: SessionStore; readonly children: ReactNode }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false, staleTime: 30_000 } } }),
  )
  useEffect(
    () =>
      store.onChange((topic) => {
        void queries.invalidateQueries({
          predicate: ({ queryKey }) => queryKey[0] === 'service' && queryKey[2] === topic,
        })
      }),
    [store, queries],
  )
  return (
    <SessionContext value={store}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </SessionContext>
  )
}

/** @throws {Error} outside of `SessionProvider` */
export function useSessionStore(): SessionStore {
  const store = use(SessionContext)
  if (!store) throw new Error('there is no SessionProvider above')
  return store
}

export function useSessionState(): SessionState {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.snapshot)
}

/** What the service's last answer said of the rate limit; null when nothing was asked yet, or there's no session. */
export function useRateLimit(): RateLimit | null {
  const state = useSessionState()
  const api = state.status === 'ready' ? state.session.api : null
  const { subscribe, snapshot } = api?.rateLimit ?? NONE
  return useSyncExternalStore(subscribe, snapshot)
}

/**
 * The session, for screens that are shown only while there is one.
 * @throws {Error} when there isn't
 */
export function useSession(): Session {
  const state = useSessionState()
  if (state.status !== 'ready') throw new Error('there is no session yet: show the screen behind SessionGate')
  return state.session
}
