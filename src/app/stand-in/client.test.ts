import { beforeEach, describe, expect, test } from 'vitest'
import { createApiClient, createConsoleClient, type UploadTransport } from '../../api/create.ts'
import type { ApiClient } from '../../api/client.ts'
import type { ConsoleClient } from '../../api/console.ts'
import { createService } from '../../service/create.ts'
import { createStorage } from '../../service/storage/index.ts'
import { testPorts } from '../../service/testing/ports.ts'

/* Tests the client with the service; they share only the contract. */

const BASE = 'https://rowhouse.test'
let api: ApiClient
let console: ConsoleClient
let client: (key: string) => ApiClient
const pauses: number[] = []

beforeEach(async () => {
  const ports = testPorts()
  const service = createService(ports, { baseUrl: BASE })
  const storage = createStorage(ports)
  const fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/storage/') ? storage(request) : service.fetch(request)
  }
  const upload: UploadTransport = async ({ url, body, contentType, onProgress }) => {
    const response = await fetch(url, { method: 'PUT', headers: { 'Content-Type': contentType }, body })
    onProgress(body.size)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  pauses.length = 0
  const options = {
    fetch,
    upload,
    now: () => ports.clock.now(),
    sleep: (milliseconds: number) => Promise.resolve(void pauses.push(milliseconds)),
  }
  const first = await service.bootstrap()
  if (!first) throw new Error('there was a workspace before')
  client = (key) => createApiClient({ ...options, baseUrl: `${BASE}/public/v1`, key, workspaceId: first.workspace.id })
  api = client(first.key)
  console = createConsoleClient({ ...options, baseUrl: `${BASE}/console/v1` })
})

async function publish(name: string, text = 'id,name\n1,Ann\n2,Bob\n'): Promise<string> {
  const [target] = await api.signUploads([{ filename: 'people.csv', contentType: 'text/csv' }])
  if (!target) throw new Error('nothing was signed')
  await api.upload(target.signedUrl, new Blob([text]), { contentType: 'text/csv' })
  const tables = [{ name: 'people', signedUrl: target.signedUrl, description: 'who' }]
  return (await api.createDataset({ name, description: 'all', visibility: 'private', tags: ['hr'], tables })).id
}

describe('the client with the service', () => {
  test('publishes, lists, reads, changes and deletes a dataset', async () => {
    const id = await publish('People')
    expect(await api.listDatasets()).toMatchObject([{ id, name: 'People', tags: ['hr'], tables: null }])
    expect((await api.listDatasets({ tables: true }))[0]?.tables).toMatchObject([{ name: 'people', rowCount: 2 }])
    const changed = await api.updateDataset(id, { name: 'Staff', description: '', visibility: 'public' })
    expect(changed).toMatchObject({ name: 'Staff', description: '', visibility: 'public', tags: ['hr'] })
    expect(await api.getDataset(id)).toEqual(changed)
    await api.deleteDataset(id)
    await expect(api.getDataset(id)).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })

  test('gets errors with the reason and the id to quote', async () => {
    await publish('People')
    const [target] = await api.signUploads([{ filename: 'a.csv', contentType: 'text/csv' }])
    const signedUrl = target?.signedUrl ?? ''
    await api.upload(signedUrl, new Blob(['id\n1\n']), { contentType: 'text/csv' })
    const twice = {
      name: 'people',
      description: '',
      visibility: 'private',
      tags: [],
      tables: [{ name: 'a', signedUrl, description: '' }],
    } as const
    await expect(api.createDataset(twice)).rejects.toMatchObject({
      code: 'CONFLICT',
      requestId: expect.stringMatching(/^req_/) as string,
    })
    const error = await api.updateDataset('x', { tags: [''] }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', issues: [{ path: 'tags[0]' }] })
    await expect(client('sk_live_none').formats()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('uploads with the signed type', async () => {
    const [target] = await api.signUploads([{ filename: 'a.csv', contentType: 'text/csv' }])
    const upload = api.upload(target?.signedUrl ?? '', new Blob(['[]']), { contentType: 'application/json' })
    await expect(upload).rejects.toMatchObject({ code: 'INVALID_REQUEST', status: 400 })
  })

  test('converts, and downloads the result', async () => {
    const { source } = await api.conversionUrls('csv', 'json', 'people')
    await api.upload(source.upload_url, new Blob(['id\n1\n']), { contentType: source.content_type })
    const { download_url: url } = await api.convert(source.file_path, 'csv', 'json', 'people')
    expect((await api.download(url)).size).toBeGreaterThan(0)
  })

  test('knows how many requests are left, and waits for the next window if there are none', async () => {
    await api.formats()
    expect(api.rateLimit.snapshot()).toMatchObject({ limit: 60, remaining: 59 })
    for (let i = 0; i < 59; i++) await api.formats()
    expect(pauses).toEqual([])
    const error = await api.formats().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 60, window: 'minute' } })
    expect(api.rateLimit.snapshot()?.remaining).toBe(0)
  })

  test('reads the OpenAPI document', async () => {
    expect(await api.openApi()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) as string })
  })
})

test('the console creates and revokes workspaces and keys', async () => {
  const made = await console.createWorkspace({ name: 'Finance', plan: 'free' })
  expect((await console.updateWorkspace(made.id, { name: 'Money' })).name).toBe('Money')
  const { api_key: key } = await console.createApiKey(made.id, { name: 'ci', scopes: ['datasets:*:read'] })
  const rotated = await console.rotateApiKey(key.id, 60)
  await console.revokeApiKey(rotated.api_key.id)
  const keys = await console.apiKeys(made.id)
  expect(keys.find(({ id }) => id === rotated.api_key.id)?.revoked_at).not.toBeNull()
  expect((await console.usage(made.id)).storage.dataset_count).toBe(0)
  await console.deleteWorkspace(made.id)
  expect((await console.workspaces()).map(({ id }) => id)).not.toContain(made.id)
})
