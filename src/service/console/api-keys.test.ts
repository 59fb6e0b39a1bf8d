import { beforeEach, describe, expect, test } from 'vitest'
import { consoleOperations } from '../../contract/console-operations.ts'
import type { ApiKey, NewApiKeyData } from '../../contract/schemas.ts'
import type { WorkspaceRecord } from '../ports.ts'
import { testApp, type Answer, type TestApp } from '../testing/app.ts'
import { START } from '../testing/ports.ts'
import { dataset, object, table } from '../testing/records.ts'

const NOBODY = crypto.randomUUID()
const SCOPES = ['datasets:*:read']

let app: TestApp
let workspace: WorkspaceRecord
beforeEach(async () => {
  app = testApp()
  workspace = await app.workspace()
})

const newKeyOf = ({ data }: Answer): NewApiKeyData => consoleOperations.createApiKey.answer.parse(data)
const create = (json: unknown, id = workspace.id) => app.send(`POST /console/v1/workspaces/${id}/api-keys`, { json })
const rotate = (id: string, json?: unknown) =>
  app.send(`POST /console/v1/api-keys/${id}/rotate`, json === undefined ? {} : { json })
const list = async (): Promise<ApiKey[]> => {
  const { data } = await app.send(`GET /console/v1/workspaces/${workspace.id}/api-keys`)
  return consoleOperations.listApiKeys.answer.parse(data).api_keys
}
const use = async (key: string): Promise<number> => (await app.send('GET /public/v1/convert/formats', { key })).status
const instant = (milliseconds: number) => new Date(START + milliseconds).toISOString()

describe('creating a key', () => {
  test('shows it once, and stores its hash and expiry; the key works', async () => {
    const answer = await create({ name: ' CI ', scopes: [...SCOPES, ...SCOPES], expires_at: instant(5000) })
    expect(answer.status).toBe(201)
    const { api_key, key } = newKeyOf(answer)
    expect(key).toMatch(/^sk_live_[A-Za-z0-9_-]{43}$/)
    expect(api_key).toEqual({
      id: api_key.id,
      name: 'CI',
      scopes: SCOPES,
      last4: key.slice(-4),
      created_at: instant(0),
      last_used_at: null,
      expires_at: instant(5000),
      revoked_at: null,
    })
    expect(await list()).toEqual([api_key])
    const kept = await app.ports.records.read(['keys'], (transaction) => transaction.all('keys'))
    expect(JSON.stringify(kept)).not.toContain(key.slice(8))
    app.ports.clock.advance(1000)
    expect(await use(key)).toBe(200)
    expect(await list()).toEqual([{ ...api_key, last_used_at: instant(1000) }])
    app.ports.clock.advance(4000)
    expect(await use(key)).toBe(401)
  })

  test('gives a different one each time; the newest is listed first', async () => {
    const keys = new Set<string>()
    for (const name of ['a', 'b', 'c']) {
      keys.add(newKeyOf(await create({ name, scopes: SCOPES, expires_at: null })).key)
      app.ports.clock.advance(1)
    }
    expect(keys.size).toBe(3)
    expect((await list()).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
  })

  test('for one dataset requires that it exists in this workspace', async () => {
    const other = await app.workspace()
    await app.ports.records.write(['datasets'], async (transaction) => {
      await transaction.put('datasets', { ...dataset('mine', workspace.id), visibility: 'public' })
      await transaction.put('datasets', { ...dataset('theirs', other.id), visibility: 'public' })
    })
    expect((await create({ name: 'A', scopes: ['datasets:mine:read', 'datasets:mine:write'] })).status).toBe(201)
    const { error } = await create({
      name: 'A',
      scopes: ['datasets:*:read', 'datasets:theirs:read', 'datasets:mine:read', 'datasets:none:write'],
      expires_at: instant(-1),
    })
    expect(error?.code).toBe('INVALID_REQUEST')
    const issues = (error?.details?.['issues'] ?? []) as { path: string }[]
    expect(issues.map(({ path }) => path)).toEqual(['scopes[1]', 'scopes[3]', 'expires_at'])
  })

  test.each([
    [{ scopes: SCOPES }, 'name'],
    [{ name: '', scopes: SCOPES }, 'name'],
    [{ name: 'A' }, 'scopes'],
    [{ name: 'A', scopes: [] }, 'scopes'],
    [{ name: 'A', scopes: ['datasets:*:admin'] }, 'scopes[0]'],
    [{ name: 'A', scopes: ['datasets:*:read '] }, 'scopes[0]'],
    [{ name: 'A', scopes: ['*'] }, 'scopes[0]'],
    [{ name: 'A', scopes: SCOPES, expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'A', scopes: SCOPES, expires_at: '2026-11-22' }, 'expires_at'],
    [{ name: 'A', scopes: SCOPES, expires_at: instant(0) }, 'expires_at'],
    [{ name: 'A', scopes: SCOPES, expires_at: START + 1000 }, 'expires_at'],
  ])('with %j is refused', async (json, path) => {
    const { error } = await create(json)
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { issues: [{ path }] } })
    expect(await list()).toEqual([])
  })

  test('in a workspace that doesn’t exist is refused', async () => {
    expect((await create({ name: 'A', scopes: SCOPES }, NOBODY)).error?.code).toBe('NOT_FOUND')
    expect((await app.send(`GET /console/v1/workspaces/${NOBODY}/api-keys`)).error?.code).toBe('NOT_FOUND')
  })
})

describe('rotating a key', () => {
  const made = async (more: object = {}) => newKeyOf(await create({ name: 'CI', scopes: SCOPES, ...more }))

  test('creates one with the same scopes; the old one is valid for exactly the grace time', async () => {
    const old = await made()
    app.ports.clock.advance(1000)
    const answer = await rotate(old.api_key.id, { grace_seconds: 60 })
    expect(answer.status).toBe(201)
    const fresh = newKeyOf(answer)
    expect(fresh.key).not.toBe(old.key)
    expect(fresh.api_key).toMatchObject({ name: 'CI', scopes: SCOPES, created_at: instant(1000), expires_at: null })
    app.ports.clock.advance(59_999)
    expect([await use(old.key), await use(fresh.key)]).toEqual([200, 200])
    app.ports.clock.advance(1)
    expect([await use(old.key), await use(fresh.key)]).toEqual([401, 200])
    expect((await list()).map(({ expires_at }) => expires_at)).toEqual([null, instant(61_000)])
  })

  test.each([[undefined], [{}], [{ grace_seconds: 0 }]])('with %j ends the old one at once', async (json) => {
    const old = await made()
    const fresh = newKeyOf(await rotate(old.api_key.id, json))
    expect([await use(old.key), await use(fresh.key)]).toEqual([401, 200])
    app.ports.clock.advance(-1000)
    expect(await use(old.key)).toBe(401)
  })

  test('prolongs neither key', async () => {
    const old = await made({ expires_at: instant(10_000) })
    const fresh = newKeyOf(await rotate(old.api_key.id, { grace_seconds: 60 }))
    expect(fresh.api_key.expires_at).toBe(instant(10_000))
    expect((await list()).map(({ expires_at }) => expires_at)).toEqual([instant(10_000), instant(10_000)])
  })

  test.each([[{ grace_seconds: -1 }], [{ grace_seconds: 1.5 }], [{ grace_seconds: 30 * 86_400 + 1 }], [[]]])(
    'with %j is refused',
    async (json) => {
      const { api_key } = await made()
      expect((await rotate(api_key.id, json)).error?.code).toBe('INVALID_REQUEST')
      expect(await list()).toEqual([api_key])
    },
  )

  test('that doesn’t exist, was revoked or has expired is refused', async () => {
    expect((await rotate(NOBODY, {})).error?.code).toBe('NOT_FOUND')
    const revoked = await made()
    await app.send(`DELETE /console/v1/api-keys/${revoked.api_key.id}`)
    expect((await rotate(revoked.api_key.id, {})).error?.code).toBe('CONFLICT')
    const expired = await made({ expires_at: instant(1000) })
    app.ports.clock.advance(1000)
    expect((await rotate(expired.api_key.id, {})).error?.code).toBe('CONFLICT')
    expect(await list()).toHaveLength(2)
  })
})

describe('revoking a key', () => {
  test('takes effect at once and forever, and may be repeated', async () => {
    const { api_key, key } = newKeyOf(await create({ name: 'CI', scopes: SCOPES }))
    expect(await use(key)).toBe(200)
    for (let i = 0; i < 2; i++) {
      const answer = await app.send(`DELETE /console/v1/api-keys/${api_key.id}`)
      expect([answer.status, answer.data]).toEqual([200, { id: api_key.id, revoked: true }])
      expect(await use(key)).toBe(401)
      expect((await list())[0]?.revoked_at).toBe(instant(0))
      app.ports.clock.advance(1000)
    }
  })

  test('that doesn’t exist is refused', async () => {
    expect((await app.send(`DELETE /console/v1/api-keys/${NOBODY}`)).error?.code).toBe('NOT_FOUND')
  })
})

describe('usage', () => {
  test('shows each valid key’s windows, and the storage used', async () => {
    const [first, second, revoked] = [
      await app.key(workspace),
      await app.key(workspace, [], { name: 'Second' }),
      await app.key(workspace, [], { revokedAt: 1 }),
    ]
    for (let i = 0; i < 3; i++) await use(first.key)
    await app.ports.records.write(['datasets', 'objects'], async (transaction) => {
      const tables = [table('f', 100), table('g', 20)]
      await transaction.put('datasets', { ...dataset('d', workspace.id), tables })
      await transaction.put('objects', object('o', workspace.id, { size: 3 }))
    })
    const { data } = await app.send(`GET /console/v1/workspaces/${workspace.id}/usage`)
    const usage = consoleOperations.usage.answer.parse(data)
    expect(usage.storage).toEqual({ used_bytes: 123, dataset_count: 1, table_count: 2 })
    expect(usage.keys.map(({ name }) => name)).toEqual(['Key', 'Second'])
    const keys = new Map(usage.keys.map((key) => [key.id, key]))
    expect(keys.has(revoked.record.id)).toBe(false)
    expect(keys.get(second.record.id)?.windows.every(({ limit, remaining }) => limit === remaining)).toBe(true)
    const used = keys.get(first.record.id)?.windows.filter(({ limit, remaining }) => limit !== remaining)
    const start = START / 1000
    expect(used).toEqual([
      { endpoint: null, window: 'hour', limit: 10_000, remaining: 9997, reset: start + 3600 },
      { endpoint: 'GET /convert/formats', window: 'minute', limit: 60, remaining: 57, reset: start + 60 },
      { endpoint: 'GET /convert/formats', window: 'hour', limit: 1000, remaining: 997, reset: start + 3600 },
      { endpoint: 'GET /convert/formats', window: 'day', limit: 5000, remaining: 4997, reset: start + 86_400 },
    ])
    expect(keys.get(first.record.id)?.windows).toHaveLength(10)
    app.ports.clock.advance(60_000)
    const later = consoleOperations.usage.answer.parse(
      (await app.send(`GET /console/v1/workspaces/${workspace.id}/usage`)).data,
    )
    const minute = later.keys.flatMap(({ windows }) => windows).filter(({ window }) => window === 'minute')
    expect(minute.every(({ limit, remaining }) => limit === remaining)).toBe(true)
  })

  test('of a workspace that doesn’t exist is refused', async () => {
    expect((await app.send(`GET /console/v1/workspaces/${NOBODY}/usage`)).error?.code).toBe('NOT_FOUND')
  })
})
