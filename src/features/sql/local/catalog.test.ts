import { describe, expect, test, vi } from 'vitest'
import type { DatasetSummary } from '../../../api/client.ts'
import { deferred } from '../../../lib/testing.ts'
import type { LocalTableName, Session } from '../../../session/session.ts'
import type { LocalTableRecord } from '../types.ts'
import { Catalog } from './catalog.ts'

function dataset(id: string, name: string, workspaceId = 'w', tables = ['t']): DatasetSummary {
  return {
    id,
    name,
    workspaceId,
    visibility: 'private',
    createdAt: new Date(0),
    tags: [],
    tables: tables.map((table) => ({ name: table, description: '', rowCount: 3, byteSize: 1, schema: [] })),
  }
}

const named = (datasetId: string, workspace: string, table = 't'): LocalTableName => ({
  datasetId,
  workspace,
  dataset: datasetId,
  table,
  fileId: `${datasetId}/${table}`,
})

const LOCAL: LocalTableRecord = {
  id: 'l',
  name: 'My file',
  fileId: 'l/1',
  source: { name: 'My file.csv', size: 10, table: null },
  rowCount: 7,
  byteSize: 1,
  columns: [],
  createdAt: 0,
}

function setUp(over: Partial<Session> = {}) {
  const datasets = [dataset('d2', 'b 10'), dataset('d1', 'b 9'), dataset('d3', 'open', 'other')]
  const files = [named('d1', 'my-team'), named('d2', 'my-team'), named('d3', 'theirs'), named('d9', 'my-team')]
  const list = vi.fn(() => Promise.resolve(datasets as readonly DatasetSummary[]))
  const session = {
    workspaceId: 'w',
    slug: 'my-team',
    api: { listDatasets: list },
    local: { tables: () => Promise.resolve(files) },
    ...over,
  } as unknown as Session
  let tell: () => void = () => undefined
  let tellLocal: () => void = () => undefined
  let local: readonly LocalTableRecord[] = [LOCAL]
  const catalog = new Catalog({
    session: () => Promise.resolve(session),
    onSession: () => () => undefined,
    onDatasets: (listener) => ((tell = listener), () => undefined),
    local: {
      snapshot: () => local,
      subscribe: (listener) => ((tellLocal = listener), () => undefined),
      load: () => Promise.resolve(),
    },
  })
  const setLocal = (next: readonly LocalTableRecord[]): void => {
    local = next
    tellLocal()
  }
  return { catalog, datasets, files, list, tell: () => tell(), setLocal }
}

describe('the names for statements', () => {
  test('have the session’s own workspace first, datasets in order, and written names', async () => {
    const { catalog } = setUp()
    await catalog.refresh()
    const { schema, status } = catalog.snapshot()
    expect(status).toBe('ready')
    expect(schema.workspaces.map(({ name, datasets }) => [name, datasets.map((each) => each.name)])).toEqual([
      ['my-team', ['b 9', 'b 10']],
      ['theirs', ['open']],
    ])
    expect(schema.workspaces[0]?.datasets[0]?.tables[0]?.reference).toBe('"my-team"."b 9".t')
    expect(schema.local.map(({ reference }) => reference)).toEqual(['local."My file"'])
  })

  test('include only what the service lists for this key', async () => {
    const { catalog } = setUp()
    const { published, local } = await catalog.sessionTables()
    expect(published.map(({ fileId }) => fileId)).toEqual(['d1/t', 'd2/t', 'd3/t'])
    const file = { path: 'My file.csv', table: null, columns: [], read: null }
    expect(local).toEqual([{ name: 'My file', fileId: 'l/1', file }])
  })

  test('are updated', async () => {
    const { catalog, datasets, list, tell, setLocal } = setUp()
    await catalog.refresh()
    datasets.pop()
    tell()
    tell()
    await vi.waitFor(() => expect(catalog.snapshot().schema.workspaces).toHaveLength(1))
    // Changes during a request cause one more request.
    await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(3))
    setLocal([])
    expect(catalog.snapshot().schema.local).toEqual([])
    expect((await catalog.sessionTables()).local).toEqual([])
  })

  test('are read once more for a statement if they changed while they were read', async () => {
    const { catalog, datasets, list, tell } = setUp()
    const first = deferred<readonly DatasetSummary[]>()
    list.mockReturnValueOnce(first.promise)
    const before = [...datasets]
    const tables = catalog.sessionTables()
    await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(1))
    datasets.splice(0, 1)
    tell()
    first.resolve(before)
    expect((await tables).published.map(({ fileId }) => fileId)).toEqual(['d1/t', 'd3/t'])
  })

  test('may be those of a service: the ones that it lists, and those of workspaces that aren’t listed', async () => {
    const { catalog } = setUp({ local: null })
    expect(catalog.mayBeElsewhere('any.b.t')).toBe(true)
    await catalog.refresh()
    for (const name of ['"my-team"."b 9".t', '"MY-TEAM"."B 10".T', 'theirs.open.t'])
      expect(catalog.mayBeElsewhere(name)).toBe(true)
    for (const name of ['"my-team"."b 9".u', '"my-team".c.t', 't', '"b 9".t', 'a + b'])
      expect(catalog.mayBeElsewhere(name)).toBe(false)
  })

  test('of a real service have no files, and local files stay if it doesn’t answer', async () => {
    const { catalog } = setUp({ local: null })
    expect((await catalog.sessionTables()).published).toEqual([])
    expect(catalog.snapshot().schema.workspaces.map(({ name }) => name)).toEqual(['my-team', 'other'])
    const failing = setUp({ api: { listDatasets: () => Promise.reject(new Error('offline')) } as never })
    expect((await failing.catalog.sessionTables()).local).toHaveLength(1)
    expect(failing.catalog.snapshot()).toMatchObject({ status: 'failed', error: { message: 'offline' } })
  })
})
