import type { PageMessage } from '../../sw/protocol.ts'

let registration: ServiceWorkerRegistration | null = null
const listeners = new Set<() => void>()

/** @returns whether a newer version of the app has been fetched, and waits for this one's pages to close */
export function isUpdateWaiting(): boolean {
  return (
    registration?.waiting !== null && registration?.waiting !== undefined && navigator.serviceWorker.controller !== null
  )
}

/** Calls back when a newer version is waiting; at once if one is. */
export function onUpdateWaiting(listener: () => void): () => void {
  listeners.add(listener)
  if (isUpdateWaiting()) listener()
  return () => listeners.delete(listener)
}

/**
 * Puts the newer version in place and loads this page again. Other pages go on with the version that they have. To be
 * called when the person asks for it: what this page is doing ends.
 */
export function takeUpdate(): void {
  const waiting = registration?.waiting
  if (!waiting) return
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  waiting.postMessage({ type: 'rowhouse:take-over' } satisfies PageMessage)
}

/** Begins to watch for newer versions. */
export function watchUpdates(watched: ServiceWorkerRegistration): void {
  if (registration) return
  registration = watched
  const tell = (): void => {
    if (isUpdateWaiting()) for (const listener of listeners) listener()
  }
  const follow = (worker: ServiceWorker | null): void => worker?.addEventListener('statechange', tell)
  follow(watched.installing)
  watched.addEventListener('updatefound', () => follow(watched.installing))
  tell()
}
