import { useEffect, useState, useSyncExternalStore } from 'react'
import { useSessionState } from '../../session/context.tsx'
import type { SessionState } from '../../session/session.ts'
import type { ServiceFacts } from './model/service.ts'

/** What is known of the service just now. */
export function useServiceFacts(): ServiceFacts {
  const state = useSessionState()
  const online = useSyncExternalStore(onOnline, () => navigator.onLine)
  const blockedUntil = useBlockedUntil(state)
  const remote = state.status === 'ready' && state.session.connection.kind === 'remote'
  return { state: state.status, offline: remote && !online, blockedUntil }
}

function onOnline(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** When the window with no requests left turns; null while there are some. */
function useBlockedUntil(state: SessionState): Date | null {
  const api = state.status === 'ready' ? state.session.api : null
  const limit = useSyncExternalStore(
    (listener) => api?.onRateLimit(listener) ?? (() => undefined),
    () => api?.rateLimit() ?? null,
  )
  const reset = limit && limit.remaining === 0 ? limit.reset.getTime() : 0
  const [over, setOver] = useState(0)
  useEffect(() => {
    const left = reset - Date.now()
    const timer = setTimeout(() => setOver(reset), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [reset])
  return reset > 0 && over !== reset ? new Date(reset) : null
}
