import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { operations, type Operation, type OperationId } from '../contract/operations.ts'
import { ServiceError } from './failures.ts'
import { TablesError, UnavailableError } from './ports.ts'
import { answerOf, BASE, limitsOf, testApp } from './testing/app.ts'

const DATASET = 'GET /public/v1/datasets/d1'

describe('routes', () => {
  const ids = Object.keys(operations) as OperationId[]

  test.each(ids)('%s can be called under its prefixes', async (id) => {
    const app = testApp()
    const key = await app.newKey()
    const { method, path, conversion }: Operation = operations[id]
    const filled = path.replace(/\{\w+\}/g, 'x')
    for (const [prefix, known] of [
      ['/public/v1', true],
      ['/api/public/v1', conversion],
      ['/console/v1', false],
      ['/v1', false],
    ] as const) {
      const answer = await app.send(`${method.toUpperCase()} ${prefix}${filled}`, {
        key,
        ...(method === 'get' ? {} : { json: {} }),
      })
      expect(answer.error?.code === 'NOT_FOUND', prefix).toBe(!known)
    }
  })

  test.each([
    '/public/v1',
    '/public/v1/',
    '/public/v2/convert/formats',
    '/public/v1/datasets/',
    '/public/v1/datasets/d1/more',
    '/public/v1//datasets',
    '/PUBLIC/v1/datasets',
    '/public/v1/convert/',
    '/elsewhere',
    '/',
  ])('there is nothing at %s', async (path) => {
    const app = testApp()
    expect((await app.send(`GET ${path}`, { key: await app.newKey() })).error?.code).toBe('NOT_FOUND')
  })

  test.each([
    ['PUT /public/v1/datasets', 'POST, OPTIONS'],
    ['GET /public/v1/query', 'POST, OPTIONS'],
    ['HEAD /public/v1/query', 'POST, OPTIONS'],
    ['POST /public/v1/datasets/d1', 'GET, PATCH, DELETE, HEAD, OPTIONS'],
    ['DELETE /api/public/v1/convert/formats', 'GET, HEAD, OPTIONS'],
    ['POST /api/public/v1/openapi.json', 'GET, HEAD, OPTIONS'],
    ['PROPFIND /public/v1/workspaces/w/datasets', 'GET, HEAD, OPTIONS'],
    ['PUT /console/v1/workspaces', 'GET, POST, HEAD, OPTIONS'],
  ])('a wrong method for %s is a 405 with the right ones', async (target, allow) => {
    const answer = await testApp().send(target)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe(allow)
    if (!target.startsWith('HEAD')) expect(answer.error?.code).toBe('METHOD_NOT_ALLOWED')
  })

  test('the message of a 405 names the allowed methods', async () => {
    const message = async (target: string) => (await testApp().send(target)).error?.message
    expect(await message('PUT /public/v1/datasets/d1')).toBe('PUT isn’t possible here; GET, PATCH and DELETE are.')
    expect(await message('PUT /public/v1/query')).toBe('PUT isn’t possible here; POST is.')
  })

  test('OPTIONS returns the allowed methods, even without a key', async () => {
    const answer = await testApp().send('OPTIONS /public/v1/datasets/d1')
    expect([answer.status, answer.headers.get('Allow')]).toEqual([204, 'GET, PATCH, DELETE, HEAD, OPTIONS'])
    expect(limitsOf(answer)[0]).toBe(100)
  })

  test('HEAD is GET without the body', async () => {
    const app = testApp()
    const key = await app.newKey()
    const answer = await app.fetch(
      new Request(`${BASE}/public/v1/datasets/d1`, { method: 'HEAD', headers: { 'X-API-Key': key } }),
    )
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('9999')
    expect((await app.send('HEAD /public/v1/datasets/d1')).status).toBe(401)
  })

  test('handlers get decoded parameters', async () => {
    const app = testApp()
    const key = await app.newKey()
    for (const id of ['a%20b', 'a%2Fb', '%C3%A4', '%E0%A4%A', '..%2F..'])
      await app.send(`GET /public/v1/datasets/${id}`, { key })
    expect(app.calls.map(({ call }) => call.params)).toEqual(
      ['a b', 'a/b', 'ä', '%E0%A4%A', '../..'].map((datasetId) => ({ datasetId })),
    )
  })

  test.each([
    ['https://rowhouse.test', 'https://rowhouse.test/public/v1/datasets/d1'],
    ['https://rowhouse.test/folder', 'https://rowhouse.test/folder/public/v1/datasets/d1'],
    ['https://rowhouse.test/folder', 'https://rowhouse.test/public/v1/datasets/d1'],
    ['https://rowhouse.test/a/b', 'https://rowhouse.test/a/b/public/v1/datasets/d1'],
  ])('served from %s, %s is known', async (baseUrl, url) => {
    const app = testApp({ baseUrl })
    const answer = await app.fetch(new Request(url, { headers: { 'X-API-Key': await app.newKey() } }))
    expect(answer.status).toBe(200)
    expect(app.calls[0]?.call.baseUrl).toBe(baseUrl)
  })

  test('served from a folder, another folder’s URL isn’t known', async () => {
    const app = testApp({ baseUrl: 'https://rowhouse.test/folder' })
    const answer = await app.fetch(new Request('https://rowhouse.test/folders/public/v1/datasets/d1'))
    expect(answer.status).toBe(404)
  })
})

describe('answers', () => {
  test('have a unique id in a header and in the body', async () => {
    const app = testApp()
    const key = await app.newKey()
    const ids = new Set<string | null>()
    for (let i = 0; i < 20; i++) ids.add((await app.send(DATASET, { key })).headers.get('X-Request-Id'))
    expect(ids.size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/)
  })

  test('have headers against caching and content sniffing', async () => {
    const { headers } = await testApp().send(DATASET)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Content-Type')).toBe('application/json')
  })
})

describe('errors that handlers throw', () => {
  const answerTo = async (thrown: unknown, overrides: Parameters<typeof testApp>[0] = {}) => {
    const app = testApp({ handle: () => Promise.reject(thrown), ...overrides })
    const answer = await app.send(DATASET, { key: await app.newKey() })
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('9999')
    return { ...answer, lines: app.ports.lines }
  }

  test('a service error becomes the answer, with its details and headers', async () => {
    const thrown = new ServiceError('CONFLICT', 'Taken.', { details: { name: 'x' }, headers: { 'X-More': '1' } })
    const { error, headers, lines } = await answerTo(thrown)
    expect(error).toEqual({ code: 'CONFLICT', message: 'Taken.', details: { name: 'x' } })
    expect(headers.get('X-More')).toBe('1')
    expect(lines).toEqual([])
  })

  test('an unexpected error is logged with the request’s id, but not returned', async () => {
    const { error, headers, lines } = await answerTo(new Error('SELECT secret FROM /home/ann at line 3'))
    expect(error?.code).toBe('INTERNAL_ERROR')
    expect(JSON.stringify(error)).not.toMatch(/secret|home|line 3/)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(headers.get('X-Request-Id'))
  })

  test('a service error with a status of 500 or more is also logged', async () => {
    const { lines } = await answerTo(new ServiceError('SERVICE_UNAVAILABLE', 'The engine died.'))
    expect(lines).toHaveLength(1)
  })

  test('a thrown value that isn’t an error also becomes an answer', async () => {
    expect((await answerTo(new ServiceError('INTERNAL_ERROR', 'x'))).status).toBe(500)
    for (const thrown of ['text', null, undefined, 7]) {
      const app = testApp({ handle: () => Promise.reject(thrown) })
      const { error } = await app.send(DATASET, { key: await app.newKey() })
      expect(error?.code).toBe('INTERNAL_ERROR')
    }
  })

  test.each([
    ['a port that can’t right now', new UnavailableError('Close the other tab.'), 'Close the other tab.'],
    ['an engine that starts again', new TablesError('unavailable', 'worker 3 died'), 'starting again'],
    ['a full disk', new DOMException('quota', 'QuotaExceededError'), 'no space left'],
    [
      'a full disk, as IndexedDB says it when others filled it',
      new DOMException('Connection is closing because of: IO error: …: FILE_ERROR_NO_SPACE', 'UnknownError'),
      'no space left',
    ],
    ['a full disk, as the engine says it', new TablesError('out-of-space', 'No space'), 'no space left'],
  ])('%s is a 503 that says what to do', async (_, thrown, words) => {
    const { error, headers } = await answerTo(thrown)
    expect(error?.code).toBe('SERVICE_UNAVAILABLE')
    expect(error?.message).toContain(words)
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  test('a disconnected client isn’t logged as a failure', async () => {
    const controller = new AbortController()
    const app = testApp({
      async handle({ signal }) {
        controller.abort()
        if (!signal.aborted) await once(signal, 'abort')
        signal.throwIfAborted()
        return new Response()
      },
    })
    const answer = await app.send(DATASET, { key: await app.newKey(), signal: controller.signal })
    expect(answer.error?.code).toBe('SERVICE_UNAVAILABLE')
    expect(app.ports.lines).toEqual([])
  })

  test('if an old tab blocks the records, every call says so', async () => {
    const blocked = () => Promise.reject(new UnavailableError('Another tab has an older version open.'))
    const app = testApp()
    const key = await app.newKey()
    vi.spyOn(app.ports.records, 'read').mockImplementation(blocked)
    vi.spyOn(app.ports.records, 'write').mockImplementation(blocked)
    vi.spyOn(app.ports.records, 'admit').mockImplementation(blocked)
    for (const target of [DATASET, 'GET /public/v1/nothing', 'PUT /public/v1/datasets', 'GET /console/v1/workspaces']) {
      const answer = await app.send(target, { key })
      expect(answer.error?.message, target).toBe('Another tab has an older version open.')
      expect(limitsOf(answer)[0], target).toBe(target.includes('console') ? null : 100)
    }
  })
})

test('an answer that isn’t JSON is passed on unchanged', async () => {
  const app = testApp({ handle: async () => new Response('plain', { status: 200 }) })
  const response = await app.fetch(
    new Request(`${BASE}/public/v1/datasets/d1`, { headers: { 'X-API-Key': await app.newKey() } }),
  )
  expect(await response.text()).toBe('plain')
  expect(response.headers.get('X-RateLimit-Limit')).toBe('10000')
  await expect(answerOf(new Response('{}', { status: 200 }))).resolves.toMatchObject({ status: 200 })
})
