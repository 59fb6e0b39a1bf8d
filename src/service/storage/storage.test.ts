import { beforeEach, describe, expect, test } from 'vitest'
import { failureSchema } from '../../contract/errors.ts'
import { MAX_FILE_BYTES } from '../../contract/limits.ts'
import type { ObjectRecord, Ports } from '../ports.ts'
import { createSigner, type Signer } from '../signing.ts'
import { testPorts, type TestPorts } from '../testing/ports.ts'
import { reach } from '../testing/reach.ts'
import { createStorage, type Storage, type StorageOptions } from './index.ts'
import { object } from '../testing/records.ts'

const BASE = 'https://rowhouse.test'
const ID = '01M7ZSYQETX7WF7TTZB0S5HGGR'

const reached = (given: Ports): Storage => {
  const doors = { storage: createStorage(given), service: () => Promise.reject(new Error('only the storage')) }
  return reach(doors, { ports: given, baseUrl: BASE }).storage
}

let ports: TestPorts
let storage: Storage
let signer: Signer
let record: ObjectRecord

beforeEach(async () => {
  ports = testPorts()
  storage = reached(ports)
  signer = createSigner(ports.records, ports.clock)
  const now = ports.clock.now()
  record = object(ID, 'w', {
    path: `2026-11-21/${ID}/sales.csv`,
    filename: 'sales.csv',
    createdAt: now,
    expiresAt: now + 900_000,
    blobId: null,
    size: 0,
    uploadedAt: null,
  })
  await keep(record)
})

const keep = (kept: ObjectRecord): Promise<void> =>
  ports.records.write(['objects'], (transaction) => transaction.put('objects', kept))
const kept = (): Promise<ObjectRecord | undefined> =>
  ports.records.read(['objects'], (transaction) => transaction.get('objects', ID))
const uploadUrl = (): Promise<string> => signer.upload(record, BASE)
const downloadUrl = (): Promise<string> => signer.download(record, BASE, ports.clock.now() + 3_600_000)

async function put(
  body: BodyInit | null,
  headers: Record<string, string> = { 'Content-Type': 'text/csv' },
  options: StorageOptions = {},
): Promise<Response> {
  const init = { method: 'PUT', headers, body, duplex: 'half' }
  return storage(new Request(await uploadUrl(), init), options)
}

async function get(headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return storage(new Request(await downloadUrl(), { method, headers }))
}

/** Checks a failure's format. @returns its code */
async function code(response: Response): Promise<string> {
  const { error, meta } = failureSchema.parse(await response.json())
  expect(response.headers.get('X-Request-Id')).toBe(meta.request_id)
  return `${response.status} ${error.code}`
}

/** The number of stored blobs, with or without a record. */
async function blobs(): Promise<number> {
  let found = 0
  const { objects } = ports
  const { blobId } = (await kept()) ?? {}
  for (const id of created) if (await objects.get(id)) found++
  if (blobId) expect(await objects.get(blobId)).toBeDefined()
  return found
}
const created = new Set<string>()

/** Records the ids of all blobs that are written. */
function watchBlobs(): void {
  created.clear()
  const { objects } = ports
  storage = reached({
    ...ports,
    objects: {
      ...objects,
      async put(body, options) {
        const blob = await objects.put(body, options)
        created.add(blob.blobId)
        return blob
      },
    },
  })
}

function streamOf(pieces: readonly Uint8Array[], end?: unknown): ReadableStream<Uint8Array> {
  const left = [...pieces]
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift()
      if (piece) controller.enqueue(piece)
      else if (end === undefined) controller.close()
      else controller.error(end)
    },
  })
}

describe('PUT', () => {
  test('stores the bytes, and updates the record', async () => {
    ports.clock.advance(5)
    const response = await put('a,b\n1,2\n')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
    expect(await kept()).toMatchObject({ size: 8, uploadedAt: record.createdAt + 5, consumedAt: null })
    expect(await (await get()).text()).toBe('a,b\n1,2\n')
  })

  test('a part of a file is refused, and the bytes stay', async () => {
    await put('a,b\n1,2\n')
    const response = await put('3,4\n', { 'Content-Type': 'text/csv', 'Content-Range': 'bytes 8-11/12' })
    expect(await code(response)).toBe('400 INVALID_REQUEST')
    expect(await (await get()).text()).toBe('a,b\n1,2\n')
  })

  test.each([
    ['Content-Encoding', 'gzip'],
    ['If-None-Match', '*'],
    ['If-Match', '"x"'],
    ['If-Unmodified-Since', 'Sun, 29 Nov 2026 00:00:00 GMT'],
  ])('%s, which wouldn’t be followed, is refused, and the bytes stay', async (name, value) => {
    await put('a,b\n1,2\n')
    const response = await put('3,4\n', { 'Content-Type': 'text/csv', [name]: value })
    expect(await response.clone().text()).toContain(`without “${name}”`)
    expect(await code(response)).toBe('400 INVALID_REQUEST')
    expect(await (await get()).text()).toBe('a,b\n1,2\n')
  })

  test('accepts bytes that are said not to be encoded', async () => {
    expect((await put('a\n', { 'Content-Type': 'text/csv', 'Content-Encoding': 'identity' })).status).toBe(200)
  })

  test('accepts an empty file', async () => {
    expect((await put(null)).status).toBe(200)
    expect(await (await get()).arrayBuffer()).toHaveProperty('byteLength', 0)
  })

  test('a second one replaces the first, whose bytes are removed', async () => {
    watchBlobs()
    await put('first')
    await put('the second')
    expect(await (await get()).text()).toBe('the second')
    expect(await blobs()).toBe(1)
  })

  test.each(['text/csv', 'text/csv; charset=utf-8', 'TEXT/CSV ; header=present'])('accepts “%s”', async (type) => {
    expect((await put('x', { 'Content-Type': type })).status).toBe(200)
  })

  test.each(['text/plain', 'text/csvx', 'application/json', '', 'multipart/form-data; x=text/csv'])(
    'refuses “%s”',
    async (type) => {
      expect(await code(await put(new TextEncoder().encode('x'), { 'Content-Type': type }))).toBe('400 INVALID_REQUEST')
      expect(await kept()).toEqual(record)
    },
  )

  test.each([
    ['text/csv', 'text/csv; charset=windows-1252', false],
    ['text/csv; charset=windows-1252', 'text/csv; charset=utf-8', false],
    ['text/csv; charset=windows-1252', 'text/csv', false],
    ['text/csv; charset=windows-1252', 'text/csv;charset="Windows-1252"', true],
    ['text/csv; charset=UTF-8', 'text/csv; charset=utf-8', true],
  ])('signed for “%s”, “%s” is the same type: %s', async (signed, sent, same) => {
    record = { ...record, contentType: signed }
    expect((await put('x', { 'Content-Type': sent })).status).toBe(same ? 200 : 400)
  })

  test('is refused by its length before anything is read', async () => {
    let read = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read++
          controller.enqueue(new Uint8Array(10))
        },
      },
      { highWaterMark: 0 },
    )
    const response = await put(body, { 'Content-Type': 'text/csv', 'Content-Length': String(MAX_FILE_BYTES + 1) })
    expect(await code(response)).toBe('413 PAYLOAD_TOO_LARGE')
    expect(read).toBe(0)
  })

  test('accepts exactly 50 MB; a larger one keeps the existing bytes', async () => {
    watchBlobs()
    const pieces = Array.from({ length: 50 }, () => new Uint8Array(1_048_576))
    expect((await put(streamOf(pieces))).status).toBe(200)
    expect((await kept())?.size).toBe(MAX_FILE_BYTES)
    expect(await code(await put(streamOf([...pieces, new Uint8Array(1)])))).toBe('413 PAYLOAD_TOO_LARGE')
    expect((await kept())?.size).toBe(MAX_FILE_BYTES)
    expect(await blobs()).toBe(1)
  })

  test('stops reading at the limit', async () => {
    let sent = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          sent += 1_048_576
          controller.enqueue(new Uint8Array(1_048_576))
        },
        cancel() {
          cancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    expect(await code(await put(endless))).toBe('413 PAYLOAD_TOO_LARGE')
    expect(sent).toBeLessThan(MAX_FILE_BYTES + 4 * 1_048_576)
    expect(cancelled).toBe(true)
  })

  test('one that breaks off leaves nothing behind', async () => {
    watchBlobs()
    const response = await put(streamOf([new Uint8Array(1000)], new TypeError('network')))
    expect(await code(response)).toBe('400 INVALID_REQUEST')
    expect(await kept()).toEqual(record)
    expect(await blobs()).toBe(0)
    expect(ports.lines).toEqual([])
  })

  test('one that’s cancelled leaves nothing behind', async () => {
    watchBlobs()
    const cancel = new AbortController()
    let sent = 0
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (++sent === 5) cancel.abort()
          await new Promise((resolve) => setTimeout(resolve))
          controller.enqueue(new Uint8Array(1000))
        },
      },
      { highWaterMark: 0 },
    )
    expect(await code(await put(body, undefined, { signal: cancel.signal }))).toBe('400 INVALID_REQUEST')
    expect(sent).toBeLessThan(10)
    expect(await kept()).toEqual(record)
    expect(await blobs()).toBe(0)
  })

  test.each([
    ['less', 7, 'a,b\n1,2\n'],
    ['more', 9, 'a,b\n1,2\n'],
    ['nothing at all', 8, null],
  ])('one with another length than declared leaves nothing behind: %s', async (_, length, body) => {
    watchBlobs()
    expect(await code(await put(body, undefined, { length }))).toBe('400 INVALID_REQUEST')
    const headers = { 'Content-Type': 'text/csv', 'Content-Length': String(length) }
    expect(await code(await put(body, headers))).toBe('400 INVALID_REQUEST')
    expect(await kept()).toEqual(record)
    expect(await blobs()).toBe(0)
  })

  test('works if the browser’s requests have no `body`', async () => {
    const init = { method: 'PUT', headers: { 'Content-Type': 'text/csv' } }
    const request = new Request(await uploadUrl(), { ...init, body: 'a,b\n1,2\n' })
    Object.defineProperty(request, 'body', { value: undefined })
    expect((await storage(request, { length: 8 })).status).toBe(200)
    expect(await (await get()).text()).toBe('a,b\n1,2\n')
    const empty = new Request(await uploadUrl(), init)
    Object.defineProperty(empty, 'body', { value: undefined })
    expect((await storage(empty, { length: 0 })).status).toBe(200)
    expect((await kept())?.size).toBe(0)
  })

  test('reports progress', async () => {
    const told: number[] = []
    await put(streamOf([new Uint8Array(3), new Uint8Array(4)]), undefined, { onProgress: (sent) => told.push(sent) })
    expect(told).toEqual([3, 7])
  })

  test('is refused if the object is in use, even if that happens meanwhile', async () => {
    watchBlobs()
    await put('first')
    const used = { ...(await kept())!, consumedAt: 1 }
    const meanwhile = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await keep(used)
        controller.enqueue(new Uint8Array(5))
        controller.close()
      },
    })
    expect(await code(await put(meanwhile))).toBe('409 CONFLICT')
    expect(await code(await put('again'))).toBe('409 CONFLICT')
    expect(await kept()).toEqual(used)
    expect(await blobs()).toBe(1)
  })

  test('is a 404 if the object was removed', async () => {
    await ports.records.write(['objects'], (transaction) => transaction.remove('objects', ID))
    expect(await code(await put('x'))).toBe('404 NOT_FOUND')
  })

  test('a full disk is reported, and nothing is left behind', async () => {
    const full = new DOMException('full', 'QuotaExceededError')
    storage = reached({ ...ports, objects: { ...ports.objects, put: () => Promise.reject(full) } })
    const response = await put('x')
    expect(await code(response.clone())).toBe('503 SERVICE_UNAVAILABLE')
    expect(response.headers.get('Retry-After')).toBe('60')
    expect(await response.text()).toContain('There is no space left')
    expect(await kept()).toEqual(record)
  })

  test('leaves no bytes if the record can’t be written', async () => {
    watchBlobs()
    const { objects } = ports
    const full = new DOMException('full', 'QuotaExceededError')
    const url = await uploadUrl()
    let written = ''
    const failing = reached({
      ...ports,
      objects: {
        ...objects,
        async put(...request) {
          const blob = await objects.put(...request)
          written = blob.blobId
          return blob
        },
      },
      records: { ...ports.records, write: () => Promise.reject(full) },
    })
    const request = new Request(url, { method: 'PUT', headers: { 'Content-Type': 'text/csv' }, body: 'x' })
    expect(await code(await failing(request))).toBe('503 SERVICE_UNAVAILABLE')
    expect(await objects.get(written)).toBeUndefined()
  })

  test('an unexpected error is logged without the URL, and isn’t in the answer', async () => {
    const bug = new Error('SECRET')
    storage = reached({ ...ports, objects: { ...ports.objects, put: () => Promise.reject(bug) } })
    const response = await put('x')
    const text = await response.clone().text()
    expect(await code(response)).toBe('500 INTERNAL_ERROR')
    expect(text).not.toContain('SECRET')
    expect(ports.lines).toHaveLength(1)
    expect(ports.lines[0]).toMatch(/^req_[0-9A-Z]{26} PUT \/storage INTERNAL_ERROR$/)
  })
})

describe('the signature', () => {
  test('is the only credential', async () => {
    for (const url of [`${BASE}/storage/x`, `${BASE}/storage/${record.path}`, `${await uploadUrl()}0`]) {
      for (const method of ['PUT', 'GET', 'HEAD', 'DELETE', 'POST']) {
        const response = await storage(new Request(url, { method }))
        expect(response.status).toBe(403)
        if (method !== 'HEAD') expect(await code(response)).toBe('403 FORBIDDEN')
      }
    }
  })

  test('is valid for one method', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'PATCH']) {
      expect(await code(await storage(new Request(await uploadUrl(), { method })))).toBe('403 FORBIDDEN')
    }
    const request = new Request(await downloadUrl(), {
      method: 'PUT',
      body: 'x',
      headers: { 'Content-Type': 'text/csv' },
    })
    expect(await code(await storage(request))).toBe('403 FORBIDDEN')
  })

  test('expires', async () => {
    const url = await uploadUrl()
    const headers = { 'Content-Type': 'text/csv' }
    ports.clock.advance(900_000 - 1)
    expect((await storage(new Request(url, { method: 'PUT', headers, body: 'x' }))).status).toBe(200)
    ports.clock.advance(1)
    expect(await code(await storage(new Request(url, { method: 'PUT', headers, body: 'y' })))).toBe('403 FORBIDDEN')
    const download = await downloadUrl()
    ports.clock.advance(3_600_000)
    expect(await code(await storage(new Request(download)))).toBe('403 FORBIDDEN')
  })

  test('isn’t needed for OPTIONS', async () => {
    const response = await storage(new Request(`${BASE}/storage/x`, { method: 'OPTIONS' }))
    expect([response.status, response.headers.get('Allow')]).toEqual([204, 'PUT, GET, HEAD, OPTIONS'])
  })
})

describe('GET', () => {
  beforeEach(async () => {
    await put('0123456789')
  })

  test('returns the file with its name and type, and headers against running or caching it', async () => {
    const response = await get()
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="sales.csv"',
      'content-length': '10',
      'content-security-policy': "sandbox; default-src 'none'",
      'content-type': 'text/csv',
      'x-content-type-options': 'nosniff',
    })
    expect(await response.text()).toBe('0123456789')
  })

  test('HEAD returns the same headers without the bytes, whatever the range', async () => {
    const whole = await get()
    const head = await get({ Range: 'bytes=1-2' }, 'HEAD')
    expect(head.status).toBe(200)
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(whole.headers))
    expect(await head.text()).toBe('')
  })

  test.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=0-99', '0123456789', 'bytes 0-9/10'],
  ])('%s', async (range, text, contentRange) => {
    const response = await get({ Range: range })
    expect(response.status).toBe(206)
    expect(response.headers.get('Content-Range')).toBe(contentRange)
    expect(response.headers.get('Content-Length')).toBe(String(text.length))
    expect(await response.text()).toBe(text)
  })

  test('a range after the end is a 416', async () => {
    const response = await get({ Range: 'bytes=10-' })
    expect([response.status, response.headers.get('Content-Range')]).toEqual([416, 'bytes */10'])
  })

  test('If-Range with another version returns the whole file', async () => {
    const etag = (await get()).headers.get('ETag') ?? ''
    expect((await get({ Range: 'bytes=0-1', 'If-Range': etag })).status).toBe(206)
    await put('abcdefghij')
    const response = await get({ Range: 'bytes=0-1', 'If-Range': etag })
    expect([response.status, await response.text()]).toEqual([200, 'abcdefghij'])
  })

  test('names can’t inject headers', async () => {
    await keep({ ...(await kept())!, filename: 'a"\r\nSet-Cookie: x=1; .csv' })
    const response = await get()
    expect(response.headers.get('Set-Cookie')).toBeNull()
    expect(response.headers.get('Content-Disposition')).toContain('filename="a___Set-Cookie: x=1; .csv"')
  })

  test('is a 404 if nothing was uploaded', async () => {
    const { blobId } = (await kept())!
    await ports.objects.remove(blobId!)
    expect(await code(await get())).toBe('404 NOT_FOUND')
    await keep(record)
    expect(await code(await get())).toBe('404 NOT_FOUND')
    await ports.records.write(['objects'], (transaction) => transaction.remove('objects', ID))
    expect(await code(await get())).toBe('404 NOT_FOUND')
  })
})
