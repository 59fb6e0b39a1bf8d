import { NEVER } from '../../../lib/abort.ts'
import { expect, test } from 'vitest'
import { normalizeBaseUrl, probe, type ProbeEnvironment, type Report, type StepId, type Target } from './probe.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const TARGET: Target = {
  baseUrl: 'https://data.example.com/public/v1/',
  key: 'sk_live_abc',
  workspaceId: 'c0ffee00-0000-4000-8000-000000000001',
}
interface Fake {
  /** By method and path; a function may throw like `fetch`. */
  readonly answers?: Record<string, (init: RequestInit) => Response>
  readonly timestamp?: string
  readonly env?: Partial<ProbeEnvironment>
}

function envelope(status: number, rest: object, timestamp = new Date(NOW).toISOString()): Response {
  return Response.json(
    { success: status < 400, ...rest, meta: { request_id: 'req_1', timestamp, version: 'v1' } },
    { status, headers: { 'X-RateLimit-Limit': '10000', 'X-RateLimit-Remaining': '9990', 'X-RateLimit-Reset': '1' } },
  )
}

const failed = (status: number, code: string, message = 'no'): Response =>
  envelope(status, { error: { code, message } })

function fakeService({ answers = {}, timestamp }: Fake): ProbeEnvironment['fetch'] {
  const usual: typeof answers = {
    'GET /openapi.json': () => Response.json({ openapi: '3.1.0', info: { version: 'v1.0.0' } }),
    [`GET /workspaces/${TARGET.workspaceId}/datasets`]: () =>
      envelope(200, { data: { datasets: [{}, {}], count: 2 } }, timestamp),
    'POST /query': () => envelope(200, { data: { columns: ['one'], rows: [{ one: 1 }] } }, timestamp),
    'POST /datasets': () => failed(400, 'INVALID_REQUEST'),
    'POST /convert/upload-urls': () =>
      envelope(
        200,
        {
          data: {
            source: { upload_url: 'https://files.example.net/a' },
            destination: { download_url: 'https://files.example.net/b' },
          },
        },
        timestamp,
      ),
  }
  return async (url, init) => {
    init.signal?.throwIfAborted()
    const path = url.replace('https://data.example.com/public/v1', '')
    const answer = { ...usual, ...answers }[`${init.method ?? 'GET'} ${path}`]
    if (!answer) throw new TypeError(`no answer for ${path}`)
    return answer(init)
  }
}

async function run(fake: Fake = {}, target: Partial<Target> = {}): Promise<Report & { of: (id: StepId) => string }> {
  const environment = {
    fetch: fakeService(fake),
    now: () => NOW,
    origin: 'https://app.example',
    online: true,
    ...fake.env,
  }
  const told: string[] = []
  const report = await probe({ ...TARGET, ...target }, environment, NEVER, (step) => told.push(step.id))
  expect(told).toEqual(report.steps.map(({ id }) => id))
  return {
    ...report,
    of: (id) => {
      const step = report.steps.find((one) => one.id === id)
      return `${step?.state}: ${step?.text} ${step?.remedy ?? ''}`
    },
  }
}

test('with a working service, every step succeeds', async () => {
  const report = await run()
  expect(report.steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
    'address ok',
    'security ok',
    'reach ok',
    'version ok',
    'key ok',
    'workspace ok',
    'read ok',
    'query ok',
    'write ok',
    'files ok',
    'limit ok',
    'clock ok',
  ])
  expect(report.usable).toBe(true)
  expect(report.fileOrigins).toEqual(['https://files.example.net'])
  expect(report.of('read')).toContain('2 datasets')
  expect(report.of('limit')).toContain('9,990 of 10,000')
})

test.each([
  ['data.example.com/public/v1', 'bad'],
  ['ftp://data.example.com/public/v1', 'bad'],
  ['https://me:secret@data.example.com/public/v1', 'bad'],
  ['https://data.example.com/public/v1?x=1', 'bad'],
  ['', 'bad'],
])('the address %s is %s', async (baseUrl, state) => {
  const report = await run({}, { baseUrl })
  expect(report.of('address')).toContain(state)
  expect(report.of('key')).toContain('skipped')
  expect(report.usable).toBe(false)
})

test('a URL without the version is tried nevertheless', async () => {
  const report = await run({}, { baseUrl: 'https://data.example.com' })
  expect(report.of('address')).toContain('warn')
  expect(report.of('reach')).toContain('bad')
})

test('plain http is refused from an https page, warned about from another, and fine on this machine', async () => {
  const http = { baseUrl: 'http://data.example.com/public/v1' }
  expect((await run({}, http)).of('security')).toContain('bad')
  expect((await run({ env: { origin: 'http://localhost:4173' } }, http)).of('security')).toContain('warn')
  expect((await run({}, { baseUrl: 'http://localhost:9000/public/v1' })).of('security')).toContain('ok')
  expect((await run({}, { baseUrl: 'http://127.0.0.1:9000/public/v1' })).of('security')).toContain('ok')
  expect((await run({}, { baseUrl: 'http://localhost.evil.example/public/v1' })).of('security')).toContain('bad')
})

test('no answer, no network, and an unreadable answer are distinguished', async () => {
  const nothing = () => {
    throw new TypeError('Failed to fetch')
  }
  const dead = { 'GET /openapi.json': nothing }
  expect((await run({ answers: dead })).of('reach')).toMatch(/bad: No answer .* new tab/)
  expect((await run({ answers: dead, env: { online: false } })).of('reach')).toContain('offline')
  const opaque = ({ mode }: RequestInit) => (mode === 'no-cors' ? new Response('') : nothing())
  const cors = await run({ answers: { 'GET /openapi.json': opaque } })
  expect(cors.of('reach')).toMatch(/\(CORS\)\. Ask .* allow the origin https:\/\/app\.example/)
  // Outside its base URL, a service may forbid pages to read answers.
  const baseUrl = 'https://data.example.com/service'
  const beside = await run({ answers: { [`GET ${baseUrl}/openapi.json`]: opaque } }, { baseUrl })
  expect(beside.of('reach')).toMatch(/\(CORS\)\. Add “\/public\/v1” to the address, .* allow the origin/)
})

test('a late answer is reported as late, not as refused', async () => {
  const late = () => {
    throw new DOMException('The operation timed out.', 'TimeoutError')
  }
  const words = /^bad: data\.example\.com hasn’t answered within 30 s: it’s very slow/
  expect((await run({ answers: { 'GET /openapi.json': late } })).of('reach')).toMatch(words)
  const list = `GET /workspaces/${TARGET.workspaceId}/datasets`
  expect((await run({ answers: { [list]: late } })).of('key')).toMatch(words)
})

test('a header refused by the preflight is reported', async () => {
  const answers = {
    [`GET /workspaces/${TARGET.workspaceId}/datasets`]: () => {
      throw new TypeError('Failed to fetch')
    },
  }
  expect((await run({ answers })).of('key')).toContain('X-API-Key')
})

test.each([
  [401, 'UNAUTHORIZED', 'key', 'isn’t accepted'],
  [429, 'RATE_LIMITED', 'key', 'used up'],
  [503, 'SERVICE_UNAVAILABLE', 'key', 'problem of its own'],
  [404, 'NOT_FOUND', 'workspace', 'no such workspace'],
  [403, 'FORBIDDEN', 'workspace', 'may not list'],
  [400, 'INVALID_REQUEST', 'workspace', 'no such workspace'],
] as const)('%s %s', async (status, code, step, words) => {
  const report = await run({
    answers: { [`GET /workspaces/${TARGET.workspaceId}/datasets`]: () => failed(status, code) },
  })
  expect(report.of(step)).toMatch(new RegExp(`^bad: .*${words}`))
  expect(report.of('write')).toContain('skipped')
  expect(report.usable).toBe(false)
})

test('an exhausted limit says when to test again', async () => {
  const limited = failed(429, 'RATE_LIMITED')
  limited.headers.set('Retry-After', '821')
  const report = await run({ answers: { [`GET /workspaces/${TARGET.workspaceId}/datasets`]: () => limited } })
  expect(report.of('key')).toContain('Test again in 13 min 41 s.')
})

test('something else that answers isn’t taken for a service', async () => {
  const page = () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } })
  const answers = { 'GET /openapi.json': page, [`GET /workspaces/${TARGET.workspaceId}/datasets`]: page }
  const report = await run({ answers })
  expect(report.of('version')).toContain('isn’t such a service')
  expect(report.usable).toBe(false)
})

test('a read-only key is usable, and reported as such', async () => {
  const report = await run({ answers: { 'POST /datasets': () => failed(403, 'FORBIDDEN') } })
  expect(report.of('write')).toMatch(/^warn: May not write/)
  expect(report.usable).toBe(true)
})

test('writing is tested without a body that could create anything', async () => {
  let body: unknown = null
  await run({
    answers: {
      'POST /datasets': (init) => {
        body = init.body
        return failed(400, 'INVALID_REQUEST')
      },
    },
  })
  expect(body).toBe('{}')
})

test.each([
  ['of the operator', () => envelope(200, { data: { workspaces: [] } }), /^ok: It’s accepted/],
  ['that is wrong', () => failed(401, 'UNAUTHORIZED'), /^warn: .* isn’t accepted.* Copy it again/],
  ['for a service without a console', () => new Response('', { status: 404 }), /^warn: This service has no console/],
  ['for a host that answers everything with its page', () => new Response('<p>'), /^warn: This service has no console/],
  [
    'for a console that fails',
    () => failed(503, 'SERVICE_UNAVAILABLE', 'Busy.'),
    /^warn: .*answer as it should: Busy\./,
  ],
])('a token %s', async (_, answer, words) => {
  let sent: RequestInit['headers']
  const answers = {
    'GET https://data.example.com/console/v1/workspaces': (init: RequestInit) => {
      sent = init.headers
      return answer()
    },
  }
  const report = await run({ answers }, { token: 'rhc_1' })
  expect(report.of('token')).toMatch(words)
  expect(report.usable).toBe(true)
  expect(sent).toEqual({ Authorization: 'Bearer rhc_1' })
})

test('a token that this page may not send is distinguished from none', async () => {
  expect((await run({}, { token: 'rhc_1' })).of('token')).toMatch(/^warn: This page gets no answer from a console/)
  expect((await run()).steps.map(({ id }) => id)).not.toContain('token')
})

test('different clocks are reported', async () => {
  const hourAhead = new Date(NOW + 3_600_000).toISOString()
  const report = await run({ timestamp: hourAhead })
  expect(report.of('clock')).toMatch(/warn: .* 60 minutes behind/)
})

test('without a key, no request is sent', async () => {
  expect((await run({}, { key: ' ' })).of('key')).toContain('no key')
})

test('cancelling ends the test', async () => {
  const controller = new AbortController()
  const environment = {
    fetch: (_: string, init: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        controller.abort()
      }),
    now: () => NOW,
    origin: 'https://app.example',
    online: true,
  }
  await expect(probe(TARGET, environment, controller.signal, () => undefined)).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('a base URL has no path of an operation', () => {
  expect(normalizeBaseUrl(' https://a.example/public/v1// ')?.href).toBe('https://a.example/public/v1')
})

test('a proxy answering for an unavailable service isn’t taken for another service', async () => {
  const gateway = (): Response => new Response('<h1>502 Bad Gateway</h1>', { status: 502 })
  const list = `GET /workspaces/${TARGET.workspaceId}/datasets`
  const { of, usable } = await run({ answers: { 'GET /openapi.json': gateway, [list]: gateway } })
  expect(usable).toBe(false)
  expect(of('version')).toContain('such as a proxy, says 502')
})
