import { describe, expect, test, vi } from 'vitest'
import { failure, META, DATASET, ok, rig, WORKSPACE } from './testing.ts'
import { ApiError } from './errors.ts'
import { consoleUrlOf, createConsoleClient, type Answer, type UploadTransport } from './create.ts'
import type { ApiClient } from './client.ts'

const DETAILS = { ...DATASET, description: 'd', updated_at: DATASET.created_at, tables: [] }
const NEW = { name: 'Sales', description: '', visibility: 'private', tags: [], tables: [] } as const
const CREATED = {
  dataset: {
    id: 'ds_1',
    name: 'Sales',
    workspace_id: WORKSPACE,
    visibility: 'private',
    created_at: DATASET.created_at,
  },
  summary: { total: 2, successful: 1, failed: 1 },
  tables: [
    { table_name: 'a', status: 'success', rows_ingested: 3, schema: [{ name: 'id', type: 'BIGINT' }] },
    {
      table_name: 'b',
      status: 'failed',
      rows_ingested: 0,
      schema: [],
      error: { code: 'INVALID_REQUEST', message: 'line 3' },
    },
  ],
}
const CONVERTED = {
  download_url: 'https://s.example/storage/x',
  file_path: '2026-11-21/x/a.csv',
  expires_at: META.timestamp,
}

describe('each operation', () => {
  const calls: [string, (api: ApiClient) => Promise<unknown>, unknown, string, unknown][] = [
    [
      'signUploads',
      (api) => api.signUploads([{ filename: 'a.csv', contentType: 'text/csv' }]),
      null,
      'POST /storage/signed-urls',
      { workspace_id: WORKSPACE, files: [{ filename: 'a.csv', content_type: 'text/csv' }] },
    ],
    [
      'listDatasets',
      (api) => api.listDatasets(),
      { datasets: [DATASET], count: 1 },
      `GET /workspaces/${WORKSPACE}/datasets`,
      null,
    ],
    [
      'listDatasets with tables',
      (api) => api.listDatasets({ tables: true }),
      { datasets: [], count: 0 },
      `GET /workspaces/${WORKSPACE}/datasets?expand=tables`,
      null,
    ],
    ['getDataset', (api) => api.getDataset('a/b'), { dataset: DETAILS }, 'GET /datasets/a%2Fb', null],
    [
      'updateDataset',
      (api) => api.updateDataset('x', { description: 'new' }),
      { dataset: DETAILS },
      'PATCH /datasets/x',
      { short_description: 'new' },
    ],
    ['deleteDataset', (api) => api.deleteDataset('x'), { id: 'x', deleted: true }, 'DELETE /datasets/x', null],
    [
      'query',
      (api) => api.query('select 1', { timeoutSeconds: 5 }),
      { columns: [], rows: [], count: 0, execution_time: '1ms' },
      'POST /query',
      { sql: 'select 1', timeout_seconds: 5 },
    ],
    [
      'conversionUrls',
      (api) => api.conversionUrls('csv', 'json', 'a'),
      {
        source: { upload_url: 'https://s/u', file_path: 'p', content_type: 'text/csv' },
        destination: { download_url: 'https://s/d', file_path: 'q', content_type: 'application/json' },
      },
      'POST /convert/upload-urls',
      { source_format: 'csv', destination_format: 'json', filename: 'a' },
    ],
    [
      'convert',
      (api) => api.convert('p', 'csv', 'json'),
      CONVERTED,
      'POST /convert',
      { source_url: 'p', source_format: 'csv', destination_format: 'json' },
    ],
    ['formats', (api) => api.formats(), { formats: [] }, 'GET /convert/formats', null],
    [
      'createDataset',
      (api) => api.createDataset(NEW),
      CREATED,
      'POST /datasets',
      { workspace_id: WORKSPACE, dataset_name: 'Sales', description: '', visibility: 'private', tags: [], tables: [] },
    ],
  ]
  test.each(calls)('%s', async (_, call, data, line, body) => {
    const reply = data === null ? Response.json({ urls: [] }) : ok(data)
    const { client, requests } = rig([reply])
    await call(client)
    const [request] = requests
    expect(`${request?.method} ${request?.url.replace('https://service.example/public/v1', '')}`).toBe(line)
    expect(request?.headers.get('X-API-Key')).toBe('sk_live_test')
    const text = await request?.text()
    expect(text ? JSON.parse(text) : null).toEqual(body)
  })

  test('the OpenAPI document is requested without a key, at the path that all services have', async () => {
    const { client, requests } = rig([Response.json({ openapi: '3.1.0', paths: {} })])
    await client.openApi()
    expect(requests[0]?.url).toBe('https://service.example/api/public/v1/openapi.json')
    expect(requests[0]?.headers.has('X-API-Key')).toBe(false)
  })

  test('tables that failed have a reason', async () => {
    const { client } = rig([ok(CREATED, { status: 201 })])
    const { tables } = await client.createDataset(NEW)
    expect(tables.map(({ error }) => error?.message ?? null)).toEqual([null, 'line 3'])
  })
})

describe('retries', () => {
  test('wait for Retry-After; the header takes precedence over the body', async () => {
    const { client, pauses } = rig([
      failure(429, 'RATE_LIMITED', {
        headers: { 'Retry-After': '2' },
        details: { limit: 1, window: 'minute', retry_after: 9 },
      }),
      failure(429, 'RATE_LIMITED', { details: { limit: 1, window: 'minute', retry_after: 3 } }),
      ok({ formats: [] }),
    ])
    await client.formats()
    expect(pauses).toEqual([2000 + 62.5, 3000 + 125])
  })

  test('count a date in Retry-After from now', async () => {
    const { client, pauses } = rig([
      failure(503, 'SERVICE_UNAVAILABLE', { headers: { 'Retry-After': 'Sat, 21 Nov 2026 10:00:04 GMT' } }),
      ok({ formats: [] }),
    ])
    await client.formats()
    expect(pauses).toEqual([4062.5])
  })

  test('follow a 429 of creating and converting, which wasn’t carried out', async () => {
    const created = rig([failure(429, 'RATE_LIMITED'), ok(CREATED)])
    await created.client.createDataset(NEW)
    const converted = rig([failure(429, 'RATE_LIMITED'), ok(CONVERTED)])
    await converted.client.convert('p', 'csv', 'json')
    expect([created.requests.length, converted.requests.length]).toEqual([2, 2])
  })

  test('don’t follow a 503 of creating and converting', async () => {
    const created = rig([failure(503, 'SERVICE_UNAVAILABLE')])
    await expect(created.client.createDataset(NEW)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    const converted = rig([failure(503, 'SERVICE_UNAVAILABLE')])
    await expect(converted.client.convert('p', 'csv', 'json')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('end after four attempts', async () => {
    const { client, requests } = rig([1, 2, 3, 4, 5].map(() => failure(503, 'SERVICE_UNAVAILABLE')))
    await expect(client.formats()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 })
    expect(requests.length).toBe(4)
  })

  test('don’t wait more than half a minute: the error has the time instead', async () => {
    const { client, requests } = rig([failure(429, 'RATE_LIMITED', { headers: { 'Retry-After': '1800' } })])
    const error = await client.formats().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).retryAfter).toBe(1800)
    expect(requests.length).toBe(1)
  })

  test('don’t follow other errors', async () => {
    for (const reply of [failure(500, 'INTERNAL_ERROR'), failure(409, 'CONFLICT'), new TypeError('Failed to fetch')]) {
      const { client, requests } = rig([reply])
      await expect(client.getDataset('x')).rejects.toBeInstanceOf(ApiError)
      expect(requests.length).toBe(1)
    }
  })

  test('follow a gateway’s 502 and 503 without JSON', async () => {
    for (const status of [502, 503]) {
      const { client } = rig([new Response(`<h1>${status}</h1>`, { status }), ok({ formats: [] })])
      await expect(client.formats()).resolves.toEqual([])
    }
  })

  test('don’t follow a gateway’s 504, since it has already waited', async () => {
    const { client, requests } = rig([new Response('<h1>504</h1>', { status: 504 })])
    await expect(client.formats()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 504 })
    expect(requests.length).toBe(1)
  })

  test('of a delete that find nothing left succeed, whoever made the earlier attempt', async () => {
    const ours = rig([failure(503, 'SERVICE_UNAVAILABLE'), failure(404, 'NOT_FOUND')])
    await expect(ours.client.deleteDataset('x')).resolves.toBeUndefined()
    const browsers = rig([failure(404, 'NOT_FOUND')])
    await expect(browsers.client.deleteDataset('x')).resolves.toBeUndefined()
    const refused = rig([failure(403, 'FORBIDDEN')])
    await expect(refused.client.deleteDataset('x')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('errors', () => {
  test('have the service’s message, and the id to quote', async () => {
    const { client } = rig([
      failure(400, 'INVALID_REQUEST', { details: { issues: [{ path: 'name', message: 'too long' }] } }),
    ])
    const error = await client.updateDataset('x', {}).catch((reason: unknown) => reason as ApiError)
    expect(error).toMatchObject({ tag: 'ApiError', code: 'INVALID_REQUEST', status: 400, requestId: META.request_id })
    expect((error as ApiError).issues).toEqual([{ path: 'name', message: 'too long' }])
  })

  test('report a key that is no longer valid', async () => {
    const onUnauthorized = vi.fn()
    const { client } = rig([failure(403, 'FORBIDDEN'), failure(401, 'UNAUTHORIZED')], { onUnauthorized })
    await expect(client.formats()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(onUnauthorized).not.toHaveBeenCalled()
    await expect(client.formats()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(onUnauthorized).toHaveBeenCalledTimes(1)
  })

  test('are “unreachable” without an answer, and say where', async () => {
    const { client } = rig([new TypeError('Failed to fetch')])
    const error = await client.formats().catch((reason: unknown) => reason as ApiError)
    expect(error).toMatchObject({ code: 'unreachable', status: 0, requestId: null })
    expect((error as ApiError).message).toContain('service.example')
    expect((error as ApiError).cause).toBeInstanceOf(TypeError)
  })

  test.each([
    ['not JSON', new Response('<!doctype html>')],
    ['no envelope', Response.json({ datasets: [] })],
    ['other data', ok({ formats: [{ format: 'csv' }] })],
    ['no success', Response.json({ success: false, data: { formats: [] } })],
    ['a code of its own', Response.json({ success: false, error: { code: 'OOPS', message: '' } }, { status: 418 })],
  ])('are “unexpected” if the answer breaks the contract: %s', async (_, reply) => {
    await expect(rig([reply]).client.formats()).rejects.toMatchObject({ code: 'unexpected' })
  })

  test('have the id even if the answer breaks the contract', async () => {
    await expect(rig([ok({ formats: 1 })]).client.formats()).rejects.toMatchObject({ requestId: META.request_id })
  })

  test('don’t say that tables were refused if they may have been added', async () => {
    const used = failure(409, 'CONFLICT')
    const lost = rig([failure(503, 'SERVICE_UNAVAILABLE'), used.clone()])
    await expect(lost.client.addTables('ds_1', [])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(lost.requests.length).toBe(2)
    const limited = rig([failure(429, 'RATE_LIMITED'), used])
    await expect(limited.client.addTables('ds_1', [])).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('don’t occur if the browser’s own first request created the dataset', async () => {
    const made = failure(409, 'CONFLICT', { details: { dataset_id: 'ds_1' } })
    const tables = ['a', 'b'].map((name) => ({ name, signedUrl: '', description: '' }))
    const schema = [{ name: 'id', type: 'BIGINT' }]
    const a = { name: 'a', description: '', row_count: 3, byte_size: 9, schema, created_at: DATASET.created_at }
    const { client, requests } = rig([made.clone(), ok({ dataset: { ...DETAILS, tables: [a] } })])
    expect(await client.createDataset({ ...NEW, tables })).toEqual({
      id: 'ds_1',
      name: 'Sales',
      tables: [
        { name: 'a', rows: 3, schema, error: null },
        { name: 'b', rows: 0, schema: [], error: { code: 'INVALID_REQUEST', message: 'The service didn’t say why.' } },
      ],
    })
    expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'POST /public/v1/datasets',
      'GET /public/v1/datasets/ds_1',
    ])
    const unread = rig([made, failure(403, 'FORBIDDEN')])
    await expect(unread.client.createDataset(NEW)).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('don’t say that rows were refused if the browser’s own first request added them', async () => {
    const used = failure(409, 'CONFLICT', { details: { reason: 'upload_used' } })
    await expect(rig([used]).client.addTables('ds_1', [])).rejects.toMatchObject({
      code: 'unreachable',
      details: { reason: 'cut-off' },
    })
  })

  test('are “unreachable” if the answer breaks off', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) })
    await expect(rig([new Response(broken)]).client.formats()).rejects.toMatchObject({ code: 'unreachable' })
  })
})

describe('cancelling', () => {
  const reason = new DOMException('no more', 'AbortError')

  test('before a request sends nothing', async () => {
    const { client, requests } = rig([ok({ formats: [] })])
    await expect(client.formats({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(requests.length).toBe(0)
  })

  test('works during a request', async () => {
    const controller = new AbortController()
    const { client } = rig([
      (request) =>
        new Promise((_, reject) => {
          request.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
        }),
    ])
    const call = client.formats({ signal: controller.signal })
    setTimeout(() => controller.abort(reason))
    await expect(call).rejects.toBe(reason)
  })

  test('works during a pause', async () => {
    const controller = new AbortController()
    const { client, requests } = rig([failure(503, 'SERVICE_UNAVAILABLE'), ok({ formats: [] })], {
      sleep: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
          setTimeout(() => controller.abort(reason))
        }),
    })
    await expect(client.formats({ signal: controller.signal })).rejects.toBe(reason)
    expect(requests.length).toBe(1)
  })

  test('works during a download', async () => {
    const controller = new AbortController()
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(1000)),
      cancel: () => void (cancelled = true),
    })
    const { client } = rig([
      (request) => {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
        void endless.pipeTo(writable, { signal: request.signal }).catch(() => undefined)
        return new Response(readable)
      },
    ])
    const onProgress = (received: number): void => (received > 5000 ? controller.abort(reason) : undefined)
    await expect(client.download('https://s.example/x', { signal: controller.signal, onProgress })).rejects.toBe(reason)
    expect(cancelled).toBe(true)
  })
})

describe('transfers', () => {
  const answer = (status: number, text = ''): Answer => ({ status, headers: new Headers(), text })

  test('an upload goes to the signed URL with its type, and without a key', async () => {
    const upload = vi.fn<UploadTransport>(({ onProgress }) => {
      onProgress(3)
      return Promise.resolve(answer(200))
    })
    const sent: number[] = []
    const body = new Blob(['abc'])
    await rig([], { upload }).client.upload('https://s.example/put', body, {
      contentType: 'text/csv',
      onProgress: (bytes) => sent.push(bytes),
    })
    expect(sent).toEqual([3])
    expect(upload.mock.calls[0]?.[0]).toMatchObject({ url: 'https://s.example/put', body, contentType: 'text/csv' })
  })

  test('an upload is retried after a 503, and its refusal is reported', async () => {
    const answers = [answer(503), answer(413, JSON.stringify(await failure(413, 'PAYLOAD_TOO_LARGE').json()))]
    const upload = vi.fn<UploadTransport>(() => Promise.resolve(answers.shift() ?? answer(200)))
    const call = rig([], { upload }).client.upload('https://s.example/put', new Blob(), { contentType: 'text/csv' })
    await expect(call).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', requestId: META.request_id })
    expect(upload).toHaveBeenCalledTimes(2)
  })

  test('a download reports progress, and is complete', async () => {
    const reply = new Response('hello', { headers: { 'Content-Length': '5', 'Content-Type': 'text/csv' } })
    const { client, requests } = rig([reply])
    const steps: [number, number | null][] = []
    const blob = await client.download('https://s.example/get', { onProgress: (...step) => steps.push(step) })
    expect(await blob.text()).toBe('hello')
    expect(blob.type).toBe('text/csv')
    expect(steps).toEqual([
      [0, 5],
      [5, 5],
    ])
    expect(requests[0]?.headers.has('X-API-Key')).toBe(false)
  })

  test('an expired link is reported in the service’s words', async () => {
    const { client } = rig([failure(403, 'FORBIDDEN')])
    await expect(client.download('https://s.example/get')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('the rate limit', () => {
  const headers = { 'X-RateLimit-Limit': '30', 'X-RateLimit-Remaining': '29', 'X-RateLimit-Reset': '1795428000' }

  test('comes from the last answer, even from an error', async () => {
    const { client } = rig([
      ok({ formats: [] }, { headers }),
      failure(404, 'NOT_FOUND', { headers: { ...headers, 'X-RateLimit-Remaining': '0' } }),
    ])
    expect(client.rateLimit.snapshot()).toBeNull()
    const told: unknown[] = []
    const stop = client.rateLimit.subscribe(() => told.push(client.rateLimit.snapshot()?.remaining))
    await client.formats()
    await client.getDataset('x').catch(() => undefined)
    stop()
    expect(told).toEqual([29, 0])
    expect(client.rateLimit.snapshot()).toEqual({ limit: 30, remaining: 0, reset: new Date(1795428000 * 1000) })
  })

  test('stays if an answer doesn’t state it', async () => {
    const { client } = rig([ok({ formats: [] }, { headers }), ok({ formats: [] })])
    await client.formats()
    await client.formats()
    expect(client.rateLimit.snapshot()?.remaining).toBe(29)
  })
})

describe('the console', () => {
  const WS = { id: WORKSPACE, name: 'W', slug: 'w', plan: 'business', created_at: META.timestamp }
  const console = (fetch: typeof globalThis.fetch) =>
    createConsoleClient({ baseUrl: 'https://a.example/console/v1', fetch, sleep: () => Promise.resolve() })

  test('needs no key', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(ok({ workspaces: [WS] })))
    expect(await console(fetch).workspaces()).toEqual([WS])
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).has('X-API-Key')).toBe(false)
  })

  test('of a server is beside its public interface, and needs the operator’s token', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(ok({ workspaces: [WS] })))
    const baseUrl = consoleUrlOf('https://a.example/rows/api/public/v1/')
    await createConsoleClient({ baseUrl, token: 'rhc_1', fetch }).workspaces()
    const [url, init] = fetch.mock.calls[0] ?? []
    expect(url).toBe('https://a.example/rows/console/v1/workspaces')
    expect(Object.fromEntries(new Headers(init?.headers))).toEqual({ authorization: 'Bearer rhc_1' })
  })

  const replying = (...replies: Response[]) => vi.fn<typeof globalThis.fetch>(async () => replies.shift() as Response)

  test('finds the workspace that the browser’s first attempt created', async () => {
    const body = { name: 'W', slug: 'w', plan: 'business' } as const
    const answers = () => [failure(409, 'CONFLICT'), ok({ workspaces: [{ ...WS, slug: 'v' }, WS] })]
    expect(await console(replying(...answers())).createWorkspace(body)).toEqual(WS)
    for (const other of [{ name: 'V' }, { slug: 'u' }, { plan: 'free' }] as const) {
      const creating = console(replying(...answers())).createWorkspace({ ...body, ...other })
      await expect(creating).rejects.toMatchObject({ code: 'CONFLICT' })
    }
  })

  test('asks for a free name in SQL, so that a repeated request creates nothing', async () => {
    const taken = { ...WS, name: 'Grün', slug: 'grun' }
    const made = { ...taken, slug: 'grun_2' }
    const fetch = replying(ok({ workspaces: [taken] }), failure(409, 'CONFLICT'), ok({ workspaces: [taken, made] }))
    expect(await console(fetch).createWorkspace({ name: 'Grün' })).toEqual(made)
    expect(fetch.mock.calls[1]?.[1]?.body).toBe(JSON.stringify({ name: 'Grün', slug: 'grun_2' }))
  })

  test('deletes a workspace though an earlier attempt did, but not though the service refuses', async () => {
    const deleting = (...replies: Response[]) => console(replying(...replies)).deleteWorkspace(WORKSPACE)
    await deleting(failure(503, 'SERVICE_UNAVAILABLE'), failure(404, 'NOT_FOUND'))
    await deleting(failure(404, 'NOT_FOUND'))
    await expect(deleting(failure(409, 'CONFLICT'))).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('revokes a key as often as needed, but never creates or rotates one twice', async () => {
    const calls = {
      revoke: (client) => client.revokeApiKey('k'),
      create: (client) => client.createApiKey(WORKSPACE, { name: 'K', scopes: ['datasets:*:read'] }),
      rotate: (client) => client.rotateApiKey('k', 0),
    } satisfies Record<string, (client: ReturnType<typeof console>) => Promise<unknown>>
    const tries = Object.values(calls).map(async (call) => {
      const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(failure(503, 'SERVICE_UNAVAILABLE')))
      await expect(call(console(fetch))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      return fetch.mock.calls.length
    })
    expect(await Promise.all(tries)).toEqual([4, 1, 1])
  })

  test('doesn’t create a workspace twice', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(failure(503, 'SERVICE_UNAVAILABLE')))
    const creating = console(fetch).createWorkspace({ name: 'W', slug: 'w' })
    await expect(creating).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(fetch).toHaveBeenCalledTimes(1)
  })
})
