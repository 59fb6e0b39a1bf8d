import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { MAX_FILE_BYTES } from '../../src/contract/limits.ts'
import { migrate } from '../../src/server/records/migrations.ts'
import { openPglite } from '../../src/server/records/pglite.ts'
import { openPostgres } from '../../src/server/records/postgres.ts'
import { createRecords } from '../../src/server/records/records.ts'
import { Client, datasetOf, jsonOf, upload } from '../../src/server/testing/client.ts'
import { postgresPrograms, startPostgres } from '../../src/server/testing/postgres.ts'
import { createService } from '../../src/service/create.ts'
import { buildServer, makeFolder, startServer, type TestServer } from '../../src/server/testing/server.ts'
import { csv50, parquet } from './data.ts'

/* The built server over HTTP, embedded: what calls take, and statements beside native DuckDB alone. */

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

async function open(data: string, processes: number): Promise<Client> {
  const args = ['--data', path.join(folder.data, data), '--app', folder.app, '--processes', String(processes)]
  const server = await startServer(await buildServer(), args)
  servers.push(server)
  const client = new Client(server.told)
  await client.json('PATCH', `/console/v1/workspaces/${client.workspace}`, { plan: 'business' })
  return client
}

/** Milliseconds of each of so many calls, one after another. */
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
    ['PGlite', await openPglite()] as const,
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
  // By turns, so that what the machine does besides meets all.
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
