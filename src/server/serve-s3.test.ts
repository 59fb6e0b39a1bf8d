import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPglite } from './records/pglite.ts'
import { openPostgres } from './records/postgres.ts'
import { makeSweepDue as letSweep } from './records/testing.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from './testing/postgres.ts'
import { Client, datasetOf, heldUpload, put } from './testing/client.ts'
import { startS3, type TestS3 } from './testing/s3.ts'
import { buildServer, makeFolder, otherUser, startServer, type TestServer, type Told } from './testing/server.ts'

/* Servers with a bucket for objects and tables; if PostgreSQL is installed, two of them with one database. */

const programs = postgresPrograms()
if (programs === null) console.log('skip PostgreSQL: it isn’t installed here')

const folder = makeFolder()
const user = otherUser()
let script: string
let store: TestS3
let postgres: TestPostgres | null
let server: TestServer
let first: Told

const argsOf = (data: string): string[] => [
  '--data',
  path.join(folder.data, data),
  '--app',
  folder.app,
  ...(postgres ? ['--database-url', postgres.url] : []),
]
const start = (data: string, ...more: string[]) => startServer(script, [...argsOf(data), ...more], store.env)

beforeAll(async () => {
  script = await buildServer()
  store = await startS3()
  postgres = programs === null ? null : await startPostgres(programs)
  server = await start('one', ...(user === null ? [] : ['--worker-user', `${user.uid}:${user.gid}`]))
  first = server.told
}, 300_000)
afterAll(async () => {
  await server.end('SIGKILL')
  await postgres?.stop()
  await store.close()
  folder.remove()
})

/** Servers that share the first one's database have its workspace, and so its key. */
const clientOf = (to: Told): Client => new Client(to.key === undefined ? first : to, () => to.url)

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** A script and all scripts that it imports. @param pattern finds imports and captures their paths */
function importedBy(dir: string, entry: string, pattern: RegExp): ReadonlySet<string> {
  const found = new Set([entry])
  for (const file of found) {
    for (const [, from] of readFileSync(path.join(dir, file), 'utf8').matchAll(pattern)) {
      const place = path.join(path.dirname(file), from)
      // Comments in packages may match, too.
      if (existsSync(path.join(dir, place))) found.add(place)
    }
  }
  return found
}

/** @param data the folder of a server that has ended */
async function makeSweepDue(data: string): Promise<void> {
  const database = postgres ? openPostgres(postgres.url) : await openPglite(path.join(folder.data, data, 'records'))
  await letSweep(database)
  await database.close()
}

const objects = (): string[] => store.keys().filter((key) => key.startsWith('objects/'))
const CSV = 'id,name\n1,ann\n2,bob\n'
const ROWS = [
  { id: 1, name: 'ann' },
  { id: 2, name: 'bob' },
]

test('a server without a bucket doesn’t load the client for one', () => {
  const entry = path.basename(script)
  const dir = path.dirname(script)
  const signs = (file: string) => readFileSync(path.join(dir, file), 'utf8').includes('AWS4-HMAC-SHA256')
  const atStart = importedBy(dir, entry, /\b(?:from|import)\s*["'](\.[^"']+)["']/g)
  const everAfter = importedBy(dir, entry, /\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)
  expect([...atStart].filter(signs)).toEqual([])
  expect([...everAfter].filter(signs)).not.toEqual([])
})

test('a published table is in the bucket, and a server without a copy fetches it from there', async () => {
  expect((await clientOf(first).publish('Sales', CSV)).status).toBe(201)
  expect(store.keys().map((key) => key.split('/')[0])).toEqual(['objects', 'stores', 'tables'])
  expect(await clientOf(server.told).rows('FROM my_workspace.sales.t ORDER BY id')).toEqual(ROWS)
  const reads = () => store.asked.filter(({ operation, key }) => operation === 'GetObject' && key.startsWith('tables/'))
  expect(reads()).toEqual([])
  if (!postgres) return
  const other = await start('two')
  try {
    expect(await clientOf(other.told).rows('FROM my_workspace.sales.t ORDER BY id')).toEqual(ROWS)
    expect(await clientOf(other.told).rows('SELECT count(*) AS n FROM my_workspace.sales.t')).toEqual([{ n: 2 }])
    expect(reads()).toHaveLength(1)
  } finally {
    expect(await other.end('SIGTERM')).toBe(0)
  }
})

test('a conversion’s result can be downloaded with its name, completely and in ranges', async () => {
  const url = await clientOf(server.told).convert('id\n007\n', 'né')
  const whole = await fetch(url, { redirect: 'error' })
  expect(whole.headers.get('Content-Disposition')).toContain("filename*=UTF-8''n%C3%A9.json")
  expect(whole.headers.get('Content-Type')).toContain('application/json')
  const text = await whole.text()
  expect(JSON.parse(text)).toEqual([{ id: '007' }])
  const part = await fetch(url, { headers: { Range: 'bytes=2-5' } })
  expect([part.status, await part.text()]).toEqual([206, text.slice(2, 6)])
})

test('programs, but not pages, are redirected to a public store while the URL is valid', async () => {
  const open = await startServer(script, argsOf('open'), { ...store.env, S3_PUBLIC_ENDPOINT: store.settings.endpoint })
  try {
    // A server with its own database also has its own workspace.
    const workspace = open.told.key === undefined ? first : open.told
    const url = await new Client(workspace, () => open.told.url).convert('id\n007\n', 'né')
    const reads = () => store.asked.filter(({ operation }) => operation === 'GetObject').length
    const before = reads()
    const sent = await fetch(url, { redirect: 'manual' })
    expect([sent.status, sent.headers.get('Cache-Control')]).toEqual([307, 'private, no-store'])
    const location = new URL(sent.headers.get('Location') ?? '')
    expect(location.origin).toBe(store.settings.endpoint)
    const left = (Number(new URL(url).searchParams.get('expires')) - Date.now()) / 1000
    expect(Number(location.searchParams.get('X-Amz-Expires'))).toBeGreaterThanOrEqual(Math.floor(left))
    expect(Number(location.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(3600)
    expect(reads()).toBe(before)
    const answer = await fetch(url)
    expect(answer.url.startsWith(store.settings.endpoint)).toBe(true)
    expect(await answer.json()).toEqual([{ id: '007' }])
    expect(answer.headers.get('Content-Disposition')).toContain("filename*=UTF-8''n%C3%A9.json")

    const asPages = { Origin: open.told.url, 'Sec-Fetch-Site': 'same-origin', 'If-Range': '"x"' }
    for (const header of Object.entries(asPages)) {
      expect((await fetch(url, { headers: [header], redirect: 'manual' })).status, header.join()).toBe(200)
    }
    expect((await fetch(url, { method: 'HEAD', redirect: 'manual' })).status).toBe(200)
    expect((await fetch(url.replace(/.$/, 'x'), { redirect: 'manual' })).status).toBe(403)
    expect(open.logs()).not.toContain('X-Amz')
  } finally {
    expect(await open.end('SIGTERM')).toBe(0)
  }
})

test('a server whose bucket doesn’t answer isn’t ready, and says what is missing', async () => {
  const ready = async () => {
    const answer = await fetch(`${server.told.url}/readyz`)
    return [answer.status, await answer.text()]
  }
  expect(await ready()).toEqual([200, 'ready\n'])
  store.fault = () => ({ status: 503, code: 'SlowDown' })
  expect(await ready()).toEqual([503, 'the bucket doesn’t answer\n'])
  expect((await fetch(`${server.told.url}/healthz`)).status).toBe(200)
  store.fault = () => 'silence'
  expect(await ready()).toEqual([503, 'the bucket doesn’t answer\n'])
  store.fault = () => null
  expect(await ready()).toEqual([200, 'ready\n'])
})

test('a failing store gives 503 with Retry-After, and the log says why without secrets', async () => {
  const url = await clientOf(server.told).signedUrl()
  const before = objects()
  store.fault = ({ operation }) => (operation === 'PutObject' ? { status: 403, code: 'AccessDenied' } : null)
  const refused = await put(url, CSV)
  store.fault = () => null
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1'])
  expect(((await refused.json()) as { error: { message: string } }).error.message).toContain(
    'store refuses this server’s requests',
  )
  expect(objects()).toEqual(before)
  expect(server.logs()).toContain('"operation":"PutObject"')
  expect(server.logs()).toContain('AccessDenied')
  for (const line of server.logs().trim().split('\n')) expect(() => JSON.parse(line) as unknown, line).not.toThrow()
  for (const secret of [store.env['S3_SECRET_ACCESS_KEY'], 'signature=', 'X-Amz']) {
    expect(server.logs()).not.toContain(secret)
  }
  expect((await put(url, CSV)).status).toBe(200)
})

test('nothing is left of an upload whose client disconnects', async () => {
  const before = objects()
  const sending = await sendSlowly(await clientOf(server.told).signedUrl())
  sending.destroy()
  await until(() => store.unfinished() === 0)
  expect(objects()).toEqual(before)
})

test('a server killed during an upload leaves only parts, which the next one’s sweep removes', async () => {
  const before = objects()
  const url = await clientOf(server.told).signedUrl()
  const sending = await sendSlowly(url)
  expect(await server.end('SIGKILL')).toBe('SIGKILL')
  sending.destroy()
  expect(objects()).toEqual(before)
  expect(store.unfinished()).toBeGreaterThan(0)
  store.age(2 * 3_600_000)
  await makeSweepDue('one')
  server = await start('one')
  await until(() => store.unfinished() === 0)
  expect(await clientOf(server.told).rows('FROM my_workspace.sales.t ORDER BY id')).toEqual(ROWS)
  const again = new URL(url)
  again.port = new URL(server.told.url).port
  expect((await put(again.href, CSV)).status).toBe(200)
})

/** Sends more than one part of an upload, and waits until the store has received one. */
async function sendSlowly(url: string): Promise<ReturnType<typeof request>> {
  const sending = request(url, { method: 'PUT', headers: { 'Content-Type': 'text/csv' } })
  sending.on('error', () => undefined)
  sending.write(Buffer.alloc(12 * 2 ** 20, 'x'))
  await until(() => store.unfinished() > 1)
  return sending
}

test('a deleted dataset’s table is removed from the bucket', async () => {
  const client = clientOf(server.told)
  const id = await datasetOf(await client.publish('Gone', CSV))
  const tables = () => store.keys().filter((key) => key.startsWith(`tables/${id}/`))
  expect(tables()).toHaveLength(1)
  expect((await client.ask('DELETE', `/public/v1/datasets/${id}`)).status).toBe(200)
  expect(tables()).toEqual([])
})

test.each([
  [{ S3_SECRET_ACCESS_KEY: 'wrong' }, '$S3_SECRET_ACCESS_KEY'],
  [{ S3_BUCKET: 'nothing-here' }, '$S3_BUCKET'],
  [{ S3_ENDPOINT: 'http://127.0.0.1:1' }, '$S3_ENDPOINT'],
  [{ S3_ENDPOINT: 'store' }, '--s3-endpoint ($S3_ENDPOINT)'],
  [{ S3_PUBLIC_ENDPOINT: 'ftp://store' }, '--s3-public-endpoint ($S3_PUBLIC_ENDPOINT)'],
  [{ S3_SECRET_ACCESS_KEY: '' }, '$S3_SECRET_ACCESS_KEY isn’t set'],
  [{ S3_BUCKET: '' }, 'needs --s3-bucket ($S3_BUCKET), which isn’t set'],
  [{ S3_PATH_STYLE: 'maybe' }, '--s3-path-style ($S3_PATH_STYLE)'],
])('a start with %j says which setting is wrong', async (wrong, message) => {
  const starting = startServer(script, argsOf('three'), { ...store.env, ...wrong })
  await expect(starting).rejects.toThrow(message)
})

test('a server with another bucket than its database’s other servers doesn’t start', async () => {
  if (!postgres) return
  await expect(startServer(script, argsOf('four'))).rejects.toThrow('Several servers of one database need one bucket')
})

test('two servers with one database must also share the folder for files', async () => {
  if (!postgres) return
  const own = new URL(postgres.url)
  own.pathname = '/template1'
  const started = (data: string) => startServer(script, [...argsOf(data), '--database-url', own.href])
  const one = await started('five')
  try {
    await expect(started('six')).rejects.toThrow('aren’t in the folder')
    const same = await started('five')
    expect(await same.end('SIGTERM')).toBe(0)
  } finally {
    await one.end('SIGKILL')
  }
})

/** Counts the lists that a sweep requests after the start has tried the store. @param answer the response to each */
function countLists(answer: 'silence' | null): () => number {
  let [lists, isChecked] = [0, false]
  store.fault = ({ operation }) => {
    // The last operation that the start tries.
    if (operation === 'DeleteObject') isChecked = true
    if (!isChecked || operation !== 'ListObjectsV2') return null
    lists++
    return answer
  }
  onTestFinished(() => {
    store.fault = () => null
  })
  return () => lists
}

test('only one of a database’s servers sweeps the bucket per hour', async () => {
  const again = async (): Promise<number> => {
    const lists = countLists(null)
    const other = await start('other')
    // Stopping waits for a running sweep.
    expect(await other.end('SIGTERM')).toBe(0)
    return lists()
  }
  // With its own database, the first start sweeps.
  if (!postgres) await again()
  expect(await again()).toBe(0)
  await makeSweepDue('other')
  expect(await again()).toBeGreaterThan(0)
})

test('stopping waits for a sweep no longer than for requests', async () => {
  if (postgres) await makeSweepDue('sweeping')
  const lists = countLists('silence')
  const other = await start('sweeping', '--grace', '0')
  await until(() => lists() > 0)
  expect(await other.end('SIGTERM')).toBe(0)
  // A request is tried four times for 20 s each if the store doesn't answer.
  expect(lists()).toBeLessThan(4)
})

test('a stopping server whose database has others accepts no connections, but answers existing ones', async () => {
  if (!postgres) return
  const other = await start('stopping', '--grace', '600')
  const asked = clientOf(other.told)
  const upload = heldUpload(await asked.signedUrl())
  await upload.hasCome(other.told.url)
  const ended = other.end('SIGTERM')
  const isReady = (): Promise<number | null> =>
    fetch(`${other.told.url}/readyz`).then(
      ({ status }) => status,
      () => null,
    )
  for (let status = await isReady(); status !== null; status = await isReady()) expect([200, 503]).toContain(status)
  upload.finish()
  expect((await upload.answer).status).toBe(200)
  expect(await ended).toBe(0)
})
