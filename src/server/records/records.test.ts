import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINT_LIMITS } from '../../contract/limits.ts'
import { createService } from '../../service/create.ts'
import { UnavailableError } from '../../service/ports.ts'
import { describeTransactions, slugs, workspace } from '../../service/testing/records.ts'
import { testClock, testPorts } from '../../service/testing/ports.ts'
import type { Connection, Database } from './database.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'
import { createRecords } from './records.ts'
import { empty } from './testing.ts'
import { postgresPrograms, startPostgres, type TestPostgres } from './testing-postgres.ts'

const programs = postgresPrograms()
if (programs === null) console.log('skip PostgreSQL: it isn’t installed here')

/** @param others a second server over the same database, where there can be one */
function describeDatabase(open: () => Promise<{ database: Database; others: Database; close: () => Promise<void> }>) {
  let database: Database
  let others: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ database, others, close } = await open())
  })
  afterAll(() => close())

  describeTransactions(async () => {
    await empty(database)
    return [createRecords(database), createRecords(others)]
  })

  test('a store that the transaction isn’t over can’t be reached', async () => {
    const records = createRecords(await empty(database))
    await expect(records.read(['keys'], (transaction) => transaction.all('workspaces'))).rejects.toThrow('workspaces')
    const writing = records.write(['keys'], (transaction) => transaction.put('workspaces', workspace('w1')))
    await expect(writing).rejects.toThrow('workspaces')
  })

  test('a reader sees one moment, and neither waits for a writer nor hears of what it hasn’t committed', async () => {
    const records = createRecords(await empty(database))
    await records.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
    if (database === others) return
    await records.write(['workspaces'], async (transaction) => {
      await transaction.put('workspaces', workspace('w2'))
      expect(await slugs(createRecords(others))).toEqual(['w1'])
    })
    expect(await slugs(createRecords(others))).toEqual(['w1', 'w2'])
  })

  test('servers that start at once migrate once, and an older version’s data is there in the newer one', async () => {
    await empty(database)
    await createRecords(database).write(['workspaces'], (t) => t.put('workspaces', workspace('w1')))
    const newer = [...MIGRATIONS, 'CREATE TABLE rowhouse.notes (id text)']
    await Promise.all([migrate(database, newer), migrate(others, newer)])
    expect(await slugs(createRecords(database))).toEqual(['w1'])
    await expect(migrate(database)).rejects.toThrow('Start the newer server')
    const broken = [...newer, 'CREATE TABLE rowhouse.more (id text); SELECT broken']
    await expect(migrate(database, broken)).rejects.toThrow('broken')
    await migrate(database, newer)
    expect(await slugs(createRecords(database))).toEqual(['w1'])
  })
}

describe('PGlite', () => {
  describeDatabase(async () => {
    const database = await openPglite()
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

  test('a connection that breaks amid a transaction is a reason to try again, and the next one works', async () => {
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

  test('of 100 clients of two servers at once, as many are let in as the limit says', async () => {
    const databases = [openPostgres(server.url), openPostgres(server.url)]
    await empty(databases[0])
    const base = testPorts({ clock: testClock() })
    const [one, other] = databases.map((database) =>
      createService({ ...base, records: createRecords(database) }, { baseUrl: 'http://localhost' }),
    )
    const headers = { 'X-API-Key': (await one.bootstrap())?.key ?? '' }
    const ask = async (i: number) =>
      (i % 2 === 0 ? one : other).fetch(new Request('http://localhost/public/v1/convert/formats', { headers }))
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(i)))
    const left = answers
      .filter(({ status }) => status === 200)
      .map((answer) => Number(answer.headers.get('X-RateLimit-Remaining')))
    const limit = ENDPOINT_LIMITS['GET /convert/formats']?.minute ?? 0
    expect(limit).toBeGreaterThan(0)
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, i) => i))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(100 - limit)
    await Promise.all(databases.map((database) => database.close()))
  })

  test('a server that isn’t there is a reason to try again', async () => {
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
])('what the driver says of a connection that is gone is a reason to try again: %s', async (message) => {
  const connection: Connection = {
    query: () => Promise.reject(new Error(message)),
    exec: () => Promise.reject(new Error(message)),
  }
  const records = createRecords({ use: (work) => work(connection), close: () => Promise.resolve() })
  await expect(slugs(records)).rejects.toBeInstanceOf(UnavailableError)
})

test('a full disk is told as such', async () => {
  const full = Object.assign(new Error('could not extend file'), { code: '53100' })
  const connection: Connection = {
    query: () => Promise.reject(full),
    exec: () => Promise.resolve(),
  }
  const records = createRecords({ use: (work) => work(connection), close: () => Promise.resolve() })
  const writing = records.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
  await expect(writing).rejects.toMatchObject({ name: 'QuotaExceededError' })
})
