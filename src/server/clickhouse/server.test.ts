import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolder, scriptOf, startServer, type TestServer } from '../testing/server.ts'
import { Client as HttpClient, datasetOf } from '../testing/client.ts'
import { connect, type ClickHouse } from './client.ts'
import { hasClickHouse, startClickHouse, type TestClickHouse } from './testing/chdb.ts'

/* Starts a server with ClickHouse. */

const folder = makeFolder()
let clickhouse: TestClickHouse
let client: ClickHouse
let server: TestServer

beforeAll(async () => {
  if (!hasClickHouse) return
  clickhouse = await startClickHouse()
  client = connect({
    url: clickhouse.url,
    user: 'default',
    password: '',
    reader: { user: 'default', password: '' },
    prefix: 'rowhouse_',
    cluster: null,
    fromBytes: 0,
    memoryBytes: 2 ** 30,
  })
  const args = ['--data', folder.data, '--app', folder.app, '--processes', '1', '--clickhouse-from', '0']
  server = await startServer(scriptOf(), args, { CLICKHOUSE_URL: clickhouse.url })
}, 300_000)

afterAll(async () => {
  await client?.close()
  await server?.end('SIGTERM')
  await clickhouse?.end()
  folder.remove()
})

const asking = (): HttpClient => new HttpClient(server.told)
const publish = async (name: string, csv: string): Promise<string> => datasetOf(await asking().publish(name, csv))

interface Asked {
  readonly executor: string | null
  readonly status: number
  readonly rows: unknown
}

async function ask(sql: string): Promise<Asked> {
  const answer = await asking().query(sql)
  const { data, error } = (await answer.json()) as { data?: { rows: unknown }; error?: { message: string } }
  return {
    executor: answer.headers.get('X-Rowhouse-Executor'),
    status: answer.status,
    rows: data?.rows ?? error?.message,
  }
}

/** Repeats a statement until ClickHouse answers it. */
async function askThere(sql: string): Promise<Asked> {
  for (let left = 100; ; left--) {
    const asked = await ask(sql)
    if (asked.executor === 'clickhouse' || left === 0) return asked
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const tablesThere = (): Promise<{ name: string }[]> =>
  client.rows(`SELECT name FROM system.tables WHERE database LIKE 'rowhouse%'`)

describe.skipIf(!hasClickHouse)('a server with ClickHouse', () => {
  const counted = `SELECT name, count(*) AS n, sum(amount) AS total, avg(amount) AS mean, max(day) AS last
    FROM my_workspace.sales.t GROUP BY name ORDER BY name`

  it('gives the same answer from DuckDB, and from ClickHouse once it has the table', { timeout: 120_000 }, async () => {
    await publish('sales', 'name,amount,day\nann,1.50,2024-02-29\nbob,2.25,2024-03-01\nann,0.75,\n')
    const first = await ask(counted)
    expect(first).toMatchObject({ executor: 'duckdb', status: 200 })
    const second = await askThere(counted)
    expect(second).toEqual({ ...first, executor: 'clickhouse' })
    expect(second.rows).toEqual([
      { name: 'ann', n: 2, total: '2.25', mean: 1.125, last: '2024-02-29' },
      { name: 'bob', n: 1, total: '2.25', mean: 2.25, last: '2024-03-01' },
    ])
  })

  it('leaves statements to DuckDB that might mean something else in ClickHouse', async () => {
    expect(await ask('SELECT upper(name) AS name FROM my_workspace.sales.t ORDER BY ALL')).toMatchObject({
      executor: 'duckdb',
      status: 200,
    })
    expect(await ask('SELECT nothing FROM my_workspace.sales.t')).toMatchObject({ status: 400 })
    expect(await ask('SELECT count(*) FROM my_workspace.other.t')).toMatchObject({ status: 404 })
    // In ClickHouse, this sum would wrap around.
    expect(await ask('SELECT max(9223372036854775807 + length(name)) AS n FROM my_workspace.sales.t')).toMatchObject({
      status: 400,
    })
  })

  it('drops a deleted dataset’s tables in ClickHouse', { timeout: 120_000 }, async () => {
    const id = await publish('gone', 'a\n1\n')
    await askThere('SELECT count(*) AS n FROM my_workspace.gone.t')
    const before = await tablesThere()
    expect((await asking().ask('DELETE', `/public/v1/datasets/${id}`)).status).toBe(200)
    expect(await tablesThere()).toHaveLength(before.length - 1)
    expect(await ask('SELECT count(*) AS n FROM my_workspace.gone.t')).toMatchObject({ status: 404 })
  })

  it('continues with DuckDB when ClickHouse ends', { timeout: 120_000 }, async () => {
    const there = await ask(counted)
    expect(there.executor).toBe('clickhouse')
    await clickhouse.end()
    expect(await ask(counted)).toEqual({ ...there, executor: 'duckdb' })
    expect(server.logs()).toContain('ClickHouse didn’t run a statement')
  })
})
