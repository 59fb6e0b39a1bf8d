import { readConnectSources, withConnectSources, withKeptConnectSources } from '../lib/connect-sources.ts'
import { failureResponse, ServiceError } from '../service/failures.ts'
import { createStorage } from '../service/storage/index.ts'
import { createBrowserObjects } from '../service/stores/objects.ts'
import { openRecords } from '../service/stores/records-idb.ts'
import { createApiGate } from './api-gate.ts'
import { loadMockWorker } from './mock-worker.ts'
import { createObjectCalls } from './objects.ts'
import { POLICY_HEADER, policyFor, policyHeader, withPolicy } from './policy.ts'
import { createPrecache, type Manifest } from './precache.ts'
import { isPageMessage, kindOfPath, type WorkerMessage } from './protocol.ts'

declare const self: ServiceWorkerGlobalScope
/** Inserted by the build; null in development, where nothing is cached. */
declare const BUILD_MANIFEST: Manifest | null
/** The build's policy, inserted by it; in development the one for everything but pages. */
declare const BUILD_POLICY: string

const scope = new URL(self.registration.scope)
const network = (request: Request): Promise<Response> => fetch(request)

const { clients } = self
const mock = loadMockWorker(self, 'mockServiceWorker.js')
const gate = createApiGate({
  clients,
  mock,
  network,
  unavailable: () =>
    failureResponse(
      new ServiceError(
        'SERVICE_UNAVAILABLE',
        'The page that the service runs in didn’t answer. Try again in a moment.',
      ),
      Date,
    ),
})
const objects = createObjectCalls(
  createStorage({
    clock: { now: Date.now },
    records: openRecords(),
    objects: createBrowserObjects(),
    // oxlint-disable-next-line no-console -- a service worker has no other log
    log: (line, cause) => console.error(line, cause),
  }),
  clients,
)
const POLICY = policyHeader(BUILD_POLICY)
const guard = (answer: Response, address = '/'): Response => withPolicy(answer, policyFor(address, POLICY))
/**
 * Allows the app's pages to connect to the connected service as well. The host's other pages keep their own policies.
 */
const preparePage = async (page: Response): Promise<Response> => {
  const isOwn = page.headers.get(POLICY_HEADER) === POLICY
  const widened = await withKeptConnectSources(page)
  return isOwn ? withPolicy(widened, withConnectSources(POLICY, await readConnectSources())) : widened
}
const precache =
  BUILD_MANIFEST &&
  createPrecache(BUILD_MANIFEST, { scope, caches: self.caches, fetch: network, guard, prepare: preparePage })

self.addEventListener('install', (event) => {
  // A running version is replaced when its last page has closed, or when a page asks for it.
  const replaces = self.registration.active !== null
  if (!precache || !replaces) event.waitUntil(self.skipWaiting())
  if (precache) event.waitUntil(precache.install(replaces))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(clients.claim())
})

self.addEventListener('message', (event) => {
  const data: unknown = event.data
  if (!isPageMessage(data)) {
    mock.message(event)
    return
  }
  switch (data.type) {
    case 'rowhouse:answering':
      if (event.source instanceof Client) gate.heard(event.source.id, data.answering)
      break
    case 'rowhouse:claim':
      event.waitUntil(clients.claim())
      break
    case 'rowhouse:take-over':
      event.waitUntil(self.skipWaiting())
      break
    case 'rowhouse:cancel-call':
      objects.cancel(data.id)
      break
    case 'rowhouse:keep-offline':
      event.waitUntil(keepOffline(event.source))
      break
  }
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (url.origin !== scope.origin) return
  switch (kindOfPath(url.pathname, scope.pathname)) {
    case 'storage':
      event.respondWith(answerStorage(request, event.clientId))
      break
    case 'api':
      event.respondWith(gate.answer(request, event.clientId))
      break
    case 'app': {
      const answer = precache?.answer(request)
      if (answer) event.respondWith(answer)
      if (request.mode === 'navigate') event.waitUntil(tidy())
      break
    }
    case 'outside':
      break
  }
})

/** Objects belong to the stand-in, unless the connected service is at this origin, too. */
async function answerStorage(request: Request, clientId: string): Promise<Response> {
  if ((await readConnectSources()).includes(scope.origin)) return network(request)
  return guard(await objects.answer(request, clientId))
}

async function keepOffline(asker: ExtendableMessageEvent['source']): Promise<void> {
  if (!precache) return
  // If there's no network or no space, the next page that asks tries again.
  const kept = await precache.keepAssets().then(
    () => true,
    () => false,
  )
  if (kept) asker?.postMessage({ type: 'rowhouse:offline-ready' } satisfies WorkerMessage)
}

let tidied = false

/**
 * While no page is open, no page of another version can be, either. The page that's now loading will be of this
 * version.
 */
async function tidy(): Promise<void> {
  if (tidied || !precache) return
  const open = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (open.length > 0) return
  tidied = true
  await precache.removeOthers()
}
