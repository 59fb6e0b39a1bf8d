import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/* A service on the network, with one dataset, that converts uploaded files. */

export interface RemoteService {
  readonly baseUrl: string
  readonly workspaceId: string
  readonly key: string
  /** All requests received, as `GET /public/v1/...`. */
  readonly requests: string[]
  close(): void
}

const WORKSPACE = '3f2a1b5c-0d4e-4f6a-8b7c-9d0e1f2a3b4c'
const KEY = `sk_live_${'k'.repeat(43)}`
const META = { request_id: 'req_01JD3X7Z8Q9RWVT5N6M7K8P9QA', timestamp: '2026-11-21T10:00:00.000Z', version: 'v1' }
const LATER = '2026-11-21T12:00:00.000Z'
const DATASET = {
  id: 'ds_team',
  name: 'Team sales',
  workspace_id: WORKSPACE,
  visibility: 'private',
  created_at: '2026-11-20T09:00:00.000Z',
  tags: [],
  tables: [{ name: 'orders', description: '', row_count: 2, byte_size: 100, schema: [{ name: 'id', type: 'BIGINT' }] }],
}

/** @param convert converts an uploaded CSV file to JSON */
export async function remoteService(convert: (source: string) => string): Promise<RemoteService> {
  const requests: string[] = []
  const files = new Map<string, string>()
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const upload = `${origin}/files/source.csv`
  const result = `${origin}/files/out.json`

  /** An operation's `data`; undefined for an unknown one. */
  const operation = (name: string): unknown => {
    switch (name) {
      case `GET /workspaces/${WORKSPACE}/datasets`:
        return { datasets: [DATASET], count: 1 }
      case 'POST /convert/upload-urls':
        return {
          source: { upload_url: upload, file_path: 'source.csv', content_type: 'text/csv' },
          destination: { download_url: result, file_path: 'out.json', content_type: 'application/json' },
        }
      case 'POST /convert':
        files.set('/files/out.json', convert(files.get('/files/source.csv') ?? ''))
        return { download_url: result, file_path: 'out.json', expires_at: LATER }
      default:
        return undefined
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const what of ['Origin', 'Headers', 'Methods']) response.setHeader(`Access-Control-Allow-${what}`, '*')
    response.setHeader('Access-Control-Expose-Headers', '*')
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    const { pathname } = new URL(request.url ?? '/', origin)
    requests.push(`${request.method} ${pathname}`)
    const body = await read(request)
    if (pathname.startsWith('/files/')) {
      if (request.method === 'PUT') files.set(pathname, body)
      const file = files.get(pathname)
      response.writeHead(file === undefined ? 404 : 200).end(request.method === 'PUT' ? '' : file)
      return
    }
    const known = request.headers['x-api-key'] === KEY
    const data = known ? operation(`${request.method} ${pathname.replace('/public/v1', '')}`) : undefined
    response.writeHead(known ? (data === undefined ? 404 : 200) : 401, { 'Content-Type': 'application/json' })
    response.end(data === undefined ? '' : JSON.stringify({ success: true, data, meta: META }))
  }

  return {
    baseUrl: `${origin}/public/v1`,
    workspaceId: WORKSPACE,
    key: KEY,
    requests,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
