import { useEffect, useState, useSyncExternalStore } from 'react'
import { useRateLimit, useSessionState } from '../../session/context.tsx'
import type { ServiceFacts } from './model/service.ts'

/** What is currently known about the service. */
export function useServiceFacts(): ServiceFacts {
  const state = useSessionState()
  const online = useSyncExternalStore(onOnline, () => navigator.onLine)
  const blockedUntil = useBlockedUntil()
  const remote = state.status === 'ready' && state.session.connection.kind === 'remote'
  return { state: state.status, remote, offline: remote && !online, blockedUntil }
}

function onOnline(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** When the exhausted window starts over; null if requests are left. */
function useBlockedUntil(): Date | null {
  const limit = useRateLimit()
  const reset = limit && limit.remaining === 0 ? limit.reset.getTime() : 0
  const [over, setOver] = useState(0)
  useEffect(() => {
    const left = reset - Date.now()
    const timer = setTimeout(() => setOver(reset), Math.max(0, left))
    return () => clearTimeout(timer)
  }, [reset])
  return reset > 0 && over !== reset ? new Date(reset) : null
}
