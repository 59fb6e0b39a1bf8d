import { expect, test } from 'vitest'
import type { TableStore } from '../../engine/client.ts'
import type { BackupDeps, EraseTarget, RestoreDeps } from '../../service/backup/index.ts'
import type { DatasetRecord, WorkspaceRecord } from '../../service/ports.ts'
import { testPorts } from '../../service/testing/ports.ts'
import { createLocalData } from './local.ts'

function workspace(id: string): WorkspaceRecord {
  return { id, name: id, slug: `slug-${id}`, plan: 'free', createdAt: 0 }
}

function dataset(id: string, workspaceId: string, visibility: 'public' | 'private', tables: string[]): DatasetRecord {
  return {
    id,
    workspaceId,
    name: `Name ${id}`,
    nameKey: `name ${id}`,
    description: '',
    visibility,
    tags: [],
    createdAt: 0,
    updatedAt: 0,
    tables: tables.map((name) => ({
      fileId: `${id}/${name}`,
      name,
      description: '',
      rowCount: 0,
      byteSize: 0,
      schema: [],
    })),
  }
}

test('lists the tables of a workspace, and the public ones of others', async () => {
  const { records } = testPorts()
  await records.write(['workspaces', 'datasets'], async (transaction) => {
    for (const id of ['a', 'b']) await transaction.put('workspaces', workspace(id))
    const datasets = [
      dataset('d1', 'a', 'private', ['x', 'y']),
      dataset('d2', 'a', 'public', ['x']),
      dataset('d3', 'b', 'public', ['z']),
      dataset('d4', 'b', 'private', ['secret']),
    ]
    for (const each of datasets) await transaction.put('datasets', each)
  })
  const deps = { records } as unknown as BackupDeps & RestoreDeps
  const local = createLocalData(deps, { store: {} as TableStore, erase: {} as EraseTarget })
  const named = await local.tables('a')
  expect(named.map(({ fileId }) => fileId).sort()).toEqual(['d1/x', 'd1/y', 'd2/x', 'd3/z'])
  expect(named.find(({ fileId }) => fileId === 'd3/z')).toEqual({
    datasetId: 'd3',
    workspace: 'slug-b',
    dataset: 'Name d3',
    table: 'z',
    fileId: 'd3/z',
  })
})
