import { vi, type Mock } from 'vitest'
import type { ApiClient, DatasetDetails, NewDataset } from '../../api/client.ts'
import type { ConvertResult, EngineClient } from '../../engine/client.ts'

/* A fake service and engine in memory, for tests: they keep what they receive, and fail on request. */

interface Put {
  readonly name: string
  readonly contentType: string
}

/** A dataset with a table. */
export const shop: DatasetDetails = {
  id: 'd1',
  name: 'Shop',
  workspaceId: 'w',
  visibility: 'private',
  tags: [],
  description: '',
  createdAt: new Date(0),
  updatedAt: new Date(0),
  tables: [{ name: 'orders', description: '', rowCount: 0, byteSize: 1, schema: [{ name: 'id', type: 'BIGINT' }] }],
}

/** Datasets in a map. `failTables` names tables that don't load; `failNext` makes the next call of a kind fail. */
export function fakeApi(overrides: Partial<ApiClient> = {}) {
  const datasets = new Map<string, DatasetDetails>()
  const failTables = new Set<string>()
  const failing = new Map<string, unknown>()
  const puts: Put[] = []
  const signed: string[][] = []
  let ids = 0
  const check = (call: keyof ApiClient): void => {
    const error = failing.get(call)
    failing.delete(call)
    if (error) throw error as Error
  }
  const calls: Partial<ApiClient> = {
    signUploads: async (files) => {
      signed.push(files.map(({ filename }) => filename))
      return files.map(({ filename }) => ({
        filename,
        signedUrl: `https://storage/${++ids}/${filename}`,
        expiresAt: new Date(Date.now() + 900_000),
      }))
    },
    upload: async (url, body, { contentType, onProgress }) => {
      check('upload')
      puts.push({ name: url.split('/').at(-1) ?? '', contentType })
      onProgress?.(body.size)
    },
    createDataset: async (wanted: NewDataset) => {
      check('createDataset')
      const id = `d${++ids}`
      const results = wanted.tables.map(({ name }) => {
        const error = failTables.has(name) ? { code: 'INVALID_REQUEST', message: 'row 3 doesn’t fit' } : null
        return { name, rows: error ? 0 : 3, schema: [], error }
      })
      datasets.set(id, detailsOf(id, wanted, failTables))
      return { id, name: wanted.name, tables: results }
    },
    deleteDataset: async (id: string) => {
      check('deleteDataset')
      datasets.delete(id)
    },
    updateDataset: async (id, change) => {
      check('updateDataset')
      const old = datasets.get(id)
      if (!old) throw new Error('no such dataset')
      const next = { ...old, ...change }
      datasets.set(id, next)
      return next
    },
    ...overrides,
  }
  const failNext = (call: keyof ApiClient, error: unknown): void => void failing.set(call, error)
  return { api: calls as ApiClient, datasets, puts, signed, failTables, failNext }
}

function detailsOf(id: string, wanted: NewDataset, failTables: ReadonlySet<string>): DatasetDetails {
  const now = new Date()
  return {
    ...wanted,
    id,
    workspaceId: 'w',
    createdAt: now,
    updatedAt: now,
    tables: wanted.tables
      .filter(({ name }) => !failTables.has(name))
      .map(({ name }) => ({ name, description: '', rowCount: 3, byteSize: 100, schema: [] })),
  }
}

interface FakeEngine extends Pick<EngineClient, 'outputs' | 'hash'> {
  readonly convert: Mock<EngineClient['convert']>
  /** Outputs that weren't removed. */
  readonly kept: Set<string>
}

/** Converts anything to a small file, or one of the given size. */
export function fakeEngine(made: Partial<ConvertResult> = {}, size = 4): FakeEngine {
  const kept = new Set<string>()
  return {
    kept,
    hash: (file) => file.text(),
    convert: vi.fn<EngineClient['convert']>(async (_file, { jobId }) => {
      const output = {
        id: `${jobId}/out`,
        name: 'out.parquet',
        mimeType: 'application/vnd.apache.parquet',
        size,
        receipts: [],
      }
      kept.add(output.id)
      return { outputs: [output], rejectedCount: 0, rejected: [], rejectedFile: null, ...made }
    }),
    outputs: {
      file: async ({ name }) => new File(['PAR1'], name),
      remove: async (id) => void kept.delete(id),
      hold: () => undefined,
      sweep: async () => undefined,
    },
  }
}
