import { expect, test } from 'vitest'
import type { OperationId } from '../../contract/operations.ts'
import type { Scope, Visibility } from '../../contract/schemas.ts'
import { createTestTables } from '../testing/tables.ts'
import { bench, benchOf, CSV, type Answer, type Caller } from '../testing/service.ts'

/*
 * Compares every endpoint for every kind of key with a table of what the contract says, written independently of the
 * code.
 */

const OTHER = '01HZZZZZZZZZZZZZZZZZZZZZZZ'

const SCOPES = {
  none: () => [],
  'all:read': () => ['datasets:*:read'],
  'all:write': () => ['datasets:*:write'],
  'all:both': () => ['datasets:*:read', 'datasets:*:write'],
  'this:read': (id) => [`datasets:${id}:read`],
  'this:write': (id) => [`datasets:${id}:write`],
  'other:read': () => [`datasets:${OTHER}:read`],
  'other:write': () => [`datasets:${OTHER}:write`],
} as const satisfies Record<string, (id: string) => Scope[]>
type ScopeName = keyof typeof SCOPES

interface Cell {
  readonly scopes: ScopeName
  readonly visibility: Visibility
  /** Whether the key belongs to the dataset's workspace. */
  readonly own: boolean
}

const reads = ({ scopes, visibility, own }: Cell): boolean =>
  visibility === 'public' || (own && ['all:read', 'all:both', 'this:read'].includes(scopes))
const writes = ({ scopes, own }: Cell): boolean => own && ['all:write', 'all:both', 'this:write'].includes(scopes)
const writesAll = ({ scopes }: Cell): boolean => ['all:write', 'all:both'].includes(scopes)

const read = (cell: Cell): number => (reads(cell) ? 200 : 404)
const write = (cell: Cell): number => (writes(cell) ? 200 : reads(cell) ? 403 : 404)
const make =
  (done: number) =>
  (cell: Cell): number =>
    !writesAll(cell) ? 403 : cell.own ? done : 400

const EXPECTED: Readonly<Record<OperationId, (cell: Cell) => number>> = {
  signUploads: make(200),
  createDataset: make(201),
  query: read,
  listDatasets: () => 200,
  getDataset: read,
  updateDataset: write,
  deleteDataset: write,
  conversionUrls: () => 200,
  convert: () => 200,
  formats: () => 200,
}

const cells = Object.keys(SCOPES).flatMap((scopes) =>
  (['private', 'public'] as const).flatMap((visibility) =>
    [true, false].map((own): Cell => ({ scopes: scopes as ScopeName, visibility, own })),
  ),
)

test('each endpoint answers each key by its scopes, its workspace and the dataset’s visibility', async () => {
  // The only dataset's file must remain when the dataset is deleted.
  const mine = await bench({ tables: { ...createTestTables(), remove: async () => {} } })
  const theirs = await benchOf(mine, 'Elsewhere')
  const { id } = (await mine.dataset('Sales')).dataset
  const record = await mine.ports.records.read(['datasets'], (transaction) => transaction.get('datasets', id))
  if (!record) throw new Error('the dataset is gone')
  const url = await mine.uploaded()

  const wrong: string[] = []
  for (const cell of cells) {
    const key = await mine.addKey(cell.own ? mine.workspace : theirs.workspace, SCOPES[cell.scopes](id))
    const call = mine.caller(key)
    for (const operation of Object.keys(EXPECTED) as OperationId[]) {
      await mine.ports.records.write(['datasets'], async (transaction) => {
        await transaction.clear('datasets')
        await transaction.put('datasets', { ...record, visibility: cell.visibility })
      })
      const { status, data } = await attempt(operation, {
        call,
        id,
        workspaceId: mine.workspace.id,
        url,
        put: mine.put,
      })
      const expected = EXPECTED[operation](cell)
      if (status !== expected) wrong.push(`${operation} ${JSON.stringify(cell)}: ${status} instead of ${expected}`)
      if (operation === 'listDatasets' && data['count'] !== (reads(cell) ? 1 : 0)) {
        wrong.push(`${operation} ${JSON.stringify(cell)}: ${String(data['count'])} datasets`)
      }
    }
  }
  expect(wrong).toEqual([])
})

interface Given {
  readonly call: Caller
  readonly id: string
  readonly workspaceId: string
  readonly url: string
  readonly put: (url: string, body: string) => Promise<Response>
}

async function attempt(operation: OperationId, { call, id, workspaceId, url, put }: Given): Promise<Answer> {
  const params = { datasetId: id, workspaceId }
  switch (operation) {
    case 'signUploads':
      return call(operation, {
        body: { workspace_id: workspaceId, files: [{ filename: 'a.csv', content_type: 'text/csv' }] },
      })
    case 'createDataset':
      return call(operation, {
        body: { workspace_id: workspaceId, dataset_name: 'New', tables: [{ table_name: 't', signed_url: url }] },
      })
    case 'query':
      return call(operation, { body: { sql: 'SELECT count(*) FROM work.sales.t' } })
    case 'updateDataset':
      return call(operation, { params, body: { description: 'changed' } })
    case 'convert': {
      const formats = { source_format: 'csv', destination_format: 'json' }
      const { data } = await call('conversionUrls', { body: formats })
      const source = data['source'] as { upload_url: string; file_path: string }
      await put(source.upload_url, CSV)
      return call(operation, { body: { ...formats, source_url: source.file_path } })
    }
    case 'conversionUrls':
      return call(operation, { body: { source_format: 'csv', destination_format: 'json' } })
    case 'listDatasets':
    case 'getDataset':
    case 'deleteDataset':
    case 'formats':
      return call(operation, { params })
  }
}

test('a dataset that may not be read is answered like one that doesn’t exist', async () => {
  const mine = await bench()
  const { id } = (await mine.dataset('Sales')).dataset
  const call = mine.caller(await mine.addKey(mine.workspace, []))
  for (const operation of ['getDataset', 'updateDataset', 'deleteDataset'] as const) {
    const body = operation === 'updateDataset' ? { body: {} } : {}
    const hidden = await call(operation, { params: { datasetId: id }, ...body })
    const missing = await call(operation, { params: { datasetId: OTHER }, ...body })
    expect(hidden.status).toBe(404)
    expect(hidden.error).toEqual(missing.error)
  }
  const hidden = await call('query', { body: { sql: 'FROM work.sales.t' } })
  const missing = await call('query', { body: { sql: 'FROM work.sales.q' } })
  expect(hidden.status).toBe(404)
  expect(hidden.error?.message).toBe(missing.error?.message.replace('.q', '.t'))
})

test('a key that may write but not read a dataset learns nothing about it by changing it', async () => {
  const mine = await bench()
  const { id } = (await mine.dataset('Sales')).dataset
  const writer = mine.caller(await mine.addKey(mine.workspace, ['datasets:*:write']))
  for (const body of [{}, { description: 'changed' }, { visibility: 'private' }]) {
    const { status, data } = await writer('updateDataset', { params: { datasetId: id }, body })
    expect([status, data]).toEqual([200, { dataset: { id, updated_at: (await mine.details(id)).updated_at } }])
  }
  expect((await mine.details(id)).description).toBe('changed')
  const both = mine.caller(await mine.addKey(mine.workspace, ['datasets:*:write', `datasets:${id}:read`]))
  const { data } = await both('updateDataset', { params: { datasetId: id }, body: {} })
  expect(data['dataset']).toEqual(await mine.details(id))
})

test('checks run in order: key, scope, body, existence, write', async () => {
  const mine = await bench()
  const { id } = (await mine.dataset('Sales', { visibility: 'public' })).dataset
  const reader = mine.caller(await mine.addKey(mine.workspace, []))
  const bad = { body: { name: '' } }
  const status = async (answer: Promise<Answer>) => (await answer).status
  expect(await status(mine.caller('sk_live_wrong')('createDataset', { body: 'no json' }))).toBe(401)
  expect(await status(reader('createDataset', { body: 'no json' }))).toBe(403)
  expect(await status(mine.call('updateDataset', { params: { datasetId: OTHER }, ...bad }))).toBe(400)
  expect(await status(reader('updateDataset', { params: { datasetId: id }, ...bad }))).toBe(400)
  expect(await status(reader('updateDataset', { params: { datasetId: OTHER }, body: {} }))).toBe(404)
  expect(await status(reader('updateDataset', { params: { datasetId: id }, body: {} }))).toBe(403)
  const list = { params: { workspaceId: crypto.randomUUID() } }
  expect(await status(mine.call('listDatasets', { ...list, query: '?expand=rows' }))).toBe(400)
  expect(await status(mine.call('listDatasets', list))).toBe(404)
})
