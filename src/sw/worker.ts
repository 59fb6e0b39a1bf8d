import { failureResponse } from '../service/storage/failure.ts'
import { createStorage } from '../service/storage/index.ts'
import { createOpfsObjects } from '../service/stores/objects-opfs.ts'
import { openRecords } from '../service/stores/records-idb.ts'
import { createApiGate } from './api-gate.ts'
import { loadMockWorker } from './mock-worker.ts'
import { createObjectCalls } from './objects.ts'
import { isPageMessage, kindOfPath } from './protocol.ts'

declare const self: ServiceWorkerGlobalScope

const base = new URL(self.registration.scope).pathname

const mock = loadMockWorker(self, 'mockServiceWorker.js')
const gate = createApiGate({
  clients: self.clients,
  mock,
  network: (request) => fetch(request),
  unavailable: () =>
    failureResponse('SERVICE_UNAVAILABLE', 'The page that the service runs in didn’t answer. Try again in a moment.', {
      now: Date.now(),
      headers: { 'Retry-After': '1' },
    }),
})

const objects = createObjectCalls(
  createStorage({
    clock: { now: Date.now },
    records: openRecords(),
    objects: createOpfsObjects(),
    log: (line, cause) => console.error(line, cause),
  }),
  self.clients,
)

self.addEventListener('install', (event) => {
  event.waitUntil(self.skipWaiting())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
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
      event.waitUntil(self.clients.claim())
      break
    case 'rowhouse:take-over':
      event.waitUntil(self.skipWaiting())
      break
    case 'rowhouse:cancel-call':
      objects.cancel(data.id)
      break
    case 'rowhouse:keep-offline':
      break
  }
})

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (url.origin !== self.location.origin) return
  const kind = kindOfPath(url.pathname, base)
  if (kind === 'storage') event.respondWith(objects.answer(event.request, event.clientId))
  else if (kind === 'api') event.respondWith(gate.answer(event.request, event.clientId))
})
