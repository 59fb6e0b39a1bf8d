import { zipStream } from '../../lib/zip/write.ts'
import { testPorts, type TestPorts } from '../testing/ports.ts'
import type { DatasetRecord, KeyRecord, WorkspaceRecord } from '../ports.ts'
import type { BackupDeps, RestoreDeps, TableFiles } from './ports.ts'

/* A service with test data, and its files in memory. */

export interface TestFiles extends TableFiles {
  readonly blobs: Map<string, Blob>
}

/** Bytes that begin like a DuckDB file; the rest is generated from a seed. */
export function duckDbBytes(size: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let i = 0, x = seed | 1; i < size; i++) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0
    bytes[i] = x >>> 24
  }
  bytes.set(new TextEncoder().encode('DUCK'), 8)
  return bytes
}

export function testFiles(): TestFiles {
  const blobs = new Map<string, Blob>()
  return {
    blobs,
    file: (fileId) => {
      const blob = blobs.get(fileId)
      return blob ? Promise.resolve(blob) : Promise.reject(new Error(`${fileId} is gone`))
    },
    async put(fileId, blob, signal) {
      signal.throwIfAborted()
      blobs.set(fileId, new Blob([await blob.arrayBuffer()]))
    },
  }
}

export interface TestService extends BackupDeps, RestoreDeps {
  readonly ports: TestPorts
  readonly files: TestFiles
}

/** A service whose `Tables` sweep its files. */
export function testService(overrides: Partial<Omit<BackupDeps & RestoreDeps, 'files'>> = {}): TestService {
  const ports = testPorts()
  const files = testFiles()
  const creating = new Set<string>()
  return {
    ports,
    clock: ports.clock,
    records: ports.records,
    files,
    objects: ports.objects,
    appVersion: '1.2.3',
    tables: {
      async whileCreating(creationId, work) {
        creating.add(creationId)
        try {
          return await work()
        } finally {
          creating.delete(creationId)
        }
      },
      async sweep(keep) {
        const kept = await keep()
        for (const fileId of files.blobs.keys()) {
          if (!kept.has(fileId) && !creating.has(fileId.split('/')[0] ?? '')) files.blobs.delete(fileId)
        }
      },
    },
    keep: async (stream, name, signal, check) => {
      const bytes = await new Response(stream.pipeThrough(new TransformStream(), { signal })).arrayBuffer()
      const file = new File([bytes], name)
      await check(file)
      return file
    },
    ...overrides,
  }
}

export const WORKSPACE: WorkspaceRecord = {
  id: 'c0ffee00-0000-4000-8000-000000000001',
  name: 'My workspace',
  slug: 'my_workspace',
  plan: 'business',
  createdAt: 1_700_000_000_000,
}

const KEY: KeyRecord = {
  id: 'key_1',
  workspaceId: WORKSPACE.id,
  name: 'This app',
  scopes: ['datasets:*:read', 'datasets:*:write'],
  hash: 'ab'.repeat(32),
  last4: 'wxyz',
  createdAt: 1_700_000_000_000,
  lastUsedAt: 1_700_000_100_000,
  expiresAt: null,
  revokedAt: null,
}

export function datasetRecord(name: string, tables: DatasetRecord['tables'], id = `ds_${name}`): DatasetRecord {
  return {
    id,
    workspaceId: WORKSPACE.id,
    name,
    nameKey: name.toLowerCase(),
    description: 'What we sold – “everything”',
    visibility: 'private',
    tags: ['finance', 'été'],
    createdAt: 1_700_000_200_000,
    updatedAt: 1_700_000_300_000,
    tables,
  }
}

/** Adds a dataset with tables of these sizes in bytes to a service. */
export async function addDataset(service: TestService, name: string, sizes: readonly number[]): Promise<void> {
  const tables = sizes.map((size, i) => {
    const fileId = `creation-${name}/${i}`
    service.files.blobs.set(fileId, new Blob([duckDbBytes(size, size + i)]))
    return {
      fileId,
      name: `table ${i}`,
      description: '',
      rowCount: size,
      byteSize: size,
      schema: [{ name: 'a', type: 'DECIMAL(18,3)' }],
    }
  })
  await service.records.write(['workspaces', 'keys', 'datasets'], async (transaction) => {
    await transaction.put('workspaces', WORKSPACE)
    await transaction.put('keys', KEY)
    await transaction.put('datasets', datasetRecord(name, tables))
  })
}

/** Everything in a service, with files' content instead of their ids, to be compared with `toEqual`. */
export async function contentsOf(service: TestService): Promise<unknown> {
  const { workspaces, keys, datasets } = await service.records.read(
    ['workspaces', 'keys', 'datasets'],
    async (transaction) => ({
      workspaces: await transaction.all('workspaces'),
      keys: await transaction.all('keys'),
      datasets: await transaction.all('datasets'),
    }),
  )
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const bytes = await Promise.all(
    tables.map(async ({ fileId }) =>
      Buffer.from(await (await service.files.file(fileId)).arrayBuffer()).toString('hex'),
    ),
  )
  return {
    workspaces,
    keys,
    datasets: datasets.map((dataset) => ({
      ...dataset,
      tables: dataset.tables.map((table) => ({ ...table, fileId: '' })),
    })),
    bytes,
    files: service.files.blobs.size,
  }
}

/** An archive such as another program might write. */
export function zipOf(...files: { name: string; input: BlobPart }[]): Promise<Blob> {
  return new Response(zipStream(files.map(({ name, input }) => ({ name, content: new Blob([input]) })))).blob()
}
