import { expect, test } from 'vitest'
import { bench, BASE, checked, CSV, requestOf, type Bench } from '../testing/service.ts'

const BODIES = ['signUploads', 'createDataset', 'updateDataset', 'query', 'conversionUrls', 'convert'] as const

async function send(
  b: Bench,
  id: (typeof BODIES)[number],
  body: string | Uint8Array,
  contentType = 'application/json',
) {
  const headers = { 'Content-Type': contentType }
  const request = requestOf(id, b.key, { params: { datasetId: 'x' }, body, headers })
  return checked(id, await b.fetch(request))
}

test.each(BODIES)('%s refuses a body that is not JSON, not an object, not UTF-8', async (id) => {
  const b = await bench()
  const bodies = ['', ' ', '{', '{"a": 1} x', 'null', '[]', '"text"', '1', 'true', '{a: 1}', "{'a': 1}", 'a=1&b=2']
  for (const body of bodies) {
    const { status, error } = await send(b, id, body)
    expect([status, error?.code], body).toEqual([400, 'INVALID_REQUEST'])
    expect(Array.isArray(error?.details?.['issues']), body).toBe(true)
    b.ports.clock.advance(10_000)
  }
  const invalid = new Uint8Array([...new TextEncoder().encode('{"sql": "'), 0xff, 0xc3, 0x28, 0x22, 0x7d])
  expect((await send(b, id, invalid)).status).toBe(400)
})

test('types of a body that are not JSON are refused', async () => {
  const b = await bench()
  const body = JSON.stringify({ sql: 'SELECT 1' })
  expect((await send(b, 'query', body, 'application/json; charset=utf-8')).status).toBe(200)
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml']) {
    expect((await send(b, 'query', body, type)).status, type).toBe(400)
  }
})

test('deep nesting is refused or ignored, but is never a 500', async () => {
  const b = await bench()
  for (const deep of ['['.repeat(100_000) + ']'.repeat(100_000), '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)]) {
    expect((await send(b, 'query', deep)).status).toBe(400)
    expect([200, 400]).toContain((await send(b, 'query', `{"sql": "SELECT 1", "x": ${deep}}`)).status)
    expect((await send(b, 'query', `{"sql": ${deep}}`)).status).toBe(400)
  }
})

test('a body of 100 MB is refused before it is read', async () => {
  const b = await bench()
  let chunks = 0
  const chunk = new TextEncoder().encode(' '.repeat(65_536))
  const body = new ReadableStream({
    pull(controller) {
      if (++chunks > 1600) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const headers = { 'X-API-Key': b.key, 'Content-Type': 'application/json' }
  const init: RequestInit & { duplex: string } = { method: 'POST', headers, body, duplex: 'half' }
  const response = await b.fetch(new Request(`${BASE}/public/v1/query`, init))
  expect((await checked('query', response)).status).toBe(413)
  expect(chunks).toBeLessThan(400)
})

test('the last value of a duplicate key counts, as usual in JSON', async () => {
  const b = await bench()
  const { data } = await send(b, 'query', '{"sql": "SELECT 1 AS a", "sql": "SELECT 2 AS a"}')
  expect(data['rows']).toEqual([{ a: 2 }])
})

test('__proto__ in a body changes nothing', async () => {
  const b = await bench()
  const url = await b.uploaded()
  const rest = `"workspace_id": "${b.workspace.id}", "tables": [{"table_name": "t", "signed_url": "${url}", "__proto__": {"description": "x"}}]`
  const { status, error } = await send(b, 'createDataset', `{"__proto__": {"dataset_name": "D"}, ${rest}}`)
  expect([status, error?.details?.['issues']]).toEqual([400, [{ path: 'dataset_name', message: 'is required' }]])
  const made = await send(b, 'createDataset', `{"__proto__": {"tags": ["x"]}, "dataset_name": "D", ${rest}}`)
  const { id } = made.data['dataset'] as { id: string }
  expect(await b.details(id)).toMatchObject({ tags: [], tables: [{ description: '' }] })
  expect(Object.hasOwn(Object.prototype, 'tags')).toBe(false)
})

test('ids in URLs can’t be used as paths', async () => {
  const b = await bench()
  for (const id of [
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    '%',
    '%ff',
    '__proto__',
    'constructor',
    'a'.repeat(5000),
  ]) {
    const response = await b.fetch(new Request(`${BASE}/public/v1/datasets/${id}`, { headers: { 'X-API-Key': b.key } }))
    expect([400, 404], id).toContain(response.status)
    expect(((await response.json()) as { success: boolean }).success).toBe(false)
  }
})

test('names can’t inject headers into answers', async () => {
  const b = await bench()
  const names = [
    'a"; filename="evil.exe',
    'a\u2028b',
    'a%0d%0aSet-Cookie: x=1',
    'ä'.repeat(200),
    '\ud800.json',
    'a;b=c',
  ]
  for (const filename of names) {
    const formats = { source_format: 'csv', destination_format: 'json' }
    const { data } = await b.call('conversionUrls', { body: { ...formats, filename } })
    const { source, destination } = data as Record<'source' | 'destination', Record<string, string>>
    await b.put(source['upload_url'] ?? '', CSV)
    const { error } = await b.call('convert', { body: { ...formats, filename, source_url: source['file_path'] } })
    expect(error).toBeNull()
    const response = await b.storage(new Request(destination['download_url'] ?? ''))
    expect(response.status, filename).toBe(200)
    const disposition = response.headers.get('Content-Disposition') ?? ''
    expect(disposition).toMatch(/^attachment; filename="[^"\r\n]*"(?:; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/)
    expect(response.headers.get('Set-Cookie')).toBeNull()
    b.ports.clock.advance(10_000)
  }
})

test('everything works after the clock was set back', async () => {
  const b = await bench()
  const { dataset } = await b.dataset('one')
  b.ports.clock.advance(-86_400_000)
  const { dataset: second } = await b.dataset('two')
  expect((await b.datasetIds()).toSorted()).toEqual([dataset.id, second.id].toSorted())
  expect((await b.call('query', { body: { sql: 'FROM work.two.t' } })).status).toBe(200)
})
