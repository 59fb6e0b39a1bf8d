import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/* A service on the network, with another origin than the app's, with what testing a connection needs. */

export interface FakeService {
  readonly baseUrl: string
  /** Requests that had a key, as `GET /public/v1/...`. */
  readonly seen: readonly string[]
  close(): Promise<void>
}

export interface FakeOptions {
  /** Whether pages with other origins may read its answers. */
  readonly cors?: boolean
  /** What the key may do. */
  readonly writes?: boolean
}

export const FAKE = { key: 'sk_live_fake', workspaceId: '3b0a1f6e-58c1-4f0e-9d7e-2f1f6f5f1c11', slug: 'north' } as const

export async function fakeService({ cors = true, writes = true }: FakeOptions = {}): Promise<FakeService> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    if (cors) allow(response)
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    if (request.headers['x-api-key']) seen.push(`${request.method} ${request.url}`)
    answer(request, response, writes)
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/public/v1`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** The address of a port on which nothing listens. */
export async function deadBaseUrl(): Promise<string> {
  const service = await fakeService()
  await service.close()
  return service.baseUrl
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
}

function allow(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Access-Control-Allow-Headers', 'X-API-Key, Authorization, Content-Type')
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE, PUT')
  response.setHeader('Access-Control-Expose-Headers', 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset')
}

function answer(request: IncomingMessage, response: ServerResponse, writes: boolean): void {
  const path = (request.url ?? '').replace('/public/v1', '')
  const send = (status: number, body: object): void => {
    response.setHeader('X-RateLimit-Limit', '1000')
    response.setHeader('X-RateLimit-Remaining', '750')
    response.setHeader('X-RateLimit-Reset', String(Math.ceil(Date.now() / 3_600_000) * 3600))
    response.writeHead(status, { 'Content-Type': 'application/json' })
    const meta = { request_id: 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV', timestamp: new Date().toISOString(), version: 'v1' }
    response.end(JSON.stringify({ success: status < 400, ...body, meta }))
  }
  const fail = (status: number, code: string): void => send(status, { error: { code, message: `${code}.` } })
  if (path === '/openapi.json') send(200, { openapi: '3.1.0', info: { title: 'Fake', version: 'v1.0.0' } })
  else if (request.headers['x-api-key'] !== FAKE.key) fail(401, 'UNAUTHORIZED')
  else if (path.startsWith(`/workspaces/${FAKE.workspaceId}/datasets`)) {
    const dataset = {
      id: 'north-1',
      name: 'Northern stores',
      workspace_id: FAKE.workspaceId,
      visibility: 'private',
      created_at: '2026-01-01T00:00:00Z',
      tags: [],
    }
    send(200, { data: { datasets: [dataset], count: 1 } })
  } else if (path === '/query') {
    send(200, { data: { columns: ['one'], rows: [{ one: 1 }], count: 1, execution_time: '1ms' } })
  } else if (path === '/datasets') fail(writes ? 400 : 403, writes ? 'INVALID_REQUEST' : 'FORBIDDEN')
  else if (path === '/convert/upload-urls') {
    const place = (name: string): object => ({ file_path: name, content_type: 'text/csv' })
    const host = `http://${request.headers.host}`
    send(200, {
      data: {
        source: { ...place('a'), upload_url: `${host}/a` },
        destination: { ...place('b'), download_url: `${host}/b` },
      },
    })
  } else fail(404, 'NOT_FOUND')
}
