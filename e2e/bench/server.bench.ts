import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { MAX_FILE_BYTES, PLAN_LIMITS } from '../../src/contract/limits.ts'
import { migrate } from '../../src/server/records/migrations.ts'
import { newPglite } from '../../src/server/records/testing.ts'
import { openPostgres } from '../../src/server/records/postgres.ts'
import { createRecords } from '../../src/server/records/records.ts'
import { Client, datasetOf, jsonOf, upload } from '../../src/server/testing/client.ts'
import { postgresPrograms, startPostgres } from '../../src/server/testing/postgres.ts'
import { createService } from '../../src/service/create.ts'
import { startS3 } from '../../src/server/testing/s3.ts'
import { buildServer, makeFolder, startServer, type TestServer } from '../../src/server/testing/server.ts'
import { csv50, parquet } from './data.ts'

/*
 * The built server over HTTP, with its embedded database: the time of calls, and of statements compared with native
 * DuckDB.
 */

const SCAN = `SELECT city, flag, count(*) AS n, sum(amount) AS total, avg(ratio) AS ratio, max(moment) AS latest, count(DISTINCT quantity) AS kinds
  FROM TABLE WHERE name LIKE '%7%' AND day >= DATE '2005-01-01' GROUP BY ALL ORDER BY ALL`

const TABLE = 'my_workspace.bench.mixed'

const folder = makeFolder()
const servers: TestServer[] = []
test.afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGKILL')))
  folder.remove()
})

async function publish(client: Client, name: string, table: string, file: string): Promise<string> {
  const type = 'application/vnd.apache.parquet'
  const url = await client.signedUrl(path.basename(file), type)
  await upload(url, new Uint8Array(readFileSync(file)), type)
  return datasetOf(await client.create(name, url, table))
}

const query = async (client: Client, sql: string): Promise<{ data: { rows: Record<string, unknown>[] } }> =>
  jsonOf(await client.query(sql))

async function start(
  data: string,
  more: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const args = ['--data', path.join(folder.data, data), '--app', folder.app, ...more]
  const server = await startServer(await buildServer(), args, env)
  servers.push(server)
  return server
}

async function open(data: string, processes: number): Promise<Client> {
  const { told } = await start(data, ['--processes', String(processes)])
  const client = new Client(told)
  await client.json('PATCH', `/console/v1/workspaces/${client.workspace}`, { plan: 'business' })
  return client
}

/** Milliseconds of each of that many calls, one after another. */
async function times(count: number, call: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < count; i++) {
    const begun = performance.now()
    await call()
    taken.push(performance.now() - begun)
  }
  return taken.sort((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
const line = (name: string, sorted: readonly number[]): string =>
  `${name.padEnd(44)} p50 ${at(sorted, 0.5).toFixed(1).padStart(7)} ms   p95 ${at(sorted, 0.95).toFixed(1).padStart(7)} ms   of ${sorted.length}`
// oxlint-disable-next-line no-console -- the measurement
const print = (text: string): void => console.log(text)

test('calls', async () => {
  const client = await open('calls', 2)
  const id = await publish(client, 'bench', 'mixed', await parquet())
  await query(client, `SELECT count(*) FROM ${TABLE}`)
  print(line('list', await times(300, () => client.json('GET', `/public/v1/workspaces/${client.workspace}/datasets`))))
  print(line('get', await times(300, () => client.json('GET', `/public/v1/datasets/${id}`))))
  print(line('query, one row', await times(100, () => query(client, `SELECT count(*) FROM ${TABLE}`))))
  const type = 'text/csv'
  const whole = new Uint8Array(readFileSync(await csv50()))
  const bytes = whole.slice(0, whole.lastIndexOf(10, MAX_FILE_BYTES - 1) + 1)
  const puts: number[] = []
  for (let i = 0; i < 9; i++) {
    const url = await client.signedUrl('a.csv', type)
    puts.push(...(await times(1, () => upload(url, bytes, type))))
  }
  print(
    line(
      `PUT of ${Math.round(bytes.length / 1e6)} MB`,
      puts.sort((a, b) => a - b),
    ),
  )
  const formats = { source_format: 'csv', destination_format: 'parquet', filename: 'a' }
  const { data } = await client.json<{ data: { source: { upload_url: string; file_path: string } } }>(
    'POST',
    '/public/v1/convert/upload-urls',
    formats,
  )
  await upload(data.source.upload_url, bytes, type)
  const convert = () => client.json('POST', '/public/v1/convert', { source_url: data.source.file_path, ...formats })
  print(line('convert that CSV to Parquet', await times(5, convert)))
})

test('a list of 10,000 datasets', async () => {
  const programs = postgresPrograms()
  const postgres = programs === null ? null : await startPostgres(programs)
  const databases = [
    ['PGlite', await newPglite()] as const,
    ...(postgres ? [['PostgreSQL', openPostgres(postgres.url)] as const] : []),
  ]
  for (const [name, database] of databases) {
    await migrate(database)
    const records = createRecords(database)
    const nothing = (): never => {
      throw new Error('a list needs records alone')
    }
    const objects = { put: nothing, get: nothing, remove: nothing, sweep: nothing }
    const tables = { ...objects, whileCreating: nothing, ingest: nothing, query: nothing, convert: nothing }
    const ports = { clock: { now: Date.now }, records, objects, tables, log: nothing }
    const service = createService(ports, { baseUrl: 'http://localhost' })
    const first = await service.bootstrap()
    const workspaceId = first?.workspace.id ?? ''
    const schema = Array.from({ length: 10 }, (_, i) => ({ name: `column ${i}`, type: 'BIGINT' }))
    const table = { fileId: 'f', name: 't', description: '', rowCount: 1, byteSize: 1, schema }
    const put = (...which: readonly number[]) =>
      records.write(['datasets'], async (transaction) => {
        for (const i of which) {
          await transaction.put('datasets', {
            id: `01${String(i).padStart(24, '0')}`,
            workspaceId,
            name: `dataset ${i}`,
            nameKey: `dataset ${i}`,
            description: '',
            visibility: 'private',
            tags: ['a', 'b'],
            createdAt: i,
            updatedAt: Date.now(),
            tables: [table],
          })
        }
      })
    await put(...Array.from({ length: 10_000 }, (_, i) => i))
    const headers = { 'X-API-Key': first?.key ?? '' }
    const url = `http://localhost/public/v1/workspaces/${workspaceId}/datasets`
    const list = async () => {
      const response = await service.fetch(new Request(url, { headers }))
      expect(response.status).toBe(200)
      await response.arrayBuffer()
    }
    print(line(`${name}: the first`, await times(1, list)))
    print(line(`${name}: unchanged`, await times(100, list)))
    const taken: number[] = []
    for (let i = 0; i < 50; i++) {
      await put(i)
      taken.push(...(await times(1, list)))
    }
    print(
      line(
        `${name}: after one changed`,
        taken.sort((a, b) => a - b),
      ),
    )
    await database.close()
  }
  await postgres?.stop()
})

const WORKSPACES = 1000
/** Number of clients that exceed their plan's limit. */
const GREEDY = 10
const CLIENTS = 100

/** The answers to a key, in the order of arrival. */
interface Heard {
  readonly status: number
  /** End of the window in which the request was counted. */
  readonly reset: string | null
}

/**
 * Small requests from many workspaces at once. All answers must follow the contract, and exactly as many succeed as the
 * limits allow.
 */
async function load(name: string, replicas: readonly TestServer[]): Promise<void> {
  const [{ told }] = replicas
  let turn = 0
  const operator = new Client(told)
  const tenants: { readonly client: Client; readonly heard: Heard[] }[] = []
  const tenant = async (i: number): Promise<void> => {
    const created = { name: `Tenant ${i}`, plan: 'free' }
    const { data } = await operator.json<{ data: { workspace: { id: string } } }>(
      'POST',
      '/console/v1/workspaces',
      created,
    )
    const scopes = ['datasets:*:read', 'datasets:*:write']
    const keys = `/console/v1/workspaces/${data.workspace.id}/api-keys`
    const made = await operator.json<{ data: { key: string } }>('POST', keys, { name: 'Load', scopes })
    const address = (): string => replicas[turn++ % replicas.length].told.url
    tenants.push({
      client: new Client({ ...told, workspace_id: data.workspace.id, key: made.data.key }, address),
      heard: [],
    })
  }
  await together(Array.from({ length: WORKSPACES }, (_, i) => () => tenant(i)))

  const taken: Record<string, number[]> = { list: [], formats: [], query: [] }
  const kinds: Record<string, (client: Client) => Promise<Response>> = {
    list: (client) => client.ask('GET', `/public/v1/workspaces/${client.workspace}/datasets`),
    formats: (client) => client.ask('GET', '/public/v1/convert/formats'),
    query: (client) => client.query('SELECT 42 AS answer'),
  }
  const limit = PLAN_LIMITS.free.hour
  const jobs = tenants.flatMap(({ client, heard }, i) => {
    const asked = i < GREEDY ? Array.from({ length: limit + 30 }, () => 'list') : ['list', 'formats', 'list', 'query']
    const job = async (kind: string): Promise<void> => {
      const begun = performance.now()
      const answer = await kinds[kind](client)
      const text = await answer.text()
      taken[kind].push(performance.now() - begun)
      expect([200, 429], text).toContain(answer.status)
      if (answer.status === 429) expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
      heard.push({ status: answer.status, reset: answer.headers.get('X-RateLimit-Reset') })
    }
    // Each workspace's requests are spread over the whole time.
    return asked.map((kind, place) => ({ at: (place + i / WORKSPACES) / asked.length, run: () => job(kind) }))
  })
  jobs.sort((a, b) => a.at - b.at)
  const before = await memory(replicas)
  const begun = performance.now()
  await together(jobs.map(({ run }) => run))
  const seconds = (performance.now() - begun) / 1000
  for (const { heard } of tenants) {
    const ofPlan = heard.filter(({ status }) => status === 429).length
    const hours = new Set(heard.map(({ reset }) => reset)).size
    // If the hour ends meanwhile, each hour has its own limit.
    if (heard.length <= limit) expect(ofPlan).toBe(0)
    else if (hours === 1) expect(heard.length - ofPlan).toBe(limit)
  }
  const after = await memory(replicas)
  print(
    `${name}: ${jobs.length} requests of ${WORKSPACES} workspaces, ${CLIENTS} at once: ${Math.round(jobs.length / seconds)} a second; memory ${before.join(', ')} MB before, ${after.join(', ')} MB after`,
  )
  for (const [kind, all] of Object.entries(taken))
    print(
      line(
        `${name}: ${kind}`,
        all.sort((a, b) => a - b),
      ),
    )
  for (const megabytes of after) expect(megabytes).toBeLessThan(1024)
}

/** Runs jobs in as many parallel chains as there are clients. */
async function together(jobs: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = jobs[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (const job of waiting) await job()
    }),
  )
}

/** Megabytes used by each server's own process. */
const memory = (replicas: readonly TestServer[]): Promise<number[]> =>
  Promise.all(
    replicas.map(async ({ told }) => {
      const metrics = await (await fetch(`${told.url}/metrics`)).text()
      return Math.round(Number(/^process_resident_memory_bytes (\d+)$/m.exec(metrics)?.[1]) / 2 ** 20)
    }),
  )

test('a thousand workspaces at once', async () => {
  await load('embedded', [await start('load', [])])
})

test('a thousand workspaces at once, through two replicas', async () => {
  const programs = postgresPrograms()
  if (programs === null) return
  const [postgres, store] = [await startPostgres(programs), await startS3()]
  const replica = (data: string) => start(data, ['--database-url', postgres.url], store.env)
  const first = await replica('first')
  const replicas = [first, await replica('second')]
  await load('two replicas', replicas)
  await Promise.all(replicas.map((server) => server.end('SIGTERM')))
  await postgres.stop()
  await store.close()
})

test('a scan, beside native DuckDB', async () => {
  const file = await parquet()
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE mixed AS FROM '${file}'`)
  const native = (threads: number) => async (): Promise<unknown> => {
    await connection.run(`SET threads = ${threads}`)
    return rowsOf(connection, SCAN.replace('TABLE', 'mixed'))
  }
  const clients = [await open('one', 1), await open('two', 2)]
  for (const client of clients) await publish(client, 'bench', 'mixed', file)
  const sql = SCAN.replace('TABLE', TABLE)
  const sides: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['native DuckDB, 1 thread', native(1)],
    ['native DuckDB, 2 threads', native(2)],
    ['server, 1 process', () => query(clients[0], sql)],
    ['server, 2 processes', () => query(clients[1], sql)],
    ['server, 1 process, four at once', () => Promise.all([1, 2, 3, 4].map(() => query(clients[0], sql)))],
    ['server, 2 processes, four at once', () => Promise.all([1, 2, 3, 4].map(() => query(clients[1], sql)))],
  ]
  const counts = (await rowsOf(connection, SCAN.replace('TABLE', 'mixed'))).map(({ n }) => Number(n))
  for (const client of clients) expect((await query(client, sql)).data.rows.map(({ n }) => Number(n))).toEqual(counts)
  const taken = sides.map((): number[] => [])
  // Alternating, so that other load on the machine affects all of them.
  for (let round = 0; round < 11; round++) {
    for (const [i, [, call]] of sides.entries()) taken[i].push(...(await times(1, call)))
  }
  for (const [i, [name]] of sides.entries())
    print(
      line(
        name,
        taken[i].sort((a, b) => a - b),
      ),
    )
  connection.closeSync()
})

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson()
}
