import { cpSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { pgliteFolder } from '../../lib/testing/pglite.ts'
import { key, workspace } from '../../service/testing/records.ts'
import { postgresPrograms, startPostgres } from '../testing/postgres.ts'
import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'
import { createRecords } from './records.ts'

/* A crash of the database may take from a caller what was reserved, but never admits more than the limit, here 100. */

const programs = postgresPrograms()
if (programs === null) console.log('skip PostgreSQL: it isn’t installed here')

/** Creates a key that allows 100 requests. */
async function withKey(database: Database): Promise<void> {
  await migrate(database)
  await createRecords(database).write(['workspaces', 'keys'], async (transaction) => {
    await transaction.put('workspaces', { ...workspace('w1'), plan: 'free' })
    await transaction.put('keys', key('k1', 'h1'))
  })
}

/** Sends a number of requests. Returns how many were admitted. */
async function admitted(database: Database, requests: number): Promise<number> {
  const records = createRecords(database)
  const request = { hash: 'h1', endpoint: null, now: 0, counts: true }
  const answers = await Promise.all(Array.from({ length: requests }, () => records.admit(request)))
  return answers.filter(({ counted }) => counted).length
}

const counted = async (database: Database): Promise<number[]> => {
  const all = await createRecords(database).read(['counters'], (transaction) => transaction.all('counters'))
  return all.map(({ count }) => count)
}

test('the embedded database, killed or closed', async () => {
  const folder = await pgliteFolder()
  const killed = `${folder}-killed`
  const before = await openPglite(folder)
  await withKey(before)
  expect(await admitted(before, 5)).toBe(5)
  expect(await counted(before)).toEqual([5])
  // What a process that is killed leaves.
  cpSync(folder, killed, { recursive: true })
  await before.close()

  const crashed = await openPglite(killed)
  onTestFinished(() => crashed.close())
  expect(await counted(crashed)).toEqual([10])
  expect(await admitted(crashed, 110)).toBe(90)
  expect(await counted(crashed)).toEqual([100])

  const closed = await openPglite(folder)
  onTestFinished(() => closed.close())
  expect(await counted(closed)).toEqual([5])
  expect(await admitted(closed, 110)).toBe(95)
})

test.skipIf(programs === null)('PostgreSQL, killed while it counts', async () => {
  const server = await startPostgres(programs ?? '')
  onTestFinished(() => server.stop())
  const before = openPostgres(server.url)
  await withKey(before)
  expect(await admitted(before, 25)).toBe(25)
  await server.crash()
  await before.close()
  const after = openPostgres(server.url)
  onTestFinished(() => after.close())
  expect(await counted(after)).toEqual([30])
  expect(await admitted(after, 110)).toBe(70)
  await createRecords(after).write(['counters'], async (transaction) => {
    const [counter] = await transaction.all('counters')
    if (counter) await transaction.put('counters', { ...counter, count: 98 })
  })
  expect(await admitted(after, 5)).toBe(2)
  await createRecords(after).write(['counters'], (transaction) => transaction.removeOver('counters', 1e12))
  expect(await after.use((connection) => connection.query('SELECT * FROM rowhouse.counts'))).toEqual([])
})
