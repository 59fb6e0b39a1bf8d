import { vi } from 'vitest'

/*
 * Puts a host in the place of the unit tests' own parts, for the tests of the service. `ROWHOUSE_HOST` says which one:
 *
 * - `embedded`: HTTP on a port, records in PGlite, objects and tables as files, worked on in a server's processes
 * - `cluster`: the same, over PostgreSQL and a bucket
 * - `memory`: neither HTTP nor another store, but the same processes: what the two are held against
 *
 * Where it says nothing, it's `embedded` with the unit tests' tables, which need no processes and no time.
 */

vi.mock('../../service/stores/records-idb.ts', async (original) => {
  if (process.env['ROWHOUSE_HOST'] === 'memory') return original()
  const { openRecords } = await import('./stores.ts')
  return { openRecords }
})

vi.mock('../../service/testing/objects.ts', async (original) => {
  if (process.env['ROWHOUSE_HOST'] === 'memory') return original()
  const { openObjects } = await import('./stores.ts')
  return { createMemoryObjects: openObjects }
})

vi.mock('../../service/testing/tables.ts', async (original) => {
  if (process.env['ROWHOUSE_HOST'] === undefined) return original()
  const { openTables } = await import('./stores.ts')
  return { createTestTables: openTables }
})

vi.mock('../../service/testing/connect.ts', async (original) => {
  if (process.env['ROWHOUSE_HOST'] === 'memory') return original()
  const { overHttp } = await import('./http.ts')
  return { connect: overHttp, IN_PROCESS: false }
})
