import { vi } from 'vitest'

/*
 * Replaces parts of the unit tests' set-up so that the service's tests run on a host. `ROWHOUSE_HOST` selects it:
 *
 * - `embedded`: HTTP on a port, records in PGlite, objects and tables as files, and a server's processes
 * - `cluster`: the same with PostgreSQL and a bucket
 * - `memory`: the same processes without HTTP and with stores in memory, with which the other two are compared
 *
 * By default, it's `embedded` with the unit tests' tables, which are fast since they need no processes.
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
