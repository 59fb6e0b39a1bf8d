import { describe, expect, test } from 'vitest'
import { formatInfo } from '../../../contract/formats.ts'
import { SERVICE_FORMATS } from '../../../contract/limits.ts'
import { TablesError, type TablesErrorCode } from '../../ports.ts'
import { withFault } from '../../testing/faults.ts'
import { bench, benchOf, BASE, CSV, issuesOf, requestOf, serviceOver, type Bench } from '../../testing/service.ts'
import { createTestTables } from '../../testing/tables.ts'

interface Urls {
  readonly source: { readonly upload_url: string; readonly file_path: string; readonly content_type: string }
  readonly destination: { readonly download_url: string; readonly file_path: string; readonly content_type: string }
}

interface Converted {
  readonly download_url: string
  readonly file_path: string
  readonly expires_at: string
}

const urls = async (b: Bench, to = 'json', more: object = {}): Promise<Urls> =>
  (await b.call('conversionUrls', { body: { source_format: 'csv', destination_format: to, ...more } }))
    .data as unknown as Urls

const run = (b: Bench, { source }: Urls, to = 'json', more: object = {}) =>
  b.call('convert', {
    body: { source_url: source.file_path, source_format: 'csv', destination_format: to, ...more },
  })

const get = (b: Bench, url: string) => b.storage(new Request(url))

/** The URLs for a conversion whose source has been uploaded. */
async function ready(b: Bench, to = 'json', more: object = {}): Promise<Urls> {
  const made = await urls(b, to, more)
  expect((await b.put(made.source.upload_url, CSV)).status).toBe(200)
  return made
}

const ROWS = [
  { id: 1, name: 'Ann' },
  { id: 2, name: 'Bob' },
]

const NO_SPACE = 'There is no space left. Delete datasets that are no longer needed, then try again.'

describe('upload URLs for a conversion', () => {
  test('come with the paths and types of source and result', async () => {
    const b = await bench()
    const { source, destination } = await urls(b, 'parquet', { filename: 'Report' })
    expect(source.file_path).toMatch(/^2026-11-21\/[0-9A-Z]{26}\/source\.csv$/)
    expect(destination.file_path).toMatch(/^2026-11-21\/[0-9A-Z]{26}\/Report\.parquet$/)
    expect([source.content_type, destination.content_type]).toEqual(['text/csv', 'application/vnd.apache.parquet'])
    expect(source.upload_url.startsWith(`${BASE}/storage/${source.file_path}?`)).toBe(true)
    expect(destination.download_url.startsWith(`${BASE}/storage/${destination.file_path}?`)).toBe(true)
  })

  test.each([
    [undefined, 'json', 'converted.json'],
    ['report', 'json', 'report.json'],
    ['report.json', 'json', 'report.json'],
    ['Report.JSON', 'json', 'Report.json'],
    ['report.csv', 'json', 'report.csv.json'],
    ['report.v2', 'xlsx', 'report.v2.xlsx'],
    ['report.xlsx', 'excel', 'report.xlsx'],
    ['.json', 'json', '.json.json'],
    ['..', 'json', '...json'],
    ['%2e%2e%2f', 'json', '%2e%2e%2f.json'],
    ['a?b#c&d=e', 'json', 'a?b#c&d=e.json'],
    ['Größe 🦆 "x"', 'json', 'Größe 🦆 "x".json'],
    ['half \ud83e', 'json', 'half \ufffd.json'],
  ])('with the file name %j to %s', async (filename, to, last) => {
    const b = await bench()
    const made = await ready(b, to, filename === undefined ? {} : { filename })
    expect(made.destination.file_path.split('/').slice(2).join('/')).toBe(last)
    expect((await run(b, made, to)).status).toBe(200)
    const response = await get(b, made.destination.download_url)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Disposition')).toContain('attachment')
  })

  test('are valid for 60 minutes for the result, and for 15 for the source', async () => {
    const b = await bench()
    const made = await ready(b)
    await run(b, made)
    b.ports.clock.advance(15 * 60_000)
    expect((await b.put(made.source.upload_url, CSV)).status).toBe(403)
    b.ports.clock.advance(45 * 60_000 - 1)
    expect((await get(b, made.destination.download_url)).status).toBe(200)
    b.ports.clock.advance(1)
    expect((await get(b, made.destination.download_url)).status).toBe(403)
  })
})

describe('a conversion', () => {
  test('can be downloaded from the URL issued before, and from the one in the answer', async () => {
    const b = await bench()
    const made = await ready(b)
    expect((await get(b, made.destination.download_url)).status).toBe(404)
    const { status, data } = await run(b, made)
    const done = data as unknown as Converted
    expect(status).toBe(200)
    expect(done.file_path).toBe(made.destination.file_path)
    expect(Date.parse(done.expires_at) - b.ports.clock.now()).toBe(60 * 60_000)
    for (const url of [made.destination.download_url, done.download_url]) {
      const response = await get(b, url)
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json'])
      expect(await response.json()).toEqual(ROWS)
    }
  })

  test.each(SERVICE_FORMATS.flatMap((from) => SERVICE_FORMATS.map((to) => [from, to] as const)))(
    'from %s to %s',
    async (from, to) => {
      const b = await bench()
      const first = await ready(b, from)
      await run(b, first, from)
      const source = new Uint8Array(await (await get(b, first.destination.download_url)).arrayBuffer())
      const formats = { source_format: from, destination_format: to }
      const made = (await b.call('conversionUrls', { body: formats })).data as unknown as Urls
      await b.put(made.source.upload_url, source, formatInfo(from).mimeType)
      const { status } = await b.call('convert', { body: { ...formats, source_url: made.source.file_path } })
      expect(status).toBe(200)
      expect((await get(b, made.destination.download_url)).status).toBe(200)
    },
  )

  test('to another name is stored under both, to another format only under that', async () => {
    const b = await bench()
    const made = await ready(b)
    const named = (await run(b, made, 'json', { filename: 'people' })).data as unknown as Converted
    expect(named.file_path).toMatch(/\/people\.json$/)
    expect(await (await get(b, named.download_url)).json()).toEqual(ROWS)
    expect(await (await get(b, made.destination.download_url)).json()).toEqual(ROWS)

    const other = await ready(b)
    const tsv = (await run(b, other, 'tsv')).data as unknown as Converted
    expect(tsv.file_path).toMatch(/\/converted\.tsv$/)
    expect(await (await get(b, tsv.download_url)).text()).toBe('id\tname\n1\tAnn\n2\tBob\n')
    expect((await get(b, other.destination.download_url)).status).toBe(404)
  })

  test('can be repeated without leaving bytes behind', async () => {
    const b = await bench()
    const made = await ready(b)
    const removed: string[] = []
    const { objects } = b.ports
    const again = serviceOver({
      ...b.ports,
      objects: {
        put: (body, options) => objects.put(body, options),
        get: (blobId) => objects.get(blobId),
        sweep: (keep) => objects.sweep(keep),
        remove: (blobId) => {
          removed.push(blobId)
          return objects.remove(blobId)
        },
      },
    })
    for (let i = 0; i < 2; i++) {
      const body = { source_url: made.source.file_path, source_format: 'csv', destination_format: 'json' }
      expect((await again.fetch(requestOf('convert', b.key, { body }))).status).toBe(200)
    }
    expect(removed).toHaveLength(1)
    expect(await (await get(b, made.destination.download_url)).json()).toEqual(ROWS)
  })

  test('prevents replacing the source, unless the conversion failed', async () => {
    const b = await bench()
    const made = await urls(b)
    await b.put(made.source.upload_url, 'id\n1\n')
    await b.put(made.source.upload_url, CSV)
    expect((await run(b, made)).status).toBe(200)
    expect((await b.put(made.source.upload_url, CSV)).status).toBe(409)

    const bad = (await b.call('conversionUrls', { body: { source_format: 'json', destination_format: 'csv' } }))
      .data as unknown as Urls
    await b.put(bad.source.upload_url, '{"a', 'application/json')
    const formats = { source_format: 'json', destination_format: 'csv' }
    const failed = await b.call('convert', { body: { source_url: bad.source.file_path, ...formats } })
    expect([failed.status, failed.error?.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(failed.error?.message).toMatch(/^(?:row|line) 1, column \d/)
    expect((await b.put(bad.source.upload_url, '[{"a": 1}]', 'application/json')).status).toBe(200)
    expect((await b.call('convert', { body: { source_url: bad.source.file_path, ...formats } })).status).toBe(200)
  })

  test('must have the format that the upload URL is for', async () => {
    const b = await bench()
    const made = await ready(b)
    const answer = await b.call('convert', {
      body: { source_url: made.source.file_path, source_format: 'tsv', destination_format: 'json' },
    })
    expect(issuesOf(answer)).toEqual(['source_format: must be "csv", as its upload URL is for'])
  })

  test('without an upload is a 404', async () => {
    const b = await bench()
    expect((await run(b, await urls(b))).status).toBe(404)
  })

  test('accepts only a path that was issued to the same workspace', async () => {
    const b = await bench()
    const other = await benchOf(b, 'Other')
    const { source, destination } = await ready(b)
    const theirs = await ready(other)
    const upload = new URL(await b.uploaded()).pathname.replace('/storage/', '')
    const id = source.file_path.split('/')[1] ?? ''
    for (const path of [
      theirs.source.file_path,
      destination.file_path,
      upload,
      `/${source.file_path}`,
      `./${source.file_path}`,
      `${source.file_path}/`,
      source.file_path.replace('source', 'SOURCE'),
      source.file_path.replace('source.csv', '../source.csv'),
      source.file_path.replace('/', '%2F'),
      encodeURIComponent(source.file_path),
      source.file_path.replace('2026-11-21', '2026-11-20'),
      `2026-11-21/../2026-11-21/${id}/source.csv`,
      `${source.file_path}\u0000`,
      `${source.file_path}\n`,
      source.upload_url,
      '../../etc/passwd',
      '..%2f..%2fetc%2fpasswd',
      'file:///etc/passwd',
      'https://example.org/a.csv',
      '__proto__',
      '2026-11-21/__proto__/source.csv',
    ]) {
      const body = { source_url: path, source_format: 'csv', destination_format: 'json' }
      expect((await b.call('convert', { body })).status, path).toBe(404)
      b.ports.clock.advance(10_000)
    }
  })

  test('gets a new object for the result if the issued one has been removed', async () => {
    const b = await bench()
    const made = await ready(b)
    await b.ports.records.write(['objects'], (transaction) =>
      transaction.remove('objects', made.destination.file_path.split('/')[1] ?? ''),
    )
    const { data } = await run(b, made)
    expect(await (await get(b, (data as unknown as Converted).download_url)).json()).toEqual(ROWS)
  })

  test.each([
    ['unreadable', 400, 'INVALID_REQUEST', 'row 3: What happened.', { kind: 'unreadable', place: 'row 3' }],
    ['out-of-memory', 400, 'INVALID_REQUEST', 'row 3: What happened.', { kind: 'out_of_memory', place: 'row 3' }],
    ['out-of-space', 503, 'SERVICE_UNAVAILABLE', NO_SPACE, { reason: 'out_of_space' }],
    ['unavailable', 503, 'SERVICE_UNAVAILABLE', 'row 3: What happened.', { kind: 'unavailable', place: 'row 3' }],
  ] as const)('that fails with %s is a %i', async (code: TablesErrorCode, status, expected, message, details) => {
    const convert = () => Promise.reject(new TablesError(code, 'What happened.', { place: 'row 3' }))
    const b = await bench({ tables: { ...createTestTables(), convert } })
    const answer = await run(b, await ready(b))
    expect([answer.status, answer.error?.code]).toEqual([status, expected])
    expect(answer.error).toMatchObject({ message, details })
  })

  test('that fails at any point can be repeated, and leaves no bytes behind', async () => {
    for (const fault of ['before', 'after', 'from'] as const) {
      const b = await bench()
      for (let at = 1; ; at++) {
        b.ports.clock.advance(60_000)
        const made = await ready(b)
        const { ports, calls } = withFault(b.ports, at, fault)
        const body = { source_url: made.source.file_path, source_format: 'csv', destination_format: 'json' }
        const { status } = await serviceOver(ports).fetch(requestOf('convert', b.key, { body }))
        const result = await get(b, made.destination.download_url)
        if (status === 200) expect(result.status).toBe(200)
        if (result.status === 200) expect(await result.json()).toEqual(ROWS)
        else expect(result.status).toBe(404)
        b.ports.clock.advance(60_000)
        expect((await run(b, made)).status).toBe(200)
        if (calls() < at) break
        expect(at).toBeLessThan(30)
      }
    }
  })
})

describe('camelCase', () => {
  test('in a request is answered in both spellings', async () => {
    const b = await bench()
    const { data } = await b.call('conversionUrls', { body: { sourceFormat: 'csv', destinationFormat: 'JSON' } })
    const { source, destination } = data as Record<'source' | 'destination', Record<string, string>>
    expect(source).toMatchObject({
      uploadUrl: source['upload_url'],
      filePath: source['file_path'],
      contentType: source['content_type'],
    })
    expect(destination['downloadUrl']).toBe(destination['download_url'])
    await b.put(source['uploadUrl'] ?? '', CSV)
    const body = { sourceUrl: source['filePath'], source_format: 'csv', destinationFormat: 'json', filename: 'x' }
    const done = (await b.call('convert', { body })).data
    expect(done).toMatchObject({
      downloadUrl: done['download_url'],
      filePath: done['file_path'],
      expiresAt: done['expires_at'],
    })
  })

  test('isn’t in the answer to a request without it', async () => {
    const b = await bench()
    const { source } = await urls(b)
    expect(Object.keys(source).sort()).toEqual(['content_type', 'file_path', 'upload_url'])
  })

  test('that differs from the snake_case field is refused', async () => {
    const b = await bench()
    const body = { source_format: 'csv', sourceFormat: 'tsv', destination_format: 'json' }
    const answer = await b.call('conversionUrls', { body })
    expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_REQUEST'])
    const same = { ...body, sourceFormat: 'csv' }
    expect((await b.call('conversionUrls', { body: same })).status).toBe(200)
  })
})

test('all five formats are read and written, under both prefixes', async () => {
  const b = await bench()
  for (const prefix of ['/public/v1', '/api/public/v1'] as const) {
    const { data } = await b.call('formats', { prefix })
    const formats = data['formats'] as { format: string; can_read: boolean; can_write: boolean }[]
    expect(formats.map(({ format }) => format)).toEqual([...SERVICE_FORMATS])
    expect(formats.every(({ can_read, can_write }) => can_read && can_write)).toBe(true)
    expect(formats).toContainEqual({
      format: 'csv',
      display_name: 'CSV',
      mime_type: 'text/csv',
      can_read: true,
      can_write: true,
    })
  }
})
