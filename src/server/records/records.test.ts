import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINT_LIMITS, PLAN_LIMITS } from '../../contract/limits.ts'
import { createService } from '../../service/create.ts'
import { UnavailableError, type CounterRecord, type KeyRecord, type WorkspaceRecord } from '../../service/ports.ts'
import { describeEnds } from '../../service/testing/over.ts'
import { dataset, describeTransactions, key, object, slugs, workspace } from '../../service/testing/records.ts'
import { testClock, testPorts } from '../../service/testing/ports.ts'
import { claim } from './claims.ts'
import { DatabaseClock } from './clock.ts'
import type { Connection, Database } from './database.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { openPostgres } from './postgres.ts'
import { createRecords } from './records.ts'
import { empty, newPglite } from './testing.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from '../testing/postgres.ts'

const programs = postgresPrograms()
if (programs === null) console.log('skip PostgreSQL: it isn’t installed here')

/** Records a database's statements, each with the number of rows that it returned. */
function noted(database: Database): {
  readonly noting: Database
  readonly statements: { sql: string; rows: number }[]
} {
  const statements: { sql: string; rows: number }[] = []
  const noting: Database = {
    close: () => database.close(),
    use: (work) =>
      database.use((connection) =>
        work({
          async query<Row>(sql: string, parameters?: readonly unknown[]) {
            const rows = await connection.query<Row>(sql, parameters)
            statements.push({ sql, rows: rows.length })
            return rows
          },
          async exec(sql) {
            await connection.exec(sql)
            statements.push({ sql, rows: 0 })
          },
        }),
      ),
  }
  return { noting, statements }
}

/** @param others a second server's connection to the same database, or the same one if it can have only one */
function describeDatabase(open: () => Promise<{ database: Database; others: Database; close: () => Promise<void> }>) {
  let database: Database
  let others: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ database, others, close } = await open())
  })
  afterAll(() => close())

  const both = async () => {
    await empty(database)
    return [createRecords(database), createRecords(others)] as const
  }
  describeTransactions(both)
  describeEnds(both)

  test('a transaction can’t access stores that it wasn’t begun for', async () => {
    const records = createRecords(await empty(database))
    await expect(records.read(['keys'], (transaction) => transaction.all('workspaces'))).rejects.toThrow('workspaces')
    const writing = records.write(['keys'], (transaction) => transaction.put('workspaces', workspace('w1')))
    await expect(writing).rejects.toThrow('workspaces')
  })

  test('readers don’t wait for a writer, and don’t see what it hasn’t committed', async () => {
    const records = createRecords(await empty(database))
    await records.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
    if (database === others) return
    await records.write(['workspaces'], async (transaction) => {
      await transaction.put('workspaces', workspace('w2'))
      expect(await slugs(createRecords(others))).toEqual(['w1'])
    })
    expect(await slugs(createRecords(others))).toEqual(['w1', 'w2'])
  })

  test('counters and keys of an older version are migrated', async () => {
    await empty(database)
    await database.use((connection) => connection.exec('DROP SCHEMA rowhouse CASCADE'))
    await migrate(database, MIGRATIONS.slice(0, 2))
    const counter = { id: 'k1 * hour 3600', start: 3600, count: 7 }
    const used = { ...key('k1', 'h1'), name: '\u0000 "lastUsedAt":1', expiresAt: 9_000_000, lastUsedAt: 3_700_000 }
    await database.use(async (connection) => {
      const put = (sql: string, record: WorkspaceRecord | KeyRecord | CounterRecord) =>
        connection.query(`INSERT INTO rowhouse.${sql}`, [record.id, JSON.stringify(record)])
      await put("workspaces (id, slug, record) VALUES ($1, 'w1', $2)", { ...workspace('w1'), plan: 'pro' })
      await put("keys (id, hash, workspace_id, record) VALUES ($1, 'h1', 'w1', $2)", used)
      await put('counters (id, record) VALUES ($1, $2)', counter)
    })
    await migrate(database)
    const records = createRecords(database)
    expect(await records.read(['counters'], (transaction) => transaction.all('counters'))).toEqual([counter])
    expect(await records.read(['keys'], (transaction) => transaction.get('keys', 'k1'))).toEqual(used)
    const request = { hash: 'h1', endpoint: null, counts: true }
    const { counted, caller } = await records.admit({ ...request, now: 3_800_000 })
    expect([counted, caller?.windows]).toMatchObject([true, [{ limit: PLAN_LIMITS.pro.hour, start: 3600, used: 8 }]])
    expect((await records.admit({ ...request, now: 9_000_000 })).counted).toBe(false)
  })

  test('work for all servers can be claimed once per interval, by the database’s clock', async () => {
    await empty(database)
    const at = (now: number) =>
      database.use((connection) =>
        connection.exec(
          `CREATE OR REPLACE FUNCTION rowhouse.now() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT ${now}::bigint'`,
        ),
      )
    const asked = async (job = 'sweep') =>
      (await Promise.all([database, others, database].map((server) => claim(server, job, 60_000)))).filter(Boolean)
    await at(1_000_000)
    expect(await asked()).toEqual([true])
    expect(await asked('another')).toEqual([true])
    await at(1_059_999)
    expect(await asked()).toEqual([])
    await at(1_060_000)
    expect(await asked()).toEqual([true])
    // If the clock is set back a little, the claim holds; if it's set back further, the claim is ignored.
    await at(1_000_001)
    expect(await asked()).toEqual([])
    await at(5_000)
    expect(await asked()).toEqual([true])
  })

  test('sizes of an older version’s objects are migrated', async () => {
    await empty(database)
    await database.use((connection) => connection.exec('DROP SCHEMA rowhouse CASCADE'))
    await migrate(database, MIGRATIONS.slice(0, 5))
    await database.use(async (connection) => {
      for (const record of [
        object('o1', 'w1', { size: 5, filename: '"size":7 \u0000' }),
        object('o2', 'w1', { size: 37 }),
      ]) {
        const sql = "INSERT INTO rowhouse.objects (id, workspace_id, record) VALUES ($1, 'w1', $2)"
        await connection.query(sql, [record.id, JSON.stringify(record)])
      }
    })
    await migrate(database)
    const bytes = createRecords(database).read(['objects'], (transaction) => transaction.objectBytes('w1'))
    expect(await bytes).toBe(42)
  })

  test('only datasets that have changed since they were last read are read again', async () => {
    const { noting, statements } = noted(await empty(database))
    const [records, writer] = [createRecords(noting), createRecords(others)]
    const put = (...which: readonly number[]) =>
      writer.write(['datasets'], async (transaction) => {
        for (const i of which) {
          await transaction.put('datasets', { ...dataset(`d${i}`, 'w1', `n${i}`), description: crypto.randomUUID() })
        }
      })
    const read = async () => {
      statements.length = 0
      const all = await records.read(['datasets'], (transaction) => transaction.by('datasets', 'workspaceId', 'w1'))
      return [all.length, statements.filter(({ sql }) => sql.includes('SELECT record')).map(({ rows }) => rows)]
    }
    await put(...Array.from({ length: 50 }, (_, i) => i))
    expect(await read()).toEqual([50, [50]])
    expect(await read()).toEqual([50, []])
    await put(7, 50)
    expect(await read()).toEqual([51, [2]])
    await writer.write(['datasets'], (transaction) => transaction.remove('datasets', 'd7'))
    expect(await read()).toEqual([50, [0]])
  })

  test('a request is admitted with one statement, by the database’s clock', async () => {
    await empty(database)
    const clock = new DatabaseClock()
    const { noting, statements } = noted(database)
    const records = createRecords(noting, { clock })
    await records.write(['workspaces', 'keys'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1'))
      await transaction.put('keys', key('k1', 'h1'))
    })
    statements.length = 0
    clock.set(0)
    const { counted, now } = await records.admit({ hash: 'h1', endpoint: null, now: 0, counts: true })
    expect([counted, statements.length]).toEqual([true, 1])
    for (const told of [now, clock.now()]) expect(Math.abs(told - Date.now())).toBeLessThan(60_000)
  })

  test('a server continues after a newer one has added columns to its database', async () => {
    const records = createRecords(await empty(database))
    await records.write(['workspaces', 'keys'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1'))
      await transaction.put('keys', key('k1', 'h1'))
    })
    const columns = ['workspaces', 'keys', 'datasets', 'counters'].map(
      (table) => `ALTER TABLE rowhouse.${table} ADD COLUMN more bigint NOT NULL DEFAULT 0;`,
    )
    await migrate(others, [...MIGRATIONS, columns.join('')])
    await records.write(['datasets'], (transaction) => transaction.put('datasets', dataset('d1', 'w1', 'n1')))
    const read = await records.read(['datasets'], (transaction) => transaction.by('datasets', 'workspaceId', 'w1'))
    expect(read).toEqual([dataset('d1', 'w1', 'n1')])
    expect((await records.admit({ hash: 'h1', endpoint: null, now: 0, counts: true })).counted).toBe(true)
    await database.use((connection) => connection.exec('DROP SCHEMA rowhouse CASCADE'))
    await migrate(database)
  })

  test('servers that start at once migrate once, and a failed migration changes nothing', async () => {
    await empty(database)
    await createRecords(database).write(['workspaces'], (t) => t.put('workspaces', workspace('w1')))
    const newer = [...MIGRATIONS, 'CREATE TABLE rowhouse.notes (id text)']
    await Promise.all([migrate(database, newer), migrate(others, newer)])
    expect(await slugs(createRecords(database))).toEqual(['w1'])
    await expect(migrate(database)).rejects.toThrow('A newer server made it')
    const broken = [...newer, 'CREATE TABLE rowhouse.more (id text); SELECT broken']
    await expect(migrate(database, broken)).rejects.toThrow('broken')
    await migrate(database, newer)
    expect(await slugs(createRecords(database))).toEqual(['w1'])
  })
}

describe('PGlite', () => {
  describeDatabase(async () => {
    const database = await newPglite()
    return { database, others: database, close: () => database.close() }
  })
})

describe.skipIf(programs === null)('PostgreSQL', () => {
  let server: TestPostgres
  describeDatabase(async () => {
    server = await startPostgres(programs ?? '')
    const [database, others] = [openPostgres(server.url), openPostgres(server.url)]
    return {
      database,
      others,
      async close() {
        await Promise.all([database.close(), others.close()])
        await server.stop()
      },
    }
  })

  test('a connection that breaks during a transaction rejects as unavailable, and the next one works', async () => {
    const database = openPostgres(server.url)
    const records = createRecords(await empty(database))
    const ending = records.write(['workspaces'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1'))
      await database.use((other) =>
        other.query(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'ExclusiveLock' AND relation IS NOT NULL",
        ),
      )
      await transaction.put('workspaces', workspace('w2'))
    })
    await expect(ending).rejects.toBeInstanceOf(UnavailableError)
    expect(await slugs(records)).toEqual([])
    await database.close()
  })

  test('two servers whose clocks differ by 30 s admit exactly as many requests as the limit allows', async () => {
    const databases = [openPostgres(server.url), openPostgres(server.url)]
    await empty(databases[0])
    // By their own clocks, the servers are in different minutes.
    const ahead = new Date().getSeconds() < 30 ? -30_000 : 30_000
    const [one, other] = databases.map((database, i) =>
      createService(
        {
          ...testPorts({ clock: testClock(Date.now() + i * ahead) }),
          records: createRecords(database, { clock: new DatabaseClock() }),
        },
        { baseUrl: 'http://localhost' },
      ),
    )
    const headers = { 'X-API-Key': (await one.bootstrap())?.key ?? '' }
    const ask = async (i: number) =>
      (i % 2 === 0 ? one : other).fetch(new Request('http://localhost/public/v1/convert/formats', { headers }))
    const minuteEnds = () => (Math.floor(Date.now() / 60_000) + 1) * 60
    const begun = minuteEnds()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(i)))
    const limit = ENDPOINT_LIMITS['GET /convert/formats']?.minute ?? 0
    expect(limit).toBeGreaterThan(0)
    // Usually one minute, or two if the next one begins meanwhile.
    const resetOf = (answer: Response) => Number(answer.headers.get('X-RateLimit-Reset'))
    for (const reset of new Set(answers.map(resetOf))) {
      const all = answers.filter((answer) => resetOf(answer) === reset)
      expect([begun, minuteEnds()]).toContain(reset)
      const left = all
        .filter(({ status }) => status === 200)
        .map((answer) => Number(answer.headers.get('X-RateLimit-Remaining')))
      const many = Math.min(limit, all.length)
      expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: many }, (_, i) => limit - 1 - i))
      expect(all.filter(({ status }) => status === 429)).toHaveLength(all.length - many)
    }
    await Promise.all(databases.map((database) => database.close()))
  })

  test('many waiting requests with one key don’t hold up those with others', async () => {
    const [busy, holder] = [openPostgres(server.url), openPostgres(server.url)]
    const records = createRecords(await empty(busy))
    await records.write(['workspaces', 'keys'], async (transaction) => {
      await transaction.put('workspaces', { ...workspace('w1'), plan: 'business' })
      for (const id of ['k1', 'k2']) await transaction.put('keys', key(id))
    })
    const admit = (hash: string) => records.admit({ hash, endpoint: null, now: 0, counts: true })
    const waiting = await holder.use(async (connection) => {
      await connection.exec("BEGIN; SELECT 1 FROM rowhouse.keys WHERE id = 'k1' FOR UPDATE")
      const all = Array.from({ length: 40 }, () => admit('k1'))
      expect((await admit('k2')).counted).toBe(true)
      await connection.exec('ROLLBACK')
      return all
    })
    const used = (await Promise.all(waiting)).map(({ caller }) => caller?.windows[0]?.used)
    expect(used).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
    await Promise.all([busy.close(), holder.close()])
  })

  test('a database that can’t be reached rejects as unavailable', async () => {
    const database = openPostgres('postgres://rowhouse@127.0.0.1:1/none')
    await expect(slugs(createRecords(database))).rejects.toBeInstanceOf(UnavailableError)
    await database.close()
  })
})

test.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
])('the driver’s error for a lost connection rejects as unavailable: %s', async (message) => {
  const connection: Connection = {
    query: () => Promise.reject(new Error(message)),
    exec: () => Promise.reject(new Error(message)),
  }
  const records = createRecords({ use: (work) => work(connection), close: () => Promise.resolve() })
  await expect(slugs(records)).rejects.toBeInstanceOf(UnavailableError)
})

test('a full disk is reported', async () => {
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  const connection: Connection = {
    query: () => Promise.reject(full),
    exec: () => Promise.resolve(),
  }
  const records = createRecords({ use: (work) => work(connection), close: () => Promise.resolve() })
  const writing = records.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
  await expect(writing).rejects.toMatchObject({ name: 'QuotaExceededError' })
  const counting = records.admit({ hash: 'h1', endpoint: null, now: 0, counts: true })
  await expect(counting).rejects.toMatchObject({ name: 'QuotaExceededError' })
})
