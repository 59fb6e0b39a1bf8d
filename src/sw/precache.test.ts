import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { POLICY_HEADER, withPolicy } from './policy.ts'
import { createPrecache, type Manifest, type Precache } from './precache.ts'

const POLICY = "default-src 'none'; frame-ancestors 'none'"
const scope = new URL('https://rowhouse.test/tools/')

/** The part of the Cache API that is used. */
class FakeCache {
  readonly entries = new Map<string, Response>()
  async match(request: RequestInfo): Promise<Response | undefined> {
    return this.entries.get(typeof request === 'string' ? request : request.url)?.clone()
  }
  async put(request: RequestInfo, response: Response): Promise<void> {
    this.entries.set(typeof request === 'string' ? request : request.url, response)
  }
  async keys(): Promise<Request[]> {
    return Array.from(this.entries.keys(), (url) => new Request(url))
  }
  async delete(request: Request): Promise<boolean> {
    return this.entries.delete(request.url)
  }
}

let stored: Map<string, FakeCache>
let host: Map<string, string>
let fetched: string[]
let online: boolean

const caches = {
  async open(name: string) {
    const cache = stored.get(name) ?? new FakeCache()
    stored.set(name, cache)
    return cache
  },
  keys: async () => [...stored.keys()],
  delete: async (name: string) => stored.delete(name),
} as unknown as CacheStorage

const fetch = async (request: Request): Promise<Response> => {
  if (!online) throw new TypeError('offline')
  const path = new URL(request.url).pathname.slice(scope.pathname.length)
  fetched.push(path)
  const text = host.get(path)
  return text === undefined ? new Response('nothing here', { status: 404 }) : new Response(text)
}

const version = (name: string, assets: readonly string[]): Precache => {
  const manifest: Manifest = { version: name, assets, shell: ['theme.js'], routes: ['convert', 'datasets'] }
  return createPrecache(manifest, {
    scope,
    caches,
    fetch,
    guard: (answer) => withPolicy(answer, POLICY),
    prepare: async (page) => page,
  })
}

/** Requests with mode `navigate` can't be constructed. */
const navigation = (path: string): Request =>
  new Proxy(new Request(new URL(path, scope)), {
    get: (request, key) => (key === 'mode' ? 'navigate' : Reflect.get(request, key)),
  })

const text = async (answer: Promise<Response> | null): Promise<string | null> => (answer ? (await answer).text() : null)
const asset = (precache: Precache, path: string): Promise<string | null> =>
  text(precache.answer(new Request(new URL(path, scope))))

afterEach(() => vi.unstubAllGlobals())

beforeEach(() => {
  vi.stubGlobal('navigator', {})
  stored = new Map()
  fetched = []
  online = true
  host = new Map([
    ['', 'start 1'],
    ['theme.js', 'theme 1'],
    ['assets/a-1.js', 'a 1'],
    ['assets/b-1.wasm', 'b 1'],
  ])
})

describe('offline', () => {
  test('everything is available after the first visit', async () => {
    const precache = version('1', ['assets/a-1.js', 'assets/b-1.wasm'])
    await precache.install(false)
    expect(fetched.sort()).toEqual(['', 'theme.js'])
    await Promise.all([precache.keepAssets(), precache.keepAssets()])
    expect(fetched).toHaveLength(4)
    online = false
    for (const path of ['', 'convert', 'convert/x/y', 'datasets/1', 'index.html', 'nowhere']) {
      expect(await text(precache.answer(navigation(path)))).toBe('start 1')
    }
    expect(await asset(precache, 'theme.js')).toBe('theme 1')
    expect(await asset(precache, 'assets/b-1.wasm')).toBe('b 1')
  })

  test('everything has the policy, even what an earlier version cached without one', async () => {
    const precache = version('1', ['assets/a-1.js', 'assets/b-1.wasm'])
    await precache.install(false)
    stored.set('rowhouse-assets /tools/', new FakeCache())
    const kept = stored.get('rowhouse-assets /tools/')
    await kept?.put(new URL('assets/a-1.js', scope).href, new Response('a 1'))
    const paths = ['assets/a-1.js', 'assets/b-1.wasm', 'assets/b-1.wasm', 'theme.js']
    const requests = paths.map((path) => new Request(new URL(path, scope)))
    for (const request of [navigation(''), navigation('convert/x'), ...requests]) {
      const answer = await precache.answer(request)
      expect(answer?.headers.get(POLICY_HEADER), request.url).toBe(POLICY)
      expect(await answer?.text()).not.toBe('')
    }
    // The host's other pages have their own policies.
    host.set('blog/', 'a blog')
    expect((await precache.answer(navigation('blog/')))?.headers.get(POLICY_HEADER)).toBeNull()
  })

  test.each([
    [true, 'a 1'],
    [false, null],
  ])('what a page loads is cached at once only if the device saves data: %s', async (saveData, kept) => {
    vi.stubGlobal('navigator', { connection: { saveData } })
    const precache = version('1', ['assets/a-1.js'])
    await precache.install(false)
    expect(await asset(precache, 'assets/a-1.js')).toBe('a 1')
    online = false
    expect(await asset(precache, 'assets/a-1.js').catch(() => null)).toBe(kept)
  })

  test('an installation without one of the files fails', async () => {
    host.delete('theme.js')
    await expect(version('1', []).install(false)).rejects.toThrow('“theme.js” answered 404')
  })
})

test('the host answers addresses that aren’t the app’s, if there’s a network', async () => {
  host.set('blog/', 'a blog')
  const precache = version('1', [])
  await precache.install(false)
  expect(await text(precache.answer(navigation('blog/')))).toBe('a blog')
  expect(precache.answer(new Request(new URL('blog/picture.png', scope)))).toBeNull()
  expect(precache.answer(new Request(new URL('convert', scope), { method: 'POST', body: 'x' }))).toBeNull()
})

test('unknown assets and errors aren’t cached', async () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  host.set('assets/other.js', 'other')
  const precache = version('1', ['assets/a-1.js', 'assets/gone.js'])
  await asset(precache, 'assets/other.js')
  await asset(precache, 'assets/gone.js')
  await asset(precache, 'assets/a-1.js')
  expect([...(stored.get('rowhouse-assets /tools/')?.entries.keys() ?? [])]).toEqual([
    new URL('assets/a-1.js', scope).href,
  ])
})

describe('an update', () => {
  test('fetches everything that has changed before it takes over, and keeps the assets of open pages', async () => {
    const first = version('1', ['assets/a-1.js', 'assets/b-1.wasm'])
    await first.install(false)
    await first.keepAssets()
    host = new Map([
      ['', 'start 2'],
      ['theme.js', 'theme 2'],
      ['assets/a-2.js', 'a 2'],
      ['assets/b-1.wasm', 'b 1'],
    ])
    fetched = []
    const second = version('2', ['assets/a-2.js', 'assets/b-1.wasm'])
    await second.install(true)
    expect(fetched.sort()).toEqual(['', 'assets/a-2.js', 'theme.js'])
    online = false
    expect(await text(first.answer(navigation('convert')))).toBe('start 1')
    expect(await text(second.answer(navigation('convert')))).toBe('start 2')
    // A page of the first version, answered by the second.
    expect(await asset(second, 'assets/a-1.js')).toBe('a 1')

    await second.removeOthers()
    expect([...stored.keys()].sort()).toEqual(['rowhouse-assets /tools/', 'rowhouse-shell /tools/ 2'])
    await expect(asset(second, 'assets/a-1.js')).rejects.toThrow('offline')
    expect(await asset(second, 'assets/a-2.js')).toBe('a 2')
  })

  test('doesn’t affect other apps of the origin', async () => {
    stored.set('rowhouse-shell / 9', new FakeCache()).set('somebody else’s', new FakeCache())
    await version('2', []).removeOthers()
    expect([...stored.keys()]).toEqual(['rowhouse-shell / 9', 'somebody else’s', 'rowhouse-assets /tools/'])
  })
})
