import { readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { randoms } from '../engine/testing/bad-input.ts'
import { namedBlobs } from '../service/named.ts'
import { openPostgres } from './records/postgres.ts'
import { createRecords } from './records/records.ts'
import { makeSweepDue } from './records/testing.ts'
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
/** No fault begins later than so many seconds after the first: what happened until then is judged. */
const SECONDS = Number(process.env['ROWHOUSE_FAULTS_SECONDS'] ?? 3600)
/** Seconds without any answer that are a fault, however busy the machine is. */
const SILENCE = 600
const CLIENTS = 4
/** Milliseconds after which a client that got no answer goes on: else it would delete all that there is meanwhile. */
const LATER = 200
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
      if (status === 503) await pause(LATER)
      else answered++
      return { status, body: text === '' || isFile ? null : JSON.parse(text) }
    } catch {
      await pause(LATER)
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

  /** By name or id: what was acknowledged and isn't there, what is there by half, what was deleted and is there. */
  const wrong: Record<'lost' | 'half' | 'back', string[]> = { lost: [], half: [], back: [] }

  const expected = (rows: number): unknown => ({ n: rows, s: (rows * (rows + 1)) / 2 })

  function judge(name: string, sum: unknown, rows: number): void {
    if (sum === 'gone') wrong.lost.push(name)
    else if (!isDeepStrictEqual(sum, expected(rows))) wrong.half.push(name)
  }

  async function read(name: string, rows: number): Promise<void> {
    const sum = await sumOf(name)
    if (sum !== null && there.has(name)) judge(name, sum, rows)
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
      else if (turn < 9) await read(name, rows)
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
      // One that was just killed is replaced with the next call.
      const children = await vi.waitUntil(
        () => {
          const all = childrenOf(servers[random(2)].process.pid ?? 0)
          return all.length > 0 && all
        },
        { timeout: SILENCE * 1000 },
      )
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

  /** How many faults of each kind there were. */
  const counts: Record<string, number> = {}
  /** What a sweep has left that no record names. */
  let orphans: string[] | null = null

  /** As each comes to its end: a run that is ended from outside has told what it saw. */
  function tell(line: string): void {
    if (process.env['ROWHOUSE_FAULTS']) writeSync(2, `${line}\n`)
  }

  afterAll(() => {
    const told = Object.entries({
      ...counts,
      tried: made,
      there: there.size,
      deleted: gone.size,
      doubtful: doubtful.size,
    })
    const found = Object.entries({ ...wrong, orphans }).map(([name, all]) => `${all?.length ?? 'unknown'} ${name}`)
    tell(`faults: ${told.map(([name, count]) => `${count} ${name}`).join(', ')}; ${found.join(', ')}`)
  })

  /** Waits until so many more requests were answered, or no more faults are to begin. */
  async function work(answers: number, until: number): Promise<void> {
    for (let i = 0; i < answers && performance.now() < until; i++) {
      const last = answered
      await vi.waitFor(() => expect(answered).toBeGreaterThan(last), { timeout: SILENCE * 1000 })
    }
  }

  /** An answer to a statement or a request. The last fault may still be felt. */
  const insisted = <T>(asked: () => Promise<T | null>): Promise<T> =>
    vi.waitFor(
      async () => {
        const answer = await asked()
        if (answer === null) throw new Error('no answer')
        return answer
      },
      { timeout: SILENCE * 1000, interval: 500 },
    )

  test('what was acknowledged is there, whole', async () => {
    const ending = new AbortController()
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(randoms(i + 1), ending.signal)))
    // Looked at below: until then it isn't for Node to tell.
    clients.catch(() => undefined)
    const kinds = Object.keys(faults)
    const until = performance.now() + SECONDS * 1000
    for (let i = 0; i < FAULTS && performance.now() < until; i++) {
      await work(6, until)
      await pause(random(300))
      const kind = kinds[i % kinds.length] ?? ''
      await faults[kind]?.()
      counts[kind] = (counts[kind] ?? 0) + 1
      tell(`fault ${i + 1} of ${FAULTS}: ${kind}; ${answered} answers`)
    }
    ending.abort()
    await clients
    expect(strange).toEqual([])
    expect(there.size + gone.size).toBeGreaterThan(0)

    for (const [name, { rows }] of there) {
      judge(name, await insisted(() => sumOf(name)), rows)
    }
    for (const [name, rows] of doubtful) {
      const sum = await insisted(() => sumOf(name))
      if (sum !== 'gone') judge(name, sum, rows)
    }
    for (const id of gone) {
      const answer = await insisted(() => ask('GET', `/public/v1/datasets/${id}`))
      if (answer.status !== 404) wrong.back.push(id)
    }
    expect(wrong).toEqual({ lost: [], half: [], back: [] })
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
    const database = openPostgres(postgres.url)
    onTestFinished(() => database.close())
    await servers[0].end('SIGTERM')
    await makeSweepDue(database)
    servers[0] = await start(0)
    const records = createRecords(database)
    await vi.waitFor(
      async () => {
        const named = await namedBlobs(records)
        const isNamed = (key: string): boolean => key.startsWith('stores/') || named.has(key.replace('objects/', ''))
        orphans = store.keys().filter((key) => !isNamed(key))
        expect([orphans, store.unfinished()]).toEqual([[], 0])
      },
      { timeout: 300_000, interval: 500 },
    )
  }, 600_000)
})
