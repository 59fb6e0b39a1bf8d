import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { TooLargeError, UnavailableError } from '../../service/ports.ts'
import { startS3, type TestS3 } from '../testing/s3.ts'
import { ANSWER_MS, Bucket, type BucketOptions } from './bucket.ts'
import { FileCache } from './cache.ts'
import { createObjects, type ServerObjects } from './objects.ts'
import { bucketStore } from './s3.ts'

/* What can only happen to a store on the network: it fails, is slow, or loses a response. */

const MB = 2 ** 20
const many = { maxBytes: 1_000 * MB }
let store: TestS3
let folder: string
const buckets: Bucket[] = []
/** Failed operations, as they would be logged. */
const failures: string[] = []

beforeAll(async () => {
  store = await startS3()
})
afterAll(() => store.close())
beforeEach(async () => {
  store.empty()
  failures.length = 0
  folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-s3-'))
})
afterEach(async () => {
  vi.useRealTimers()
  for (const bucket of buckets.splice(0)) bucket.close()
  await rm(folder, { recursive: true, force: true })
})

function open(options: BucketOptions = {}, settings = store.settings): Bucket {
  const bucket = new Bucket(settings, { onFailure: (operation) => failures.push(operation), ...options })
  buckets.push(bucket)
  return bucket
}

async function create(options: BucketOptions = {}, cacheBytes = 100 * MB): Promise<ServerObjects> {
  return createObjects(bucketStore(open(options), await FileCache.open(path.join(folder, 'cache'), cacheBytes)))
}

/** @param end an error to end the body with */
function bodyOf(bytes: number, end?: Error): ReadableStream<Uint8Array> {
  let left = bytes
  return new ReadableStream(
    {
      pull(controller) {
        if (left > 0) {
          const size = Math.min(left, 65_536)
          left -= size
          controller.enqueue(new Uint8Array(size).fill(left & 255))
        } else if (end) controller.error(end)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Timers that advance only while this process runs, so that nothing times out because the machine is slow. */
const ownTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })

const asked = (operation: string): number => store.asked.filter((request) => request.operation === operation).length
/** Expects no objects and no unfinished uploads. */
const expectNothing = (): void => expect([store.keys(), store.unfinished()]).toEqual([[], 0])

describe('an upload', () => {
  test('of one part needs one request; of several parts, one per part and two more', async () => {
    const objects = await create()
    await objects.put(bodyOf(5 * MB), many)
    expect(store.asked.map(({ operation }) => operation)).toEqual(['PutObject'])
    store.empty()
    await objects.put(bodyOf(15 * MB + 1), many)
    expect(store.asked.map(({ operation }) => operation)).toEqual([
      'CreateMultipartUpload',
      ...Array.from({ length: 4 }, () => 'UploadPart'),
      'CompleteMultipartUpload',
    ])
    expect(store.unfinished()).toBe(0)
  })

  test('is read no faster than the store accepts it', async () => {
    ownTime()
    const objects = await create({ attempts: 1 })
    const stop = new AbortController()
    let read = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
      },
      { highWaterMark: 0 },
    )
    const silent = new Promise<void>((resolve) => {
      store.fault = ({ operation }) => {
        if (operation !== 'UploadPart') return null
        resolve()
        return 'silence'
      }
    })
    const putting = objects.put(body, { ...many, signal: stop.signal })
    await silent
    // Gives it every chance to continue reading.
    for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve))
    expect(read).toBeLessThanOrEqual(11 * MB)
    stop.abort(new Error('enough'))
    await expect(putting).rejects.toThrow('enough')
    expectNothing()
  })

  test.each([
    ['is too large', bodyOf(21 * MB), 20 * MB, TooLargeError],
    ['breaks off', bodyOf(12 * MB, new TypeError('cut')), 20 * MB, TypeError],
  ])('of several parts that %s leaves nothing behind', async (_, body, maxBytes, error) => {
    const objects = await create()
    await expect(objects.put(body, { maxBytes })).rejects.toBeInstanceOf(error)
    expect(asked('UploadPart')).toBeGreaterThan(0)
    expect(asked('CompleteMultipartUpload')).toBe(0)
    expectNothing()
    expect(failures).toEqual([])
  })

  test.each(['PutObject', 'CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'])(
    'succeeds if the store fails to answer %s once',
    async (failing) => {
      for (const fault of [
        { status: 500, code: 'InternalError' },
        { status: 503, code: 'SlowDown' },
        // The store may have sent the status before it failed.
        ...(failing === 'CompleteMultipartUpload' ? [{ status: 200, code: 'InternalError' }] : []),
        'cut',
        'cut after',
      ] as const) {
        store.empty()
        let failed = false
        store.fault = ({ operation }) => {
          if (operation !== failing || failed) return null
          failed = true
          return fault
        }
        const size = failing === 'PutObject' ? 1_000 : 12 * MB
        const objects = await create()
        const { blobId } = await objects.put(bodyOf(size), many)
        expect(failed).toBe(true)
        store.fault = () => null
        expect((await (await objects.get(blobId))?.arrayBuffer())?.byteLength).toBe(size)
      }
    },
  )

  test.each(['PutObject', 'CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload'])(
    'fails if the store never answers %s, and leaves nothing behind',
    async (failing) => {
      for (const fault of [{ status: 500, code: 'InternalError' }, 'cut', 'cut after', 'silence'] as const) {
        store.empty()
        store.fault = ({ operation }) => {
          if (operation !== failing) return null
          if (fault === 'silence') setImmediate(() => vi.advanceTimersByTime(ANSWER_MS))
          return fault
        }
        ownTime()
        const objects = await create({ attempts: 2 })
        const size = failing === 'PutObject' ? 1_000 : 12 * MB
        const putting = objects.put(bodyOf(size), many)
        await expect(putting).rejects.toBeInstanceOf(UnavailableError)
        expect(failures).toContain(failing)
        // The response with the upload's id is lost, so only a sweep can find the upload.
        if (failing === 'CreateMultipartUpload' && fault === 'cut after') {
          store.age(2 * 3_600_000)
          store.fault = () => null
          await objects.sweep(() => Promise.resolve(new Set()))
        }
        expectNothing()
      }
    },
  )

  test.each([
    ['PutObject', 'bit'],
    ['UploadPart', 'bit'],
    ['CompleteMultipartUpload', { status: 400, code: 'InvalidPart' }],
    ['UploadPart', { status: 404, code: 'NoSuchUpload' }],
  ] as const)('fails if the store refuses %s (%j), and leaves nothing', async (failing, fault) => {
    const objects = await create()
    store.fault = ({ operation }) => (operation === failing ? fault : null)
    const size = failing === 'PutObject' ? 1_000 : 12 * MB
    await expect(objects.put(bodyOf(size), many)).rejects.toBeInstanceOf(UnavailableError)
    expect(failures).toContain(failing)
    expectNothing()
  })

  test('to a full store fails like one to a full disk', async () => {
    for (const [status, code] of [
      [507, 'XMinioStorageFull'],
      [403, 'QuotaExceeded'],
    ] as const) {
      store.fault = ({ operation }) => (operation === 'PutObject' ? { status, code } : null)
      const objects = await create({ attempts: 1 })
      await expect(objects.put(bodyOf(5), many)).rejects.toMatchObject({ name: 'QuotaExceededError' })
    }
    expectNothing()
  })

  test('to a store that doesn’t answer can be cancelled', async () => {
    for (const failing of ['PutObject', 'UploadPart', 'CompleteMultipartUpload']) {
      store.empty()
      const stop = new AbortController()
      store.fault = ({ operation }) => {
        if (operation !== failing) return null
        stop.abort(new Error('gone'))
        return 'silence'
      }
      const objects = await create()
      const size = failing === 'PutObject' ? 1_000 : 12 * MB
      await expect(objects.put(bodyOf(size), { ...many, signal: stop.signal })).rejects.toThrow('gone')
      expectNothing()
    }
  })
})

describe('reading', () => {
  test('requests only the bytes that are needed', async () => {
    const objects = await create()
    const { blobId } = await objects.put(bodyOf(12 * MB), many)
    const blob = await objects.get(blobId)
    expect(asked('GetObject')).toBe(0)
    expect((await blob?.slice(5, 9).arrayBuffer())?.byteLength).toBe(4)
    expect(await blob?.slice(5, 5).text()).toBe('')
    expect(asked('GetObject')).toBe(1)
  })

  test('an object that breaks off or is gone fails, rather than giving fewer bytes', async () => {
    const objects = await create({ attempts: 1 })
    const { blobId } = await objects.put(bodyOf(MB), many)
    const blob = await objects.get(blobId)
    store.fault = ({ operation }) => (operation === 'GetObject' ? 'half' : null)
    await expect(blob?.arrayBuffer()).rejects.toBeInstanceOf(UnavailableError)
    const { signal } = new AbortController()
    const used = async () => objects.withFile(blob as Blob, (place) => readFile(place), signal)
    await expect(used()).rejects.toBeInstanceOf(UnavailableError)
    expect(await readdir(path.join(folder, 'cache'))).toEqual([])
    await (await create()).remove(blobId)
    store.fault = () => null
    await expect(blob?.text()).rejects.toBeInstanceOf(UnavailableError)
    await expect(used()).rejects.toBeInstanceOf(UnavailableError)
    expect(await objects.get(blobId)).toBeUndefined()
  })

  test.each(['whole', 'less'] as const)('a range fails if the store sends other bytes (%s)', async (fault) => {
    const objects = await create({ attempts: 1 })
    const { blobId } = await objects.put(new Blob(['0123456789']).stream(), many)
    const part = (await objects.get(blobId))?.slice(2, 6)
    store.fault = ({ operation }) => (operation === 'GetObject' ? fault : null)
    await expect(part?.text()).rejects.toBeInstanceOf(UnavailableError)
    expect(failures).toEqual(['GetObject'])
    store.fault = () => null
    expect(await part?.text()).toBe('2345')
  })

  test('can be cancelled without logging a failure', async () => {
    const objects = await create()
    const { blobId } = await objects.put(bodyOf(12 * MB), many)
    const reader = (await objects.get(blobId))?.stream().getReader()
    expect((await reader?.read())?.done).toBe(false)
    await reader?.cancel(new Error('enough'))
    expect(failures).toEqual([])
  })

  test('a failing store isn’t mistaken for a missing object', async () => {
    const objects = await create({ attempts: 1 })
    const { blobId } = await objects.put(bodyOf(5), many)
    store.fault = () => ({ status: 503, code: 'SlowDown' })
    await expect(objects.get(blobId)).rejects.toBeInstanceOf(UnavailableError)
    await expect(objects.remove(blobId)).rejects.toBeInstanceOf(UnavailableError)
    await expect(objects.sweep(() => Promise.resolve(new Set()))).rejects.toBeInstanceOf(UnavailableError)
    store.fault = () => null
    expect(await (await objects.get(blobId))?.arrayBuffer()).toHaveProperty('byteLength', 5)
  })
})

describe('a signed URL of an object', () => {
  const link = {
    contentType: 'text/csv',
    contentDisposition: `attachment; filename="_.csv"; filename*=UTF-8''%C3%A9.csv`,
  }
  const HOUR = 3_600_000

  async function linked(expiresAt = Date.now() + HOUR): Promise<string | null> {
    const settings = { ...store.settings, publicEndpoint: store.settings.endpoint.replace('127.0.0.1', 'localhost') }
    const bucket = open({}, settings)
    const objects = createObjects(bucketStore(bucket, await FileCache.open(path.join(folder, 'cache'), MB)))
    const { blobId } = await objects.put(new Blob(['hello']).stream(), many)
    return objects.link(blobId, { ...link, expiresAt })
  }

  test('returns its bytes with its media type and name', async () => {
    const address = (await linked()) ?? ''
    expect(new URL(address).hostname).toBe('localhost')
    const answer = await fetch(address)
    expect([answer.status, await answer.text()]).toEqual([200, 'hello'])
    expect(answer.headers.get('Content-Type')).toBe(link.contentType)
    expect(answer.headers.get('Content-Disposition')).toBe(link.contentDisposition)
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
    const part = await fetch(address, { headers: { Range: 'bytes=1-2' } })
    expect([part.status, await part.text()]).toEqual([206, 'el'])
  })

  test('expires when it should, and permits nothing else', async () => {
    const address = (await linked()) ?? ''
    expect((await fetch(address.replace('text%2Fcsv', 'text%2Fhtml'))).status).toBe(403)
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(403)
    store.ahead = HOUR - 60_000
    expect((await fetch(address)).status).toBe(200)
    store.ahead = HOUR + 1_000
    expect((await fetch(address)).status).toBe(403)
  })

  test('isn’t created if nobody could use it', async () => {
    expect(await linked(Date.now() + 500)).toBeNull()
    const objects = await create()
    const { blobId } = await objects.put(bodyOf(5), many)
    expect(await objects.link(blobId, { ...link, expiresAt: Date.now() + HOUR })).toBeNull()
  })
})

test('a sweep removes old unfinished uploads and unnamed objects from all pages, but nothing recent', async () => {
  const dead = await create({ attempts: 1 })
  store.fault = ({ operation }) => (/UploadPart|AbortMultipartUpload/.test(operation) ? 'cut' : null)
  for (let i = 0; i < 7; i++) await expect(dead.put(bodyOf(6 * MB), many)).rejects.toBeInstanceOf(UnavailableError)
  store.fault = () => null
  const old = await Promise.all(Array.from({ length: 7 }, () => dead.put(bodyOf(3), many)))
  const left = store.unfinished()
  expect(left).toBeGreaterThan(0)
  const objects = await create()
  await objects.sweep(() => Promise.resolve(new Set()))
  expect([store.unfinished(), store.keys().length]).toEqual([left, 7])
  store.age(2 * 3_600_000)
  const [first] = old
  await objects.sweep(() => Promise.resolve(new Set([first.blobId])))
  expect([store.unfinished(), store.keys()]).toEqual([0, [`objects/${first.blobId}`]])
})

describe('at the start', () => {
  test('a store that supports what is needed is accepted, and nothing is left in it', async () => {
    await open().check()
    expectNothing()
  })

  test.each([
    ['a bucket that isn’t there', { bucket: 'none-of-this-name' }, '$S3_BUCKET'],
    ['an unknown key', { credentials: { accessKeyId: 'NOBODY', secretAccessKey: 'x' } }, '$S3_ACCESS_KEY_ID'],
    ['a wrong secret', { credentials: { accessKeyId: 'TESTKEY', secretAccessKey: 'x' } }, '$S3_SECRET_ACCESS_KEY'],
    ['another region', { region: 'us-east-1' }, '$S3_REGION'],
    ['nobody who listens', { endpoint: 'http://127.0.0.1:1' }, 'can’t be reached ($S3_ENDPOINT): ECONNREFUSED'],
  ])('%s is reported with the setting to change', async (_, wrong, message) => {
    await expect(open({ attempts: 1 }, { ...store.settings, ...wrong }).check()).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining(message) as string,
    })
  })

  test('what isn’t a store at all is reported', async () => {
    const site = createServer((_, response) => response.writeHead(404).end('<!doctype html><p>Nothing here'))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    try {
      const opened = open({ attempts: 1 }, { ...store.settings, endpoint })
      await expect(opened.check()).rejects.toThrow('It answered with 404: is it an S3-compatible store ($S3_ENDPOINT)?')
    } finally {
      site.close()
    }
  })

  test.each([
    ['PutObject', { status: 403, code: 'AccessDenied' }, 's3:PutObject'],
    ['ListMultipartUploads', { status: 501, code: 'NotImplemented' }, 'lacks what is needed'],
    ['ListObjectsV2', { status: 418, code: 'Teapot' }, '418 Teapot'],
  ] as const)('a store that refuses %s is reported', async (failing, fault, message) => {
    store.fault = ({ operation }) => (operation === failing ? fault : null)
    await expect(open({ attempts: 1 }).check()).rejects.toThrow(message)
  })
})

describe('copies on the disk', () => {
  const { signal } = new AbortController()
  const lend = (objects: ServerObjects, blob: Blob | undefined) =>
    objects.withFile(blob as Blob, async (place) => (await readFile(place)).byteLength, signal)

  test('are fetched once for all who need them, and reused by the next server', async () => {
    const objects = await create()
    const { blobId } = await objects.put(bodyOf(MB), many)
    const blob = await objects.get(blobId)
    expect(await Promise.all([1, 2, 3].map(() => lend(objects, blob)))).toEqual([MB, MB, MB])
    await writeFile(path.join(folder, 'cache', 'half.part'), 'x')
    const next = await create()
    expect(await lend(next, await next.get(blobId))).toBe(MB)
    expect(asked('GetObject')).toBe(1)
    expect(await readdir(path.join(folder, 'cache'))).toEqual([blobId])
  })
})
