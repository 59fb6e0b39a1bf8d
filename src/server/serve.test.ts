import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { EventEmitter, once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { within } from '../lib/abort.ts'
import { pgliteFolder } from '../lib/testing/pglite.ts'
import { MIGRATIONS, migrate } from './records/migrations.ts'
import { openPglite } from './records/pglite.ts'
import { Client, datasetOf, heldUpload } from './testing/client.ts'
import { SmallDisk } from './testing/disk.ts'
import { freePort } from './testing/postgres.ts'
import { buildServer, makeFolder, otherUser, startServer, type TestServer, type Told } from './testing/server.ts'

/* Runs the built server as a process. */

const folder = makeFolder()
// On a slow machine, an upload may take longer than the default.
const args = ['--data', folder.data, '--app', folder.app, '--grace', '600']
let script: string
let server: TestServer
/** What the first start printed. */
let first: Told
let client: Client

beforeAll(async () => {
  script = await buildServer()
  server = await startServer(script, [...args, '--allow-origin', 'https://app.example.com'])
  first = server.told
  client = new Client(first, () => server.told.url)
}, 300_000)
afterAll(async () => {
  await server.end('SIGKILL')
  folder.remove()
})

function call(path: string, { json, ...init }: RequestInit & { readonly json?: unknown } = {}): Promise<Response> {
  const headers = new Headers({ 'X-API-Key': first.key ?? '', ...(init.headers as Record<string, string>) })
  if (json !== undefined) headers.set('Content-Type', 'application/json')
  const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
  return fetch(server.told.url + path, { ...body, ...init, headers })
}

test('a published table can be queried, even after the server was killed and restarted', async () => {
  expect((await client.publish('Sales', 'id,name\n1,ann\n2,bob\n')).status).toBe(201)
  const expected = [
    { id: 1, name: 'ann' },
    { id: 2, name: 'bob' },
  ]
  expect(await client.rows('FROM my_workspace.sales.t ORDER BY id')).toEqual(expected)
  expect(await server.end('SIGKILL')).toBe('SIGKILL')
  server = await startServer(script, [...args, '--allow-origin', 'https://app.example.com'])
  // Secrets are printed only once.
  expect(Object.keys(server.told)).toEqual(['url', 'workspace_id'])
  expect(server.told.workspace_id).toBe(first.workspace_id)
  expect(await client.rows('FROM my_workspace.sales.t ORDER BY id')).toEqual(expected)
})

test('a statement that takes too long is stopped, and the next one runs', async () => {
  const endless = 'SELECT count(*) FROM range(1000000000000)'
  const late = await call('/public/v1/query', { json: { sql: endless, timeout_seconds: 1 } })
  expect(late.status).toBe(408)
  expect(await client.rows('SELECT 42 AS answer')).toEqual([{ answer: 42 }])
})

test('a statement that needs too much memory is refused, and the next one has all memory', async () => {
  const large = 'SELECT count(*) FROM range(1000000000000) a, range(1000000000000) b'
  expect(await client.rows(large)).toBe('INVALID_REQUEST')
  expect(await client.rows('SELECT count(DISTINCT i) AS n FROM range(5000000) t(i)')).toEqual([{ n: 5_000_000 }])
})

test('a statement can’t access files, URLs or settings', async () => {
  for (const sql of [
    "FROM read_csv('/etc/passwd')",
    `FROM read_text('${folder.data}/records/PG_VERSION')`,
    "SELECT * FROM read_text('http://127.0.0.1/')",
    "COPY (SELECT 1) TO '/tmp/x.csv'",
    'SET threads = 1',
    "SELECT getenv('PATH')",
    'FROM duckdb_settings()',
  ]) {
    expect(await client.rows(sql), sql).toBe('INVALID_REQUEST')
  }
})

test('a file is converted', async () => {
  const got = await fetch(await client.convert('id\n007\n'))
  expect(await got.json()).toEqual([{ id: '007' }])
})

test('an upload that is too large is refused before its end', async () => {
  const { host, hostname, port, pathname, search } = new URL(await client.signedUrl())
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
      resolve(text)
      socket.destroy()
    })
    socket.on('error', reject)
    const chunk = `100000\r\n${'x'.repeat(1_048_576)}\r\n`
    const send = (): void => {
      if (!socket.destroyed) socket.write(chunk, send)
    }
    socket.write(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n`,
      send,
    )
  })
  expect(answer).toContain('413 Payload Too Large')
})

test('the console requires the operator’s token', async () => {
  const ask = (token: string) => call('/console/v1/workspaces', { headers: { Authorization: `Bearer ${token}` } })
  expect((await call('/console/v1/workspaces')).status).toBe(401)
  expect((await ask(`rhc_${'a'.repeat(43)}`)).status).toBe(401)
  const known = await ask(first.console_token ?? '')
  expect(await known.json()).toMatchObject({ data: { workspaces: [{ id: first.workspace_id }] } })
})

test('pages of an allowed origin may use it, and others may not', async () => {
  const preflight = (origin: string, path = '/public/v1/query') =>
    call(path, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })
  const allowed = await preflight('https://app.example.com')
  expect([allowed.status, allowed.headers.get('Access-Control-Allow-Origin')]).toEqual([204, 'https://app.example.com'])
  expect(allowed.headers.get('Access-Control-Allow-Headers')).toContain('X-API-Key')
  const other = await preflight('https://evil.example.com')
  expect(other.headers.get('Access-Control-Allow-Origin')).toBeNull()
  const answer = await call('/public/v1/convert/formats', { headers: { Origin: 'https://app.example.com' } })
  expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-RateLimit-Remaining')
  const asked = await preflight('https://app.example.com', '/console/v1/workspaces')
  expect([asked.status, asked.headers.get('Access-Control-Allow-Headers')]).toEqual([
    204,
    expect.stringContaining('Authorization') as string,
  ])
  const console = (origin: string, token = '') =>
    call('/console/v1/workspaces', { headers: { Origin: origin, Authorization: `Bearer ${token}` } })
  const known = await console('https://app.example.com', first.console_token)
  expect([known.status, known.headers.get('Access-Control-Allow-Origin')]).toEqual([200, 'https://app.example.com'])
  // Pages must be able to read errors about a token.
  const refused = await console('https://app.example.com', 'rhc_wrong')
  expect([refused.status, refused.headers.get('Access-Control-Allow-Origin')]).toEqual([401, 'https://app.example.com'])
  const evil = await console('https://evil.example.com', first.console_token)
  expect(evil.headers.get('Access-Control-Allow-Origin')).toBeNull()
})

test('the app’s files are served with its headers, and missing ones are 404', async () => {
  const page = await call('/sql')
  expect([page.status, await page.text()]).toEqual([200, '<p>sql/index.html</p>'])
  expect(await (await call('/sql/queries/1')).text()).toBe('<p>sql/index.html</p>')
  expect((await call('/sql/none.js')).status).toBe(404)
  expect(page.headers.get('Content-Security-Policy')).toBe("default-src 'none'")
  for (const path of ['/nope', '/..%2f..%2fetc/passwd', '/_headers', '/%00', '/%']) {
    expect((await call(path)).status, path).toBe(404)
  }
  const tag = (await call('/')).headers.get('ETag') ?? ''
  for (const [condition, status] of [
    [tag, 304],
    [`"old", W/${tag}`, 304],
    ['"old"', 200],
  ] as const)
    expect((await call('/', { headers: { 'If-None-Match': condition } })).status, condition).toBe(status)
})

test.each([
  ['/healthz', 'text/plain; charset=utf-8'],
  ['/readyz', 'text/plain; charset=utf-8'],
  ['/metrics', 'text/plain; version=0.0.4; charset=utf-8'],
])('%s answers as %s', async (path, type) => {
  const answer = await call(path)
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type])
})

test('metrics and logs contain routes, but no keys, bodies, values or signatures', async () => {
  await client.rows("SELECT 'a secret value' AS x FROM my_workspace.sales.nothing")
  const metrics = await (await call('/metrics')).text()
  expect(metrics).toMatch(/^rowhouse_http_requests_total\{method="POST",route="\/public\/v1\/query",status="404"\} 1$/m)
  expect(metrics).toContain(
    'rowhouse_http_request_duration_seconds_bucket{method="POST",route="/public/v1/query",le="+Inf"}',
  )
  expect(metrics).toMatch(/^rowhouse_processes_busy \d+$/m)
  const lines = server.logs().trim().split('\n')
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) as string })
  expect(server.logs()).toMatch(/"request_id":"req_[^"]+","method":"POST","route":"\/public\/v1\/query","status":404/)
  for (const secret of [first.key, first.console_token, 'secret value', 'signature=', 'nothing', 'passwd']) {
    expect(server.logs()).not.toContain(secret)
  }
})

describe('a start fails', () => {
  test('with the name of a wrong setting', async () => {
    const start = (...more: string[]) => startServer(script, [...args, ...more])
    await expect(start('--port', 'x')).rejects.toThrow('--port ($PORT) is “x”')
    await expect(start('--nonsense')).rejects.toThrow('nonsense')
    await expect(start('--data', '')).rejects.toThrow('--data is empty. Give it a value, or leave it out.')
    await expect(start('--allow-origin', 'example.com')).rejects.toThrow('--allow-origin')
    await expect(start('--database-url', 'postgres://nobody@127.0.0.1:1/none')).rejects.toThrow('It can’t be reached')
  })

  test('with a folder that can’t be created', async () => {
    const start = (data: string) => startServer(script, ['--data', data, '--app', folder.app])
    await expect(start('/proc/rowhouse/data')).rejects.toThrow(
      'The folder /proc/rowhouse/data (--data) can’t be made or written to (',
    )
    const file = join(folder.app, 'index.html')
    for (const data of [file, join(file, 'data')])
      await expect(start(data)).rejects.toThrow(
        `${data} (--data) can’t be a folder: there is a file of that name, or of a folder above it. Name another place.`,
      )
  })

  test('with a folder that a newer server has used', async () => {
    const data = join(folder.data, '..', 'newer')
    const records = join(data, 'records')
    await pgliteFolder(records)
    const database = await openPglite(records)
    await migrate(database, [...MIGRATIONS, 'SELECT 1'])
    await database.close()
    const known = MIGRATIONS.length
    await expect(startServer(script, ['--data', data, '--app', folder.app])).rejects.toThrow(
      `The embedded database in ${records} can’t be used. A newer server made it (version ${known + 1}; this one knows ${known}). Start that one.`,
    )
  })

  // Root may write everywhere.
  const user = process.getuid?.() === 0 ? otherUser() : {}
  test.skipIf(user === null)('with a folder that its user may not write to', () => {
    const data = join(folder.app, '..', 'read-only')
    mkdirSync(data, { mode: 0o555 })
    const { status, stderr } = spawnSync(
      process.execPath,
      [script, '--port', '0', '--data', data, '--app', folder.app],
      {
        encoding: 'utf8',
        ...user,
      },
    )
    const advice = 'Let this server’s user write there, or take another one.'
    expect([status, stderr]).toEqual([
      2,
      `The folder ${data} (--data) can’t be made or written to (EACCES). ${advice}\n`,
    ])
  })

  test('with a folder that another server uses, or a port that is taken', async () => {
    await expect(startServer(script, args)).rejects.toThrow('Another server uses the folder')
    const { port } = new URL(server.told.url)
    const own = join(folder.data, '..', 'taken')
    await pgliteFolder(join(own, 'records'))
    await expect(startServer(script, ['--data', own, '--app', folder.app, '--port', port])).rejects.toThrow('is taken')
  })

  test('without using up the secrets, which the first successful start prints', async () => {
    const data = join(folder.data, '..', 'first')
    await pgliteFolder(join(data, 'records'))
    const { port } = new URL(server.told.url)
    const wrong = [
      ['--app', folder.app, '--port', port],
      ['--app', folder.data],
    ]
    for (const each of wrong) await expect(startServer(script, ['--data', data, ...each])).rejects.toThrow('it ended')
    const started = await startServer(script, ['--data', data, '--app', folder.app])
    expect(Object.keys(started.told)).toEqual(['url', 'workspace_id', 'key', 'console_token'])
    await started.end('SIGKILL')
  })
})

test('a server starts even if ClickHouse can’t be used, and logs that', async ({ onTestFinished }) => {
  const data = join(folder.data, '..', 'without')
  await pgliteFolder(join(data, 'records'))
  const env = { CLICKHOUSE_URL: 'http://127.0.0.1:1' }
  const started = await startServer(script, ['--data', data, '--app', folder.app], env)
  onTestFinished(() => void started.end('SIGKILL'))
  await vi.waitFor(
    () =>
      expect(started.logs()).toMatch(
        /"ClickHouse can’t be used .*--clickhouse-url \(\$CLICKHOUSE_URL\).*"ECONNREFUSED"/,
      ),
    { timeout: 60_000 },
  )
})

test('a server that isn’t ready accepts no connections', async ({ onTestFinished }) => {
  const asked = new EventEmitter<{ socket: [Socket] }>()
  const silent = createServer((socket) => asked.emit('socket', socket)).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const port = String(await freePort())
  const database = `postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/none`
  const connected = once(asked, 'socket') as Promise<[Socket]>
  const starting = startServer(script, [...args, '--database-url', database, '--port', port])
  const [socket] = await connected
  await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  socket.destroy()
  await expect(starting).rejects.toThrow('It can’t be reached')
})

test('a stopping server answers running requests, and refuses new ones', async () => {
  const upload = heldUpload(await client.signedUrl())
  await upload.hasCome(server.told.url)
  const ended = server.end('SIGTERM')
  for (;;) {
    const answer = await call('/readyz')
    if (answer.status === 503) {
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
      break
    }
    expect(answer.status).toBe(200)
  }
  upload.finish()
  expect((await upload.answer).status).toBe(200)
  expect(await ended).toBe(0)
})

test('a stopping server tells requests that it cuts off', async ({ onTestFinished }) => {
  const data = mkdtempSync(join(tmpdir(), 'rowhouse-grace-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  await pgliteFolder(join(data, 'records'))
  const hasty = await startServer(script, ['--data', data, '--app', folder.app, '--grace', '1'])
  const answer = new Client(hasty.told, () => hasty.told.url).query(
    'SELECT count(*) FROM range(1000000) a, range(1000000) b',
  )
  await vi.waitFor(
    async () => {
      const metrics = await (await fetch(`${hasty.told.url}/metrics`)).text()
      expect(metrics).toMatch(/^rowhouse_processes_busy [1-9]/m)
    },
    { timeout: 60_000 },
  )
  const ended = hasty.end('SIGTERM')
  expect((await answer).status).toBe(503)
  expect(await ended).toBe(0)
})

describe('a full disk', () => {
  test('makes writes fail until there is space again, but nothing else', async ({ skip, onTestFinished }) => {
    const place = mkdtempSync(join(tmpdir(), 'rowhouse-small-'))
    const disk = SmallDisk.mount(place, '90m')
    if (typeof disk === 'string') return skip(disk)
    onTestFinished(() => disk.unmount())
    const own = ['--data', join(place, 'data'), '--app', folder.app]
    await pgliteFolder(join(place, 'data', 'records'))
    let small = await startServer(script, own)
    const asked = new Client(small.told, () => small.told.url)
    /** Fails instead of waiting forever. */
    const soon = async (answer: Promise<Response>): Promise<Response> =>
      (await within(60_000, answer)) ?? new Response(null, { status: 504 })
    try {
      const id = await datasetOf(await asked.publish('kept', 'id\n1\n'))
      // Too little space for another segment of the database's log, but enough for its tables.
      const { bavail, bsize } = statfsSync(place)
      writeFileSync(join(place, 'other'), Buffer.alloc(bavail * bsize - 15 * 2 ** 20))
      const file = { filename: `${'long '.repeat(40)}.csv`, content_type: 'text/csv' }
      const files = { workspace_id: asked.workspace, files: Array.from({ length: 100 }, () => file) }
      let refused = new Response()
      for (let i = 0; refused.status === 200 && i < 1_000; i++)
        refused = await soon(asked.ask('POST', '/public/v1/storage/signed-urls', files))
      expect(refused.status).toBe(503)
      expect(refused.headers.get('Retry-After')).toBe('60')
      expect(await refused.json()).toMatchObject({ error: { details: { reason: 'out_of_space' } } })
      const change = (short_description: string) =>
        asked.ask('PATCH', `/public/v1/datasets/${id}`, { short_description })
      expect((await soon(change('lost'))).status).toBe(503)
      expect((await soon(asked.ask('GET', `/public/v1/datasets/${id}`))).status).toBe(200)
      expect(await asked.rows('FROM my_workspace.kept.t')).toEqual([{ id: 1 }])
      expect(small.logs()).toMatch(new RegExp(`"folder":"${join(place, 'data')}","free_bytes":\\d+,`))
      rmSync(join(place, 'other'))
      expect((await soon(change('there'))).status).toBe(200)
      await small.end('SIGKILL')
      small = await startServer(script, own)
      const found = await asked.json<{ data: { dataset: unknown } }>('GET', `/public/v1/datasets/${id}`)
      expect(found.data.dataset).toMatchObject({ description: 'there' })
    } finally {
      await small.end('SIGKILL')
    }
  }, 600_000)
})
