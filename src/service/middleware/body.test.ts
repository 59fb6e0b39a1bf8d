import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Issue } from '../../contract/errors.ts'
import { MAX_SQL_BYTES, SERVICE_FORMATS } from '../../contract/limits.ts'
import { testApp, answerOf, BASE, type TestApp } from '../testing/app.ts'
import { IN_PROCESS } from '../testing/connect.ts'
import { MAX_BODY_BYTES } from './body.ts'

const QUERY = 'POST /public/v1/query'
const SQL = { sql: 'SELECT 1' }

describe('a body', () => {
  let app: TestApp
  let key: string
  beforeEach(async () => {
    app = testApp()
    key = await app.newKey()
  })
  const query = (body: BodyInit, type: string | null = 'application/json') =>
    app.send(QUERY, { key, body, headers: type === null ? {} : { 'Content-Type': type } })

  test.each<[string, BodyInit]>([
    ['no body', ''],
    ['text that isn’t JSON', 'sql=SELECT'],
    ['JSON that ends too early', '{"sql": "SELECT 1"'],
    ['JSON with something after it', '{"sql": "SELECT 1"} x'],
    ['JSON with a comment', '{"sql": "SELECT 1" /* one */}'],
    ['invalid UTF-8', new Uint8Array([...new TextEncoder().encode('{"sql": "'), 0xc3, 0x28, 0x22, 0x7d])],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeff{"sql": "SELECT 1"}', 'utf16le'))],
    ['an array', '[{"sql": "SELECT 1"}]'],
    ['null', 'null'],
    ['a string', '"SELECT 1"'],
    ['a number', '1'],
  ])('that is %s is refused', async (_, body) => {
    const { error } = await query(body)
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { issues: [{ path: '' }] } })
    expect(error?.message).toMatch(/^The body must be .+\.$/)
    expect(app.calls).toEqual([])
  })

  test('that isn’t JSON is refused with the place and reason', async () => {
    const { error } = await query('{"sql": "SELECT 1",\n}')
    const message = 'must be JSON, and isn’t at line 2, column 1: there is “}” instead of a key in double quotes'
    expect(error).toMatchObject({ message: `The body ${message}.`, details: { issues: [{ path: '', message }] } })
  })

  test.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['APPLICATION/JSON', 200],
    ['application/vnd.rowhouse+json', 200],
    ['text/plain;charset=UTF-8', 200],
    ['application/x-www-form-urlencoded', 400],
    ['multipart/form-data; boundary=x', 400],
    ['application/jsonp', 400],
    ['text/csv', 400],
    ['application/xml', 400],
    ['', 400],
  ])('sent as “%s” is answered with %i', async (type, status) => {
    expect((await query(JSON.stringify(SQL), type)).status).toBe(status)
  })

  test('without a content type is read as JSON', async () => {
    expect((await query(new TextEncoder().encode(JSON.stringify(SQL)), null)).status).toBe(200)
  })

  test('with a byte order mark is read', async () => {
    expect((await query(`\ufeff${JSON.stringify(SQL)}`)).status).toBe(200)
  })

  test('may have a statement of exactly 1 MB, even if every character is escaped', async () => {
    const escaped = `{"sql": "${String.raw`\u0041`.repeat(MAX_SQL_BYTES)}"}`
    expect((await query(escaped)).status).toBe(200)
    const { error } = await app.send(QUERY, { key, json: { sql: 'A'.repeat(MAX_SQL_BYTES + 1) } })
    expect(error?.details).toMatchObject({ issues: [{ path: 'sql', message: 'must be at most 1 MB' }] })
  })

  test('that is compressed is refused as such', async () => {
    const body = gzipSync(JSON.stringify(SQL))
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    const { error } = await app.send(QUERY, { key, body, headers })
    expect(error?.message).toBe('The body must be sent uncompressed, without “Content-Encoding”.')
  })

  test.each([
    ['1e20', 'must be at most 300'],
    ['-1e20', 'must be at least 1'],
    ['1e400', 'is beyond the range of numbers'],
  ])('with the number %s has one issue', async (number, message) => {
    const { error } = await query(`{"sql": "SELECT 1", "timeout_seconds": ${number}}`)
    expect(error?.details).toEqual({ issues: [{ path: 'timeout_seconds', message }] })
  })

  test('that is too large is refused before its end', async () => {
    let sent = 0
    let cancelled = false
    const chunk = new Uint8Array(65_536).fill(0x20)
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length
        if (sent > 100_000_000) controller.close()
        else controller.enqueue(chunk)
      },
      cancel() {
        cancelled = true
      },
    })
    const request = new Request(`${BASE}/public/v1/query`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit)
    const { error } = await answerOf(await app.fetch(request))
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { max_bytes: MAX_BODY_BYTES } })
    expect(cancelled).toBe(true)
    // Over a network, more is sent until the answer arrives, the more the busier the machine is.
    if (IN_PROCESS) expect(sent).toBeLessThan(MAX_BODY_BYTES + 5 * chunk.length)
  })

  test('that declares a larger size is refused before it’s read', async () => {
    const { error } = await app.send(QUERY, {
      key,
      body: JSON.stringify(SQL),
      headers: { 'Content-Type': 'application/json', 'Content-Length': String(MAX_BODY_BYTES + 1) },
    })
    expect(error?.code).toBe('PAYLOAD_TOO_LARGE')
  })

  test('with a million levels of nesting is harmless, whether they’re ignored or not', async () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    expect((await query(`{"sql": "SELECT 1", "more": ${deep}}`)).status).toBe(200)
    expect((await query(`{"sql": ${deep}}`)).error?.code).toBe('INVALID_REQUEST')
    expect((await query(deep)).error?.code).toBe('INVALID_REQUEST')
  })

  test('with a million invalid items is refused with some of them', async () => {
    const files = Array.from({ length: 1_000_000 }, () => 0)
    const json = { workspace_id: crypto.randomUUID(), files }
    const { error } = await app.send('POST /public/v1/storage/signed-urls', { key, json })
    const issues = (error?.details?.['issues'] ?? []) as Issue[]
    expect(issues.length).toBeLessThan(1100)
    expect(issues.find(({ path }) => path === 'files')?.message).toMatch('at most 100 items')
  })

  test('with a duplicate field has the last value', async () => {
    await query('{"sql": "SELECT 1", "sql": "SELECT 2"}')
    expect(app.calls[0]?.call.body).toEqual({ sql: 'SELECT 2', timeout_seconds: 30 })
  })

  test('with __proto__ or constructor changes no prototypes', async () => {
    const json =
      '{"sql": "SELECT 1", "__proto__": {"timeout_seconds": 5, "polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'
    await query(json)
    expect(app.calls[0]?.call.body).toEqual({ sql: 'SELECT 1', timeout_seconds: 30 })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect((await query('{"__proto__": {"sql": "SELECT 1"}}')).error?.code).toBe('INVALID_REQUEST')
  })

  test('is refused with all of its issues, but unknown fields are ignored', async () => {
    const { error } = await app.send('POST /public/v1/datasets', {
      key,
      json: { dataset_name: ' ', visibility: 'secret', tables: [{ table_name: 't' }], extra: 1 },
    })
    expect(error?.details?.['issues']).toEqual([
      { path: 'dataset_name', message: 'must not be empty' },
      { path: 'visibility', message: 'must be "private" or "public"' },
      { path: 'workspace_id', message: 'is required' },
      { path: 'tables[0].signed_url', message: 'is required' },
    ])
  })
})

describe('formats', () => {
  test.each([
    { source_format: 'xml', destination_format: 'csv', source_url: 'a' },
    { source_format: 'csv', destination_format: 'XLS' },
    { sourceFormat: 'csv', destinationFormat: '' },
  ])('unknown ones are unsupported, with those that are: %j', async (json) => {
    const app = testApp()
    const key = await app.newKey()
    for (const path of ['/convert', '/convert/upload-urls']) {
      const { error } = await app.send(`POST /api/public/v1${path}`, { key, json })
      expect(error).toMatchObject({ code: 'UNSUPPORTED_FORMAT', details: { supported: [...SERVICE_FORMATS] } })
      expect(error?.message).toMatch(
        /^(?:source|destination)_?format .+ It supports csv, tsv, json, xlsx and parquet\.$/i,
      )
    }
  })

  test('in either spelling reach the handler as snake_case, which learns whether it was camelCase', async () => {
    const app = testApp()
    const key = await app.newKey()
    const body = { source_format: 'xlsx', destination_format: 'tsv' }
    await app.send('POST /public/v1/convert/upload-urls', {
      key,
      json: { source_format: 'Excel', destination_format: 'TSV' },
    })
    await app.send('POST /api/public/v1/convert/upload-urls', {
      key,
      json: { sourceFormat: 'excel', destination_format: 'tsv' },
    })
    expect(app.calls.map(({ call }) => [call.body, call.camelCase])).toEqual([
      [body, false],
      [body, true],
    ])
  })
})

describe('a query', () => {
  test.each([
    ['', 200, {}],
    ['?expand=tables', 200, { expand: 'tables' }],
    ['?other=1', 200, {}],
    ['?expand=rows', 400, null],
    ['?expand=', 400, null],
    ['?expand=tables&expand=rows', 400, null],
  ])('“%s” is answered with %i', async (text, status, expected) => {
    const app = testApp()
    const answer = await app.send(`GET /public/v1/workspaces/w/datasets${text}`, { key: await app.newKey() })
    expect(answer.status).toBe(status)
    if (expected) expect(app.calls[0]?.call.query).toEqual(expected)
    else expect(answer.error?.details).toMatchObject({ issues: [{ path: 'expand' }] })
  })
})
