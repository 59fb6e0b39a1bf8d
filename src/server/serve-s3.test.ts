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
import { buildServer, makeFolder, startServer, type TestServer, type Told } from './testing/server.ts'

/* Servers whose objects and tables are in a bucket; two of them over one database where PostgreSQL is installed. */

const programs = postgresPrograms()
if (programs === null) console.log('skip PostgreSQL: it isn’t installed here')

const folder = makeFolder()
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
  server = await start('one', ...(process.getuid?.() === 0 ? ['--worker-user', '65534:65534'] : []))
  first = server.told
}, 300_000)
afterAll(async () => {
  await server.end('SIGKILL')
  await postgres?.stop()
  await store.close()
  folder.remove()
})

/** The first server's workspace is that of all that share its database. */
const clientOf = (to: Told): Client => new Client(to.key === undefined ? first : to, () => to.url)

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** The scripts that load with one, itself too. @param pattern finds an import, and where it's from */
function importedBy(dir: string, entry: string, pattern: RegExp): ReadonlySet<string> {
  const found = new Set([entry])
  for (const file of found) {
    for (const [, from] of readFileSync(path.join(dir, file), 'utf8').matchAll(pattern)) {
      const place = path.join(path.dirname(file), from)
      // Comments of packages name files of theirs.
      if (existsSync(path.join(dir, place))) found.add(place)
    }
  }
  return found
}

/** @param data of a server that has ended */
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

test('a server that has no bucket doesn’t load what talks to one', () => {
  const entry = path.basename(script)
  const dir = path.dirname(script)
  const signs = (file: string) => readFileSync(path.join(dir, file), 'utf8').includes('AWS4-HMAC-SHA256')
  const atStart = importedBy(dir, entry, /\b(?:from|import)\s*["'](\.[^"']+)["']/g)
  const everAfter = importedBy(dir, entry, /\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)
  expect([...atStart].filter(signs)).toEqual([])
  expect([...everAfter].filter(signs)).not.toEqual([])
})

test('what is published is in the bucket, and is queried from it by a server that has no copy', async () => {
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

test('a conversion’s result is downloaded, whole and in parts, under its name', async () => {
  const url = await clientOf(server.told).convert('id\n007\n', 'né')
  const whole = await fetch(url, { redirect: 'error' })
  expect(whole.headers.get('Content-Disposition')).toContain("filename*=UTF-8''n%C3%A9.json")
  expect(whole.headers.get('Content-Type')).toContain('application/json')
  const text = await whole.text()
  expect(JSON.parse(text)).toEqual([{ id: '007' }])
  const part = await fetch(url, { headers: { Range: 'bytes=2-5' } })
  expect([part.status, await part.text()]).toEqual([206, text.slice(2, 6)])
})

test('where the store can be reached, programs are sent there for as long as the URL holds, and pages aren’t', async () => {
  const open = await startServer(script, argsOf('open'), { ...store.env, S3_PUBLIC_ENDPOINT: store.settings.endpoint })
  try {
    // With a database of its own it has a workspace of its own.
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

test('a store that fails is 503 with Retry-After, and the log says why without what is secret', async () => {
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

test('of an upload whose sender goes away nothing stays', async () => {
  const before = objects()
  const sending = await sendSlowly(await clientOf(server.told).signedUrl())
  sending.destroy()
  await until(() => store.unfinished() === 0)
  expect(objects()).toEqual(before)
})

test('a server that is killed in the middle of an upload leaves nothing half, and the next one’s sweep takes the rest', async () => {
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

/** Sends more than a part of an upload, and no more once the store has one. */
async function sendSlowly(url: string): Promise<ReturnType<typeof request>> {
  const sending = request(url, { method: 'PUT', headers: { 'Content-Type': 'text/csv' } })
  sending.on('error', () => undefined)
  sending.write(Buffer.alloc(12 * 2 ** 20, 'x'))
  await until(() => store.unfinished() > 1)
  return sending
}

test('a deleted dataset’s table leaves the bucket', async () => {
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

test('a server whose bytes are elsewhere than those of its database is refused', async () => {
  if (!postgres) return
  await expect(startServer(script, argsOf('four'))).rejects.toThrow('Several servers of one database need one bucket')
})

test('two servers of one database with a folder each for their files are refused, with one folder not', async () => {
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

/** Counts what is listed once a start has tried the store, which a sweep asks for. @param answer to each */
function countLists(answer: 'silence' | null): () => number {
  let [lists, isChecked] = [0, false]
  store.fault = ({ operation }) => {
    // The last that the start tries.
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

test('of the servers of a database one looks for what was cut off, and another only in the next hour', async () => {
  const again = async (): Promise<number> => {
    const lists = countLists(null)
    const other = await start('other')
    // A sweep that runs may end.
    expect(await other.end('SIGTERM')).toBe(0)
    return lists()
  }
  // Over a database of its own the first start sweeps.
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
  // A store that is silent is asked four times, for 20 s each.
  expect(lists()).toBeLessThan(4)
})

test('a server that stops while its database has others takes no connections, and answers those that it has', async () => {
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
