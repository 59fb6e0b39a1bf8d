import { describe, expect, test } from 'vitest'
import type { CreateDatasetData } from '../../../contract/schemas.ts'
import { TablesError, UnavailableError, type Tables } from '../../ports.ts'
import { withFault, type Fault } from '../../testing/faults.ts'
import { bench, CSV, requestOf, serviceOver, type Bench } from '../../testing/service.ts'
import { createTestTables } from '../../testing/tables.ts'

/* Whatever goes wrong, a dataset exists completely or not at all, and nothing is left behind. */

const bodyOf = async (b: Bench, name = 'D') => ({
  workspace_id: b.workspace.id,
  dataset_name: name,
  tables: [
    { table_name: 'one', signed_url: await b.uploaded() },
    { table_name: 'two', signed_url: await b.uploaded() },
    { table_name: 'three', signed_url: await b.uploaded() },
  ],
})

/**
 * Checks that each dataset has all its rows, and that there are no other files.
 * @returns the tables of each dataset
 */
async function expectWhole(b: Bench): Promise<string[][]> {
  const { data } = await b.call('listDatasets', { params: { workspaceId: b.workspace.id }, query: '?expand=tables' })
  const datasets = data['datasets'] as { name: string; tables: { name: string }[] }[]
  for (const { name, tables } of datasets) {
    for (const table of tables) {
      const answer = await b.call('query', { body: { sql: `SELECT count(*) AS n FROM work.${name}.${table.name}` } })
      expect(answer.data['rows']).toEqual([{ n: 2 }])
    }
  }
  await b.sweep()
  const names = datasets.map(({ tables }) => tables.map(({ name }) => name))
  expect(b.ports.tables.files.size).toBe(names.flat().length)
  return names
}

const ALL = ['one', 'two', 'three']

describe('if any call to a port fails', () => {
  test.each(['before', 'after', 'from'] as const)('(%s) while a dataset is created', async (fault: Fault) => {
    const b = await bench()
    const body = await bodyOf(b)
    for (let at = 1; ; at++) {
      const { ports, calls } = withFault(b.ports, at, fault)
      const response = await serviceOver(ports).fetch(requestOf('createDataset', b.key, { body }))
      const there = await expectWhole(b)
      if (response.status === 201) {
        const { data } = (await response.json()) as { data: CreateDatasetData }
        const loaded = data.tables.filter(({ status }) => status === 'success')
        expect(there).toEqual([loaded.map(({ table_name: name }) => name)])
      } else {
        expect([409, 500, 503]).toContain(response.status)
        expect([[], [ALL]]).toContainEqual(there)
      }
      if (calls() < at) break
      expect(at).toBeLessThan(40)
      for (const datasetId of await b.datasetIds()) await b.call('deleteDataset', { params: { datasetId } })
      expect(b.ports.tables.files.size).toBe(0)
    }
    expect(await b.datasetIds()).toHaveLength(1)
  })

  test.each(['before', 'after', 'from'] as const)('(%s) while a dataset is deleted', async (fault: Fault) => {
    const b = await bench()
    for (let at = 1; ; at++) {
      const { data } = await b.call('createDataset', { body: await bodyOf(b, `D${at}`) })
      const { id: datasetId } = data['dataset'] as { id: string }
      const { ports, calls } = withFault(b.ports, at, fault)
      const request = requestOf('deleteDataset', b.key, { params: { datasetId } })
      const { status } = await serviceOver(ports).fetch(request)
      const there = await expectWhole(b)
      expect([[], [ALL]]).toContainEqual(there)
      if (status === 200) expect(there).toEqual([])
      if (there.length === 1) await b.call('deleteDataset', { params: { datasetId } })
      if (calls() < at) break
      expect(at).toBeLessThan(20)
    }
  })
})

describe('a client that disconnects', () => {
  /** Tables whose load number `at` waits until it's aborted. */
  const held = (at: number) => {
    const tables = createTestTables()
    let loads = 0
    const reached: { tell?: () => void } = {}
    const waiting = new Promise<void>((resolve) => {
      reached.tell = resolve
    })
    const ingest: Tables['ingest'] = async (source, request, signal) => {
      if (++loads !== at) return tables.ingest(source, request, signal)
      reached.tell?.()
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    }
    return { tables: { ...tables, ingest }, waiting }
  }

  test.each([1, 2, 3])('while table %i loads leaves nothing behind', async (at) => {
    const { tables, waiting } = held(at)
    const b = await bench({ tables })
    const body = await bodyOf(b)
    const caller = new AbortController()
    const answering = b.fetch(requestOf('createDataset', b.key, { body, signal: caller.signal }))
    await waiting
    expect(await b.datasetIds()).toEqual([])
    caller.abort()
    expect((await answering).ok).toBe(false)
    expect(await b.datasetIds()).toEqual([])
    expect(tables.files.size).toBe(0)
    expect((await b.put(body.tables[0]?.signed_url ?? '', CSV)).status).toBe(200)
    expect((await b.call('createDataset', { body })).status).toBe(201)
  })

  test('before anything loads leaves nothing behind', async () => {
    const b = await bench()
    const body = await bodyOf(b)
    const request = requestOf('createDataset', b.key, { body, signal: AbortSignal.abort() })
    expect((await b.fetch(request)).ok).toBe(false)
    expect(b.ports.tables.files.size).toBe(0)
    expect(await b.datasetIds()).toEqual([])
  })
})

test('if two requests use the same name at once, one gets it, and nothing is left of the other', async () => {
  const b = await bench()
  const bodies = [await bodyOf(b, 'Same'), await bodyOf(b, 'SAME'), await bodyOf(b, 'same')]
  const statuses = await Promise.all(bodies.map(async (body) => (await b.call('createDataset', { body })).status))
  expect(statuses.sort((a, z) => a - z)).toEqual([201, 409, 409])
  expect(b.ports.tables.files.size).toBe(3)
  expect(await b.datasetIds()).toHaveLength(1)
})

test('nothing is left if the workspace is deleted meanwhile', async () => {
  const tables = createTestTables()
  const b = await bench({
    tables: {
      ...tables,
      async ingest(...args) {
        await b.ports.records.write(['workspaces'], (transaction) => transaction.remove('workspaces', b.workspace.id))
        return tables.ingest(...args)
      },
    },
  })
  const response = await b.fetch(requestOf('createDataset', b.key, { body: await bodyOf(b) }))
  expect(response.status).toBe(409)
  expect(tables.files.size).toBe(0)
  const left = await b.ports.records.read(['datasets'], (transaction) => transaction.all('datasets'))
  expect(left).toEqual([])
})

test('an upload that is replaced while it loads doesn’t count as used', async () => {
  const tables = createTestTables()
  let url = ''
  const b = await bench({
    tables: {
      ...tables,
      async ingest(...args) {
        expect((await b.put(url, 'a\n1\n2\n3\n')).status).toBe(200)
        return tables.ingest(...args)
      },
    },
  })
  url = await b.uploaded()
  const body = { workspace_id: b.workspace.id, dataset_name: 'D', tables: [{ table_name: 't', signed_url: url }] }
  const { data } = await b.call('createDataset', { body })
  expect(data['tables']).toMatchObject([{ rows_ingested: 2 }])
  expect((await b.put(url, 'a\n1\n')).status).toBe(200)
})

test('a sweep spares a creation until its record is written', async () => {
  const tables = createTestTables()
  const b = await bench({
    tables: {
      ...tables,
      async ingest(...args) {
        const table = await tables.ingest(...args)
        await b.sweep()
        return table
      },
    },
  })
  expect((await b.call('createDataset', { body: await bodyOf(b) })).status).toBe(201)
  expect(await expectWhole(b)).toEqual([ALL])
})

test.each([
  ['a full disk', () => new TablesError('out-of-space', 'The disk is full.'), '60'],
  ['a file that isn’t what was written', () => new UnavailableError('What was kept isn’t what was read.'), '1'],
])('%s for any table is a 503 that leaves nothing behind', async (_, failure, retryAfter) => {
  for (const at of [1, 2, 3]) {
    const tables = createTestTables()
    let loads = 0
    const b = await bench({
      tables: {
        ...tables,
        ingest: (...args) => (++loads === at ? Promise.reject(failure()) : tables.ingest(...args)),
      },
    })
    const { status, error, headers } = await b.call('createDataset', { body: await bodyOf(b) })
    expect([status, error?.code, headers.get('Retry-After')]).toEqual([503, 'SERVICE_UNAVAILABLE', retryAfter])
    expect(await expectWhole(b)).toEqual([])
    expect((await b.call('createDataset', { body: await bodyOf(b) })).status).toBe(201)
  }
})

test('an unexpected engine error fails one table, and is logged but not returned', async () => {
  const tables = createTestTables()
  let loads = 0
  const b = await bench({
    tables: {
      ...tables,
      ingest: (...args) => (++loads === 1 ? Promise.reject(new Error('/home/secret')) : tables.ingest(...args)),
    },
  })
  const { status, data } = await b.call('createDataset', { body: await bodyOf(b) })
  expect([status, data['summary']]).toEqual([201, { total: 3, successful: 2, failed: 1 }])
  // Two tables are loaded at once, so the first to be loaded may not be the first in the request.
  const codes = (data['tables'] as readonly { error?: { code: string } }[]).map(({ error }) => error?.code)
  expect(codes.filter((code) => code !== undefined)).toEqual(['INTERNAL_ERROR'])
  expect(JSON.stringify(data)).not.toContain('secret')
  expect(b.ports.lines).toEqual([expect.stringMatching(/^req_\w{26} /)])
})
