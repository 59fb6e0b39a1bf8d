import { http } from 'msw/http'
import { setupWorker } from 'msw/browser'
import { CALL_HEADER, isWorkerMessage } from '../../sw/protocol.ts'
import { Calls } from './calls.ts'
import { bridgeCancelling } from './cancelling.ts'

/* The page's side of MSW, in a chunk of its own because of its size. */

export interface Service {
  /** Answers a request. The path of its URL starts with `/public/v1`, whatever the app's folder. */
  fetch(request: Request): Promise<Response>
}

/**
 * Starts MSW with a single handler that calls the service. The service worker decides which requests it gets.
 * @param folder the app's folder, with a slash at its end
 */
export async function startMockWorker(service: Service, folder: URL): Promise<void> {
  const calls = new Calls()
  const worker = setupWorker(http.all('*', ({ request }) => answer(service, request, folder, calls)))
  relayNewWorkers()
  bridgeCancelling(folder, (id) => calls.cancel(id))
  await worker.start({
    serviceWorker: { url: new URL('sw.js', folder).href, options: { scope: folder.pathname } },
    onUnhandledFrame: 'bypass',
    quiet: true,
  })
}

async function answer(service: Service, request: Request, folder: URL, calls: Calls): Promise<Response> {
  const url = new URL(request.url)
  url.pathname = url.pathname.slice(folder.pathname.length - 1)
  const headers = new Headers(request.headers)
  const id = headers.get(CALL_HEADER) ?? crypto.randomUUID()
  headers.delete(CALL_HEADER)
  return calls.answer(id, async (signal) => {
    const bytes = await request.arrayBuffer()
    // A GET must not have a body, not even an empty one.
    const body = bytes.byteLength === 0 ? null : bytes
    return service.fetch(new Request(url, { method: request.method, headers, body, signal }))
  })
}

/** MSW only listens to the service worker with which it started, so messages from a newer one are forwarded. */
function relayNewWorkers(): void {
  const { serviceWorker } = navigator
  const first = serviceWorker.controller
  serviceWorker.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source === null || event.source === first || isWorkerMessage(event.data)) return
    serviceWorker.dispatchEvent(new MessageEvent('message', { data: event.data, ports: [...event.ports] }))
  })
}
