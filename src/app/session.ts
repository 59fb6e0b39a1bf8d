import { writeConnectSources } from '../lib/connect-sources.ts'
import { createKeeper } from '../session/kept.ts'
import type { SessionStore } from '../session/session.ts'
import { createSessionStore } from '../session/store.ts'
import { letCallsGo } from './stand-in/early-calls.ts'
import type { StandInOptions } from './stand-in/start.ts'

/** This page's session. The client and the stand-in are loaded only when they're needed. */
export function openSession(options: Omit<StandInOptions, 'keepKey'>): SessionStore {
  const { base } = options
  const keeper = createKeeper()
  return createSessionStore({
    standIn: async () => {
      try {
        const { startStandIn } = await import('./stand-in/start.ts')
        return await startStandIn({
          ...options,
          keepKey: (id, key) => keeper.change((kept) => ({ ...kept, keys: { ...kept.keys, [id]: key } })),
        })
      } finally {
        // Even if it can't be started: then the calls themselves fail.
        letCallsGo()
      }
    },
    remote: async ({ baseUrl, key, workspaceId, token }) => {
      const [api] = await Promise.all([import('../api/create.ts'), leaveToTheNetwork(base)])
      return {
        api: api.createApiClient({ baseUrl, key, workspaceId }),
        console: token ? api.createConsoleClient({ baseUrl: api.consoleUrlOf(baseUrl), token }) : null,
      }
    },
    keeper,
    lock: (name, work) => navigator.locks.request(name, work),
    onReturn,
    allowOrigins: writeConnectSources,
    reload: () => location.reload(),
    now: Date.now,
  })
}

/** The service worker still caches the app for offline use, and adds the service's origin to its policy. */
async function leaveToTheNetwork(base: string): Promise<void> {
  const { unmountStandIn } = await import('./stand-in/mount.ts')
  // Without a service worker, the app works while there's a network.
  await unmountStandIn({ base }).catch(() => undefined)
  letCallsGo()
}

function onReturn(listener: () => void): () => void {
  const come = (): void => {
    if (document.visibilityState === 'visible') listener()
  }
  document.addEventListener('visibilitychange', come)
  addEventListener('focus', come)
  return () => {
    document.removeEventListener('visibilitychange', come)
    removeEventListener('focus', come)
  }
}

/** Runs work after the first paint or, in a background tab, which isn't painted, after half a second. */
export function afterPaint(work: () => void): void {
  let done = false
  const once = (): void => {
    if (done) return
    done = true
    work()
  }
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, 500)
}
