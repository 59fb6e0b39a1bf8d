import { describe, expect, test } from 'vitest'
import { UPLOAD_KEPT_SECONDS } from '../contract/limits.ts'
import { createService } from './create.ts'
import { hashKey } from './keys.ts'
import type { ObjectRecord } from './ports.ts'
import { answerOf, BASE } from './testing/app.ts'
import { START, testPorts } from './testing/ports.ts'
import { dataset, object, table } from './testing/records.ts'

const MINUTE = 60_000
const DAY = UPLOAD_KEPT_SECONDS * 1000

describe('bootstrap', () => {
  test('the first call creates a workspace and a valid key', async () => {
    const ports = testPorts()
    const service = createService(ports, { baseUrl: BASE })
    const first = await service.bootstrap()
    expect(first?.workspace).toMatchObject({ name: 'My workspace', slug: 'my_workspace', plan: 'business' })
    const [kept] = await ports.records.read(['keys'], (transaction) => transaction.all('keys'))
    expect(kept).toMatchObject({
      hash: await hashKey(first?.key ?? ''),
      workspaceId: first?.workspace.id,
      scopes: ['datasets:*:read', 'datasets:*:write'],
    })
    const headers = { 'X-API-Key': first?.key ?? '' }
    const answer = await answerOf(await service.fetch(new Request(`${BASE}/public/v1/convert/formats`, { headers })))
    expect(answer.status).toBe(200)
  })

  test('of several concurrent calls, only one creates them, and later calls don’t', async () => {
    const ports = testPorts()
    const tabs = [0, 1, 2].map(() => createService(ports, { baseUrl: BASE }))
    const results = await Promise.all(tabs.map((tab) => tab.bootstrap()))
    expect(results.filter((result) => result !== null)).toHaveLength(1)
    expect(await tabs[0]!.bootstrap()).toBeNull()
    await ports.records.read(['workspaces', 'keys'], async (transaction) => {
      expect(await transaction.all('workspaces')).toHaveLength(1)
      expect(await transaction.all('keys')).toHaveLength(1)
    })
  })
})

test('the OpenAPI document can be read without a key', async () => {
  const service = createService(testPorts(), { baseUrl: BASE })
  for (const prefix of ['/public/v1', '/api/public/v1']) {
    const response = await service.fetch(new Request(`${BASE}${prefix}/openapi.json`))
    expect(await response.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) as string })
  }
})

describe('sweep', () => {
  const place = (id: string, more: Partial<ObjectRecord>): ObjectRecord =>
    object(id, 'w', { createdAt: START, expiresAt: START + 15 * MINUTE, blobId: null, uploadedAt: null, ...more })

  test.each<[string, Partial<ObjectRecord>, number]>([
    ['a place that nothing came to', {}, DAY],
    ['an upload that nothing used', { blobId: 'b', uploadedAt: START }, DAY],
    ['a source that nothing used', { kind: 'conversion-source', blobId: 'b' }, DAY],
    ['an upload that was used', { blobId: 'b', consumedAt: START }, 15 * MINUTE],
    ['a source that was used', { kind: 'conversion-source', blobId: 'b', consumedAt: START }, 15 * MINUTE],
    ['a result', { kind: 'conversion-result', blobId: 'b', expiresAt: START + 60 * MINUTE }, 60 * MINUTE],
    ['a result that isn’t there yet', { kind: 'conversion-result', expiresAt: START + 60 * MINUTE }, DAY],
  ])('%s is removed when it expires, not before', async (_, more, after) => {
    const ports = testPorts()
    const service = createService(ports, { baseUrl: BASE })
    await ports.records.write(['objects'], (transaction) => transaction.put('objects', place('o', more)))
    const left = async () => {
      await service.sweep()
      return (await ports.records.read(['objects'], (transaction) => transaction.all('objects'))).length
    }
    ports.clock.set(START + after - 1)
    expect(await left()).toBe(1)
    ports.clock.advance(1)
    expect(await left()).toBe(0)
  })

  test('expired objects are removed with their bytes, without listing all bytes', async () => {
    const ports = testPorts()
    const objects = { ...ports.objects, sweep: () => Promise.reject(new Error('all were looked at')) }
    const put = () => ports.objects.put(new Blob(['x']).stream(), { maxBytes: 10 })
    const [over, named] = [await put(), await put()]
    await ports.records.write(['objects'], async (transaction) => {
      await transaction.put('objects', place('o1', { blobId: over.blobId, consumedAt: START, expiresAt: START }))
      await transaction.put('objects', place('o2', { blobId: named.blobId }))
    })
    await createService({ ...ports, objects }, { baseUrl: BASE }).expire()
    const there = await Promise.all([over, named].map(({ blobId }) => ports.objects.get(blobId)))
    expect(there.map((blob) => blob !== undefined)).toEqual([false, true])
  })

  test('only bytes without a record are removed', async () => {
    const ports = testPorts()
    const put = () => ports.objects.put(new Blob(['x']).stream(), { maxBytes: 10 })
    const [named, unnamed, over] = [await put(), await put(), await put()]
    const { signal } = new AbortController()
    const ingest = (creationId: string) =>
      ports.tables.ingest(new Blob(['a\n1\n']), { creationId, format: 'csv', filename: 'a.csv' }, signal)
    const [kept, lost] = [await ingest('c1'), await ingest('c2')]
    await ports.records.write(['objects', 'datasets'], async (transaction) => {
      await transaction.put('objects', place('o1', { blobId: named.blobId }))
      await transaction.put('objects', place('o2', { blobId: over.blobId, consumedAt: START, expiresAt: START }))
      await transaction.put('datasets', { ...dataset('d', 'w'), tables: [table(kept.fileId)] })
    })
    await createService(ports, { baseUrl: BASE }).sweep()
    const there = await Promise.all([named, unnamed, over].map(({ blobId }) => ports.objects.get(blobId)))
    expect(there.map((blob) => blob !== undefined)).toEqual([true, false, false])
    const count = ({ fileId }: { fileId: string }) =>
      ports.tables.query(
        {
          sql: 'FROM w.d.t',
          readable: [{ workspace: 'w', dataset: 'd', table: 't', fileId }],
          timeoutMs: 60_000,
          maxRows: 1,
        },
        signal,
      )
    expect((await count(kept)).columns).toEqual(['a'])
    await expect(count(lost)).rejects.toThrow()
  })

  test('counters are removed long after their windows, or if they are far in the future', async () => {
    const ports = testPorts()
    const start = START / 1000
    await ports.records.write(['counters'], async (transaction) => {
      for (const [id, at] of Object.entries({
        now: start,
        yesterday: start - 86_400,
        lately: start - 86_400 - 3600 + 1,
        long: start - 86_400 - 3600,
        tomorrow: start + 86_400,
        never: start + 86_401,
      })) {
        await transaction.put('counters', { id, start: at, count: 1 })
      }
    })
    await createService(ports, { baseUrl: BASE }).sweep()
    const left = await ports.records.read(['counters'], (transaction) => transaction.all('counters'))
    expect(left.map(({ id }) => id).sort()).toEqual(['lately', 'now', 'tomorrow', 'yesterday'])
  })
})
