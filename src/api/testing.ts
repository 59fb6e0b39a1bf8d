import { vi } from 'vitest'
import { createApiClient, type ApiClientOptions } from './create.ts'
import type { ApiClient } from './client.ts'

/* A fake service with scripted answers, and a clock that doesn't wait. Tests only. */

export const WORKSPACE = '6f3c1c9e-2b0f-4a63-9a43-0b4a1f0f9d11'
export const META = {
  request_id: 'req_01JD3X7Z8Q9RWVT5N6M7K8P9QA',
  timestamp: '2026-11-21T10:00:00.000Z',
  version: 'v1',
}
export const DATASET = {
  id: 'ds_1',
  name: 'Sales',
  workspace_id: WORKSPACE,
  visibility: 'private',
  created_at: '2026-11-20T09:00:00.000Z',
  tags: ['q3'],
} as const

export type Reply = Response | Error | ((request: Request) => Response | Promise<Response>)

export function ok(data: unknown, init: ResponseInit = {}): Response {
  return Response.json({ success: true, data, meta: META }, init)
}

export function failure(
  status: number,
  code: string,
  init: { details?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Response {
  const error = { code, message: `it’s ${code}`, ...(init.details ? { details: init.details } : {}) }
  return Response.json({ success: false, error, meta: META }, { status, headers: init.headers ?? {} })
}

export interface Rig {
  readonly client: ApiClient
  readonly requests: Request[]
  /** Milliseconds of each requested pause. */
  readonly pauses: number[]
}

/** A client whose requests get these replies in order. A function receives the request. */
export function rig(replies: readonly Reply[], options: Partial<ApiClientOptions> = {}): Rig {
  const left = [...replies]
  const requests: Request[] = []
  const pauses: number[] = []
  const fetch = vi.fn(async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    request.signal.throwIfAborted()
    requests.push(request)
    const reply = left.shift()
    if (!reply) throw new Error(`no reply left for ${request.method} ${request.url}`)
    if (reply instanceof Error) throw reply
    return typeof reply === 'function' ? reply(request) : reply
  })
  const client = createApiClient({
    baseUrl: 'https://service.example/public/v1/',
    key: 'sk_live_test',
    workspaceId: WORKSPACE,
    fetch,
    sleep: (milliseconds, signal) => {
      signal?.throwIfAborted()
      pauses.push(milliseconds)
      return Promise.resolve()
    },
    random: () => 0.5,
    now: () => Date.parse(META.timestamp),
    ...options,
  })
  return { client, requests, pauses }
}
