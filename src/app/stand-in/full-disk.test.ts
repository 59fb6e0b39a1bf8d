import { beforeEach, expect, test, vi } from 'vitest'
import { type EngineClient, type TableStore, EngineError } from '../../engine/client.ts'
import { TableFiles } from '../../engine/client/table-files.ts'
import { WorkerTableStore } from '../../engine/client/table-store.ts'
import { LOCAL_TABLES_FOLDER, newFileId } from '../../engine/storage/file-names.ts'
import { createSqlBackup } from '../../features/sql/backup.ts'
import { createChannel, createSqlDatabase } from '../../features/sql/database.ts'
import { isDiskFull } from '../../features/shared/problem.ts'
import { Disk, fullAt, type FullDisk } from '../../lib/testing/disk.ts'
import { keepInScratch, type EraseTarget } from '../../service/backup/index.ts'
import { createOpfsObjects } from '../../service/stores/objects-opfs.ts'
import { duckDbBytes } from '../../service/backup/testing.ts'
import { bench, type Bench } from '../../service/testing/service.ts'
import { createLocalData } from './local.ts'
import { createTables } from '../../service/engine-tables.ts'

/* Fills the disk at each write by the service and by SQL. */

const disk = new Disk()
const CSV = `id,word\n${Array.from({ length: 40 }, (_, i) => `${i},word ${i}`).join('\n')}\n`

beforeEach(() => {
  disk.erase()
  vi.stubGlobal('navigator', disk.navigator())
})

/** The engine's table store without workers: writes what DuckDB would at once. */
function tableStore(folder?: string): TableStore {
  const none = {} as ConstructorParameters<typeof WorkerTableStore>[0] &
    ConstructorParameters<typeof WorkerTableStore>[1]
  const store = new WorkerTableStore(none, none, new TableFiles(folder))
  store.ingest = async ({ size }, { creationId }, options) => {
    const fileId = newFileId(creationId)
    await store.put(
      fileId,
      new Blob([duckDbBytes(100_000 + size, 1)]),
      options?.signal ? { signal: options.signal } : {},
    )
    return { fileId, rowCount: 40, byteSize: 100_000 + size, schema: [{ name: 'id', type: 'INTEGER' }] }
  }
  return store
}

const service = (): Promise<Bench> => {
  const tables = createTables({
    isEngineError: (error): error is EngineError => error instanceof EngineError,
    engine: {} as EngineClient,
    store: tableStore(),
    making: (work) => work(),
    newId: () => crypto.randomUUID(),
  })
  return bench({ objects: createOpfsObjects(), tables: { ...tables, files: new Set() } })
}

/** SQL's local tables, one of them filled. */
async function localTables() {
  const database = createSqlDatabase(`test-${crypto.randomUUID()}`)
  const files = tableStore(LOCAL_TABLES_FOLDER)
  const sql = { database, files, channel: createChannel(), now: () => 0, newId: () => crypto.randomUUID() }
  const request = { creationId: 'local', format: null }
  const { fileId, rowCount, byteSize, schema } = await files.ingest(new File([CSV], 'local.csv'), request)
  await database.changeLocals(() => ({
    put: [
      {
        id: 'local',
        fileId,
        name: 'local',
        source: { name: 'local.csv', size: CSV.length, table: null },
        rowCount,
        byteSize,
        columns: schema,
        createdAt: 0,
      },
    ],
  }))
  return sql
}

/** Everything stored in this browser: the disk, and the records that name its files. */
async function held(at: Bench, sql?: Awaited<ReturnType<typeof localTables>>): Promise<unknown> {
  const records = await at.ports.records.read(['workspaces', 'keys', 'datasets'], async (transaction) => [
    await transaction.all('workspaces'),
    (await transaction.all('keys')).map(({ id }) => id),
    await transaction.all('datasets'),
  ])
  return { disk: disk.state, records, locals: await sql?.database.locals() }
}

/** The ways in which the disk can become full during `work`, found by doing it once and undoing it. */
async function waysOf(work: () => Promise<unknown>, takeBack: () => Promise<unknown>): Promise<FullDisk[]> {
  disk.reset()
  await work()
  const ways = fullAt(disk).filter(({ passing }) => !passing)
  await takeBack()
  expect(ways.length).toBeGreaterThan(0)
  return ways
}

test('a dataset has all its tables, or there’s a 503 and nothing, whichever write fills the disk', async () => {
  const at = await service()
  await at.dataset('Before')
  const urls = [await at.uploaded(CSV), await at.uploaded(CSV)]
  const body = {
    dataset_name: 'New',
    workspace_id: at.workspace.id,
    tables: urls.map((url, i) => ({ table_name: `t${i}`, signed_url: url })),
  }
  const before = await held(at)
  const create = () => at.call('createDataset', { body })
  const remove = async (): Promise<void> => {
    const datasets = await at.ports.records.read(['datasets'], (transaction) => transaction.all('datasets'))
    const made = datasets.find(({ name }) => name === 'New')
    await at.call('deleteDataset', { params: { datasetId: made?.id ?? '' } })
  }
  for (const way of await waysOf(create, remove)) {
    disk.getFull(way)
    const { status, headers } = await create()
    disk.reset()
    expect([status, headers.get('Retry-After')], way.name).toEqual([503, '60'])
    expect(await held(at), way.name).toEqual(before)
  }
  expect((await create()).status).toBe(201)
})

test('an upload is complete, or there’s a 503 and nothing', async () => {
  const at = await service()
  const text = CSV.repeat(10_000)
  const url = async (): Promise<string> => {
    const files = [{ filename: 'a.csv', content_type: 'text/csv' }]
    const { data } = await at.call('signUploads', { body: { workspace_id: at.workspace.id, files } })
    return (data['urls'] as [{ signed_url: string }])[0].signed_url
  }
  for (const way of await waysOf(
    async () => at.put(await url(), text),
    () => Promise.resolve(disk.erase()),
  )) {
    const target = await url()
    disk.getFull(way)
    const { status, headers } = await at.put(target, text)
    disk.reset()
    expect([status, headers.get('Retry-After')], way.name).toEqual([503, '60'])
    expect(disk.state, way.name).toEqual({ used: 0, files: {} })
  }
})

test('a backup is complete or fails, and a failed restore changes nothing', async () => {
  const at = await service()
  await at.dataset('First', { tables: { a: CSV, b: CSV } })
  const sql = await localTables()
  const { records, objects, tables, clock } = at.ports
  const store = tableStore()
  const backedUp = createSqlBackup(sql)
  const files = { file: store.file.bind(store), put: (id: string, file: Blob) => store.put(id, file) }
  const local = createLocalData(
    {
      clock,
      records,
      tables,
      objects,
      files,
      extras: { sql: { export: () => backedUp.export(), read: async (value, keys) => backedUp.read(value, keys) } },
      appVersion: '1',
      keep: keepInScratch,
    },
    { store, erase: {} as EraseTarget },
  )
  const before = await held(at, sql)
  const forget = async (): Promise<void> => {
    for (const each of disk.files.keys()) if (each.startsWith('backups/')) await disk.remove(each)
  }
  for (const way of await waysOf(() => local.backup({}), forget)) {
    disk.getFull(way)
    await expect(local.backup({}).catch(isDiskFull), way.name).resolves.toBe(true)
    disk.reset()
    expect(await held(at, sql), way.name).toEqual(before)
  }
  const backup = new File([await (await local.backup({})).arrayBuffer()], 'backup.zip')
  await forget()

  // Restoring over the same data writes as much as over any other.
  for (const way of await waysOf(
    () => local.restore(backup, {}),
    () => at.dataset('Second'),
  )) {
    const there = await held(at, sql)
    disk.getFull(way)
    await expect(local.restore(backup, {}).catch(isDiskFull), way.name).resolves.toBe(true)
    disk.reset()
    expect(await held(at, sql), way.name).toEqual(there)
  }
})
