/** MSW's side of the service worker, which does only what it's told to. */
export interface MockWorker {
  /** Hands it a page's message; one that isn't MSW's does nothing. */
  message(event: ExtendableMessageEvent): void
  /** Makes it pass the page's calls on to the page. Once is enough, as long as this service worker runs. */
  activate(client: Client): Promise<void>
  /** Has the page answer. */
  fetch(request: Request, client: Client): Promise<Response>
}

type Listener = (event: unknown) => void

/**
 * Runs MSW's script, and keeps its listeners from the browser: by itself it would take every request there is, replace
 * a running version at once, and unregister the service worker when the last page closes.
 */
export function loadMockWorker(scope: ServiceWorkerGlobalScope, url: string): MockWorker {
  const listeners = new Map<string, Listener>()
  scope.addEventListener = (type: string, listener: unknown) => {
    if (typeof listener === 'function') listeners.set(type, listener as Listener)
  }
  try {
    scope.importScripts(url)
  } finally {
    Reflect.deleteProperty(scope, 'addEventListener')
  }
  const dispatch = (type: 'message' | 'fetch', event: unknown) => {
    const listener = listeners.get(type)
    if (!listener) throw new Error(`MSW’s script doesn’t listen for “${type}”`)
    listener(event)
  }

  return {
    message(event) {
      // It would unregister the service worker. A page that stops MSW waits for the answer.
      if (event.data === 'CLIENT_CLOSE') event.source?.postMessage({ type: 'CLIENT_CLOSED' })
      else dispatch('message', event)
    },
    async activate(client) {
      let work: Promise<unknown> = Promise.resolve()
      dispatch('message', {
        data: 'MOCK_ACTIVATE',
        source: client,
        waitUntil: (promise: Promise<unknown>) => (work = promise),
      })
      await work
    },
    fetch(request, client) {
      return new Promise((resolve) => {
        dispatch('fetch', {
          request,
          clientId: client.id,
          respondWith: (response: Promise<Response>) => resolve(response),
        })
      })
    },
  }
}
