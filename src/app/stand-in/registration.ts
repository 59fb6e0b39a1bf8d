import { savesData } from '../../lib/save-data.ts'
import type { PageMessage } from '../../sw/protocol.ts'

const KEEP_AFTER_MS = 2000
const ASK_AGAIN_MS = 1000

class ServiceWorkerError extends Error {
  override readonly name = 'ServiceWorkerError'
}

/** This page's only registration, whose scope is the app's folder. */
let registered: Promise<ServiceWorkerRegistration> | null = null

/** @param folder the app's folder, with a slash at its end */
export function registerServiceWorker(folder: URL): Promise<ServiceWorkerRegistration> {
  registered ??= register(folder).then(
    (registration) => {
      watchUpdates(registration)
      if (!savesData()) void keepOffline()
      return registration
    },
    (error: unknown) => {
      registered = null
      throw error
    },
  )
  return registered
}

/** Caches the rest of the app after the page has loaded what it needs. */
async function keepOffline(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  await new Promise((resolve) => setTimeout(resolve, KEEP_AFTER_MS))
  active?.postMessage({ type: 'rowhouse:keep-offline' } satisfies PageMessage)
}

async function register(folder: URL): Promise<ServiceWorkerRegistration> {
  if (!('serviceWorker' in navigator)) {
    throw new ServiceWorkerError(
      'Datasets in this browser need a service worker, which this page can’t have. Open it at an “https://” address or on “localhost”, outside of private windows.',
    )
  }
  const script = new URL('sw.js', folder)
  const existing = await navigator.serviceWorker.getRegistration(folder)
  if (existing?.scope === folder.href && existing.active?.scriptURL === script.href) {
    // Registering again would wait for the browser to check for a newer version, which it does from time to time
    // anyway.
    void existing.update().catch(() => {}) // Without a network, the current one still works.
    return existing
  }
  try {
    return await navigator.serviceWorker.register(script, { scope: folder.pathname, updateViaCache: 'none' })
  } catch (cause) {
    throw new ServiceWorkerError(
      'The service worker, which keeps datasets in this browser, didn’t start. Check that the browser allows this site to store data, and reload the page.',
      { cause },
    )
  }
}

/** Resolves when the service worker controls this page. A page loaded without it (Shift) asks it for that. */
export async function controlled(registration: ServiceWorkerRegistration): Promise<void> {
  const { serviceWorker } = navigator
  while (!serviceWorker.controller) {
    const changed = new Promise((resolve) =>
      serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
    const active = await activeWorker(registration)
    active.postMessage({ type: 'rowhouse:claim' } satisfies PageMessage)
    // Asks repeatedly, since a service worker may be stopped before it receives the message.
    await Promise.race([changed, new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))])
  }
}

function activeWorker(registration: ServiceWorkerRegistration): Promise<ServiceWorker> {
  const { active } = registration
  const worker = active ?? registration.waiting ?? registration.installing
  if (!worker) return Promise.reject(new ServiceWorkerError('The service worker was removed. Reload the page.'))
  if (active) return Promise.resolve(active)
  return new Promise((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activating' || worker.state === 'activated') resolve(worker)
      else if (worker.state === 'redundant') {
        reject(new ServiceWorkerError('The service worker didn’t start. Reload the page.'))
      }
    })
  })
}

let registration: ServiceWorkerRegistration | null = null
let tellUpdate: (() => void) | undefined

/** Resolves when a newer version of the app has been fetched, and waits until this one's pages close. */
export const updateWaiting = new Promise<void>((resolve) => (tellUpdate = resolve))

/**
 * Activates the newer version and reloads this page. Other pages keep their version. Call it only when the person asks
 * for it, since it ends what this page is doing.
 */
export function takeUpdate(): void {
  const ask = (): void => registration?.waiting?.postMessage({ type: 'rowhouse:take-over' } satisfies PageMessage)
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  ask()
  // In one test run, asking once had no effect for three minutes. The cause is unknown.
  setInterval(ask, ASK_AGAIN_MS)
}

/** Watches for newer versions. */
function watchUpdates(watched: ServiceWorkerRegistration): void {
  if (registration) return
  registration = watched
  const tell = (): void => {
    if (watched.waiting && navigator.serviceWorker.controller) tellUpdate?.()
  }
  const follow = (worker: ServiceWorker | null): void => worker?.addEventListener('statechange', tell)
  follow(watched.installing)
  watched.addEventListener('updatefound', () => follow(watched.installing))
  tell()
}
