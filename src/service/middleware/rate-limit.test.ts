import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { ENDPOINT_LIMITS, PLAN_LIMITS, WINDOW_SECONDS } from '../../contract/limits.ts'
import type { Plan, WindowName } from '../../contract/schemas.ts'
import { limitsOf, testApp, type Answer, type TestApp } from '../testing/app.ts'
import { START } from '../testing/ports.ts'
import { counterId } from './windows.ts'

const BODIES: Readonly<Record<string, unknown>> = {
  'POST /convert/upload-urls': { source_format: 'csv', destination_format: 'json' },
  'POST /convert': { source_url: 'a/b/c', source_format: 'csv', destination_format: 'json' },
}

async function setUp(plan: Plan, endpoint: string | null, app = testApp()) {
  const { key, record } = await app.key(await app.workspace(plan))
  const target = endpoint ?? 'GET /datasets/x'
  const [method, path] = target.split(' ')
  const json = BODIES[target]
  const send = (prefix = '/public/v1'): Promise<Answer> =>
    app.send(`${method} ${prefix}${path}`, { key, ...(json ? { json } : {}) })
  return { app, key, keyId: record.id, send }
}

/** Sets the number of counted requests in a window. */
async function spend(
  { ports }: TestApp,
  keyId: string,
  { endpoint, name, count }: { endpoint: string | null; name: WindowName; count: number },
): Promise<void> {
  const seconds = Math.floor(ports.clock.now() / 1000)
  const start = seconds - (seconds % WINDOW_SECONDS[name])
  const id = counterId(keyId, { endpoint, name, limit: 0, start, end: 0 })
  await ports.records.write(['counters'], (transaction) => transaction.put('counters', { id, start, count }))
}

const windows = [
  ...Object.entries(ENDPOINT_LIMITS).flatMap(([endpoint, limits]) =>
    Object.entries(limits).map(([name, limit]) => ({
      plan: 'business' as Plan,
      endpoint,
      name: name as WindowName,
      limit,
    })),
  ),
  ...Object.entries(PLAN_LIMITS).map(([plan, { hour }]) => ({
    plan: plan as Plan,
    endpoint: null,
    name: 'hour' as WindowName,
    limit: hour,
  })),
]

describe.each(windows)('$endpoint on $plan: $limit a $name', ({ plan, endpoint, name, limit }) => {
  const length = WINDOW_SECONDS[name]
  const end = START / 1000 + length

  test('the last request is admitted and the next one refused, until a new window begins', async () => {
    const { app, keyId, send } = await setUp(plan, endpoint)
    app.ports.clock.advance(length * 1000 - 1)
    await spend(app, keyId, { endpoint, name, count: limit - 1 })

    const last = await send()
    expect(last.status).toBe(200)
    expect(limitsOf(last)).toEqual([limit, 0, end])

    const first = await send()
    expect(first.error).toMatchObject({ code: 'RATE_LIMITED', details: { limit, window: name, retry_after: 1 } })
    expect(first.headers.get('Retry-After')).toBe('1')
    expect(limitsOf(first)).toEqual([limit, 0, end])
    expect(app.calls).toHaveLength(1)

    app.ports.clock.advance(1)
    expect((await send()).status).toBe(200)
  })

  test('Retry-After is exactly the time until a request is admitted', async () => {
    const { app, keyId, send } = await setUp(plan, endpoint)
    app.ports.clock.advance(1500)
    await spend(app, keyId, { endpoint, name, count: limit })
    const refused = await send()
    expect(refused.headers.get('Retry-After')).toBe(String(length - 1))
    expect(refused.error?.details).toEqual({ limit, window: name, retry_after: length - 1 })
    app.ports.clock.advance((length - 1) * 1000)
    expect((await send()).status).toBe(200)
  })
})

describe('windows', () => {
  test('are filled by requests on both prefixes together: the 11th conversion in a minute is refused', async () => {
    const { app, send } = await setUp('business', 'POST /convert')
    for (let i = 0; i < 10; i++) {
      const answer = await send(i % 2 ? '/public/v1' : '/api/public/v1')
      expect(limitsOf(answer)).toEqual([10, 9 - i, START / 1000 + 60])
    }
    expect((await send()).status).toBe(429)
    expect((await send('/api/public/v1')).status).toBe(429)
    app.ports.clock.advance(59_999)
    expect((await send()).status).toBe(429)
    app.ports.clock.advance(1)
    expect((await send()).status).toBe(200)
  })

  test('don’t count a request if one of them is full', async () => {
    const { app, key, keyId, send } = await setUp('free', 'POST /convert')
    for (let i = 0; i < 15; i++) await send()
    const counters = await app.ports.records.read(['counters'], (transaction) => transaction.all('counters'))
    expect(counters.map(({ count }) => count)).toEqual([10, 10, 10, 10])
    expect(counters.map(({ id }) => id.split(' ')[0])).toEqual([keyId, keyId, keyId, keyId])
    const other = await app.send('GET /public/v1/datasets/x', { key })
    expect(limitsOf(other)).toEqual([100, 89, START / 1000 + 3600])
  })

  test('of the plan count each request once, for all endpoints together', async () => {
    const { app, key, send } = await setUp('free', 'GET /convert/formats')
    await send()
    await app.send('GET /public/v1/datasets/x', { key })
    await app.send('DELETE /public/v1/datasets/x', { key })
    await app.send('POST /public/v1/query', { key, json: {} })
    const answer = await app.send('GET /public/v1/datasets/y', { key })
    expect(limitsOf(answer)).toEqual([100, 95, START / 1000 + 3600])
  })

  test('with the fewest requests left are reported in headers', async () => {
    const { app, keyId, send } = await setUp('free', 'GET /convert/formats')
    expect(limitsOf(await send())).toEqual([60, 59, START / 1000 + 60])
    await spend(app, keyId, { endpoint: null, name: 'hour', count: 70 })
    expect(limitsOf(await send())).toEqual([100, 29, START / 1000 + 3600])
    await spend(app, keyId, { endpoint: 'GET /convert/formats', name: 'day', count: 4990 })
    expect(limitsOf(await send())).toEqual([5000, 9, START / 1000 + 86_400])
  })

  test('that are full: a refusal names the one that ends last', async () => {
    const { app, keyId, send } = await setUp('free', 'POST /convert')
    await spend(app, keyId, { endpoint: 'POST /convert', name: 'minute', count: 10 })
    await spend(app, keyId, { endpoint: 'POST /convert', name: 'day', count: 500 })
    await spend(app, keyId, { endpoint: null, name: 'hour', count: 100 })
    const refused = await send()
    expect(refused.error?.details).toEqual({ limit: 500, window: 'day', retry_after: 86_400 })
    expect(limitsOf(refused)).toEqual([500, 0, START / 1000 + 86_400])
  })

  test('are separate for each key', async () => {
    const app = testApp()
    const workspace = await app.workspace('free')
    const [first, second] = [await app.key(workspace), await app.key(workspace)]
    await spend(app, first.record.id, { endpoint: null, name: 'hour', count: 100 })
    expect((await app.send('GET /public/v1/datasets/x', { key: first.key })).status).toBe(429)
    expect((await app.send('GET /public/v1/datasets/x', { key: second.key })).status).toBe(200)
  })

  test('count each of several concurrent requests', async () => {
    const { send } = await setUp('business', 'POST /convert')
    const answers = await Promise.all(Array.from({ length: 15 }, () => send()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })

  test('follow a new plan from the next request on', async () => {
    const { app, keyId, send } = await setUp('free', null)
    await spend(app, keyId, { endpoint: null, name: 'hour', count: 100 })
    expect((await send()).status).toBe(429)
    const [workspace] = await app.ports.records.read(['workspaces'], (transaction) => transaction.all('workspaces'))
    await app.send(`PATCH /console/v1/workspaces/${workspace!.id}`, { json: { plan: 'pro' } })
    expect(limitsOf(await send())).toEqual([1000, 899, START / 1000 + 3600])
  })
})

describe('a clock that is set back', () => {
  test('locks nobody out', async () => {
    const { app, keyId, send } = await setUp('free', null)
    await spend(app, keyId, { endpoint: null, name: 'hour', count: 100 })
    expect((await send()).status).toBe(429)
    app.ports.clock.advance(-3_600_000)
    expect((await send()).status).toBe(200)
  })

  test('doesn’t let a window admit more requests than its limit', async () => {
    const { app, keyId, send } = await setUp('free', null)
    await spend(app, keyId, { endpoint: null, name: 'hour', count: 99 })
    expect((await send()).status).toBe(200)
    app.ports.clock.advance(-1)
    expect((await send()).status).toBe(200)
    app.ports.clock.advance(1)
    expect((await send()).status).toBe(429)
    app.ports.clock.advance(-1)
    expect(limitsOf(await send())).toEqual([100, 98, START / 1000])
  })
})

test('whatever the clock does, each window admits exactly as many requests as its limit allows', async () => {
  const app = testApp()
  const step = fc.record({ seconds: fc.integer({ min: -90, max: 90 }), requests: fc.integer({ min: 0, max: 6 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { send } = await setUp('business', 'POST /convert', app)
      const used = new Map<number, number>()
      for (const { seconds, requests } of steps) {
        app.ports.clock.advance(seconds * 1000)
        const minute = Math.floor(app.ports.clock.now() / 60_000)
        for (let i = 0; i < requests; i++) {
          const before = used.get(minute) ?? 0
          expect((await send()).status).toBe(before < 10 ? 200 : 429)
          used.set(minute, Math.min(10, before + 1))
        }
      }
    }),
    { numRuns: 8 },
  )
})

describe('a key that has changed since its last request', () => {
  test('has its workspace’s new plan at once, and keeps its counts', async () => {
    const { app, send } = await setUp('free', null)
    expect(limitsOf(await send())).toEqual([100, 99, START / 1000 + 3600])
    const { records } = app.ports
    const [workspace] = await records.read(['workspaces'], (transaction) => transaction.all('workspaces'))
    if (!workspace) throw new Error('there is no workspace')
    await records.write(['workspaces'], (transaction) => transaction.put('workspaces', { ...workspace, plan: 'pro' }))
    expect(limitsOf(await send())?.slice(0, 2)).toEqual([PLAN_LIMITS.pro.hour, PLAN_LIMITS.pro.hour - 2])
  })

  test('is in its new workspace, with its own counters, after a restore', async () => {
    const { app, keyId, send } = await setUp('free', null)
    await send()
    const other = await app.workspace('business')
    const { records } = app.ports
    await records.write(['keys'], async (transaction) => {
      const record = await transaction.get('keys', keyId)
      if (!record) throw new Error('there is no key')
      await transaction.remove('keys', keyId)
      await transaction.put('keys', { ...record, id: 'another', workspaceId: other.id })
    })
    const hour = PLAN_LIMITS.business.hour
    expect(limitsOf(await send())?.slice(0, 2)).toEqual([hour, hour - 1])
    await records.write(['workspaces'], (transaction) => transaction.remove('workspaces', other.id))
    expect((await send()).status).toBe(401)
  })
})

describe('a full disk', () => {
  const fill = ({ ports: { records } }: TestApp) => {
    const admit = records.admit.bind(records)
    vi.spyOn(records, 'admit').mockImplementation((request) =>
      request.counts ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : admit(request),
    )
  }

  test('doesn’t refuse requests, since deleting datasets makes space', async () => {
    const { app, send } = await setUp('free', null)
    expect((await send()).status).toBe(200)
    fill(app)
    for (let i = 0; i < 2; i++) expect(limitsOf(await send())).toEqual([100, 99, START / 1000 + 3600])
    expect(app.calls).toHaveLength(3)
  })

  test('doesn’t lift limits or admit unknown keys', async () => {
    const { app, keyId, send } = await setUp('free', null)
    await spend(app, keyId, { endpoint: null, name: 'hour', count: 100 })
    fill(app)
    expect((await send()).status).toBe(429)
    const stranger = await app.send('GET /public/v1/datasets/x', { key: `sk_live_${'x'.repeat(43)}` })
    expect(stranger.status).toBe(401)
  })
})

describe('headers of answers that don’t count', () => {
  const nobody = [100, 100, START / 1000 + 3600]

  test.each([
    ['a path that there isn’t', 'GET /public/v1/nothing', 404],
    ['a method that isn’t possible', 'PUT /public/v1/datasets', 405],
    ['the interface’s description', 'GET /public/v1/openapi.json', 200],
    ['the interface’s description, by its other address', 'GET /api/public/v1/openapi.json', 200],
  ])('%s: are those of the key’s windows, or of an unknown caller’s', async (_, target, status) => {
    const { app, key } = await setUp('pro', null)
    for (let i = 0; i < 3; i++) {
      const answer = await app.send(target, { key })
      expect(answer.status).toBe(status)
      expect(limitsOf(answer)).toEqual([1000, 1000, START / 1000 + 3600])
    }
    expect(limitsOf(await app.send(target))).toEqual(nobody)
    expect(limitsOf(await app.send(target, { key: `sk_live_${'x'.repeat(43)}` }))).toEqual(nobody)
    expect(app.calls).toEqual([])
  })

  test('the console has none', async () => {
    const app = testApp()
    expect(limitsOf(await app.send('GET /console/v1/workspaces'))).toEqual([null, null, null])
    expect(limitsOf(await app.send('GET /console/v1/nothing'))).toEqual([null, null, null])
  })
})
