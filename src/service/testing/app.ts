import { expect } from 'vitest'
import { ERROR_STATUS, failureSchema, type Failure } from '../../contract/errors.ts'
import { operations, type OperationId } from '../../contract/operations.ts'
import { metaSchema, type Plan, type Scope } from '../../contract/schemas.ts'
import { createApp } from '../app.ts'
import type { Call, Handlers } from '../call.ts'
import { createConsole } from '../create.ts'
import { success } from '../http.ts'
import { makeKey } from '../keys.ts'
import type { KeyRecord, WorkspaceRecord } from '../ports.ts'
import { createStorage } from '../storage/index.ts'
import { testPorts, type TestPorts } from './ports.ts'
import { reach } from './reach.ts'

/* The app's middleware and the console, with handlers that only return how they were called. */

export const BASE = 'https://rowhouse.test/folder'
export const ALL: readonly Scope[] = ['datasets:*:read', 'datasets:*:write']

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly data: Record<string, unknown>
  readonly error: Failure['error'] | null
}

export interface TestApp {
  readonly ports: TestPorts
  /** Calls that reached a handler. */
  readonly calls: { readonly id: OperationId; readonly call: Call<OperationId> }[]
  readonly workspace: (plan?: Plan) => Promise<WorkspaceRecord>
  readonly key: (
    workspace: WorkspaceRecord,
    scopes?: readonly Scope[],
    more?: Partial<KeyRecord>,
  ) => Promise<{ record: KeyRecord; key: string }>
  /** A new key of a new workspace. */
  readonly newKey: (plan?: Plan, scopes?: readonly Scope[]) => Promise<string>
  /** Sends a request and checks the answer's envelope. */
  readonly send: (
    target: string,
    init?: RequestInit & { readonly key?: string; readonly json?: unknown },
  ) => Promise<Answer>
  readonly fetch: (request: Request) => Promise<Response>
}

export function testApp(
  overrides: Partial<TestPorts> & {
    readonly handle?: (call: Call<OperationId>) => Promise<Response>
    readonly baseUrl?: string
  } = {},
): TestApp {
  const { handle, baseUrl = BASE, ...some } = overrides
  const ports = testPorts(some)
  const calls: TestApp['calls'] = []
  const ids = Object.keys(operations) as OperationId[]
  const handlers = Object.fromEntries(
    ids.map((id) => [
      id,
      async (call: Call<OperationId>) => {
        calls.push({ id, call })
        return handle ? handle(call) : success(call.context, call.now, { operation: id })
      },
    ]),
  ) as unknown as Handlers
  const openApi = async () => ({ openapi: '3.1.0' })
  const app = createApp({
    ports,
    baseUrl,
    handlers,
    console: createConsole(ports),
    uploadIssues: async () => [],
    openApi,
  })
  const doors = { service: async (request: Request) => app.fetch(request), storage: createStorage(ports) }
  const { service: fetch } = reach(doors, { ports, baseUrl })

  const workspace: TestApp['workspace'] = async (plan = 'business') => {
    const id = crypto.randomUUID()
    const record: WorkspaceRecord = { id, name: 'Work', slug: `w_${id}`, plan, createdAt: ports.clock.now() }
    await ports.records.write(['workspaces'], (transaction) => transaction.put('workspaces', record))
    return record
  }
  const key: TestApp['key'] = async ({ id }, scopes = ALL, more = {}) => {
    const made = await makeKey({ workspaceId: id, name: 'Key', scopes, createdAt: ports.clock.now(), expiresAt: null })
    const record = { ...made.record, ...more }
    await ports.records.write(['keys'], (transaction) => transaction.put('keys', record))
    return { record, key: made.key }
  }
  return {
    ports,
    calls,
    workspace,
    key,
    newKey: async (plan, scopes) => (await key(await workspace(plan), scopes)).key,
    fetch,
    async send(target, { key: apiKey, json, ...init } = {}) {
      const [method = 'GET', path = ''] = target.split(' ')
      const headers = new Headers(init.headers)
      if (apiKey !== undefined) headers.set('X-API-Key', apiKey)
      if (json !== undefined) headers.set('Content-Type', 'application/json')
      const body = json === undefined ? {} : { body: JSON.stringify(json) }
      const response = await fetch(new Request(`${BASE}${path}`, { ...init, method, headers, ...body }))
      return answerOf(response)
    },
  }
}

export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  const answer = (text === '' ? {} : JSON.parse(text)) as {
    data: Record<string, unknown>
    meta: { request_id: string }
  }
  if (status < 400) {
    if (text !== '' && 'meta' in answer) metaSchema.parse(answer.meta)
    return { status, headers, data: answer.data, error: null }
  }
  if (text === '') return { status, headers, data: {}, error: null }
  const { error, meta } = failureSchema.parse(answer)
  expect(status).toBe(ERROR_STATUS[error.code])
  expect(headers.get('X-Request-Id')).toBe(meta.request_id)
  return { status, headers, data: {}, error }
}

/** An answer's rate limit headers: `[limit, remaining, reset]`. */
export function limitsOf({ headers }: Answer): (number | null)[] {
  return ['Limit', 'Remaining', 'Reset'].map((name) => {
    const value = headers.get(`X-RateLimit-${name}`)
    return value === null ? null : Number(value)
  })
}
