import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApiGate, type ApiGate } from './api-gate.ts'

class Page {
  readonly messages: unknown[] = []
  readonly id: string
  readonly type: ClientTypes
  readonly url: string
  constructor(id: string, type: ClientTypes = 'window', url = 'https://rowhouse.test/') {
    this.id = id
    this.type = type
    this.url = url
  }
  postMessage(message: unknown): void {
    this.messages.push(message)
  }
}

let pages: Page[]
let activated: string[]
let gate: ApiGate

beforeEach(() => {
  vi.useFakeTimers()
  pages = []
  activated = []
  gate = createApiGate({
    clients: {
      get: async (id: string) => pages.find((page) => page.id === id) as Client | undefined,
      matchAll: async () => pages.filter(({ type }) => type === 'window') as unknown as WindowClient[],
    },
    mock: {
      message: () => {},
      activate: async (client) => void activated.push(client.id),
      fetch: async ({ url }, client) =>
        url.endsWith('/slow') ? new Promise(() => {}) : new Response(`answered by ${client.id}`),
    },
    network: async () => new Response('the network'),
    unavailable: () => new Response('unavailable', { status: 503 }),
    timeoutMs: 10_000,
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const ask = async (clientId: string, path = 'x'): Promise<string> =>
  (await gate.answer(new Request(`https://rowhouse.test/public/v1/${path}`), clientId)).text()

test('a connection test’s call goes to the network, even if a page answers', async () => {
  pages = [new Page('here'), new Page('w', 'worker', 'https://rowhouse.test/assets/probe-worker-Ab1.js')]
  gate.heard('here', 'here')
  expect(await ask('w')).toBe('the network')
})

describe('a call of a page', () => {
  test('goes to that page', async () => {
    pages = [new Page('a'), new Page('b')]
    gate.heard('a', 'here')
    gate.heard('b', 'here')
    expect(await ask('b')).toBe('answered by b')
    expect(await ask('a')).toBe('answered by a')
  })

  test('waits until the page is ready', async () => {
    const page = new Page('a')
    pages = [page]
    const answers = [ask('a'), ask('a')]
    await vi.advanceTimersByTimeAsync(9_000)
    expect(page.messages).toEqual([{ type: 'rowhouse:who-answers' }])
    gate.heard('a', 'here')
    expect(await Promise.all(answers)).toEqual(['answered by a', 'answered by a'])
    expect(activated).toEqual(['a'])
  })

  test('doesn’t wait forever', async () => {
    pages = [new Page('a')]
    const answer = ask('a')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await answer).toBe('unavailable')
  })

  test('ends when the page closes before answering, and not earlier', async () => {
    pages = [new Page('a')]
    gate.heard('a', 'here')
    let answer = ''
    const asked = ask('a', 'slow').then((text) => (answer = text))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(answer).toBe('')
    pages = []
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await asked).toBe('unavailable')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('goes to the network while the page has no stand-in', async () => {
    pages = [new Page('a'), new Page('b')]
    gate.heard('a', 'network')
    gate.heard('b', 'here')
    expect(await ask('a')).toBe('the network')
    gate.heard('a', 'here')
    expect(await ask('a')).toBe('answered by a')
  })
})

describe('a call from elsewhere', () => {
  test('goes to any page that answers', async () => {
    pages = [new Page('loading'), new Page('remote'), new Page('here'), new Page('w', 'worker')]
    gate.heard('remote', 'network')
    gate.heard('here', 'here')
    expect(await ask('w')).toBe('answered by here')
    expect(await ask('')).toBe('answered by here')
    expect(await ask('gone')).toBe('answered by here')
  })

  test('goes to the network if there’s none', async () => {
    expect(await ask('')).toBe('the network')
    pages = [new Page('remote')]
    gate.heard('remote', 'network')
    expect(await ask('')).toBe('the network')
  })
})
