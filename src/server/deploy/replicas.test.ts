import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureSchema } from '../../contract/errors.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { Client, put, signedUrlOf } from '../testing/client.ts'
import { makeProxy, nginxIsInstalled, type TestProxy } from '../testing/proxy.ts'
import { startS3, type TestS3 } from '../testing/s3.ts'
import { buildServer, makeFolder, startServer, type TestServer } from '../testing/server.ts'

/* Runs what compose.yaml defines without containers: two servers, PostgreSQL, a bucket, and nginx with nginx.conf. */

const programs = postgresPrograms()
const missing = [...(programs === null ? ['PostgreSQL'] : []), ...(nginxIsInstalled() ? [] : ['nginx'])]
if (missing.length > 0) console.log(`skip two servers behind a proxy: ${missing.join(' and ')} isn’t installed here`)

describe.skipIf(missing.length > 0)('two servers behind a proxy', () => {
  const folder = makeFolder()
  let store: TestS3
  let postgres: TestPostgres
  let proxy: TestProxy
  let servers: TestServer[]
  let url: string
  let start: (which: 0 | 1) => Promise<TestServer>
  let client: Client

  beforeAll(async () => {
    const script = await buildServer()
    store = await startS3()
    postgres = await startPostgres(programs ?? '')
    proxy = await makeProxy()
    url = proxy.url
    start = (which) =>
      startServer(
        script,
        ['--data', path.join(folder.data, String(which)), '--app', folder.app, '--database-url', postgres.url].concat(
          proxy.argsOf(which),
        ),
        store.env,
      )
    const one = await start(0)
    servers = [one, await start(1)]
    client = new Client(one.told, () => url)
    await proxy.start()
  }, 300_000)

  afterAll(async () => {
    proxy.stop()
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await postgres.stop()
    await store.close()
    folder.remove()
  })

  test('answers under one URL, but not on routes for operators', async () => {
    const places = ['/', '/healthz', '/public/v1/openapi.json', '/metrics', '/readyz', '/console/v1/workspaces']
    const statuses = await Promise.all(places.map(async (place) => (await fetch(url + place)).status))
    expect(statuses).toEqual([200, 200, 200, 404, 404, 404])
  })

  test('passes on files up to the service’s limit, and refuses larger ones itself', async () => {
    const rows = 'a,b\n' + '1,2\n'.repeat(49 * 2 ** 18)
    const place = await client.signedUrl()
    expect(place.startsWith(`${url}/storage/`)).toBe(true)
    expect((await put(place, rows)).status).toBe(200)
    for (let i = 0; i < 3; i++) {
      const large = await put(await client.signedUrl(), rows.repeat(2))
      expect([large.status, await large.json()]).toMatchObject([413, { error: { code: 'PAYLOAD_TOO_LARGE' } }])
    }
  })

  test('keeps answering while one server after the other is replaced', async () => {
    const seen = new Map<string, number>()
    const ending = new AbortController()
    const count = (kind: string, { status }: Response): void => {
      const said = `${kind} ${status}`
      seen.set(said, (seen.get(said) ?? 0) + 1)
    }
    const work = async (): Promise<void> => {
      while (!ending.signal.aborted) {
        const listed = await client.ask('GET', `/public/v1/workspaces/${client.workspace}/datasets`)
        count('GET', listed)
        await listed.arrayBuffer()
        const signed = await client.sign()
        count('POST', signed)
        if (signed.ok) count('PUT', await put(await signedUrlOf(signed), 'a\n1\n'))
        await pause(400)
      }
    }
    const clients = [work(), work(), work(), work()]
    for (const which of [0, 1] as const) {
      await pause(500)
      expect(await servers[which].end('SIGTERM')).toBe(0)
      servers[which] = await start(which)
    }
    await pause(500)
    ending.abort()
    await Promise.all(clients)
    const others = [...seen].filter(([answer]) => !/^(?:GET|POST|PUT) 200$/.test(answer))
    // A connection made in the instant when a server stops listening is cut off, and nginx doesn't retry POST.
    expect(
      others.every(([answer, times]) => /^(?:POST|PUT) 503$/.test(answer) && times === 1),
      String(others),
    ).toBe(true)
  }, 600_000)

  test('answers in the service’s format while there’s no server', async () => {
    const place = await client.signedUrl()
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    const asked = [
      client.ask('GET', '/public/v1/convert/formats'),
      client.ask('POST', '/public/v1/query', { sql: 'SELECT 1' }),
      put(place, 'a\n1\n'),
    ]
    for (const answer of await Promise.all(asked)) {
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2'])
      expect(answer.headers.get('Content-Type')).toBe('application/json')
      expect(failureSchema.parse(await answer.json()).error.code).toBe('SERVICE_UNAVAILABLE')
    }
    servers = [await start(0), await start(1)]
    expect((await put(place, 'a\n1\n')).status).toBe(200)
  }, 600_000)
})
