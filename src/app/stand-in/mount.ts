import { readConnectSources } from '../../lib/connect-sources.ts'
import type { Service } from './worker.ts'
import { controlled, registerServiceWorker } from './registration.ts'
import { letCallsGo } from './early-calls.ts'
import { type Answering, isWorkerMessage, type PageMessage } from '../../sw/protocol.ts'

/**
 * Mounts the stand-in at this page's addresses `public/v1/...`, `api/public/v1/...` and `console/v1/...`. Resolves when
 * requests reach it.
 * @param options.base path of the app's folder, without a slash at its end, as returned by `basePath()`
 * @throws {ServiceWorkerError} if the browser doesn't provide a service worker
 */
export async function mountStandIn(service: Service, { base }: { readonly base: string }): Promise<void> {
  const folder = folderOf(base)
  mounted.fetch = (request) => service.fetch(request)
  const starting = import('./worker.ts')
  starting.catch(() => {}) // Awaited below.
  const registration = await registerServiceWorker(folder)
  await controlled(registration)
  const { startMockWorker } = await starting
  started ??= startMockWorker(mounted, folder)
  await started
  setAnswering('here')
}

/** The current service. MSW is started once per page, even if another service is mounted later. */
const mounted: { fetch: Service['fetch'] } = { fetch: () => Promise.reject(new Error('no service is mounted')) }
let started: Promise<void> | null = null

/**
 * Leaves the service's addresses to the network, for a connection to a real service. The service worker still caches
 * the app for offline use.
 */
export async function unmountStandIn({ base }: { readonly base: string }): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const registration = await registerServiceWorker(folderOf(base))
  setAnswering('network')
  if (!navigator.serviceWorker.controller && (await readConnectSources()).length > 0)
    await reloadControlled(registration)
}

const RELOADED = 'rowhouse-reloaded'

/**
 * The service worker adds the service's origin to the page's policy. A page loaded without it (Shift) may not connect
 * there, so it's reloaded once.
 */
async function reloadControlled(registration: ServiceWorkerRegistration): Promise<void> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0)
  if (Date.now() - last < 10_000) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  await controlled(registration)
  location.reload()
}

function folderOf(base: string): URL {
  return new URL(base.endsWith('/') ? base : `${base}/`, location.origin)
}

let answering: Answering | null = null
let listens = false

/** Tells the service worker who answers this page's calls, now and whenever it asks. */
function setAnswering(value: Answering): void {
  answering = value
  tell()
  letCallsGo()
  if (listens) return
  listens = true
  const { serviceWorker } = navigator
  serviceWorker.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (isWorkerMessage(event.data) && event.data.type === 'rowhouse:who-answers') tell(event.source)
  })
  serviceWorker.addEventListener('controllerchange', () => tell())
}

function tell(to: MessageEventSource | null = navigator.serviceWorker.controller): void {
  if (answering === null || !(to instanceof ServiceWorker)) return
  to.postMessage({ type: 'rowhouse:answering', answering } satisfies PageMessage)
}
