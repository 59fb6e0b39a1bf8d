import { describe, expect, test } from 'vitest'
import { loadMockWorker, type MockWorker } from './mock-worker.ts'

interface Script {
  readonly mock: MockWorker
  /** Events that the script received. */
  readonly got: [type: string, event: Record<string, unknown>][]
  readonly scope: EventTarget & {
    readonly clients: { get(): Promise<Client | undefined>; matchAll(): Promise<(Client | undefined)[]> }
  }
}

interface Told {
  readonly message: unknown
  readonly transfer: readonly Transferable[]
}

/** A global scope whose imported script listens to the same events as MSW's. */
function load(
  types: readonly string[],
  listen: (type: string, event: Record<string, unknown>) => void = () => {},
  page?: Client,
): Script {
  const got: Script['got'] = []
  const scope = Object.assign(new EventTarget(), {
    clients: { get: () => Promise.resolve(page), matchAll: () => Promise.resolve([page]) },
    importScripts() {
      for (const type of types) {
        scope.addEventListener(type, (event: unknown) => {
          got.push([type, event as Record<string, unknown>])
          listen(type, event as Record<string, unknown>)
        })
      }
    },
  })
  return { mock: loadMockWorker(scope as unknown as ServiceWorkerGlobalScope, 'script.js'), got, scope }
}

const ALL = ['install', 'activate', 'message', 'fetch']
const client = { id: 'page' } as Client

describe('MSW’s script', () => {
  test('receives no events directly', () => {
    const { got, scope } = load(ALL)
    for (const type of ALL) scope.dispatchEvent(new Event(type))
    expect(got).toEqual([])
  })

  test('doesn’t affect our own listeners', () => {
    const { scope } = load(ALL)
    let heard = 0
    scope.addEventListener('fetch', () => heard++)
    scope.dispatchEvent(new Event('fetch'))
    expect(heard).toBe(1)
  })

  test('receives messages, but not that a page closes, since it would unregister the service worker', () => {
    const { mock, got } = load(ALL)
    const told: unknown[] = []
    const source = { postMessage: (message: unknown) => told.push(message) }
    mock.message({ data: 'KEEPALIVE_REQUEST', source } as unknown as ExtendableMessageEvent)
    mock.message({ data: 'CLIENT_CLOSE', source } as unknown as ExtendableMessageEvent)
    expect(got.map(([, { data }]) => data)).toEqual(['KEEPALIVE_REQUEST'])
    expect(told).toEqual([{ type: 'CLIENT_CLOSED' }])
  })

  test('is activated for a page', async () => {
    let done = false
    const { mock, got } = load(ALL, (_, event) => {
      const wait = event['waitUntil'] as (promise: Promise<void>) => void
      wait(Promise.resolve().then(() => void (done = true)))
    })
    await mock.activate(client)
    expect(got[0]?.[1]).toMatchObject({ data: 'MOCK_ACTIVATE', source: client })
    expect(done).toBe(true)
  })

  test('answers the requests that it’s given', async () => {
    const { mock, got } = load(ALL, (type, event) => {
      if (type === 'fetch')
        (event['respondWith'] as (response: unknown) => void)(Promise.resolve(new Response('hello')))
    })
    const request = new Request('https://rowhouse.test/public/v1/x')
    expect(await (await mock.fetch(request, client)).text()).toBe('hello')
    expect(got[0]?.[1]).toMatchObject({ request, clientId: 'page' })
  })

  test('tells its page that there was an answer, but doesn’t send a copy of it', async () => {
    const told: Told[] = []
    const { scope } = load(ALL, undefined, {
      id: 'page',
      postMessage: (message: unknown, transfer: Transferable[]) => void told.push({ message, transfer }),
    } as unknown as Client)
    const response = new Response('all of it')
    const { body } = response.clone()
    const request = { id: 'r1', body: new ArrayBuffer(1) }
    for (const page of [await scope.clients.get(), ...(await scope.clients.matchAll())]) {
      expect(page?.id).toBe('page')
      page?.postMessage({ type: 'REQUEST', payload: request }, [request.body])
    }
    const answered = { request, response: { status: 200, body } }
    const page = await scope.clients.get()
    page?.postMessage({ type: 'RESPONSE', payload: answered }, [request.body, body as ReadableStream])
    expect(told).toEqual([
      { message: { type: 'REQUEST', payload: request }, transfer: [request.body] },
      { message: { type: 'REQUEST', payload: request }, transfer: [request.body] },
      {
        message: { type: 'RESPONSE', payload: { request, response: { status: 200, body: null } } },
        transfer: [request.body],
      },
    ])
    expect(await response.text()).toBe('all of it')
  })

  test('causes an error if it doesn’t listen', () => {
    const { mock } = load([])
    expect(() => mock.message({ data: 'MOCK_ACTIVATE' } as ExtendableMessageEvent)).toThrow(
      'doesn’t listen for “message”',
    )
  })
})
