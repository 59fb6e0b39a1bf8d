/** MSW's side of the service worker, which only acts when called. */
export interface MockWorker {
  /** Passes on a page's message; has no effect if it isn't for MSW. */
  message(event: ExtendableMessageEvent): void
  /** Makes it pass the page's calls to the page. Needed once while this service worker runs. */
  activate(client: Client): Promise<void>
  /** Lets the page answer. */
  fetch(request: Request, client: Client): Promise<Response>
}

type Listener = (event: unknown) => void

/**
 * Runs MSW's script, but hides its listeners from the browser: otherwise it would take every request, replace a running
 * version at once, and unregister the service worker when the last page closes. From then on, the scope's `clients` is
 * a wrapper for the script.
 */
export function loadMockWorker(scope: ServiceWorkerGlobalScope, url: string): MockWorker {
  const listeners = new Map<string, Listener>()
  const { clients } = scope
  const own: Pick<Clients, 'get' | 'matchAll'> = {
    get: async (id) => withoutEcho(await clients.get(id)),
    matchAll: async (options) => (await clients.matchAll(options)).map(withoutEcho),
  }
  Object.defineProperty(scope, 'clients', { configurable: true, value: own })
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
      // MSW would unregister the service worker. A page that stops MSW waits for the reply.
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

/**
 * The page, but without a copy of each answer. MSW sends copies for listeners to answers, which don't exist here, and a
 * list of 1,000 datasets took a third longer with them. The message is still sent without the body, because it makes
 * the page release the call.
 */
function withoutEcho<T extends Client | undefined>(client: T): T {
  if (!client) return client
  return new Proxy(client, {
    get(target, name) {
      if (name !== 'postMessage') return Reflect.get(target, name, target) as unknown
      return (message: unknown, transfer: Transferable[] = []) => {
        if (!isEcho(message)) {
          target.postMessage(message, transfer)
          return
        }
        const { payload } = message
        const { body } = payload.response
        // Otherwise the stream would buffer for this reader what the other one has read.
        body?.cancel().catch(() => {})
        target.postMessage(
          { ...message, payload: { ...payload, response: { ...payload.response, body: null } } },
          transfer.filter((each) => each !== body),
        )
      }
    },
  })
}

interface Echo {
  readonly payload: { readonly response: { readonly body: ReadableStream | null } }
}

function isEcho(message: unknown): message is Echo {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'RESPONSE'
}
