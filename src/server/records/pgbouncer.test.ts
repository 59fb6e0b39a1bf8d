import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createService } from '../../service/create.ts'
import { testPorts } from '../../service/testing/ports.ts'
import { hasPgBouncer, startPgBouncer, type TestPgBouncer } from '../testing/pgbouncer.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { claim } from './claims.ts'
import { DatabaseClock } from './clock.ts'
import { migrate } from './migrations.ts'
import { lockDatabase, openPostgres } from './postgres.ts'
import { createRecords } from './records.ts'

/* A pooler may run each of a client's transactions in another session. Locks and counters must work all the same. */

const programs = postgresPrograms()
const missing = programs === null ? 'PostgreSQL' : hasPgBouncer() ? null : 'PgBouncer'
if (missing !== null) console.log(`skip a pooler: ${missing} isn’t installed here`)

describe.skipIf(missing !== null)('through a pooler', () => {
  let postgres: TestPostgres
  let pooler: TestPgBouncer
  beforeAll(async () => {
    postgres = await startPostgres(programs ?? '')
    // Fewer sessions than two servers need at once.
    pooler = await startPgBouncer(postgres.url, { sessions: 6 })
  })
  afterAll(async () => {
    await pooler.stop()
    await postgres.stop()
  })

  const administrator = async (sql: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return (await client.query(sql)).rows as unknown[]
    } finally {
      await client.end()
    }
  }

  test('servers share the lock, a restore has it exclusively, and it’s released', async () => {
    const shared = { alone: false }
    const [first, second] = [await lockDatabase(pooler.url, shared), await lockDatabase(pooler.url, shared)]
    expect([first === null, second === null]).toEqual([false, false])
    expect(await lockDatabase(pooler.url, { alone: true })).toBeNull()
    expect(await lockDatabase(postgres.url, { alone: true })).toBeNull()
    await first?.release()
    expect(await lockDatabase(pooler.url, { alone: true })).toBeNull()
    await second?.release()
    const restore = await vi.waitFor(async () => {
      const lock = await lockDatabase(pooler.url, { alone: true })
      expect(lock).not.toBeNull()
      return lock
    })
    for (const url of [pooler.url, postgres.url]) expect(await lockDatabase(url, shared)).toBeNull()
    await restore?.release()
    await vi.waitFor(async () =>
      expect(await administrator(`SELECT FROM pg_locks WHERE locktype = 'advisory'`)).toEqual([]),
    )
  })

  test('the lock outlasts the timeout for idle transactions, and doesn’t hold up VACUUM', async () => {
    await administrator(`ALTER DATABASE postgres SET idle_in_transaction_session_timeout = '100ms'`)
    const direct = await lockDatabase(postgres.url, { alone: false })
    try {
      await pause(600)
      const held = `SELECT backend_xid, backend_xmin FROM pg_stat_activity
        WHERE pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`
      expect(await administrator(held)).toEqual([{ backend_xid: null, backend_xmin: null }])
    } finally {
      await administrator('ALTER DATABASE postgres RESET idle_in_transaction_session_timeout')
      await direct?.release()
    }
  })

  test('two servers admit exactly as many requests as a limit lets in, and claim work once', async () => {
    const databases = [openPostgres(pooler.url), openPostgres(pooler.url)] as const
    try {
      await Promise.all(databases.map((database) => migrate(database)))
      const [first, second] = databases.map((database) => {
        const records = createRecords(database, { clock: new DatabaseClock() })
        return createService({ ...testPorts(), records }, { baseUrl: 'http://localhost' })
      })
      const made = await first.bootstrap()
      expect(await second.bootstrap()).toBeNull()
      const ask = async (i: number): Promise<Response> => {
        const headers = { 'X-API-Key': made?.key ?? '' }
        const request = new Request('http://localhost/public/v1/convert/formats', { headers })
        return (i % 2 === 0 ? first : second).fetch(request)
      }
      const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(i)))
      const windows = new Map<string | null, number>()
      for (const { status, headers } of answers) {
        expect([200, 429]).toContain(status)
        const reset = headers.get('X-RateLimit-Reset')
        if (status === 200) windows.set(reset, (windows.get(reset) ?? 0) + 1)
      }
      // A new minute, with a new limit, may begin meanwhile.
      if (windows.size === 1) expect([...windows.values()]).toEqual([60])
      for (const admitted of windows.values()) expect(admitted).toBeLessThanOrEqual(60)
      const claims = await Promise.all(databases.map((database) => claim(database, 'sweep', 60_000)))
      expect(claims.filter(Boolean)).toHaveLength(1)
    } finally {
      await Promise.all(databases.map((database) => database.close()))
    }
  })
})
