import { expect } from 'vitest'
import { ERROR_STATUS, failureSchema, type ErrorCode, type Failure, type Issue } from '../../contract/errors.ts'
import { operations, type OperationId } from '../../contract/operations.ts'
import { metaSchema, type CreateDatasetData, type DatasetDetails, type Scope } from '../../contract/schemas.ts'
import { z } from '../../contract/zod.ts'
import { createService } from '../create.ts'
import { makeKey } from '../keys.ts'
import type { WorkspaceRecord } from '../ports.ts'
import { createStorage } from '../storage/index.ts'
import { testPorts, type TestPorts } from './ports.ts'
import { reach } from './reach.ts'
import { createTestTables, type TestTables } from './tables.ts'

/* The whole service for tests through its public interface: keys, requests, answers. */

export const BASE = 'https://rowhouse.test'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** A success's data, or the whole answer if there's no envelope. */
  readonly data: Record<string, unknown>
  /** Null for a success. */
  readonly error: Failure['error'] | null
}

export interface CallInit {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly prefix?: '/public/v1' | '/api/public/v1'
  readonly signal?: AbortSignal
}

/** Calls an operation and checks that its answer follows the contract. */
export type Caller = (id: OperationId, init?: CallInit) => Promise<Answer>

/** Errors that any operation may return. */
const ANYWHERE: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
]

export interface TestService {
  readonly ports: TestPorts & { readonly tables: TestTables }
  readonly fetch: (request: Request) => Promise<Response>
  /** A request to `/storage`. */
  readonly storage: (request: Request) => Promise<Response>
  readonly sweep: () => Promise<void>
  readonly addWorkspace: (name: string) => Promise<WorkspaceRecord>
  /** Creates a key. @returns its text */
  readonly addKey: (workspace: WorkspaceRecord, scopes: readonly Scope[]) => Promise<string>
  readonly caller: (key: string) => Caller
}

export function testService(overrides: Partial<TestPorts & { tables: TestTables }> = {}): TestService {
  const tables = overrides.tables ?? createTestTables()
  return serviceOver({ ...testPorts(overrides), tables })
}

/** A new service with the same ports, like after a reload. */
export function serviceOver(ports: TestService['ports']): TestService {
  const service = createService(ports, { baseUrl: BASE })
  const doors = reach(
    { service: (request) => service.fetch(request), storage: createStorage(ports) },
    { ports, baseUrl: BASE },
  )
  return {
    ports,
    fetch: (request) => doors.service(request),
    sweep: () => service.sweep(),
    storage: (request) => doors.storage(request),
    async addWorkspace(name) {
      const workspace: WorkspaceRecord = {
        id: crypto.randomUUID(),
        name,
        slug: name.toLowerCase().replaceAll(' ', '_'),
        plan: 'business',
        createdAt: ports.clock.now(),
      }
      await ports.records.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace))
      return workspace
    },
    async addKey(workspace, scopes) {
      const { key, record } = await makeKey({
        workspaceId: workspace.id,
        name: 'Test',
        scopes,
        createdAt: ports.clock.now(),
        expiresAt: null,
      })
      await ports.records.write(['keys'], (transaction) => transaction.put('keys', record))
      return key
    },
    caller: (key) => async (id, init) => checked(id, await doors.service(requestOf(id, key, init)), init),
  }
}

/** A request for an operation. A string as body is sent unchanged. */
export function requestOf(id: OperationId, key: string | null, init: CallInit = {}): Request {
  const { method, path } = operations[id]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(init.params?.[name] ?? ''))
  const { body } = init
  return new Request(`${BASE}${init.prefix ?? '/public/v1'}${filled}${init.query ?? ''}`, {
    method: method.toUpperCase(),
    headers: {
      ...(key === null ? {} : { 'X-API-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...init.headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
    ...(init.signal ? { signal: init.signal } : {}),
  })
}

/** Checks an answer against its operation's schemas, statuses and headers. */
export async function checked(id: OperationId, response: Response, init: CallInit = {}): Promise<Answer> {
  const operation = operations[id]
  const text = await response.text()
  expect(response.headers.get('Content-Type'), text).toMatch(/^application\/json\b/)
  const json: unknown = JSON.parse(text)
  const { status, headers } = response
  if (status >= 400) {
    const { error } = failureSchema.parse(json)
    expect(status).toBe(ERROR_STATUS[error.code])
    expect([...operation.errors, ...ANYWHERE]).toContain(error.code)
    if (error.code !== 'UNAUTHORIZED') expectLimits(headers)
    return { status, headers, data: {}, error }
  }
  expectLimits(headers)
  expect(status).toBe(operation.status)
  const data = operation.envelope
    ? z.strictObject({ success: z.literal(true), data: z.unknown(), meta: metaSchema }).parse(json).data
    : json
  const known = operation.answer.parse(data)
  if (!/[a-z][A-Z]/.test(JSON.stringify(init.body ?? ''))) expect(data).toEqual(known)
  return { status, headers, data: data as Record<string, unknown>, error: null }
}

function expectLimits(headers: Headers): void {
  for (const name of ['Limit', 'Remaining', 'Reset']) expect(headers.get(`X-RateLimit-${name}`)).toMatch(/^\d+$/)
}

/** An answer's issues as `path: message`. */
export function issuesOf({ error }: Answer): string[] {
  const issues = (error?.details?.['issues'] ?? []) as Issue[]
  return issues.map(({ path, message }) => `${path}: ${message}`)
}

/* What many tests do */

export interface Bench extends TestService {
  readonly workspace: WorkspaceRecord
  readonly key: string
  readonly call: Caller
  /** PUTs to a signed URL. */
  readonly put: (url: string, body: string | Uint8Array, contentType?: string) => Promise<Response>
  /** Uploads a file. @returns its signed URL */
  readonly uploaded: (body?: string | Uint8Array, contentType?: string, filename?: string) => Promise<string>
  /** Creates a dataset from CSV tables; by default one table `t` with two rows. */
  readonly dataset: (
    name: string,
    more?: { readonly tables?: Readonly<Record<string, string>>; readonly visibility?: 'private' | 'public' },
  ) => Promise<CreateDatasetData>
  readonly details: (id: string) => Promise<DatasetDetails>
  /** Ids of all datasets in the workspace. */
  readonly datasetIds: () => Promise<string[]>
}

export const CSV = 'id,name\n1,Ann\n2,Bob\n'

/** A service with a workspace, and a key with all rights there. */
export async function bench(overrides: Partial<TestPorts & { tables: TestTables }> = {}): Promise<Bench> {
  return benchOf(testService(overrides), 'Work')
}

/** Another workspace of the same service. */
export async function benchOf(service: TestService, name: string): Promise<Bench> {
  const workspace = await service.addWorkspace(name)
  const key = await service.addKey(workspace, ['datasets:*:read', 'datasets:*:write'])
  const call = service.caller(key)
  const put: Bench['put'] = (url, body, contentType = 'text/csv') =>
    service.storage(
      new Request(url, { method: 'PUT', headers: { 'Content-Type': contentType }, body: body as BodyInit }),
    )
  const uploaded: Bench['uploaded'] = async (body = CSV, contentType = 'text/csv', filename = 'people.csv') => {
    const files = [{ filename, content_type: contentType }]
    const { data } = await call('signUploads', { body: { workspace_id: workspace.id, files } })
    const [{ signed_url: url }] = data['urls'] as [{ signed_url: string }]
    const response = await put(url, body, contentType)
    expect(response.status, await response.clone().text()).toBe(200)
    return url
  }
  return {
    ...service,
    workspace,
    key,
    call,
    put,
    uploaded,
    async dataset(datasetName, { tables = { t: CSV }, visibility = 'private' } = {}) {
      const named = []
      for (const [tableName, body] of Object.entries(tables)) {
        named.push({ table_name: tableName, signed_url: await uploaded(body) })
      }
      const body = { dataset_name: datasetName, workspace_id: workspace.id, visibility, tables: named }
      const answer = await call('createDataset', { body })
      expect(answer.error).toBeNull()
      return answer.data as CreateDatasetData
    },
    async details(datasetId) {
      const { data } = await call('getDataset', { params: { datasetId } })
      return data['dataset'] as DatasetDetails
    },
    async datasetIds() {
      const { data } = await call('listDatasets', { params: { workspaceId: workspace.id } })
      return (data['datasets'] as { id: string }[]).map(({ id }) => id)
    },
  }
}
