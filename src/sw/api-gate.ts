import { within } from '../lib/abort.ts'
import type { MockWorker } from './mock-worker.ts'
import { CONNECTION_TEST } from './policy.ts'
import type { Answering, WorkerMessage } from './protocol.ts'

interface Options {
  readonly clients: Pick<Clients, 'get' | 'matchAll'>
  readonly mock: MockWorker
  /** Sends a request to the network. */
  readonly network: (request: Request) => Promise<Response>
  /** The answer if no page says in time whether it answers. */
  readonly unavailable: () => Response
  readonly timeoutMs?: number
}

export interface ApiGate {
  answer(request: Request, clientId: string): Promise<Response>
  /** Called when a page has said who answers its calls. */
  heard(clientId: string, answering: Answering): void
}

/** Milliseconds between checks whether a page that has to answer a call is still open. */
const LOOK_EVERY_MS = 500

/**
 * Passes calls of the service to the page that made them, if that page has the stand-in. Waits for a page that's still
 * loading, since otherwise the host would answer with its start page. A service worker may be stopped and restarted at
 * any time, so all it knows about pages is what they have said since.
 */
export function createApiGate({ clients, mock, network, unavailable, timeoutMs = 10_000 }: Options): ApiGate {
  const known = new Map<string, Answering>()
  const waiting = new Map<
    string,
    { readonly answer: Promise<Answering>; readonly settle: (answering: Answering) => void }
  >()
  const activated = new Map<string, Promise<void>>()

  const askOne = (client: Client): Promise<Answering> => {
    const state = known.get(client.id)
    if (state) return Promise.resolve(state)
    const asked = waiting.get(client.id)
    if (asked) return asked.answer
    let settle: (answering: Answering) => void = () => {}
    const answer = new Promise<Answering>((resolve) => (settle = resolve))
    waiting.set(client.id, { answer, settle })
    client.postMessage({ type: 'rowhouse:who-answers' } satisfies WorkerMessage)
    return answer
  }

  /** The page that made the call; for calls of workers, frames or the address bar, any page that answers. */
  const pageFor = async (clientId: string): Promise<Client | null> => {
    const client = clientId === '' ? undefined : await clients.get(clientId)
    if (client?.type === 'window') return (await askOne(client)) === 'here' ? client : null
    // A connection test is for a service on the network, which may be at this origin.
    if (client && CONNECTION_TEST.test(client.url)) return null
    const pages = await clients.matchAll({ type: 'window' })
    if (pages.length === 0) return null
    const here = pages.map(async (page) =>
      (await askOne(page)) === 'here' ? page : Promise.reject(new Error('not here')),
    )
    return Promise.any(here).catch(() => null)
  }

  const activate = (client: Client): Promise<void> => {
    const before = activated.get(client.id)
    if (before) return before
    const activation = mock.activate(client)
    activated.set(client.id, activation)
    return activation
  }

  /**
   * The result of a page's work; undefined if the page closes before that. A call that nobody answers would keep this
   * service worker busy for minutes, and with it a newer version waiting.
   */
  const whileOpen = async <T>(page: Client, work: Promise<T>): Promise<T | undefined> => {
    let timer: ReturnType<typeof setInterval> | undefined
    const closed = new Promise<undefined>((resolve) => {
      const look = async (): Promise<void> => {
        if (!(await clients.get(page.id))) resolve(undefined)
      }
      timer = setInterval(() => void look(), LOOK_EVERY_MS)
    })
    try {
      return await Promise.race([work, closed])
    } finally {
      clearInterval(timer)
    }
  }

  return {
    async answer(request, clientId) {
      const page = await within(timeoutMs, pageFor(clientId))
      if (page === undefined) return unavailable()
      if (page === null) return network(request)
      const answer = activate(page).then(() => mock.fetch(request, page))
      return (await whileOpen(page, answer)) ?? unavailable()
    },
    heard(clientId, answering) {
      known.set(clientId, answering)
      waiting.get(clientId)?.settle(answering)
      waiting.delete(clientId)
    },
  }
}
