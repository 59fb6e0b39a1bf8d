import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BucketSettings } from '../settings.ts'
import { refusedSignature } from './s3-signature.ts'

/*
 * An in-memory store with the part of S3's API that the server uses, as strict as Amazon documents it: it checks
 * signatures, checksums, and the sizes and order of parts. Objects appear completely or not at all. Lists have short
 * pages.
 */

/**
 * A fault during a request: an error response; no response; a connection that ends before or after the request was
 * carried out; a response that ends halfway; a bit that is flipped on the way; more or less than the requested range.
 */
type Fault =
  | { readonly status: number; readonly code: string }
  | 'silence'
  | 'cut'
  | 'cut after'
  | 'half'
  | 'bit'
  | 'whole'
  | 'less'

interface S3Request {
  /** S3's name: `PutObject`, `UploadPart`, ... */
  readonly operation: string
  readonly key: string
}

export interface TestS3 {
  readonly settings: BucketSettings & { readonly endpoint: string; readonly credentials: object }
  /** The settings as a server's environment variables. */
  readonly env: Readonly<Record<string, string>>
  /** The keys of all objects. */
  keys(): string[]
  /** The bytes in parts of unfinished uploads. */
  unfinished(): number
  /** All requests in order. */
  readonly asked: S3Request[]
  /** Called before each request; returns the fault that it's to have. */
  fault: (request: S3Request) => Fault | null
  /** Milliseconds by which the store's clock is ahead when it decides what has expired. */
  ahead: number
  /** Makes everything older whose key contains `part`. */
  age(milliseconds: number, part?: string): void
  /** Forgets everything. */
  empty(): void
  close(): Promise<void>
}

interface Stored {
  readonly bytes: Buffer
  readonly etag: string
  at: number
}

interface Upload {
  readonly key: string
  readonly parts: Map<number, Stored>
  at: number
}

const BUCKET = 'rowhouse-test'
const KEYS = { accessKeyId: 'TESTKEY', secretAccessKey: 'test/secret+key', region: 'eu-test-1' }
const LEAST_PART = 5 * 2 ** 20
/** The number of objects or uploads per page of a list. */
const PAGE = 3

export async function startS3(): Promise<TestS3> {
  const store = new Store()
  const http = createServer((incoming, outgoing) => {
    // If a client disconnects, only its request fails.
    void store.answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve)
  })
  const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const { region, ...credentials } = KEYS
  return Object.assign(store, {
    settings: { endpoint, publicEndpoint: null, bucket: BUCKET, region, credentials, pathStyle: true },
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: BUCKET,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    },
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  })
}

/** An error response. */
class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: string | Buffer
}

interface Parsed extends S3Request {
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

class Store {
  readonly asked: S3Request[] = []
  fault: TestS3['fault'] = () => null
  ahead = 0
  private readonly objects = new Map<string, Stored>()
  private readonly uploads = new Map<string, Upload>()

  keys(): string[] {
    return [...this.objects.keys()].sort()
  }

  unfinished(): number {
    const parts = [...this.uploads.values()].flatMap((upload) => [...upload.parts.values()])
    return parts.reduce((sum, { bytes }) => sum + bytes.byteLength, this.uploads.size)
  }

  age(milliseconds: number, part = ''): void {
    for (const [key, object] of this.objects) if (key.includes(part)) object.at -= milliseconds
    for (const upload of this.uploads.values()) if (upload.key.includes(part)) upload.at -= milliseconds
  }

  empty(): void {
    this.objects.clear()
    this.uploads.clear()
    this.asked.length = 0
    this.fault = () => null
    this.ahead = 0
  }

  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(incoming.url ?? '', 'http://store')
    const [, bucket = '', ...rest] = url.pathname.split('/')
    const key = rest.map(decodeURIComponent).join('/')
    const query = url.searchParams
    const operation = operationOf(incoming.method ?? '', key, query)
    this.asked.push({ operation, key })
    const fault = this.fault({ operation, key })
    if (fault === 'silence') return
    if (fault === 'cut') {
      outgoing.destroy()
      return
    }
    const answer = this.tried(() => {
      const wrong = refusedSignature(incoming, body, KEYS, Date.now() + this.ahead)
      if (wrong !== null) throw new Refusal(403, wrong)
      if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket')
      if (typeof fault === 'object' && fault) throw new Refusal(fault.status, fault.code)
      return this.done({
        operation,
        key,
        query,
        headers: fault === 'whole' ? { ...incoming.headers, range: undefined } : incoming.headers,
        body: fault === 'bit' ? turned(body) : body,
      })
    })
    if (fault === 'cut after') {
      outgoing.destroy()
      return
    }
    const { status = 200, headers = {}, body: sent = '' } = answer
    const bytes = Buffer.from(sent).subarray(fault === 'less' ? 1 : 0)
    outgoing.writeHead(status, { 'Content-Length': bytes.byteLength, ...headers })
    if (incoming.method === 'HEAD') outgoing.end()
    else if (fault !== 'half') outgoing.end(bytes)
    else outgoing.write(bytes.subarray(0, bytes.byteLength / 2), () => outgoing.destroy())
  }

  private tried(work: () => Answer): Answer {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: xml('Error', element('Code', error.code) + element('Message', 'No.')) }
    }
  }

  private done(request: Parsed): Answer {
    switch (request.operation) {
      case 'ListObjectsV2':
        return this.list(request)
      case 'ListMultipartUploads':
        return this.listUploads(request)
      case 'PutObject':
        return stored(this.objects, request.key, request)
      case 'HeadObject':
      case 'GetObject':
        return this.get(request)
      case 'DeleteObject':
        this.objects.delete(request.key)
        return { status: 204 }
      case 'CreateMultipartUpload': {
        const id = randomUUID()
        this.uploads.set(id, { key: request.key, parts: new Map(), at: Date.now() })
        return { body: xml('InitiateMultipartUploadResult', element('UploadId', id)) }
      }
      case 'UploadPart':
        return stored(this.upload(request).parts, Number(request.query.get('partNumber')), request)
      case 'CompleteMultipartUpload':
        return this.complete(request)
      case 'AbortMultipartUpload':
        this.upload(request)
        this.uploads.delete(request.query.get('uploadId') ?? '')
        return { status: 204 }
      default:
        throw new Refusal(501, 'NotImplemented')
    }
  }

  private upload({ key, query }: Parsed): Upload {
    const upload = this.uploads.get(query.get('uploadId') ?? '')
    if (upload?.key !== key) throw new Refusal(404, 'NoSuchUpload')
    return upload
  }

  private get({ key, query, headers }: Parsed): Answer {
    const object = this.objects.get(key)
    if (!object) throw new Refusal(404, 'NoSuchKey')
    const { bytes, etag, at } = object
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    const asked = ['Content-Type', 'Content-Disposition', 'Cache-Control'].flatMap((name) => {
      const value = query.get(`response-${name.toLowerCase()}`)
      return value === null ? [] : [[name, value] as const]
    })
    const common = { ETag: etag, 'Last-Modified': new Date(at).toUTCString(), ...Object.fromEntries(asked) }
    if (from === undefined) return { headers: { ...common, 'Content-Length': bytes.byteLength }, body: bytes }
    if (Number(from) >= bytes.byteLength) throw new Refusal(416, 'InvalidRange')
    return { status: 206, headers: common, body: bytes.subarray(Number(from), Number(to) + 1) }
  }

  private complete(request: Parsed): Answer {
    const upload = this.upload(request)
    const listed = [...request.body.toString().matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      etag: /<ETag>(.*?)</.exec(part)?.[1].replaceAll('&quot;', '"'),
    }))
    const parts = listed.map(({ number, etag }, i) => {
      if (i > 0 && number <= listed[i - 1].number) throw new Refusal(400, 'InvalidPartOrder')
      const part = upload.parts.get(number)
      if (part?.etag !== etag || !part) throw new Refusal(400, 'InvalidPart')
      if (i < listed.length - 1 && part.bytes.byteLength < LEAST_PART) throw new Refusal(400, 'EntityTooSmall')
      return part.bytes
    })
    if (parts.length === 0) throw new Refusal(400, 'MalformedXML')
    const bytes = Buffer.concat(parts)
    const etag = `"${md5(bytes, 'hex')}-${parts.length}"`
    this.objects.set(upload.key, { bytes, etag, at: Date.now() })
    this.uploads.delete(request.query.get('uploadId') ?? '')
    return { body: xml('CompleteMultipartUploadResult', element('ETag', etag)) }
  }

  private list({ query }: Parsed): Answer {
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString()
    const keys = this.keys().filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after)
    const page = keys.slice(0, Math.min(PAGE, Number(query.get('max-keys') ?? PAGE)))
    const more = keys.length > page.length
    const contents = page.map((key) => {
      const { bytes, at } = this.objects.get(key) ?? { bytes: Buffer.alloc(0), at: 0 }
      const fields = element('Key', key) + element('LastModified', new Date(at).toISOString())
      return `<Contents>${fields}${element('Size', bytes.byteLength)}</Contents>`
    })
    const next = more ? element('NextContinuationToken', Buffer.from(page.at(-1) ?? '').toString('base64')) : ''
    return { body: xml('ListBucketResult', element('IsTruncated', more) + next + contents.join('')) }
  }

  private listUploads({ query }: Parsed): Answer {
    const after = [query.get('key-marker') ?? '', query.get('upload-id-marker') ?? ''].join('\n')
    const all = [...this.uploads]
      .map(([id, { key, at }]) => ({ id, key, at, place: [key, id].join('\n') }))
      .filter(({ key, place }) => key.startsWith(query.get('prefix') ?? '') && place > after)
      .sort((a, b) => (a.place < b.place ? -1 : 1))
    const page = all.slice(0, Math.min(PAGE, Number(query.get('max-uploads') ?? PAGE)))
    const uploads = page.map(({ id, key, at }) => {
      const begun = element('Initiated', new Date(at).toISOString())
      return `<Upload>${element('Key', key)}${element('UploadId', id)}${begun}</Upload>`
    })
    const last = page.at(-1)
    const next = last ? element('NextKeyMarker', last.key) + element('NextUploadIdMarker', last.id) : ''
    const more = element('IsTruncated', all.length > page.length)
    return { body: xml('ListMultipartUploadsResult', more + next + uploads.join('')) }
  }
}

function operationOf(method: string, key: string, query: URLSearchParams): string {
  const of = query.has('uploads') ? 'uploads' : query.has('uploadId') ? 'upload' : key === '' ? 'bucket' : 'object'
  const operations: Readonly<Record<string, string>> = {
    'GET bucket': query.get('list-type') === '2' ? 'ListObjectsV2' : 'ListObjects',
    'GET uploads': 'ListMultipartUploads',
    'PUT object': 'PutObject',
    'HEAD object': 'HeadObject',
    'GET object': 'GetObject',
    'DELETE object': 'DeleteObject',
    'POST uploads': 'CreateMultipartUpload',
    'PUT upload': 'UploadPart',
    'POST upload': 'CompleteMultipartUpload',
    'DELETE upload': 'AbortMultipartUpload',
  }
  return operations[`${method} ${of}`] ?? `${method} ${of}`
}

function stored<K>(where: Map<K, Stored>, key: K, { body, headers }: Parsed): Answer {
  const sum = headers['content-md5']
  if (sum !== undefined && sum !== md5(body, 'base64')) throw new Refusal(400, 'BadDigest')
  const etag = `"${md5(body, 'hex')}"`
  where.set(key, { bytes: body, etag, at: Date.now() })
  return { headers: { ETag: etag } }
}

/** Flips a bit of the first byte. */
function turned(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  if (copy.length > 0) copy[0] ^= 1
  return copy
}

function md5(bytes: Buffer, encoding: 'hex' | 'base64'): string {
  return createHash('md5').update(bytes).digest(encoding)
}

function xml(root: string, inner: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</${root}>`
}

function element(name: string, value: string | number | boolean): string {
  const text = String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  return `<${name}>${text}</${name}>`
}
