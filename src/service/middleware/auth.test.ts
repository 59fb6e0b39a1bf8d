import { beforeEach, describe, expect, test } from 'vitest'
import { operations, type OperationId } from '../../contract/operations.ts'
import type { Scope } from '../../contract/schemas.ts'
import { IN_PROCESS } from '../testing/connect.ts'
import { limitsOf, testApp, type TestApp } from '../testing/app.ts'
import { START } from '../testing/ports.ts'

const FORMATS = 'GET /public/v1/convert/formats'
const HOUR = START / 1000 + 3600

describe('a key', () => {
  let app: TestApp
  let key: string
  beforeEach(async () => {
    app = testApp()
    key = await app.newKey()
  })

  test.each([
    ['X-API-Key', (k: string) => ({ 'X-API-Key': k })],
    ['a bearer token', (k: string) => ({ Authorization: `Bearer ${k}` })],
    ['a bearer token, in any case', (k: string) => ({ authorization: `bearer  ${k}` })],
    ['both, when they are the same', (k: string) => ({ 'X-API-Key': k, Authorization: `Bearer ${k}` })],
    ['X-API-Key beside another scheme', (k: string) => ({ 'X-API-Key': k, Authorization: 'Basic YTpi' })],
  ])('is accepted as %s', async (_, headers) => {
    expect((await app.send(FORMATS, { headers: headers(key) })).status).toBe(200)
  })

  const other = `sk_live_${'o'.repeat(43)}`
  test.each<[string, (k: string) => Record<string, string>]>([
    ['missing', () => ({})],
    ['empty', () => ({ 'X-API-Key': '' })],
    ['empty beside a valid one', (k) => ({ 'X-API-Key': '', Authorization: `Bearer ${k}` })],
    ['unknown', () => ({ 'X-API-Key': other })],
    ['too short', (k) => ({ 'X-API-Key': k.slice(0, -1) })],
    ['of another kind', (k) => ({ 'X-API-Key': k.replace('live', 'test') })],
    ['with something after it', (k) => ({ 'X-API-Key': `${k}x` })],
    ['twice in one header', (k) => ({ 'X-API-Key': `${k}, ${k}` })],
    ['of another scheme', (k) => ({ Authorization: `Basic ${k}` })],
    ['a bearer token without token', () => ({ Authorization: 'Bearer' })],
    ['a bearer token of two words', (k) => ({ Authorization: `Bearer ${k} ${k}` })],
    ['without a scheme', (k) => ({ Authorization: k })],
    ['different in the two headers', (k) => ({ 'X-API-Key': k, Authorization: `Bearer ${other}` })],
    [
      'different in the two headers, the other way round',
      (k) => ({ 'X-API-Key': other, Authorization: `Bearer ${k}` }),
    ],
    ['megabytes long', () => ({ 'X-API-Key': `sk_live_${'a'.repeat(1_000_000)}` })],
  ])('that is %s is refused', async (what, headers) => {
    // HTTP servers refuse headers of such a size (431).
    if (what === 'megabytes long' && !IN_PROCESS) return
    const answer = await app.send(FORMATS, { headers: headers(key) })
    expect(answer.error?.code).toBe('UNAUTHORIZED')
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('60')
    expect(app.calls).toEqual([])
  })

  test('is accepted before its expiry, but not at that moment', async () => {
    const workspace = await app.workspace()
    const made = await app.key(workspace, [], { expiresAt: START + 1000 })
    app.ports.clock.advance(999)
    expect((await app.send(FORMATS, { key: made.key })).status).toBe(200)
    app.ports.clock.advance(1)
    const refused = await app.send(FORMATS, { key: made.key })
    const message = 'The API key has expired. Use another one, or make a new one in the settings.'
    expect(refused.error).toMatchObject({ code: 'UNAUTHORIZED', message })
  })

  test('that was revoked is refused, whatever the clock says', async () => {
    const workspace = await app.workspace()
    const made = await app.key(workspace, [], { revokedAt: START + 1_000_000 })
    const refused = await app.send(FORMATS, { key: made.key })
    const message = 'The API key was revoked. Use another one, or make a new one in the settings.'
    expect(refused.error).toMatchObject({ code: 'UNAUTHORIZED', message })
  })

  test('of a deleted workspace is refused', async () => {
    const made = await app.key({ id: 'gone', name: '', slug: '', plan: 'free', createdAt: 0 })
    expect((await app.send(FORMATS, { key: made.key })).error?.code).toBe('UNAUTHORIZED')
  })

  test('records when it was last used if the request is admitted', async () => {
    const made = await app.key(await app.workspace('free'))
    const lastUsed = async () =>
      (await app.ports.records.read(['keys'], (transaction) => transaction.get('keys', made.record.id)))?.lastUsedAt
    expect(await lastUsed()).toBeNull()
    app.ports.clock.advance(5000)
    await app.send(FORMATS, { key: made.key })
    expect(await lastUsed()).toBe(START + 5000)
  })

  test('is passed on to the handler, with its workspace', async () => {
    const workspace = await app.workspace()
    const made = await app.key(workspace)
    await app.send('GET /public/v1/datasets/d1', { key: made.key })
    expect(app.calls[0]?.call.principal.workspace).toEqual(workspace)
    expect(app.calls[0]?.call.principal.key.id).toBe(made.record.id)
    expect(app.calls[0]?.call).toMatchObject({ params: { datasetId: 'd1' }, body: null, query: null, now: START })
  })
})

describe('the scope that an operation always needs', () => {
  const ids = Object.keys(operations) as OperationId[]
  const needing = ids.filter((id) => operations[id].scope !== null)

  test('exists for signing uploads and creating datasets', () => {
    expect(needing).toEqual(['signUploads', 'createDataset'])
  })

  test.each(
    ids.flatMap((id) =>
      (
        [
          ['none', []],
          ['read all', ['datasets:*:read']],
          ['write one', ['datasets:d1:write']],
          ['write all', ['datasets:*:write']],
        ] as [string, Scope[]][]
      ).map(([name, scopes]) => [id, name, scopes] as const),
    ),
  )('%s with %s', async (id, name, scopes) => {
    const app = testApp()
    const key = await app.newKey('business', scopes)
    const { method, path } = operations[id]
    const target = `${method.toUpperCase()} /public/v1${path.replace(/\{\w+\}/g, 'x')}`
    const answer = await app.send(target, { key, ...(method === 'get' ? {} : { json: {} }) })
    const refused = needing.includes(id) && name !== 'write all'
    if (refused) {
      expect(answer.error).toMatchObject({ code: 'FORBIDDEN', details: { scope: 'datasets:*:write' } })
    } else {
      expect(['INVALID_REQUEST', undefined]).toContain(answer.error?.code)
    }
  })
})

describe('the checks run in order', () => {
  let app: TestApp
  beforeEach(() => {
    app = testApp()
  })

  test('first the route, before the key', async () => {
    expect((await app.send('GET /public/v1/nothing')).error?.code).toBe('NOT_FOUND')
    expect((await app.send('PUT /public/v1/datasets')).error?.code).toBe('METHOD_NOT_ALLOWED')
  })

  test('then the key, before limit, scope and body', async () => {
    expect((await app.send('POST /public/v1/datasets', { body: '{' })).error?.code).toBe('UNAUTHORIZED')
  })

  test('then the limit, before scope and body', async () => {
    const key = await app.newKey('free', [])
    for (let i = 0; i < 100; i++) await app.send('GET /public/v1/datasets/d1', { key })
    const answer = await app.send('POST /public/v1/datasets', { key, body: '{' })
    expect(answer.error?.code).toBe('RATE_LIMITED')
    expect(limitsOf(answer)).toEqual([100, 0, HOUR])
  })

  test('then the scope, before the body', async () => {
    const key = await app.newKey('free', [])
    expect((await app.send('POST /public/v1/datasets', { key, body: '{' })).error?.code).toBe('FORBIDDEN')
  })

  test('then the body, before the handler; refused requests also count', async () => {
    const key = await app.newKey('free')
    const answer = await app.send('POST /public/v1/datasets', { key, body: '{' })
    expect(answer.error?.code).toBe('INVALID_REQUEST')
    expect(limitsOf(answer)).toEqual([100, 99, HOUR])
    expect(app.calls).toEqual([])
  })
})
