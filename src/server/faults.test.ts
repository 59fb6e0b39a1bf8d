import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { randoms } from '../engine/testing/bad-input.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from './testing/postgres.ts'
import { Client, put } from './testing/client.ts'
import { startS3, type TestS3 } from './testing/s3.ts'
import { buildServer, makeFolder, startServer, type TestServer } from './testing/server.ts'

/*
 * Two servers over one PostgreSQL and one bucket, with clients at work, while servers, their processes and the database are
 * killed and the store falls silent: what was acknowledged is there, nothing is there by half, nothing is left behind.
 */

const programs = postgresPrograms()
if (programs === null) console.log('skip faults: PostgreSQL isn’t installed here')

const FAULTS = Number(process.env['ROWHOUSE_FAULTS'] ?? 4)
const CLIENTS = 4
const HOUR = 3_600_000

describe.skipIf(programs === null)('while parts fail', () => {
  const folder = makeFolder()
  const random = randoms(Number(process.env['ROWHOUSE_SEED'] ?? 1))
  let script: string
  let store: TestS3
  let postgres: TestPostgres
  let servers: [TestServer, TestServer]
  let asking: Client

  const start = (which: 0 | 1): Promise<TestServer> =>
    startServer(
      script,
      ['--data', path.join(folder.data, String(which)), '--app', folder.app, '--database-url', postgres.url],
      store.env,
    )

  beforeAll(async () => {
    script = await buildServer()
    store = await startS3()
    postgres = await startPostgres(programs ?? '')
    const first = await start(0)
    servers = [first, await start(1)]
    asking = new Client(first.told, () => servers[random(2)].told.url)
    await asking.json('PATCH', `/console/v1/workspaces/${asking.workspace}`, { plan: 'business' })
  }, 300_000)

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await postgres.stop()
    await store.close()
    folder.remove()
  })

  /** What an answer was: none at all is null. */
  interface Answer {
    readonly status: number
    readonly body: unknown
  }

  /** Answers that aren't the contract's. */
  const strange: string[] = []

  async function ask(method: string, place: string, body?: unknown): Promise<Answer | null> {
    const isFile = typeof body === 'string'
    try {
      const response = await (isFile ? put(place, body) : asking.ask(method, place, body))
      const text = await response.text()
      const { status, headers } = response
      if (status === 503 && !headers.has('Retry-After')) strange.push(`${method} ${place}: 503 without Retry-After`)
      if (status >= 400 && status !== 503 && status !== 404) strange.push(`${method} ${place}: ${status} ${text}`)
      if (status !== 503) answered++
      return { status, body: text === '' || isFile ? null : JSON.parse(text) }
    } catch {
      return null
    }
  }

  /** What clients know: datasets that were acknowledged, and those of which they heard nothing; each by its name. */
  const there = new Map<string, { readonly id: string; readonly rows: number }>()
  const doubtful = new Map<string, number>()
  /** Deleted, or maybe so. */
  const gone = new Set<string>()
  const maybeGone = new Set<string>()
  let made = 0
  /** Requests that were answered, and not with 503. */
  let answered = 0

  async function publish(rows: number): Promise<void> {
    const files = [{ filename: 'a.csv', content_type: 'text/csv' }]
    const signed = await ask('POST', '/public/v1/storage/signed-urls', { workspace_id: asking.workspace, files })
    if (signed?.status !== 200) return
    const url = (signed.body as { urls: { signed_url: string }[] }).urls[0]?.signed_url ?? ''
    const text = `x\n${Array.from({ length: rows }, (_, i) => `${i + 1}\n`).join('')}`
    if ((await ask('PUT', url, text))?.status !== 200) return
    const tables = [{ table_name: 't', signed_url: url }]
    const name = `d${made++}`
    doubtful.set(name, rows)
    const answer = await ask('POST', '/public/v1/datasets', {
      workspace_id: asking.workspace,
      dataset_name: name,
      tables,
    })
    if (answer?.status !== 201) return
    const { dataset } = (answer.body as { data: { dataset: { id: string } } }).data
    doubtful.delete(name)
    there.set(name, { id: dataset.id, rows })
  }

  /** Null: no answer, or one that says to come again. */
  async function sumOf(name: string): Promise<unknown> {
    const sql = `SELECT count(*) AS n, sum(x)::BIGINT AS s FROM my_workspace.${name}.t`
    const answer = await ask('POST', '/public/v1/query', { sql })
    if (answer?.status === 404) return 'gone'
    return answer?.status === 200 ? (answer.body as { data: { rows: unknown[] } }).data.rows[0] : null
  }

  const expected = (rows: number): unknown => ({ n: rows, s: (rows * (rows + 1)) / 2 })

  async function read(name: string, rows: number): Promise<void> {
    const sum = await sumOf(name)
    if (sum !== null && there.has(name)) expect(sum, name).toEqual(expected(rows))
  }

  async function remove(name: string, id: string): Promise<void> {
    there.delete(name)
    maybeGone.add(id)
    const answer = await ask('DELETE', `/public/v1/datasets/${id}`)
    if (answer?.status !== 200 && answer?.status !== 404) return
    maybeGone.delete(id)
    gone.add(id)
  }

  async function client(own: (below: number) => number, ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      const known = [...there]
      const [name, { id, rows }] = known[own(known.length)] ?? ['', { id: '', rows: 0 }]
      const turn = own(10)
      if (turn < 4 || name === '') await publish(1 + own(2000))
      else if (turn < 8) await read(name, rows)
      else await remove(name, id)
    }
  }

  /** The processes that a server has started. */
  const childrenOf = (pid: number): number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

  const faults: Readonly<Record<string, () => Promise<void>>> = {
    async server() {
      const which = random(2) === 0 ? 0 : 1
      await servers[which].end('SIGKILL')
      servers[which] = await start(which)
    },
    async process() {
      const children = childrenOf(servers[random(2)].process.pid ?? 0)
      const pid = children[random(children.length)]
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    },
    database: () => postgres.crash(),
    async store() {
      const kinds = ['cut', 'cut after', 'half'] as const
      store.fault = () => kinds[random(kinds.length)] ?? null
      await pause(200 + random(600))
      store.fault = () => null
    },
  }

  test('what was acknowledged is there, whole', async () => {
    const ending = new AbortController()
    const clients = Array.from({ length: CLIENTS }, (_, i) => client(randoms(i + 1), ending.signal))
    const kinds = Object.keys(faults)
    for (let i = 0; i < FAULTS; i++) {
      // However busy the machine is: only ten minutes without any answer are a fault.
      for (let answers = 0; answers < 13; answers++) {
        const last = answered
        await vi.waitFor(() => expect(answered).toBeGreaterThan(last), { timeout: 600_000 })
      }
      await pause(random(300))
      await faults[kinds[i % kinds.length] ?? '']?.()
    }
    ending.abort()
    await Promise.all(clients)
    if (process.env['ROWHOUSE_FAULTS'])
      console.log(
        `${FAULTS} faults: ${made} tried, ${there.size} there, ${gone.size} deleted, ${doubtful.size} doubtful`,
      )
    expect(strange).toEqual([])
    expect(there.size + gone.size).toBeGreaterThan(0)

    const listed = await vi.waitFor(
      async () => {
        const answer = await ask('GET', `/public/v1/workspaces/${asking.workspace}/datasets?limit=1`)
        expect(answer?.status).toBe(200)
        return answer
      },
      { timeout: 300_000 },
    )
    expect(listed).not.toBeNull()
    for (const [name, { rows }] of there) expect([name, await sumOf(name)]).toEqual([name, expected(rows)])
    for (const [name, rows] of doubtful)
      expect([
        [name, expected(rows)],
        [name, 'gone'],
      ]).toContainEqual([name, await sumOf(name)])
    for (const id of gone) expect((await ask('GET', `/public/v1/datasets/${id}`))?.status).toBe(404)
  }, 3_600_000)

  test('nothing is left behind', async () => {
    const all = async (): Promise<readonly { readonly id: string }[]> => {
      const answer = await ask('GET', `/public/v1/workspaces/${asking.workspace}/datasets`)
      expect(answer?.status).toBe(200)
      return (answer as { body: { data: { datasets: { id: string }[] } } }).body.data.datasets
    }
    for (let left = await all(); left.length > 0; left = await all()) {
      for (const { id } of left) expect((await ask('DELETE', `/public/v1/datasets/${id}`))?.status).toBe(200)
    }
    // Uploads that nothing took are kept for a day, by their record.
    store.age(2 * HOUR)
    await servers[0].end('SIGTERM')
    servers[0] = await start(0)
    const kept = () => store.keys().filter((name) => name.startsWith('tables/'))
    await vi.waitFor(() => expect([kept(), store.unfinished()]).toEqual([[], 0]), { timeout: 300_000 })
  }, 600_000)
})
