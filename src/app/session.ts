import { writeConnectSources } from '../lib/connect-sources.ts'
import { createKeeper } from '../session/kept.ts'
import type { SessionStore } from '../session/session.ts'
import { createSessionStore } from '../session/store.ts'
import { letCallsGo } from './stand-in/early-calls.ts'
import type { StandInOptions } from './stand-in/start.ts'

/** The session of this page. Neither the client nor the stand-in is loaded before it's asked for. */
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
        // Also when it can't be started: calls then fail by themselves.
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

/** The service worker still keeps the app for offline use, and widens its policy by the service's origin. */
async function leaveToTheNetwork(base: string): Promise<void> {
  const { unmountStandIn } = await import('./stand-in/mount.ts')
  // Without one the app works as long as there's a network.
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

/** Runs work once the page has been painted; in a tab in the background, where nothing is, a moment later. */
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
