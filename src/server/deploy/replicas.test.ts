import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { postgresPrograms, startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { Client, put, signedUrlOf } from '../testing/client.ts'
import { startS3, type TestS3 } from '../testing/s3.ts'
import { buildServer, makeFolder, startServer, type TestServer } from '../testing/server.ts'

/* What compose.yaml puts together, without containers: two servers, PostgreSQL, a bucket, and nginx with this folder's settings. */

const programs = postgresPrograms()
const missing = [...(programs === null ? ['PostgreSQL'] : []), ...(spawnSync('nginx', ['-v']).error ? ['nginx'] : [])]
if (missing.length > 0) console.log(`skip two servers behind a proxy: ${missing.join(' and ')} isn’t installed here`)

/** Two servers have one port, as containers have: each listens on an address of its own. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3'] as const

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** nginx.conf, but for where it listens, where the servers are and where it may write. */
function settingsOf(folder: string, proxyPort: number, serverPort: number): string {
  const servers = ADDRESSES.map((address) => `server ${address}:${serverPort} max_fails=0;`).join(' ')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const text = readFileSync(path.join(import.meta.dirname, 'nginx.conf'), 'utf8')
  const replaced = [
    ['http {', `http { access_log off; ${temporary} upstream rowhouse { ${servers} }`],
    ['listen 8080;', `listen 127.0.0.1:${proxyPort};`],
    ['http://$servers:8080;', 'http://$servers;'],
  ] as const
  return replaced.reduce((made, [from, to]) => {
    expect(made.split(from)).toHaveLength(2)
    return made.replace(from, to)
  }, text)
}

describe.skipIf(missing.length > 0)('two servers behind a proxy', () => {
  const folder = makeFolder()
  const own = mkdtempSync(path.join(tmpdir(), 'rowhouse-proxy-'))
  let store: TestS3
  let postgres: TestPostgres
  let proxy: ChildProcess
  let servers: TestServer[]
  let url: string
  let start: (which: 0 | 1) => Promise<TestServer>
  let client: Client

  beforeAll(async () => {
    const script = await buildServer()
    store = await startS3()
    postgres = await startPostgres(programs ?? '')
    const [proxyPort, serverPort] = [await freePort(), await freePort()]
    url = `http://localhost:${proxyPort}`
    start = (which) =>
      startServer(
        script,
        ['--data', path.join(folder.data, String(which)), '--app', folder.app, '--database-url', postgres.url].concat([
          '--host',
          ADDRESSES[which],
          '--port',
          String(serverPort),
          '--url',
          url,
        ]),
        store.env,
      )
    const one = await start(0)
    servers = [one, await start(1)]
    client = new Client(one.told, () => url)
    const file = path.join(own, 'nginx.conf')
    writeFileSync(file, settingsOf(own, proxyPort, serverPort))
    proxy = spawn('nginx', ['-c', file, '-g', `daemon off; pid ${own}/pid;`], { stdio: 'ignore' })
    await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status).toBe(200), { timeout: 200_000 })
  }, 300_000)

  afterAll(async () => {
    proxy.kill('SIGTERM')
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await postgres.stop()
    await store.close()
    folder.remove()
    rmSync(own, { recursive: true, force: true })
  })

  test('answers on one address, but not to what is for operators', async () => {
    const places = ['/', '/healthz', '/public/v1/openapi.json', '/metrics', '/readyz', '/console/v1/workspaces']
    const statuses = await Promise.all(places.map(async (place) => (await fetch(url + place)).status))
    expect(statuses).toEqual([200, 200, 200, 404, 404, 404])
  })

  test('takes a file as large as the service does, and says itself when one is larger', async () => {
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
    // A connection that comes in the instant in which a server stops listening is cut off, and nginx sends no POST twice.
    expect(
      others.every(([answer, times]) => /^(?:POST|PUT) 502$/.test(answer) && times === 1),
      String(others),
    ).toBe(true)
  }, 600_000)
})
